import { processContext } from '#kernel/commands/process-context.js';
import { accountMonitoring, followed } from './domain/account-monitoring.js';
import { followAllPicks } from './follow-picks.js';
import { followList } from './follow-list.js';
import { monitoredMembers } from '#projections/monitoring/monitored-members/monitored-members.projection.js';
import { monitoredUnits } from '#projections/monitoring/monitored-units/monitored-units.projection.js';
import {
  monitoringWork,
  type MonitoringWorkDocument,
} from '#projections/monitoring/monitoring-work/monitoring-work.projection.js';
import type { Process } from '#process-engine/process.js';
import { toDo } from '#process-engine/to-do.js';

/**
 * Makes the requests follow the lists, picks and personas of a workspace. Its own writes cause one more run; it ends
 * when there is nothing left to follow.
 */
export const followMonitoredLists: Process<MonitoringWorkDocument> = {
  name: 'follow-monitored-lists',
  lane: 'timers',
  atOnce: 6,
  toDo: toDo(monitoringWork, { where: [{ isChanged: true }], oldestFirst: ['workspaceId'] }),
  key: ({ workspaceId }) => `follow:${workspaceId}`,
  waitsFor: [monitoringWork.name, monitoredMembers.name, monitoredUnits.name],

  async act(host, work, signal) {
    const { workspaceId, changes, changed, picksChanged, personasChanged, listIds } = work;
    const commandId = `follow-monitored-lists:${workspaceId}:${changes}`;
    const context = processContext(followMonitoredLists.name, workspaceId, commandId);
    const task = { workspaceId, context };
    const lists = personasChanged === null ? changed.map(({ listId }) => listId) : listIds;
    for (const listId of lists) {
      signal.throwIfAborted();
      await followList(host, task, listId);
    }
    if (picksChanged !== null || personasChanged !== null) await followAllPicks(host, task, signal);
    const options = { context };
    await host.commands.handle(accountMonitoring, String(workspaceId), followed(changes), options);
  },
};
