import { processContext } from '#kernel/commands/process-context.js';
import { workspaceScoped } from '#kernel/commands/decider.js';
import type { ViewOf } from '#kernel/ports/read-store.port.js';
import { Refusal } from '#kernel/values/refusal.js';
import { isBilled } from '#ledger/charging/affordable.js';
import type { Process } from '#process-engine/process.js';
import { timedToDo } from '#process-engine/to-do.js';
import { signalRunWork } from '#projections/signals/signal-run-work/signal-run-work.projection.js';
import type { ScheduleOwner } from '#signals/domain/schedules/schedule.events.js';
import type { Trigger } from '#signals/launching/launch-source.js';
import { launchSource } from '#signals/launching/launch-sources.js';
import { launchOfItself, prepareLaunch } from '#signals/launching/launch.js';

/** An agent or setup that launches runs at times counted from an anchor. */
type Due = ScheduleOwner & {
  readonly workspaceId: number;
  readonly anchorAt: string | null;
  readonly dueAt: string | null;
  readonly causeId: string | null;
};

/** How the due times of a read model are launched. */
type DueLaunches = {
  readonly name: string;
  /** The beginning of the command ids. */
  readonly command: string;
  readonly trigger: Trigger;
  readonly lastDueUntil: (anchorAt: string, moment: string) => string | null;
  /** Launches or skips the due time on the stream of the agent or setup. */
  readonly decision: 'tick' | 'pass';
};

/**
 * The process that launches these due times. The launch is decided on the stream of the agent or setup, together
 * with the record of its due time: a second worker, or the same one after a restart, finds that record and does nothing.
 * If a launch by hand would be refused, the due time is skipped with the refusal as reason.
 */
export const dueLaunches = <Document extends Due>(
  view: ViewOf<Document>,
  { name, command, trigger, lastDueUntil, decision }: DueLaunches,
): Process<Document> => ({
  name,
  lane: 'timers',
  atOnce: 6,
  toDo: timedToDo(view, { dueAt: 'dueAt', thenBy: 'ownerId' }),
  key: ({ workspaceId, ownerId }) => workspaceScoped(workspaceId, ownerId),
  // Runs that cannot be executed would only accumulate.
  waitsFor: [view.name, signalRunWork.name],

  async act(host, { workspaceId, ownerKind, ownerId, anchorAt, causeId }) {
    const dueAt = anchorAt === null ? null : lastDueUntil(anchorAt, host.clock.now().toISOString());
    if (dueAt === null) return;
    const context = {
      ...processContext(name, workspaceId, `${command}:${workspaceId}:${ownerId}:${dueAt}`),
      ...(causeId === null ? {} : { causationId: causeId }),
    };
    const source = launchSource(ownerKind);
    const key = { workspaceId, id: ownerId };
    const request = { ...key, ...launchOfItself, trigger };
    const launch = await prepareLaunch(host, source, request, context).catch((error: unknown) => {
      if (error instanceof Refusal) return { refused: error.declaration.code };
      throw error;
    });
    const due = { ownerKind, ownerId, dueAt, launch, isBilled: await isBilled(host.commands, workspaceId) };
    await source[decision](host.commands, key, due, context);
  },
});
