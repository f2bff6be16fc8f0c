import { event, type PayloadsOf } from '#kernel/events/event.js';
import { Id, Nullable, OneOf, Timestamp, Type } from '#kernel/values/schema.js';

/** Agents and signal setups share one id sequence; the kind tells which of the two a schedule belongs to. */
const owner = { ownerKind: OneOf('setup', 'agent'), ownerId: Id };

export const scheduleEvents = {
  /** A run is due every 7 days counted from `anchorAt` (OP-17). */
  ScheduleSwitchedOn: event(Type.Object({ ...owner, cadence: OneOf('weekly'), anchorAt: Timestamp })),
  ScheduleSwitchedOff: event(Type.Object({ ...owner, switchedOffAt: Timestamp })),
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
};
export type ScheduleEvents = PayloadsOf<typeof scheduleEvents>;
export type ScheduleOwner = Pick<ScheduleEvents['ScheduleTicked'], 'ownerKind' | 'ownerId'>;

const WEEK_MS = 7 * 86_400_000;

/** How many whole weeks lie between the anchor of a schedule and a moment; below zero before the anchor. */
const weeksBetween = (anchorAt: string, moment: string): number =>
  Math.floor((Date.parse(moment) - Date.parse(anchorAt)) / WEEK_MS);

const weeksAfter = (anchorAt: string, weeks: number): string =>
  new Date(Date.parse(anchorAt) + weeks * WEEK_MS).toISOString();

/** The first time after `moment` at which a run of the schedule is due. */
export function dueAfter(anchorAt: string, moment: string): string {
  return weeksAfter(anchorAt, Math.max(1, weeksBetween(anchorAt, moment) + 1));
}

/** The last time up to `moment` at which a run of the schedule was due; null when none was. */
export function lastDueUntil(anchorAt: string, moment: string): string | null {
  const weeks = weeksBetween(anchorAt, moment);
  return weeks < 1 ? null : weeksAfter(anchorAt, weeks);
}
