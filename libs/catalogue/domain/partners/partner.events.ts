import { event, type PayloadsOf } from '#kernel/events/event.js';
import { Id, Nullable, StoredCredits, Timestamp, Type } from '#kernel/values/schema.js';

export const partnerEvents = {
  PartnerCreated: event(Type.Object({ partnerId: Id, name: Type.String(), createdAt: Timestamp })),
  /** A negotiated rate; null withdraws it: the list price applies again. */
  PartnerRateSet: event(
    Type.Object({ partnerId: Id, item: Type.String(), credits: Nullable(StoredCredits) }),
  ),
};
export type PartnerEvents = PayloadsOf<typeof partnerEvents>;
