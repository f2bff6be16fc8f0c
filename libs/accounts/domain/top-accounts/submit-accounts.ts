import { counted } from '#kernel/values/counted.js';
import { refusal } from '#kernel/values/refusal.js';
import type { AccountKeys } from './account-keys.js';
import type { TopAccountEvents } from './top-accounts.events.js';
import type { TopAccountsDecision, TopAccountsState } from './top-accounts-state.js';

export const topAccountQuotaExceeded = refusal({
  code: 'top-account-quota-exceeded',
  kind: 'forbidden',
  slug: 'top-account-quota-exceeded',
  title: 'Top account quota exceeded',
  detail: 'The accounts do not fit into the quota of the workspace; none was added.',
});

/** The maximum number of accounts in one request (TAL-05). */
export const MOST_ACCOUNTS = 10_000;

/** The recommended length of a list; other lengths are accepted with a warning (TAL-09). */
const RECOMMENDED = { least: 5, most: 20 };

type New = Pick<TopAccountEvents['AccountsSubmitted'], 'newAccounts' | 'newKeys'>;

/**
 * The accounts that the workspace never named before, by key or alias; each account's keys are known to later ones.
 * Throws `topAccountQuotaExceeded` if they exceed the remaining quota.
 */
export function requireQuota(
  { keys, acceptedAccounts }: Pick<TopAccountsState, 'keys' | 'acceptedAccounts'>,
  accounts: readonly AccountKeys[],
  quota: number | null,
): New {
  const newKeys = new Set<string>();
  let newAccounts = 0;
  for (const { key, alias } of accounts) {
    const all = alias === null ? [key] : [key, alias];
    const unknown = all.filter((name) => !keys.has(name) && !newKeys.has(name));
    if (unknown.length === all.length) newAccounts += 1;
    for (const name of unknown) newKeys.add(name);
  }
  const left = quota === null ? Number.POSITIVE_INFINITY : Math.max(0, quota - acceptedAccounts);
  if (newAccounts > left) {
    throw topAccountQuotaExceeded({
      detail: `${newAccounts} of the accounts are new, and the quota leaves ${left}; none was added.`,
    });
  }
  return { newAccounts, newKeys: [...newKeys] };
}

export type SubmitAccountsInput = Omit<
  TopAccountEvents['AccountsSubmitted'],
  'newAccounts' | 'newKeys' | 'accounts'
> & {
  readonly accounts: readonly AccountKeys[];
};

/** Accepts the accounts of a submission whose chunks are written; refused as by `requireQuota`. */
export const submitAccounts =
  ({ accounts, ...input }: SubmitAccountsInput): TopAccountsDecision =>
  (state) => [
    {
      type: 'AccountsSubmitted',
      data: { ...input, accounts: accounts.length, ...requireQuota(state, accounts, input.quota) },
    },
  ];

/** The companies whose account was removed, and the keys by which a submission can add one of them again. */
export type Returnable = { readonly removed: readonly number[]; readonly keys: readonly string[] };

/** What a submission can add again: the keys of its accounts that are not new. */
export function returnableBy(
  { keys, requests, byCompany }: Pick<TopAccountsState, 'keys' | 'requests' | 'byCompany'>,
  accounts: readonly AccountKeys[],
): Returnable {
  const named = accounts.map(({ key, alias }) => (alias === null ? [key] : [key, alias]));
  const known = named.filter((all) => all.some((name) => keys.has(name)));
  // The requests of removed companies stay.
  const removed = [...requests.keys()].filter((companyId) => !byCompany.has(companyId));
  return { removed, keys: known.flat() };
}

/**
 * The warning for a list that will be shorter or longer than recommended; nothing for any other. `returning`: accounts of
 * the newest submission that were removed before.
 */
export function warningsOf(
  { accounts, submissions }: Pick<TopAccountsState, 'accounts' | 'submissions'>,
  returning = 0,
): string[] {
  let size = accounts.size + returning;
  for (const { newAccounts, resolved } of submissions.values()) size += Math.max(0, newAccounts - resolved);
  if (size >= RECOMMENDED.least && size <= RECOMMENDED.most) return [];
  return [
    `The list will hold ${counted(size, 'account')}; ${RECOMMENDED.least} to ${RECOMMENDED.most} are recommended.`,
  ];
}
