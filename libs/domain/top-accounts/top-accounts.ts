import { decider, type Decision } from '#kernel/commands/decider.js';
import { refusal } from '#kernel/values/refusal.js';
import { topAccountEvents, type TopAccountEvents, type TopAccountTier } from './top-accounts.events.js';

export type TopAccount = {
  readonly companyId: number;
  readonly tier: TopAccountTier | null;
  /** The business unit that it belongs to; null for all of them. */
  readonly personaId: number | null;
};

export type TopAccounts = {
  readonly topAccountListId: number | null;
  /** Found accounts by id; grows in place with the fold. */
  readonly accounts: Map<number, TopAccount>;
  /** Account by company: a company is one account, under however many names it was submitted. */
  readonly byCompany: Map<number, number>;
};

export const unknownTopAccount = refusal({
  code: 'unknown-top-account',
  kind: 'missing',
  detail: 'The workspace has no top account with this id.',
});

export const topAccounts = decider<TopAccounts>()({
  category: 'topAccounts',
  scope: 'workspace',
  vocabulary: topAccountEvents,
  strict: true,
  initial: () => ({ topAccountListId: null, accounts: new Map(), byCompany: new Map() }),
  on: {
    TopAccountListCreated: (state, { data }) => ({ ...state, topAccountListId: data.topAccountListId }),
    TopAccountFound: (state, { data: { accountId, companyId, tier } }) => {
      state.accounts.set(accountId, { companyId, tier, personaId: null });
      state.byCompany.set(companyId, accountId);
      return state;
    },
    TopAccountAssigned: (state, { data: { accountId, personaId } }) =>
      change(state, accountId, { personaId }),
    TopAccountTierSet: (state, { data: { accountId, tier } }) => change(state, accountId, { tier }),
    TopAccountRemoved: (state, { data: { accountId, companyId } }) => {
      state.accounts.delete(accountId);
      state.byCompany.delete(companyId);
      return state;
    },
  },
});

function change(state: TopAccounts, accountId: number, changes: Partial<TopAccount>): TopAccounts {
  const known = state.accounts.get(accountId);
  if (known !== undefined) state.accounts.set(accountId, { ...known, ...changes });
  return state;
}

type TopAccountsDecision = Decision<TopAccounts, typeof topAccountEvents>;

function requireAccount(state: TopAccounts, accountId: number): TopAccount {
  const known = state.accounts.get(accountId);
  if (known === undefined) throw unknownTopAccount();
  return known;
}

/** A workspace has one top account list, made when it is provisioned. */
export const createTopAccountList =
  (topAccountListId: number): TopAccountsDecision =>
  (state) =>
    state.topAccountListId === null ? [{ type: 'TopAccountListCreated', data: { topAccountListId } }] : [];

/** Puts a company on the list; one that stands there already stays the account that it is. */
export const findTopAccount =
  (input: TopAccountEvents['TopAccountFound']): TopAccountsDecision =>
  (state) =>
    state.byCompany.has(input.companyId) ? [] : [{ type: 'TopAccountFound', data: input }];

/** Gives an account to one business unit, or with null to none of its own. */
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

/** Sets the account's own tier, or takes it away with null. */
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
