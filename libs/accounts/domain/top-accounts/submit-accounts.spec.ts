import { given } from '#kernel/testing/scenario.js';
import { distinctAccounts, keysOfAccount, keysOfCompany } from './account-keys.js';
import { returnableBy, submitAccounts, topAccountQuotaExceeded, warningsOf } from './submit-accounts.js';
import { topAccountsFromJson, topAccountsToJson } from './top-accounts-snapshot.js';
import { topAccounts } from './top-accounts.js';
import type { SubmittedAccount } from './top-accounts.events.js';

const NOW = '2026-01-05T10:00:00.000Z';
const byDomain = (domain: string): SubmittedAccount => ({ networkUrl: null, domain, tier: null });
const byHandle = (handle: string, domain: string | null = null): SubmittedAccount => ({
  networkUrl: `https://www.network.example/company/${handle}`,
  domain,
  tier: null,
});
const submission = (id: string, accounts: readonly SubmittedAccount[], quota: number | null = null) => ({
  submissionId: id,
  submitted: accounts.length,
  accounts: accounts.map(keysOfAccount),
  chunks: 1,
  quota,
  countries: ['FR'],
  submittedAt: NOW,
});
const submitted = (id: string, accounts: readonly SubmittedAccount[], fresh = accounts) => {
  const { accounts: keys, ...rest } = submission(id, accounts);
  const newKeys = fresh.flatMap((account) => {
    const { key, alias } = keysOfAccount(account);
    return alias === null ? [key] : [key, alias];
  });
  const data = { ...rest, accounts: keys.length, newAccounts: fresh.length, newKeys };
  return { type: 'AccountsSubmitted', data } as const;
};

describe('the keys of an account', () => {
  it('OP-52 are the handle of its URL, otherwise its domain; with both the domain is an alias', () => {
    const acme = keysOfAccount(byHandle('acme'));
    expect(
      keysOfAccount({ ...byHandle('ACME'), networkUrl: 'uk.network.example/companies/Acme/about?a=1' }),
    ).toEqual(acme);
    const both = keysOfAccount(byHandle('acme', 'https://www.acme.com/x'));
    expect(both).toEqual({ key: acme.key, alias: keysOfAccount(byDomain('acme.com')).key });
    expect(acme.alias).toBeNull();
    expect(acme.key).toMatch(/^[A-Za-z0-9+/]{16}$/);
  });

  it('OP-52 of an invalid identifier are its folded text; a person is no company', () => {
    expect(keysOfAccount(byDomain('No  Dot'))).toEqual(keysOfAccount(byDomain(' no dot')));
    const person = { networkUrl: 'https://www.network.example/in/acme', domain: null, tier: null };
    expect(keysOfAccount(person).key).not.toBe(keysOfAccount(byHandle('acme')).key);
  });

  it('TAL-08 appear once, with the tier that was sent last', () => {
    const distinct = distinctAccounts([
      { ...byDomain('acme.com'), tier: 'Tier 2' },
      byDomain('globex.com'),
      { ...byDomain('ACME.com'), tier: 'Tier 1' },
      byDomain('acme.com'),
    ]);
    expect(distinct.map(({ account }) => [account.domain, account.tier])).toEqual([
      ['acme.com', 'Tier 1'],
      ['globex.com', null],
    ]);
  });
});

