import type { JsonObject } from '#kernel/values/json.js';
import type { TopAccountsState } from './top-accounts-state.js';

type Entries<Members> = Members extends ReadonlyMap<infer Key, infer Value> ? readonly [Key, Value][] : never;

type StoredTopAccounts = Pick<TopAccountsState, 'topAccountListId' | 'acceptedAccounts'> & {
  readonly keys: readonly string[];
  readonly submissions: Entries<TopAccountsState['submissions']>;
  readonly notFound: Entries<TopAccountsState['notFound']>;
  readonly accounts: Entries<TopAccountsState['accounts']>;
  readonly requests: Entries<TopAccountsState['requests']>;
};

/** The top accounts of a workspace in their snapshot; the index of companies is rebuilt from the accounts. */
export function topAccountsToJson(state: TopAccountsState): JsonObject {
  const { topAccountListId, acceptedAccounts, keys, submissions, notFound, accounts, requests } = state;
  const stored: StoredTopAccounts = {
    topAccountListId,
    acceptedAccounts,
    keys: [...keys],
    submissions: [...submissions],
    notFound: [...notFound],
    accounts: [...accounts],
    requests: [...requests],
  };
  return stored;
}

export function topAccountsFromJson(json: JsonObject): TopAccountsState {
  // The version and checksum of the snapshot were checked, so `topAccountsToJson` made it.
  const { topAccountListId, acceptedAccounts, ...stored } = json as unknown as StoredTopAccounts;
  return {
    topAccountListId,
    acceptedAccounts,
    keys: new Set(stored.keys),
    submissions: new Map(stored.submissions),
    notFound: new Map(stored.notFound),
    accounts: new Map(stored.accounts),
    requests: new Map(stored.requests),
    byCompany: new Map(stored.accounts.map(([accountId, { companyId }]) => [companyId, accountId])),
  };
}
