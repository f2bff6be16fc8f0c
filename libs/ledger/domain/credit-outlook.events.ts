import { event, type PayloadsOf } from '#kernel/events/event.js';
import { Day, Nullable, StoredCredits, Timestamp, Type } from '#kernel/values/schema.js';

/**
 * Events of the stream `creditOutlook-<workspace>`: the forecast end of a workspace's balance. They move no credits.
 */
export const creditOutlookEvents = {
  /**
   * The balance was forecast at `at`; the next forecast is due at `lookAt`, or, if null, after the next grant or
   * similar entry.
   */
  CreditsForeseen: event(
    Type.Object({
      at: Timestamp,
      balance: StoredCredits,
      /** Credits used in 24 hours (LOW-02). */
      burn: StoredCredits,
      /** The day on which the balance ends; null if it lasts longer than the forecast covers. */
      endsOn: Nullable(Day),
      lookAt: Nullable(Timestamp),
    }),
  ),
};
export type CreditOutlookEvents = PayloadsOf<typeof creditOutlookEvents>;
