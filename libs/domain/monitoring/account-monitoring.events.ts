import { event, type PayloadsOf } from '#kernel/events/event.js';
import { Id, Nullable, OneOf, Timestamp, Type } from '#kernel/values/schema.js';

/** Most accounts and business units that one command is about (streams.md). */
export const MAX_UNITS_AT_ONCE = 100;

/** On the one stream of a workspace (`accountMonitoring-<workspace>`): how its background work got on. */
export const accountMonitoringEvents = {
  /** What is wanted follows the lists, as far as they had changed after so many changes. */
  MonitoringFollowed: event(Type.Object({ upTo: Type.Integer({ minimum: 1 }) })),
  /**
   * Months that could not be paid when they were tried first, each `since` the last one ended or it was wanted: from
   * here on these are not covered. The ledger shows when that ends.
   */
  MonthsRefused: event(
    Type.Object({
      units: Type.Array(Type.Object({ companyId: Id, personaId: Id, since: Timestamp }), {
        minItems: 1,
        maxItems: MAX_UNITS_AT_ONCE,
      }),
      /** `credits`: the balance does not cover them; `price`: there is none; `blocked`: the workspace is. */
      reason: OneOf('credits', 'price', 'blocked'),
      triedAt: Timestamp,
    }),
  ),
  /** When what is not covered is tried again; null: nothing is. `wakes`: grants and the like that were seen by then. */
  MonthsRetrySet: event(Type.Object({ retryAt: Nullable(Timestamp), wakes: Type.Integer({ minimum: 0 }) })),
  /** What is not covered is to be tried at once, beside its hours: a price for it was set. */
  MonthsRetryAsked: event(Type.Object({ because: OneOf('price'), askedAt: Timestamp })),
};
export type AccountMonitoringEvents = PayloadsOf<typeof accountMonitoringEvents>;
export type RefusalReason = AccountMonitoringEvents['MonthsRefused']['reason'];
