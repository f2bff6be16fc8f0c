import type { Position } from './event-store.port.js';

/** What a writer wants to find in the read models: its events, by where the last one stands and their types. */
export type WrittenEvents = {
  /** Position of the last event written. */
  readonly position: Position;
  readonly types: readonly string[];
  /** Whose events they are; null for events without a workspace, such as prices. */
  readonly workspaceId: number | null;
};

/** How far the read models have come: what read-your-writes waits for. */
export interface ReadModelProgress {
  /**
   * True as soon as every projection that handles one of the types has passed the position, leaving out those
   * that are parked for the workspace or halted; false after `timeoutMs`. Does not reject because the read
   * store is unreachable: that is false after the time.
   */
  reached(written: WrittenEvents, timeoutMs: number): Promise<boolean>;
}
