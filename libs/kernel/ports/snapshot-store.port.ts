import type { JsonObject } from '../values/json.js';

/**
 * Where the states of long streams outlive a process: a cache and nothing more. What is missing, damaged or of
 * another version costs a longer read of the stream and never an answer. Either method may reject; whoever
 * calls goes on without.
 */
export interface SnapshotStore {
  /** What was written last for the stream, as it came; null where there is nothing. */
  read(stream: string): Promise<JsonObject | null>;
  write(stream: string, snapshot: JsonObject): Promise<void>;
}
