import { event, type PayloadsOf } from '#kernel/events/event.js';
import { Id, Nullable, OneOf, StoredCredits, Timestamp, Type } from '#kernel/values/schema.js';

/** Agents and signal setups share one id sequence; the kind tells which of the two a schedule belongs to. */
const owner = { ownerKind: OneOf('setup', 'agent'), ownerId: Id };

export const scheduleEvents = {
  /** A run is due every 7 days counted from `anchorAt` (OP-17). */
  ScheduleSwitchedOn: event(Type.Object({ ...owner, cadence: OneOf('weekly'), anchorAt: Timestamp })),
  ScheduleSwitchedOff: event(Type.Object({ ...owner, switchedOffAt: Timestamp })),
  /**
   * What each of its launches may spend at most (QUO-02); null: no limit any more. A type of its own: a program that does not
   * know it stops at it, for its launches would exceed the limit.
   */
  ScheduleLimitSet: event(Type.Object({ ...owner, maxCredits: Nullable(StoredCredits) })),
  /** What became of a run that was due: it stands beside its RunLaunched, or says why there is none. */
  ScheduleTicked: event(
    Type.Object({
      ...owner,
      /** The latest time at which a run was due; earlier ones that nobody acted upon are made up for with it. */
      dueAt: Timestamp,
      outcome: OneOf('launched', 'skipped'),
      /** Code of the refusal that the launch met; null when it was launched. */
      reason: Nullable(Type.String()),
    }),
  ),
  /** The daily pass that was due is not made (D-33); one that is made is a RunLaunched of that trigger. */
  MonitoringPassSkipped: event(
    Type.Object({
      ...owner,
      /** The latest time at which a pass was due. */
      dueAt: Timestamp,
      /** Code of the refusal that the launch met. */
      reason: Type.String(),
    }),
  ),
};
export type ScheduleEvents = PayloadsOf<typeof scheduleEvents>;
export type ScheduleOwner = Pick<ScheduleEvents['ScheduleTicked'], 'ownerKind' | 'ownerId'>;

const DAY_MS = 86_400_000;

/** The times at which something is due again and again, counted from an anchor. */
function every(periodMs: number) {
  /** How many whole periods lie between the anchor and a moment; below zero before the anchor. */
  const periodsBetween = (anchorAt: string, moment: string): number =>
    Math.floor((Date.parse(moment) - Date.parse(anchorAt)) / periodMs);
  const periodsAfter = (anchorAt: string, periods: number): string =>
    new Date(Date.parse(anchorAt) + periods * periodMs).toISOString();
  return {
    /** The first time after `moment` at which it is due. */
    dueAfter: (anchorAt: string, moment: string): string =>
      periodsAfter(anchorAt, Math.max(1, periodsBetween(anchorAt, moment) + 1)),
    /** The last time up to `moment` at which it was due; null when it never was. */
    lastDueUntil: (anchorAt: string, moment: string): string | null => {
      const periods = periodsBetween(anchorAt, moment);
      return periods < 1 ? null : periodsAfter(anchorAt, periods);
    },
  };
}

/** Runs by schedule (OP-17), counted from when it was switched on. */
export const { dueAfter, lastDueUntil } = every(7 * DAY_MS);
/** Monitoring passes (D-30, D-31), counted from the creation or the last enabling. */
export const { dueAfter: passDueAfter, lastDueUntil: lastPassDueUntil } = every(DAY_MS);
