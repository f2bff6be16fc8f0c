import type { EventOf } from '#kernel/events/event.js';
import type { NetworkIdentifier } from '#kernel/values/network-identifiers.js';
import { identifiersOf, keysOfAccount } from './account-keys.js';
import { failedTypes, isMapped, planOf, requestsFor, type Requestable } from './account-requests.js';
import type {
  NotFoundReason,
  SubmittedAccount,
  TopAccountEvents,
  TopAccountTier,
} from './top-accounts.events.js';
import type { TopAccountsDecision, TopAccountsState } from './top-accounts-state.js';

/** The answer of the network directory for an identifier. */
export type DirectoryAnswer<Facts> =
  | { readonly outcome: 'found'; readonly facts: Facts }
  | { readonly outcome: 'ambiguous' | 'wrong_kind' | 'missing' | 'unknown' };

/**
 * The result for an account: an observed company, a company without observations that is accepted as given (OP-10), or
 * none.
 */
export type Judgement<Facts> =
  /** `domain`: sent beside the handle and unknown to the network: an alias of the company (OP-52). */
  | { readonly kind: 'observed'; readonly facts: Facts; readonly domain: string | null }
  | { readonly kind: 'stub'; readonly handle: string | null; readonly domain: string | null }
  | { readonly kind: 'not_found'; readonly reason: NotFoundReason };

/** The look-ups for the directory, in the order in which `judgeAccounts` takes the answers. */
export function askedFor(accounts: readonly SubmittedAccount[]): readonly NetworkIdentifier[] {
  return accounts.flatMap((account) => {
    const { identifier, hint } = identifiersOf(account);
    return [identifier, hint].filter((asked) => asked !== null);
  });
}

/** One judgement per account, in order. `answers` are those to `askedFor`. */
export function judgeAccounts<Facts>(
  accounts: readonly SubmittedAccount[],
  answers: readonly DirectoryAnswer<Facts>[],
): readonly Judgement<Facts>[] {
  let taken = 0;
  const take = (): DirectoryAnswer<Facts> | null => answers[taken++] ?? null;
  return accounts.map((account) => {
    const { identifier, hint } = identifiersOf(account);
    const answer = identifier === null ? null : take();
    const hinted = hint === null ? null : take();
    if (identifier === null || answer === null) return { kind: 'not_found', reason: 'invalid_identifier' };
    // A domain of another company contradicts the handle: the handle is preferred.
    const beside = hint?.by === 'domain' && hinted?.outcome === 'unknown' ? hint.domain : null;
    switch (answer.outcome) {
      case 'found':
        return { kind: 'observed', facts: answer.facts, domain: beside };
      case 'unknown':
        return identifier.by === 'domain'
          ? { kind: 'stub', handle: null, domain: identifier.domain }
          : { kind: 'stub', handle: identifier.handle, domain: beside };
      case 'ambiguous':
        return { kind: 'not_found', reason: 'multiple_domain_matches' };
      case 'wrong_kind':
        return { kind: 'not_found', reason: 'wrong_entity_type' };
      case 'missing':
        return {
          kind: 'not_found',
          reason: identifier.by === 'domain' ? 'lookup_failed' : 'resolution_failed',
        };
    }
  });
}

/** The result of one account; the id is for a new entry of the list or of the accounts not found. */
export type ResolvedAccount = {
  readonly accountId: number;
  readonly account: SubmittedAccount;
  readonly outcome:
    { readonly companyId: number; readonly companyRef: string | null } | { readonly reason: NotFoundReason };
};

export type ResolveAccounts = {
  readonly submissionId: string;
  /** Index of the first of them in the submission: those before it were resolved. */
  readonly from: number;
  readonly accounts: readonly ResolvedAccount[];
  /** Companies among them with a failed request: if submitted again, they get another one. */
  readonly failed?: readonly Requestable[];
  readonly submittedAt: string;
  readonly now: string;
};

/**
 * Records the results of accounts, one after the other, as if each had been submitted alone. A listed company keeps its
 * account and takes a submitted tier. An account that was not found before keeps its row until it is found. No event
 * if the results are recorded already.
 */
export const resolveAccounts =
  (input: ResolveAccounts): TopAccountsDecision =>
  (state) => {
    const { submissionId, from, accounts } = input;
    if (state.submissions.get(submissionId)?.resolved !== from) return [];
    const recorded = accounts.flatMap(recorder(state, input));
    const clearedIds = cleared(state, accounts);
    const { failed = [], now } = input;
    const again = failed.flatMap((company) => {
      const requests = state.requests.get(company.companyId);
      if (isMapped(requests) && !state.byCompany.has(company.companyId)) return [];
      return requestsFor(company, failedTypes(requests, company.types), now);
    });
    return [
      ...recorded,
      ...planOf(again, now),
      { type: 'AccountsResolved', data: { submissionId, from, accounts: accounts.length, clearedIds } },
    ];
  };

/** Records one account after the other; each takes the changes of earlier ones into account. */
function recorder(state: TopAccountsState, { submittedAt, now }: ResolveAccounts) {
  const listed = new Map<number, { readonly accountId: number; readonly tier: TopAccountTier | null }>();
  const missed = new Map<string, number>();

  const listedAs = (companyId: number) => {
    const accountId = state.byCompany.get(companyId);
    if (accountId === undefined) return listed.get(companyId) ?? null;
    return listed.get(companyId) ?? { accountId, tier: state.accounts.get(accountId)?.tier ?? null };
  };

  return ({ accountId, account, outcome }: ResolvedAccount): EventOf<TopAccountEvents>[] => {
    const { tier } = account;
    if ('reason' in outcome) {
      const { key } = keysOfAccount(account);
      const row = missed.get(key) ?? state.notFound.get(key) ?? accountId;
      missed.set(key, row);
      const { reason } = outcome;
      return [{ type: 'TopAccountNotFound', data: { accountId: row, key, ...account, reason, submittedAt } }];
    }
    const { companyId, companyRef } = outcome;
    const known = listedAs(companyId);
    if (known === null) {
      listed.set(companyId, { accountId, tier });
      return [{ type: 'TopAccountFound', data: { accountId, companyId, companyRef, tier, foundAt: now } }];
    }
    if (tier === null || tier === known.tier) return [];
    listed.set(companyId, { ...known, tier });
    return [
      {
        type: 'TopAccountTierSet',
        data: { accountId: known.accountId, companyId, tier, source: 'manual' },
      },
    ];
  };
}

/** Rows of accounts that were not found before and are found now. */
function cleared({ notFound }: TopAccountsState, accounts: readonly ResolvedAccount[]): number[] {
  const ids = accounts.flatMap(({ account, outcome }) => {
    if ('reason' in outcome) return [];
    const { key, alias } = keysOfAccount(account);
    return [key, alias].flatMap((name) => (name === null ? [] : (notFound.get(name) ?? [])));
  });
  return [...new Set(ids)];
}
