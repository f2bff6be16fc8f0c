import type { Position } from '../ports/event-store.port.js';
import type { Settled } from './answering.js';
import type { CommandContext } from './decider.js';
import type { StreamQueue } from './stream-queue.js';

/** A command that has ended something which is charged for, or that has found it ended. */
export type Stop = {
  readonly stream: string;
  readonly workspaceId: number;
  readonly context: CommandContext;
  /** Where what the command has found ended did end, at the latest; null where the command has ended it. */
  readonly foundAt: Position | null;
};

type StopFence = {
  /** The command has ended something. */
  readonly made: (
    queue: StreamQueue,
    settled: Pick<Settled<unknown>, 'workspaceId' | 'position'>,
    context: CommandContext,
  ) => Promise<void>;
  /**
   * The command has changed nothing, or is refused. What it finds ended may have been ended by a process that was killed
   * before it said so: whoever charges for it has to know before the caller does.
   */
  readonly found: (queue: StreamQueue) => Promise<void>;
};

/** Calls `onStop` before a stop is answered, for each stop at least once. */
export const stopFence = (onStop: ((stop: Stop) => Promise<void>) | undefined): StopFence => ({
  async made(queue, { workspaceId, position }, context) {
    if (workspaceId === null) return;
    await onStop?.({ stream: queue.stream, workspaceId, context, foundAt: null });
    if (position !== null) queue.fenced(position);
  },
  async found(queue) {
    const open = queue.openStop();
    if (open === null) return;
    const { workspaceId, stoppedAt: foundAt } = open;
    await onStop?.({ stream: queue.stream, workspaceId, context: contextOf(queue.stream, open), foundAt });
    queue.fenced(foundAt);
  },
});

/** What is written belongs to the stop, and not to the command that finds it: a refusal writes nothing (INV-07). */
function contextOf(
  stream: string,
  { workspaceId, stoppedAt }: { readonly workspaceId: number; readonly stoppedAt: Position },
): CommandContext {
  const stop = `stop:${stream}:${stoppedAt}`;
  return { commandId: stop, actor: { kind: 'system', id: 'stops' }, workspaceId, correlationId: stop };
}
