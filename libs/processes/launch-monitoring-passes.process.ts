import { workspaceScoped, type CommandContext } from '#kernel/commands/decider.js';
import { launchSource } from '#launching/launch-sources.js';
import { lastPassDueUntil } from '#domain/schedules/schedule.events.js';
import {
  monitoringPasses,
  type MonitoringPassDocument,
} from '#projections/monitoring-passes/monitoring-passes.projection.js';
import { signalRunWork } from '#projections/signal-run-work/signal-run-work.projection.js';
import { launchOrRefusal } from './launch-or-refusal.js';
import type { Process } from './process.js';

/**
 * Makes the daily passes that are due (D-30, D-31). Whether one is made is decided on the stream of the agent or
 * setup, where a second worker, or the same one after a stop, finds what was decided. However many times were
 * missed, one pass makes up for all: it looks back to the one before.
 */
export const launchMonitoringPasses: Process<MonitoringPassDocument> = {
  name: 'launch-monitoring-passes',

  due: (host, now, limit) =>
    host.readModels.find<MonitoringPassDocument>(monitoringPasses, {
      where: { dueAt: { lte: now.toISOString() } },
      sort: [
        ['dueAt', 'asc'],
        ['ownerId', 'asc'],
      ],
      limit,
    }),

  async nextDueAt(host, now) {
    const [next] = await host.readModels.find<MonitoringPassDocument>(monitoringPasses, {
      where: { dueAt: { gt: now.toISOString() } },
      sort: [
        ['dueAt', 'asc'],
        ['ownerId', 'asc'],
      ],
      limit: 1,
    });
    return next?.dueAt ? new Date(next.dueAt) : null;
  },

  key: ({ workspaceId, ownerId }) => workspaceScoped(workspaceId, ownerId),

  // A model that stopped would show the same time as due for ever; runs that cannot be worked off only pile up.
  async waits(host, { workspaceId }) {
    const parked = [monitoringPasses, signalRunWork].map(({ name }) => host.isParked(name, workspaceId));
    return (await Promise.all(parked)).includes(true);
  },

  async act(host, due) {
    const { workspaceId, ownerKind, ownerId, anchorAt } = due;
    const dueAt = lastPassDueUntil(anchorAt, host.clock.now().toISOString());
    if (dueAt === null) return;
    const context = contextOf(due, dueAt);
    const source = launchSource(ownerKind);
    const key = { workspaceId, id: ownerId };
    const launch = await launchOrRefusal(host, source, { ...key, trigger: 'monitoring' }, context);
    await source.pass(host.commands, key, { ownerKind, ownerId, dueAt, launch }, context);
  },
};

function contextOf({ workspaceId, ownerId, causeId }: MonitoringPassDocument, dueAt: string): CommandContext {
  const commandId = `pass:${workspaceId}:${ownerId}:${dueAt}`;
  return {
    commandId,
    actor: { kind: 'process', id: launchMonitoringPasses.name },
    workspaceId,
    correlationId: commandId,
    causationId: causeId,
  };
}
