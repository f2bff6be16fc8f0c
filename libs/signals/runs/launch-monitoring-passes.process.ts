import { workspaceScoped, type CommandContext } from '#kernel/commands/decider.js';
import { launchSource } from '#signals/launching/launch-sources.js';
import { lastPassDueUntil } from '#signals/domain/schedules/schedule.events.js';
import {
  monitoringPasses,
  type MonitoringPassDocument,
} from '#projections/signals/monitoring-passes/monitoring-passes.projection.js';
import { signalRunWork } from '#projections/signals/signal-run-work/signal-run-work.projection.js';
import { launchOrRefusal } from './launch-or-refusal.js';
import type { Process } from '#process-engine/process.js';
import { timedToDo } from '#process-engine/to-do.js';

/**
 * Launches due daily passes (D-30, D-31). Each is decided on the stream of the agent or setup, so that a second
 * worker, or the same one after a restart, finds the decision. One pass makes up for any number of missed ones: it
 * looks back to the previous pass.
 */
export const launchMonitoringPasses: Process<MonitoringPassDocument> = {
  name: 'launch-monitoring-passes',
  lane: 'timers',
  atOnce: 6,
  toDo: timedToDo(monitoringPasses, { dueAt: 'dueAt', thenBy: 'ownerId' }),
  key: ({ workspaceId, ownerId }) => workspaceScoped(workspaceId, ownerId),
  // Runs that cannot be executed would only accumulate.
  waitsFor: [monitoringPasses.name, signalRunWork.name],

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