describe('submitted accounts', () => {
  const [acme, globex] = [byHandle('acme', 'acme.com'), byDomain('globex.com')];

  it('TAL-13 add new keys, of each account once', () => {
    given(topAccounts, [])
      .when(submitAccounts(submission('a', [acme, globex])))
      .then([submitted('a', [acme, globex])]);
    given(topAccounts, [submitted('a', [acme])])
      .when(submitAccounts(submission('b', [acme, globex])))
      .then([submitted('b', [acme, globex], [globex])]);
  });

  it('TAL-13 are not new if the alias is known, and add the key', () => {
    const { alias } = keysOfAccount(acme);
    const known = submitted('a', [byDomain('acme.com')]);
    const again = submitted('b', [acme], []);
    const newKeys = [keysOfAccount(acme).key];
    expect(known.data.newKeys).toEqual([alias]);
    given(topAccounts, [known])
      .when(submitAccounts(submission('b', [acme])))
      .then([{ ...again, data: { ...again.data, newAccounts: 0, newKeys } }]);
    const data = { ...submitted('b', [byHandle('acme')], []).data, newAccounts: 0 };
    given(topAccounts, [known, { ...again, data: { ...again.data, newKeys } }])
      .when(submitAccounts(submission('b', [byHandle('acme')])))
      .then([{ type: 'AccountsSubmitted', data }]);
  });

  it('TAL-12 TAL-14 TAL-15 fit into the remaining quota, or none of them is accepted', () => {
    const quota = (most: number) => submitAccounts(submission('b', [globex], most));
    const before = [submitted('a', [acme])];
    given(topAccounts, before)
      .when(quota(1))
      .then(
        topAccountQuotaExceeded({
          detail: '1 of the accounts are new, and the quota leaves 0; none was added.',
        }),
      );
    const { data } = submitted('b', [globex]);
    given(topAccounts, before)
      .when(quota(2))
      .then([{ type: 'AccountsSubmitted', data: { ...data, quota: 2 } }]);
    const found = { accountId: 5, companyId: 9 };
    const removed = [
      ...before,
      { type: 'TopAccountFound', data: { ...found, companyRef: null, tier: null, foundAt: NOW } },
      { type: 'TopAccountRemoved', data: { ...found, removedAt: NOW } },
    ] as const;
    given(topAccounts, removed)
      .when(quota(1))
      .then(
        topAccountQuotaExceeded({
          detail: '1 of the accounts are new, and the quota leaves 0; none was added.',
        }),
      );
  });

  it('TAL-09 cause a warning if the list will be short or long', () => {
    const listOf = (found: number, newAccounts: number, resolved = 0) => ({
      accounts: new Map(
        Array.from({ length: found }, (_, id) => [
          id,
          { companyId: id, tier: null, personaId: null, pickedFor: [] },
        ]),
      ),
      submissions: new Map([['a', { submissionId: 'a', accounts: newAccounts, newAccounts, resolved }]]),
    });
    expect(warningsOf(listOf(0, 4))).toEqual(['The list will hold 4 accounts; 5 to 20 are recommended.']);
    expect(warningsOf(listOf(2, 3))).toEqual([]);
    expect(warningsOf(listOf(2, 5, 2))).toEqual([]);
    expect(warningsOf(listOf(15, 5))).toEqual([]);
    expect(warningsOf(listOf(16, 5))).toEqual(['The list will hold 21 accounts; 5 to 20 are recommended.']);
    expect(warningsOf(listOf(4, 0), 1)).toEqual([]);
  });

  it('OP-52 can add the accounts of removed companies again, by their keys that are not new', () => {
    const request = { account_mapping: { requestId: 310, outcome: null, endedOn: null } } as const;
    const state = {
      keys: new Set(keysOfCompany({ networkHandle: 'acme', domains: [] })),
      requests: new Map([
        [9, request],
        [10, request],
      ]),
      byCompany: new Map([[10, 6]]),
    };
    const { key, alias } = keysOfAccount(acme);
    expect(returnableBy(state, [acme, globex].map(keysOfAccount))).toEqual({
      removed: [9],
      keys: [key, alias],
    });
    expect(keysOfCompany({ networkHandle: 'acme', domains: ['acme.com'] })).toEqual([key, alias]);
  });

  it('are in the snapshot of the list with everything that decisions need', () => {
    const state = topAccounts.initial();
    state.keys.add('A1b2C3d4E5f6G7h8');
    state.notFound.set('I9j0K1l2M3n4O5p6', 6);
    state.submissions.set('a', { submissionId: 'a', accounts: 3, newAccounts: 2, resolved: 1 });
    state.accounts.set(5, { companyId: 9, tier: 'Tier 1', personaId: 4, pickedFor: [] });
    state.byCompany.set(9, 5);
    const full = { ...state, topAccountListId: 3, acceptedAccounts: 2 };
    const stored = JSON.parse(JSON.stringify(topAccountsToJson(full)));
    expect(topAccountsFromJson(stored)).toEqual(full);
  });
});
