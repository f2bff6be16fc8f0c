import { fromStored, toJsonNumber } from '#kernel/values/credits.js';
import type { ScheduleEvents } from '#signals/domain/schedules/schedule.events.js';

/** The schedule of an agent or setup in its document. */
export type StoredSchedule = {
  readonly cadence: 'weekly';
  /** What each of its launches may spend at most; absent: it has no limit of its own. */
  readonly maxCredits?: string;
};

/** A schedule that is on, with the limit that an entry sets. */
export const limitedSchedule = (
  { cadence }: StoredSchedule,
  { maxCredits }: ScheduleEvents['ScheduleLimitSet'],
): StoredSchedule => ({ cadence, ...(maxCredits === null ? {} : { maxCredits }) });

/** What each launch of a schedule may spend at most, as a JSON number; null: no limit. */
export const limitOf = (schedule: StoredSchedule | null): number | null =>
  schedule?.maxCredits === undefined ? null : toJsonNumber(fromStored(schedule.maxCredits));
