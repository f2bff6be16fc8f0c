import { event, type PayloadsOf } from '#kernel/events/event.js';
import { Id, Nullable, OneOf, Timestamp, Type, type Static } from '#kernel/values/schema.js';

export const TopAccountTier = OneOf('Tier 1', 'Tier 2', 'Tier 3');
export type TopAccountTier = Static<typeof TopAccountTier>;

/** Which account it is, and which company of the workspace. */
const account = { accountId: Id, companyId: Id };

export const topAccountEvents = {
  TopAccountListCreated: event(Type.Object({ topAccountListId: Id })),
  /** A company was found for what was submitted, and stands on the list from now on, assigned to no persona. */
  TopAccountFound: event(
    Type.Object({
      ...account,
      /** What the company is called on the observed network, for ever; null for one that is not observed yet. */
      companyRef: Nullable(Type.String()),
      /** As it was submitted. */
      tier: Nullable(TopAccountTier),
      foundAt: Timestamp,
    }),
  ),
  TopAccountAssigned: event(Type.Object({ ...account, personaId: Nullable(Id) })),
  TopAccountRemoved: event(Type.Object({ ...account, removedAt: Timestamp })),
  TopAccountTierSet: event(
    Type.Object({ ...account, tier: Nullable(TopAccountTier), source: OneOf('manual', 'crm') }),
  ),
};
export type TopAccountEvents = PayloadsOf<typeof topAccountEvents>;
