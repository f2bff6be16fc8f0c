import { workspaceScoped } from '#kernel/commands/decider.js';
import { lastPassDueUntil } from '#signals/domain/schedules/schedule.events.js';
import {
  monitoringPasses,
  type MonitoringPassDocument,
} from '#projections/signals/monitoring-passes/monitoring-passes.projection.js';
import { schedules } from '#projections/signals/schedules/schedules.projection.js';
import type { Process, ProcessHost } from '#process-engine/process.js';
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
 * previous pass. A weekly run that is due, too, is launched first: during a pass it would be skipped for a week (OP-17).
 */
export const launchMonitoringPasses: Process<MonitoringPassDocument> = {
  ...passes,
  async act(host, pass, signal) {
    await launchDueWeekly(host, pass, signal);
    return passes.act(host, pass, signal);
  },
};

async function launchDueWeekly(
  host: ProcessHost,
  { workspaceId, ownerId }: MonitoringPassDocument,
  signal: AbortSignal,
): Promise<void> {
  const weekly = await host.readModels.get(schedules, workspaceScoped(workspaceId, ownerId));
  if (weekly === null || weekly.dueAt === null || weekly.dueAt > host.clock.now().toISOString()) return;
  await launchScheduledRuns.act(host, weekly, signal);
}
