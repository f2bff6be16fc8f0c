import { toJsonNumber } from '#kernel/values/credits.js';
import { OneOf, Type, type Static } from '#kernel/values/schema.js';
import type { KeptSchedule } from '#signals/domain/schedules/schedule-facts.js';
import { limitOf, type StoredSchedule } from '#projections/signals/schedules/stored-schedule.js';

/** A schedule as it is answered; without a launch limit it has no `max_credits`. */
export const ScheduleView = Type.Object(
  { cadence: OneOf('weekly'), max_credits: Type.Optional(Type.Number()) },
  { title: 'Schedule' },
);
type ScheduleAnswer = Readonly<Static<typeof ScheduleView>>;

/** The answer of a command; null: the schedule is off. */
export const scheduleView = ({
  scheduleAnchorAt,
  scheduleMaxCredits,
}: KeptSchedule): ScheduleAnswer | null =>
  scheduleAnchorAt === null
    ? null
    : {
        cadence: 'weekly',
        ...(scheduleMaxCredits === null ? {} : { max_credits: toJsonNumber(scheduleMaxCredits) }),
      };

/** The answer from a stored document. */
export function storedScheduleView(schedule: StoredSchedule | null): ScheduleAnswer | null {
  const limit = limitOf(schedule);
  return schedule && { cadence: schedule.cadence, ...(limit === null ? {} : { max_credits: limit }) };
}
