import { workspaceScoped } from '#kernel/commands/decider.js';
import type { Process } from '#process-engine/process.js';
import { lastPassDueUntil } from '#signals/domain/schedules/schedule.events.js';
import {
  monitoringPasses,
  type MonitoringPassDocument,
} from '#projections/signals/monitoring-passes/monitoring-passes.projection.js';
import { schedules } from '#projections/signals/schedules/schedules.projection.js';
import { dueLaunches } from './due-launches.js';
import { launchScheduledRuns } from './launch-scheduled-runs.process.js';

const passes = dueLaunches(monitoringPasses, {
  name: 'launch-monitoring-passes',
  command: 'pass',
  trigger: 'monitoring',
  lastDueUntil: lastPassDueUntil,
  decision: 'pass',
});

/**
 * Launches due daily passes (D-30, D-31). One pass makes up for any number of missed ones: it looks back to the
 * previous pass. A weekly run that is due, too, is decided first: a pass in progress would skip it (OP-17), each week
 * again if both are counted from one moment.
 */
export const launchMonitoringPasses: Process<MonitoringPassDocument> = {
  ...passes,
  async act(host, pass, signal) {
    const scheduled = await host.readModels.get(schedules, workspaceScoped(pass.workspaceId, pass.ownerId));
    const dueAt = scheduled?.dueAt ?? null;
    if (scheduled !== null && dueAt !== null && Date.parse(dueAt) <= host.clock.now().getTime())
      await launchScheduledRuns.act(host, scheduled, signal);
    await passes.act(host, pass, signal);
  },
};
