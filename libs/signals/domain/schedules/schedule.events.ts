import { event, type PayloadsOf } from '#kernel/events/event.js';
import { Id, Nullable, OneOf, StoredCredits, Timestamp, Type } from '#kernel/values/schema.js';
import { DAY_MS } from '#kernel/values/durations.js';

/** Agents and signal setups share one id sequence; the kind says which of the two owns the schedule. */
const owner = { ownerKind: OneOf('setup', 'agent'), ownerId: Id };

export const scheduleEvents = {
  /** A run is due every 7 days counted from `anchorAt` (OP-17). */
  ScheduleSwitchedOn: event(Type.Object({ ...owner, cadence: OneOf('weekly'), anchorAt: Timestamp })),
  ScheduleSwitchedOff: event(Type.Object({ ...owner, switchedOffAt: Timestamp })),
  /**
   * The limit of each launch (QUO-02); null: no limit. It is a separate event type, so that a program that does
   * not know it stops here: its launches would exceed the limit.
   */
  ScheduleLimitSet: event(Type.Object({ ...owner, maxCredits: Nullable(StoredCredits) })),
  /** The outcome of a due run: recorded beside its RunLaunched, or with the reason why there is none. */
  ScheduleTicked: event(
    Type.Object({
      ...owner,
      /** The latest due time; it also covers earlier due times without an outcome. */
      dueAt: Timestamp,
      outcome: OneOf('launched', 'skipped'),
      /** Code of the refusal; null when it was launched. */
      reason: Nullable(Type.String()),
    }),
  ),
  /** A due daily pass is skipped (D-33); a launched one is a RunLaunched with that trigger. */
  MonitoringPassSkipped: event(
    Type.Object({
      ...owner,
      /** The latest due time. */
      dueAt: Timestamp,
      /** Code of the refusal. */
      reason: Type.String(),
    }),
  ),
};
export type ScheduleEvents = PayloadsOf<typeof scheduleEvents>;
export type ScheduleOwner = Pick<ScheduleEvents['ScheduleTicked'], 'ownerKind' | 'ownerId'>;

/** Periodic due times, counted from an anchor. */
function every(periodMs: number) {
  /** The number of whole periods between the anchor and a moment; negative before the anchor. */
  const periodsBetween = (anchorAt: string, moment: string): number =>
    Math.floor((Date.parse(moment) - Date.parse(anchorAt)) / periodMs);
  const periodsAfter = (anchorAt: string, periods: number): string =>
    new Date(Date.parse(anchorAt) + periods * periodMs).toISOString();
  return {
    /** The first due time after `moment`. */
    dueAfter: (anchorAt: string, moment: string): string =>
      periodsAfter(anchorAt, Math.max(1, periodsBetween(anchorAt, moment) + 1)),
    /** The last due time up to `moment`; null if there is none. */
    lastDueUntil: (anchorAt: string, moment: string): string | null => {
      const periods = periodsBetween(anchorAt, moment);
      return periods < 1 ? null : periodsAfter(anchorAt, periods);
    },
  };
}

/** Scheduled runs (OP-17), counted from when the schedule was switched on. */
export const { dueAfter, lastDueUntil } = every(7 * DAY_MS);
/** Monitoring passes (D-30, D-31), counted from the creation or the last enabling. */
export const { dueAfter: passDueAfter, lastDueUntil: lastPassDueUntil } = every(DAY_MS);
