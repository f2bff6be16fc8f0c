import type { JsonObject } from '#kernel/values/json.js';
import type { ReadStore } from '#kernel/ports/read-store.port.js';
import type { SnapshotStore } from '#kernel/ports/snapshot-store.port.js';

const KIND = 'snapshot';

/** Snapshots as records of the read store: gone with it, and made again. */
export function snapshotStore(reads: Pick<ReadStore, 'getRecord' | 'putRecord'>): SnapshotStore {
  return {
    read: (stream) => reads.getRecord<JsonObject>(KIND, stream),
    write: (stream, snapshot) => reads.putRecord(KIND, stream, snapshot),
  };
}
