import { event, type PayloadsOf } from '#kernel/events/event.js';
import { Id, Nullable, OneOf, Timestamp, Type } from '#kernel/values/schema.js';

/** The maximum number of units in one command, because the size of an append is limited. */
export const MAX_UNITS_AT_ONCE = 100;

/** Why a month was not paid, in the order in which the reasons are checked. */
export const REFUSAL_REASONS = ['credits', 'cap', 'price', 'blocked', 'not_observable'] as const;

const Units = Type.Array(Type.Object({ companyId: Id, personaId: Id, since: Timestamp }), {
  minItems: 1,
  maxItems: MAX_UNITS_AT_ONCE,
});

/** Events of the stream of a workspace (`accountMonitoring-<workspace>`): the progress of its background work. */
export const accountMonitoringEvents = {
  /** The requests follow the lists up to this number of changes. */
  MonitoringFollowed: event(Type.Object({ upTo: Type.Integer({ minimum: 1 }) })),
  /**
   * Accounts are about to be requested from one time on, because of a list or of picks: none of them is paid before
   * `MonitoringBegun`.
   */
  MonitoringBegins: event(
    Type.Object({ begin: Type.String({ minLength: 1 }), listId: Type.Optional(Id), beginsAt: Timestamp }),
  ),
  MonitoringBegun: event(Type.Object({ begins: Type.Array(Type.String({ minLength: 1 }), { minItems: 1 }) })),
  /**
   * Months that could not be paid when they were tried, each not covered `since` the end of the last month or the
   * request, for this reason. The ledger shows when they are covered again.
   */
  MonthsRefused: event(
    Type.Object({
      units: Units,
      /**
       * `credits`: the balance does not cover them; `cap`: a cap does not allow them; `price`: there is none;
       * `blocked`: the workspace is blocked; `not_observable`: nothing can be observed of these companies, or they are requested
       * under another name, which pays.
       */
      reason: OneOf(...REFUSAL_REASONS),
      triedAt: Timestamp,
      /**
       * For waiting units: the number of known grants and similar events. If there are more by now, a retry is due at
       * once.
       */
      reasons: Type.Optional(Type.Integer({ minimum: 0 })),
    }),
  ),
  /** When uncovered units are retried; null: there are none. */
  MonthsRetrySet: event(
    Type.Object({
      retryAt: Nullable(Timestamp),
      /** The number of grants and similar events since the first refusal, read before the ledger. */
      wakes: Type.Integer({ minimum: 0 }),
      /** The same including those before the first refusal: if there are more by now, a retry is due at once. */
      reasons: Type.Optional(Type.Integer({ minimum: 0 })),
    }),
  ),
  /**
   * The network has learned of the companies of these months, which were not observable: they are retried at once.
   */
  MonthsObservable: event(Type.Object({ units: Units, learnedAt: Timestamp })),
  /** Uncovered units are to be retried at once, besides the hourly retry, because a price was set. */
  MonthsRetryAsked: event(Type.Object({ because: OneOf('price'), askedAt: Timestamp })),
};
export type AccountMonitoringEvents = PayloadsOf<typeof accountMonitoringEvents>;
export type RefusalReason = AccountMonitoringEvents['MonthsRefused']['reason'];
