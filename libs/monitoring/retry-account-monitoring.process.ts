import { processContext } from '#kernel/commands/process-context.js';
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

  async act(host, { workspaceId, retryDueAt, wakes }, signal) {
    const commandId = `retry-account-monitoring:${workspaceId}:${retryDueAt}:${wakes}`;
    const context = processContext(retryAccountMonitoring.name, workspaceId, commandId);
    const ended = await workOffMonths(host, { workspaceId, context }, { ...BACKGROUND_PART, signal });
    if (ended === 'continues') return ended;
  },
};
