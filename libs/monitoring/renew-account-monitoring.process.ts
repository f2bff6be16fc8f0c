import { processContext } from '#kernel/commands/process-context.js';
import { BACKGROUND_PART, READ_FOR_MONTHS, workOffMonths } from './pay-months.js';
import {
  monitoredUnits,
  type MonitoredUnitDocument,
} from '#projections/monitoring/monitored-units/monitored-units.projection.js';
import type { Process } from '#process-engine/process.js';
import { timedToDo } from '#process-engine/to-do.js';

/**
 * Pays the months that begin: those of newly requested accounts, and those after a month that has ended (OP-27). One
 * workspace is one item of work: its due months are paid in order.
 */
export const renewAccountMonitoring: Process<MonitoredUnitDocument> = {
  name: 'renew-account-monitoring',
  lane: 'timers',
  // An item uses the processor: more concurrent items would not end sooner, and would delay requests.
  atOnce: 2,
  toDo: timedToDo(monitoredUnits, {
    // Always true of such a unit: the field is in the indexes that find the first unit of a workspace.
    where: [{ status: 'monitored', rests: null }],
    dueAt: 'lapsesAt',
    thenBy: 'unit',
    isOneAWorkspace: true,
  }),
  key: ({ workspaceId }) => `renew:${workspaceId}`,
  waitsFor: READ_FOR_MONTHS,

  async act(host, unit, signal) {
    const { workspaceId, unit: name, lapsesAt } = unit;
    const commandId = `renew-account-monitoring:${workspaceId}:${name}:${lapsesAt}`;
    const context = processContext(renewAccountMonitoring.name, workspaceId, commandId);
    const ended = await workOffMonths(host, { workspaceId, context }, { ...BACKGROUND_PART, signal });
    if (ended === 'continues') return ended;
  },
};
