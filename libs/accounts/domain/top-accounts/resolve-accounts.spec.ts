import { given } from '#kernel/testing/scenario.js';
import { keysOfAccount } from './account-keys.js';
import {
  askedFor,
  judgeAccounts,
  resolveAccounts,
  type DirectoryAnswer,
  type ResolvedAccount,
} from './resolve-accounts.js';
import { topAccounts } from './top-accounts.js';
import type { SubmittedAccount, TopAccountTier } from './top-accounts.events.js';

const NOW = '2026-01-05T10:00:00.000Z';
const EARLIER = '2026-01-05T09:00:00.000Z';
const url = (path: string): SubmittedAccount => ({
  networkUrl: `https://www.network.example/${path}`,
  domain: null,
  tier: null,
});
const at = (domain: string, tier: TopAccountTier | null = null): SubmittedAccount => ({
  networkUrl: null,
  domain,
  tier,
});

describe('the result for an account', () => {
  const judged = (account: SubmittedAccount, ...answers: readonly DirectoryAnswer<string>[]) =>
    judgeAccounts([account], answers)[0];

  it('OP-10 is looked up by its URL, and also by its domain', () => {
    expect(
      askedFor([{ ...url('company/acme'), domain: 'acme.com' }, at('no dot'), at('globex.com')]),
    ).toEqual([
      { by: 'handle', handle: 'acme', entity: 'company' },
      { by: 'domain', domain: 'acme.com' },
      { by: 'domain', domain: 'globex.com' },
    ]);
  });

  it('OP-10 OP-54 is a company, one accepted as given, or not found for a reason', () => {
    const outcome = (kind: 'ambiguous' | 'wrong_kind' | 'missing' | 'unknown') => ({ outcome: kind });
    const reason = (why: string) => ({ kind: 'not_found', reason: why });
    expect(judged(at('acme.com'), { outcome: 'found', facts: 'Acme' })).toEqual({
      kind: 'observed',
      facts: 'Acme',
      domain: null,
    });
    expect(judged(at('acme.com'), outcome('unknown'))).toEqual({
      kind: 'stub',
      handle: null,
      domain: 'acme.com',
    });
    expect(judged(at('acme.com'), outcome('missing'))).toEqual(reason('lookup_failed'));
    expect(judged(at('acme.com'), outcome('ambiguous'))).toEqual(reason('multiple_domain_matches'));
    expect(judged(url('company/acme'), outcome('missing'))).toEqual(reason('resolution_failed'));
    expect(judged(url('in/ana'), outcome('wrong_kind'))).toEqual(reason('wrong_entity_type'));
    expect(judged(url('feed'))).toEqual(reason('invalid_identifier'));
    expect(judged(at('no dot'))).toEqual(reason('invalid_identifier'));
  });

  it('OP-10 keeps a domain besides an unknown handle only if it belongs to no other company', () => {
    const both = { ...url('company/acme'), domain: 'acme.com' };
    const unknown = { outcome: 'unknown' } as const;
    expect(judged(both, unknown, unknown)).toEqual({ kind: 'stub', handle: 'acme', domain: 'acme.com' });
    expect(judged(both, unknown, { outcome: 'found', facts: 'Other' })).toEqual({
      kind: 'stub',
      handle: 'acme',
      domain: null,
    });
    // The answers of each account are its own, whatever earlier accounts needed.
    const after = judgeAccounts(
      [both, at('no dot'), at('globex.com')],
      [unknown, unknown, { outcome: 'missing' }],
    );
    expect(after[2]).toEqual({ kind: 'not_found', reason: 'lookup_failed' });
  });
});

