import type { Position } from './event-store.port.js';
import { ReadModelUnavailable } from './read-store.port.js';

/** The events that a writer wants to find in the read models: the position of the last one, and their types. */
export type WrittenEvents = {
  /** Position of the last event written. */
  readonly position: Position;
  readonly types: readonly string[];
  /** The workspace of the events; null for events without a workspace, such as prices. */
  readonly workspaceId: number | null;
};

/** The progress of the read models, for read-your-writes. */
export interface ReadModelProgress {
  /**
   * True as soon as every projection that handles one of the types has passed the position, except projections that
   * are parked for the workspace or halted; false after `timeoutMs`. An unreachable read store does not reject: the
   * result is false after the timeout.
   */
  reached(written: WrittenEvents, timeoutMs: number): Promise<boolean>;
}

/**
 * Waits until the read models have passed the written events. Throws `ReadModelUnavailable` with this message if they
 * have not after `timeoutMs`.
 */
export async function requireReached(
  progress: ReadModelProgress,
  written: WrittenEvents,
  timeoutMs: number,
  message: string,
): Promise<void> {
  if (!(await progress.reached(written, timeoutMs))) throw new ReadModelUnavailable(message);
}
