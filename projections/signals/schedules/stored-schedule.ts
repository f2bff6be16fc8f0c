import { fromStored, toJsonNumber } from '#kernel/values/credits.js';
import type { ScheduleEvents } from '#signals/domain/schedules/schedule.events.js';

/** The schedule of an agent or setup in its document. */
export type StoredSchedule = {
  readonly cadence: 'weekly';
  /** The limit of each launch; absent: no limit. */
  readonly maxCredits?: string;
};

/** A running schedule with the limit that an event sets. */
export const limitedSchedule = (
  { cadence }: StoredSchedule,
  { maxCredits }: ScheduleEvents['ScheduleLimitSet'],
): StoredSchedule => ({ cadence, ...(maxCredits === null ? {} : { maxCredits }) });

/** The limit of each launch of a schedule, as a JSON number; null: no limit. */
export const limitOf = (schedule: StoredSchedule | null): number | null =>
  schedule?.maxCredits === undefined ? null : toJsonNumber(fromStored(schedule.maxCredits));
