import { lastDueUntil } from '#signals/domain/schedules/schedule.events.js';
import { schedules } from '#projections/signals/schedules/schedules.projection.js';
import { dueLaunches } from './due-launches.js';

/** Launches runs that are due by weekly schedule (OP-17). One run makes up for any number of missed due times. */
export const launchScheduledRuns = dueLaunches(schedules, {
  name: 'launch-scheduled-runs',
  command: 'schedule',
  trigger: 'schedule',
  lastDueUntil,
  decision: 'tick',
});
