import type { CommandContext } from '#kernel/commands/decider.js';
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
    // No such unit rests; the field is in the indexes that find the first unit of a workspace.
    where: [{ status: 'monitored', rests: null }],
    dueAt: 'lapsesAt',
    thenBy: 'unit',
    isOneAWorkspace: true,
  }),
  key: ({ workspaceId }) => `renew:${workspaceId}`,
  waitsFor: READ_FOR_MONTHS,

  async act(host, unit, signal) {
    const task = { workspaceId: unit.workspaceId, context: contextOf(unit) };
    if (await workOffMonths(host, task, { ...BACKGROUND_PART, signal })) return 'continues';
  },
};

function contextOf({ workspaceId, unit, lapsesAt }: MonitoredUnitDocument): CommandContext {
  const commandId = `renew-account-monitoring:${workspaceId}:${unit}:${lapsesAt}`;
  return {
    commandId,
    actor: { kind: 'process', id: renewAccountMonitoring.name },
    workspaceId,
    correlationId: commandId,
  };
}
