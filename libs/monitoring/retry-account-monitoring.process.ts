import type { CommandContext } from '#kernel/commands/decider.js';
import { BACKGROUND_PART, READ_FOR_MONTHS, workOffMonths } from './pay-months.js';
import {
  monitoringWork,
  type MonitoringWorkDocument,
} from '#projections/monitoring/monitoring-work/monitoring-work.projection.js';
import type { Process } from '#process-engine/process.js';
import { timedToDo } from '#process-engine/to-do.js';

/** Retries uncovered units every hour, and when credits are granted (OP-27). */
export const retryAccountMonitoring: Process<MonitoringWorkDocument> = {
  name: 'retry-account-monitoring',
  lane: 'timers',
  atOnce: 6,
  toDo: timedToDo(monitoringWork, { dueAt: 'retryDueAt', thenBy: 'workspaceId' }),
  key: ({ workspaceId }) => `retry:${workspaceId}`,
  waitsFor: READ_FOR_MONTHS,

  async act(host, work, signal) {
    const task = { workspaceId: work.workspaceId, context: contextOf(work) };
    if (await workOffMonths(host, task, { ...BACKGROUND_PART, signal })) return 'continues';
  },
};

function contextOf({ workspaceId, retryDueAt, wakes }: MonitoringWorkDocument): CommandContext {
  const commandId = `retry-account-monitoring:${workspaceId}:${retryDueAt}:${wakes}`;
  return {
    commandId,
    actor: { kind: 'process', id: retryAccountMonitoring.name },
    workspaceId,
    correlationId: commandId,
  };
}