describe('looked-up accounts', () => {
  const submitted = (submissionId: string, accounts: number) =>
    ({
      type: 'AccountsSubmitted',
      data: {
        submissionId,
        submitted: accounts,
        accounts,
        chunks: 1,
        newAccounts: accounts,
        newKeys: [],
        quota: null,
        countries: ['FR'],
        submittedAt: EARLIER,
      },
    }) as const;
  const found = (accountId: number, companyId: number, account: SubmittedAccount): ResolvedAccount => ({
    accountId,
    account,
    outcome: { companyId, companyRef: `c:${companyId}` },
  });
  const missed = (accountId: number, account: SubmittedAccount): ResolvedAccount => ({
    accountId,
    account,
    outcome: { reason: 'lookup_failed' },
  });
  const resolve = (from: number, ...accounts: readonly ResolvedAccount[]) =>
    resolveAccounts({ submissionId: 'a', from, accounts, submittedAt: EARLIER, now: NOW });
  const listed = (accountId: number, companyId: number, tier: TopAccountTier | null = null) =>
    ({
      type: 'TopAccountFound',
      data: { accountId, companyId, companyRef: `c:${companyId}`, tier, foundAt: NOW },
    }) as const;
  const notFound = (accountId: number, account: SubmittedAccount) =>
    ({
      type: 'TopAccountNotFound',
      data: {
        accountId,
        key: keysOfAccount(account).key,
        ...account,
        reason: 'lookup_failed',
        submittedAt: EARLIER,
      },
    }) as const;
  const resolved = (from: number, accounts: number, clearedIds: number[] = []) =>
    ({ type: 'AccountsResolved', data: { submissionId: 'a', from, accounts, clearedIds } }) as const;
  const tierSet = (accountId: number, companyId: number, tier: TopAccountTier) =>
    ({ type: 'TopAccountTierSet', data: { accountId, companyId, tier, source: 'manual' } }) as const;

  it('are added to the list, or to the accounts not found', () => {
    const gone = at('gone.example', 'Tier 3');
    given(topAccounts, [submitted('a', 2)])
      .when(resolve(0, found(5, 9, at('acme.com', 'Tier 1')), missed(6, gone)))
      .then([listed(5, 9, 'Tier 1'), notFound(6, gone), resolved(0, 2)]);
  });

  it('OP-71 TAL-08 are one account per company, which takes a submitted tier', () => {
    given(topAccounts, [submitted('a', 4)])
      .when(
        resolve(
          0,
          found(5, 9, at('acme.com')),
          found(6, 9, at('acme.example', 'Tier 2')),
          found(7, 9, at('acme.org', 'Tier 2')),
          found(8, 9, at('acme.net')),
        ),
      )
      .then([listed(5, 9), tierSet(5, 9, 'Tier 2'), resolved(0, 4)]);
    given(topAccounts, [submitted('a', 1), listed(3, 9, 'Tier 1')])
      .when(resolve(0, found(5, 9, at('acme.com', 'Tier 3'))))
      .then([tierSet(3, 9, 'Tier 3'), resolved(0, 1)]);
  });

  it('OP-71 keep their row while they are not found, and lose it once they are found', () => {
    const late = at('late.example');
    const before = [submitted('z', 1), notFound(4, late), submitted('a', 2)] as const;
    given(topAccounts, before)
      .when(resolve(0, missed(5, late), missed(6, late)))
      .then([notFound(4, late), notFound(4, late), resolved(0, 2)]);
    const known = { ...url('company/late'), domain: 'late.example' };
    given(topAccounts, before)
      .when(resolve(0, found(5, 9, known), found(6, 9, late)))
      .then([listed(5, 9), resolved(0, 2, [4])]);
    given(topAccounts, [...before, listed(5, 9), resolved(0, 1, [4])])
      .when(resolve(1, missed(6, late)))
      .then([notFound(6, late), resolved(1, 1)]);
  });

  it('are recorded once, in their order', () => {
    const first = resolve(0, found(5, 9, at('acme.com')));
    const before = [submitted('a', 2), listed(5, 9), resolved(0, 1)] as const;
    given(topAccounts, before).when(first).then([]);
    given(topAccounts, before)
      .when(resolve(1, found(6, 9, at('acme.com'))))
      .then([resolved(1, 1)]);
    given(topAccounts, [...before, resolved(1, 1)])
      .when(first)
      .then([]);
    given(topAccounts, []).when(first).then([]);
  });
});
