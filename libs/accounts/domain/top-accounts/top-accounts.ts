import { decider } from '#kernel/commands/decider.js';
import { refusal } from '#kernel/values/refusal.js';
import type { RequestType } from '#accounts/domain/content-requests/content-request.events.js';
import type {
  AccountRequest,
  TopAccount,
  TopAccountsState,
  TopAccountsDecision,
} from './top-accounts-state.js';
import { topAccountsFromJson, topAccountsToJson } from './top-accounts-snapshot.js';
import { topAccountEvents, type TopAccountEvents } from './top-accounts.events.js';

export const unknownTopAccount = refusal({
  code: 'unknown-top-account',
  kind: 'missing',
  detail: 'The workspace has no top account with this id.',
});

const BYTES_PER_KEY = 80;
const BYTES_PER_REQUEST = 160;
const BYTES_PER_CHANGE = 256;
const lengthOf = (list: unknown): number => (Array.isArray(list) ? list.length : 0);
/** Events between two snapshots. */
const SNAPSHOT_EVERY = 500;

export const topAccounts = decider<TopAccountsState>()({
  category: 'topAccounts',
  scope: 'workspace',
  vocabulary: topAccountEvents,
  stops: (_state, events) =>
    events.some(
      ({ type, data }) =>
        type === 'TopAccountRemoved' || (type === 'TopAccountMonitoringPicked' && data.buckets === null),
    ),
  strict: true,
  initial: () => ({
    topAccountListId: null,
    keys: new Set(),
    acceptedAccounts: 0,
    submissions: new Map(),
    notFound: new Map(),
    accounts: new Map(),
    byCompany: new Map(),
    requests: new Map(),
  }),
  on: {
    TopAccountListCreated: (state, { data }) => ({ ...state, topAccountListId: data.topAccountListId }),
    AccountsSubmitted: (state, { data: { submissionId, accounts, newAccounts, newKeys } }) => {
      for (const key of newKeys) state.keys.add(key);
      state.submissions.set(submissionId, { submissionId, accounts, newAccounts, resolved: 0 });
      return { ...state, acceptedAccounts: state.acceptedAccounts + newAccounts };
    },
    AccountsResolved: (state, { data: { submissionId, from, accounts, clearedIds } }) => {
      const cleared = new Set(clearedIds);
      if (cleared.size > 0)
        for (const [key, accountId] of state.notFound) if (cleared.has(accountId)) state.notFound.delete(key);
      const open = state.submissions.get(submissionId);
      if (open === undefined) return state;
      const resolved = from + accounts;
      if (resolved < open.accounts) state.submissions.set(submissionId, { ...open, resolved });
      else state.submissions.delete(submissionId);
      return state;
    },
    TopAccountNotFound: (state, { data: { accountId, key } }) => {
      state.notFound.set(key, accountId);
      return state;
    },
    AccountRequestsPlanned: (state, { data: { requests } }) => {
      for (const { companyId, type, requestId } of requests)
        setRequest(state, companyId, type, { requestId, outcome: null, endedOn: null });
      return state;
    },
    AccountRequestsEnded: (state, { data: { requests, endedAt } }) => {
      for (const { companyId, type, requestId, outcome } of requests)
        if (state.requests.get(companyId)?.[type]?.requestId === requestId)
          setRequest(state, companyId, type, { requestId, outcome, endedOn: endedAt.slice(0, 10) });
      return state;
    },
    TopAccountFound: (state, { data: { accountId, companyId, tier } }) => {
      state.accounts.set(accountId, { companyId, tier, personaId: null, pickedFor: [] });
      state.byCompany.set(companyId, accountId);
      return state;
    },
    TopAccountAssigned: (state, { data: { accountId, personaId } }) =>
      change(state, accountId, { personaId }),
    TopAccountMonitoringPicked: (state, { data: { accountId, personaId, buckets } }) => {
      const others = (state.accounts.get(accountId)?.pickedFor ?? []).filter((id) => id !== personaId);
      return change(state, accountId, { pickedFor: buckets === null ? others : [...others, personaId] });
    },
    TopAccountTierSet: (state, { data: { accountId, tier } }) => change(state, accountId, { tier }),
    TopAccountRemoved: (state, { data: { accountId, companyId } }) => {
      state.accounts.delete(accountId);
      state.byCompany.delete(companyId);
      return state;
    },
  },
  bytesOf: ({ data: { newKeys, requests } }) =>
    BYTES_PER_CHANGE + lengthOf(newKeys) * BYTES_PER_KEY + lengthOf(requests) * BYTES_PER_REQUEST,
  snapshot: {
    every: SNAPSHOT_EVERY,
    stateVersion: 2,
    toJson: topAccountsToJson,
    fromJson: topAccountsFromJson,
  },
});

function change(state: TopAccountsState, accountId: number, changes: Partial<TopAccount>): TopAccountsState {
  const known = state.accounts.get(accountId);
  if (known !== undefined) state.accounts.set(accountId, { ...known, ...changes });
  return state;
}

function setRequest(
  { requests }: TopAccountsState,
  companyId: number,
  type: RequestType,
  request: AccountRequest,
): void {
  requests.set(companyId, { ...requests.get(companyId), [type]: request });
}

function requireAccount(state: TopAccountsState, accountId: number): TopAccount {
  const known = state.accounts.get(accountId);
  if (known === undefined) throw unknownTopAccount();
  return known;
}

/** A workspace has one top account list, created when it is provisioned. */
export const createTopAccountList =
  (topAccountListId: number): TopAccountsDecision =>
  (state) =>
    state.topAccountListId === null ? [{ type: 'TopAccountListCreated', data: { topAccountListId } }] : [];

/** Assigns an account to one business unit, or with null to all. */
export const assignTopAccount =
  ({
    accountId,
    personaId,
  }: {
    readonly accountId: number;
    readonly personaId: number | null;
  }): TopAccountsDecision =>
  (state) => {
    const { companyId, personaId: before } = requireAccount(state, accountId);
    return personaId === before
      ? []
      : [{ type: 'TopAccountAssigned', data: { accountId, companyId, personaId } }];
  };

export const removeTopAccount =
  ({ accountId, now }: { readonly accountId: number; readonly now: string }): TopAccountsDecision =>
  (state) => {
    const { companyId } = requireAccount(state, accountId);
    return [{ type: 'TopAccountRemoved', data: { accountId, companyId, removedAt: now } }];
  };

/** Sets the account's own tier, or removes it with null. */
export const setTopAccountTier =
  ({
    accountId,
    tier,
    source,
  }: Omit<TopAccountEvents['TopAccountTierSet'], 'companyId'>): TopAccountsDecision =>
  (state) => {
    const { companyId, tier: before } = requireAccount(state, accountId);
    return tier === before
      ? []
      : [{ type: 'TopAccountTierSet', data: { accountId, companyId, tier, source } }];
  };
