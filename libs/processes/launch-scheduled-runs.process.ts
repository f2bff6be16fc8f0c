import { workspaceScoped, type CommandContext } from '#kernel/commands/decider.js';
import { Refusal } from '#kernel/values/refusal.js';
import { prepareLaunch } from '#launching/launch.js';
import { launchSource } from '#launching/launch-sources.js';
import { lastDueUntil } from '#domain/schedules/schedule.events.js';
import type { Tick } from '#domain/signal-launches/launches.js';
import { schedules, type ScheduleDocument } from '#projections/schedules/schedules.projection.js';
import { signalRunWork } from '#projections/signal-run-work/signal-run-work.projection.js';
import type { Process, ProcessHost } from './process.js';

/**
 * Launches what is due by weekly schedule (OP-17). Whether it is launched is decided on the stream of the agent or
 * setup, together with the record that its time was dealt with: a second worker, or the same one after a stop,
 * finds that record and does nothing. However many times were missed, one run is made up for.
 */
export const launchScheduledRuns: Process<ScheduleDocument> = {
  name: 'launch-scheduled-runs',

  due: (host, now, limit) =>
    host.readModels.find<ScheduleDocument>(schedules, {
      where: { dueAt: { lte: now.toISOString() } },
      sort: [
        ['dueAt', 'asc'],
        ['ownerId', 'asc'],
      ],
      limit,
    }),

  async nextDueAt(host, now) {
    const [next] = await host.readModels.find<ScheduleDocument>(schedules, {
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
    const parked = [schedules, signalRunWork].map(({ name }) => host.isParked(name, workspaceId));
    return (await Promise.all(parked)).includes(true);
  },

  async act(host, schedule) {
    const { workspaceId, ownerKind, ownerId, anchorAt } = schedule;
    const dueAt = anchorAt === null ? null : lastDueUntil(anchorAt, host.clock.now().toISOString());
    if (dueAt === null) return;
    const context = contextOf(schedule, dueAt);
    const input: Tick = { ownerKind, ownerId, dueAt, launch: await launchOrRefusal(host, schedule, context) };
    await launchSource(ownerKind).tick(host.commands, { workspaceId, id: ownerId }, input, context);
  },
};

/** What a launch by hand would be refused for skips the run, and is recorded as the reason. */
async function launchOrRefusal(
  host: ProcessHost,
  { workspaceId, ownerKind, ownerId }: ScheduleDocument,
  context: CommandContext,
): Promise<Tick['launch']> {
  const request = { workspaceId, id: ownerId, trigger: 'schedule', lookbackDays: null } as const;
  try {
    return await prepareLaunch(host, launchSource(ownerKind), request, context);
  } catch (error) {
    if (error instanceof Refusal) return { refused: error.declaration.code };
    throw error;
  }
}

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
