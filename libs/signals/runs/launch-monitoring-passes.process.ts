import { lastPassDueUntil } from '#signals/domain/schedules/schedule.events.js';
import { monitoringPasses } from '#projections/signals/monitoring-passes/monitoring-passes.projection.js';
import { dueLaunches } from './due-launches.js';

/**
 * Launches due daily passes (D-30, D-31). One pass makes up for any number of missed ones: it looks back to the
 * previous pass.
 */
export const launchMonitoringPasses = dueLaunches(monitoringPasses, {
  name: 'launch-monitoring-passes',
  command: 'pass',
  trigger: 'monitoring',
  lastDueUntil: lastPassDueUntil,
  decision: 'pass',
});
