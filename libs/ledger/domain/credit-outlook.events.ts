import { event, type PayloadsOf } from '#kernel/events/event.js';
import { Day, Nullable, StoredCredits, Timestamp, Type } from '#kernel/values/schema.js';

/** On the stream of a workspace (`creditOutlook-<workspace>`): how long its balance is foreseen to last. It moves no credits. */
export const creditOutlookEvents = {
  /** The balance was foreseen at `at`; it is looked at again at `lookAt`, null: after the next grant and the like. */
  CreditsForeseen: event(
    Type.Object({
      at: Timestamp,
      balance: StoredCredits,
      /** What is used in 24 hours (LOW-02). */
      burn: StoredCredits,
      /** The day on which the balance ends; null where it lasts longer than the forecast looks. */
      endsOn: Nullable(Day),
      lookAt: Nullable(Timestamp),
    }),
  ),
};
export type CreditOutlookEvents = PayloadsOf<typeof creditOutlookEvents>;
