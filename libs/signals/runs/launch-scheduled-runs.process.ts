import { workspaceScoped, type CommandContext } from '#kernel/commands/decider.js';
import { launchSource } from '#signals/launching/launch-sources.js';
import { lastDueUntil } from '#signals/domain/schedules/schedule.events.js';
import { schedules, type ScheduleDocument } from '#projections/signals/schedules/schedules.projection.js';
import { signalRunWork } from '#projections/signals/signal-run-work/signal-run-work.projection.js';
import { launchOrRefusal } from './launch-or-refusal.js';
import type { Process } from '#process-engine/process.js';
import { timedToDo } from '#process-engine/to-do.js';

/**
 * Launches runs that are due by weekly schedule (OP-17). The launch is decided on the stream of the agent or setup,
 * together with the record of its due time: a second worker, or the same one after a restart, finds that record and
 * does nothing. One run makes up for any number of missed due times.
 */
export const launchScheduledRuns: Process<ScheduleDocument> = {
  name: 'launch-scheduled-runs',
  lane: 'timers',
  atOnce: 6,
  toDo: timedToDo(schedules, { dueAt: 'dueAt', thenBy: 'ownerId' }),
  key: ({ workspaceId, ownerId }) => workspaceScoped(workspaceId, ownerId),
  // Runs that cannot be executed would only accumulate.
  waitsFor: [schedules.name, signalRunWork.name],

  async act(host, schedule) {
    const { workspaceId, ownerKind, ownerId, anchorAt } = schedule;
    const dueAt = anchorAt === null ? null : lastDueUntil(anchorAt, host.clock.now().toISOString());
    if (dueAt === null) return;
    const context = contextOf(schedule, dueAt);
    const source = launchSource(ownerKind);
    const key = { workspaceId, id: ownerId };
    const launch = await launchOrRefusal(host, source, { ...key, trigger: 'schedule' }, context);
    await source.tick(host.commands, key, { ownerKind, ownerId, dueAt, launch }, context);
  },
};

function contextOf({ workspaceId, ownerId, causeId }: ScheduleDocument, dueAt: string): CommandContext {
  const commandId = `schedule:${workspaceId}:${ownerId}:${dueAt}`;
  return {
    commandId,
    actor: { kind: 'process', id: launchScheduledRuns.name },
    workspaceId,
    correlationId: commandId,
    ...(causeId === null ? {} : { causationId: causeId }),
  };
}
