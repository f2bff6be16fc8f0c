import type { JsonObject } from '../values/json.js';

/**
 * A cache of the states of long streams. If a snapshot is missing, damaged or of another version, the stream is read
 * from the start. A state that skipped an event of an unknown type gets none. Both methods may reject; callers then
 * continue without a snapshot.
 */
export interface SnapshotStore {
  /** The last written snapshot of the stream; null if there is none. */
  read(stream: string): Promise<JsonObject | null>;
  write(stream: string, snapshot: JsonObject): Promise<void>;
}
