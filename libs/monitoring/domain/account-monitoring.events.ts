import { event, type PayloadsOf } from '#kernel/events/event.js';
import { Id, Nullable, OneOf, Timestamp, Type } from '#kernel/values/schema.js';

/** Most accounts and business units that one command is about: an append is bounded. */
export const MAX_UNITS_AT_ONCE = 100;

/** Why a month was not paid, in the order in which they are asked for. */
export const REFUSAL_REASONS = ['credits', 'cap', 'price', 'blocked', 'not_observable'] as const;

const Units = Type.Array(Type.Object({ companyId: Id, personaId: Id, since: Timestamp }), {
  minItems: 1,
  maxItems: MAX_UNITS_AT_ONCE,
});

/** On the one stream of a workspace (`accountMonitoring-<workspace>`): how its background work got on. */
export const accountMonitoringEvents = {
  /** What is wanted follows the lists, as far as they had changed after so many changes. */
  MonitoringFollowed: event(Type.Object({ upTo: Type.Integer({ minimum: 1 }) })),
  /**
   * Accounts are about to be wanted from one time on, because of a list or of picks: none of them is paid before
   * `MonitoringBegun` says that all are.
   */
  MonitoringBegins: event(
    Type.Object({ begin: Type.String({ minLength: 1 }), listId: Type.Optional(Id), beginsAt: Timestamp }),
  ),
  MonitoringBegun: event(Type.Object({ begins: Type.Array(Type.String({ minLength: 1 }), { minItems: 1 }) })),
  /**
   * Months that could not be paid when they were tried, each `since` the last one ended or it was wanted: from here on
   * these are not covered, for this reason. The ledger shows when that ends.
   */
  MonthsRefused: event(
    Type.Object({
      units: Units,
      /**
       * `credits`: the balance does not cover them; `cap`: a cap on spending does not allow them; `price`: there is none; `blocked`: the workspace is;
       * `not_observable`: nothing can be observed of these companies.
       */
      reason: OneOf(...REFUSAL_REASONS),
      triedAt: Timestamp,
      /** Of what rests: grants and the like that were known before. Where there were more by now, it is tried at once. */
      reasons: Type.Optional(Type.Integer({ minimum: 0 })),
    }),
  ),
  /** When what is not covered is tried again; null: nothing is. */
  MonthsRetrySet: event(
    Type.Object({
      retryAt: Nullable(Timestamp),
      /** Grants and the like since the first refusal that were known before the ledger was asked. */
      wakes: Type.Integer({ minimum: 0 }),
      /** The same with those before the first refusal: where there were more by now, it is tried again at once. */
      reasons: Type.Optional(Type.Integer({ minimum: 0 })),
    }),
  ),
  /** The network has learned of the companies of these months, which were not observable: they are tried at once. */
  MonthsObservable: event(Type.Object({ units: Units, learnedAt: Timestamp })),
  /** What is not covered is to be tried at once, beside its hours: a price for it was set. */
  MonthsRetryAsked: event(Type.Object({ because: OneOf('price'), askedAt: Timestamp })),
};
export type AccountMonitoringEvents = PayloadsOf<typeof accountMonitoringEvents>;
export type RefusalReason = AccountMonitoringEvents['MonthsRefused']['reason'];
