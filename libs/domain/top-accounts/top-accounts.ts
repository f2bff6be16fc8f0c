import { decider, type Decision } from '#kernel/decider.js';
import { topAccountEvents } from './top-accounts.events.js';

export type TopAccounts = { readonly topAccountListId: number | null };

export const topAccounts = decider<TopAccounts>()({
  category: 'topAccounts',
  vocabulary: topAccountEvents,
  strict: true,
  initial: () => ({ topAccountListId: null }),
  on: { TopAccountListCreated: (_, { data }) => ({ topAccountListId: data.topAccountListId }) },
});

/** A workspace has one top account list, made when it is provisioned. */
export const createTopAccountList =
  (topAccountListId: number): Decision<TopAccounts, typeof topAccountEvents> =>
  (state) =>
    state.topAccountListId === null ? [{ type: 'TopAccountListCreated', data: { topAccountListId } }] : [];
