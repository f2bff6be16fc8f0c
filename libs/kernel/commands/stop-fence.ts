import type { Position } from '../ports/event-store.port.js';
import type { Settled } from './answering.js';
import type { CommandContext } from './decider.js';
import type { StreamQueue } from './stream-queue.js';

/** A command that has ended something that is charged for, or has found it ended. */
export type Stop = {
  readonly stream: string;
  readonly workspaceId: number;
  readonly context: CommandContext;
  /** The latest position at which the found thing was ended; null if this command has ended it. */
  readonly foundAt: Position | null;
};

type StopFence = {
  /** The command ended something. */
  readonly made: (
    queue: StreamQueue,
    settled: Pick<Settled<unknown>, 'workspaceId' | 'position'>,
    context: CommandContext,
  ) => Promise<void>;
  /**
   * The command changed nothing or was refused. A process that was killed before it notified the ledger may have
   * ended what the command finds ended: the charging side has to be notified before the caller is answered.
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

/** The written entry belongs to the stop and not to the command that finds it: a refusal writes nothing (INV-07). */
function contextOf(
  stream: string,
  { workspaceId, stoppedAt }: { readonly workspaceId: number; readonly stoppedAt: Position },
): CommandContext {
  const stop = `stop:${stream}:${stoppedAt}`;
  return { commandId: stop, actor: { kind: 'system', id: 'stops' }, workspaceId, correlationId: stop };
}
