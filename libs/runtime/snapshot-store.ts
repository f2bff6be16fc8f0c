import type { JsonObject } from '#kernel/values/json.js';
import type { EventStore } from '#kernel/ports/event-store.port.js';
import type { ReadStore } from '#kernel/ports/read-store.port.js';
import type { SnapshotStore } from '#kernel/ports/snapshot-store.port.js';

const KIND = 'snapshot';

/** Snapshots as records of the read store: deleted with it, and created again. */
export function snapshotStore(reads: Pick<ReadStore, 'getRecord' | 'putRecord'>): SnapshotStore {
  return {
    read: (stream) => reads.getRecord<JsonObject>(KIND, stream),
    write: (stream, snapshot) => reads.putRecord(KIND, stream, snapshot),
  };
}

const SNAPSHOTS_AT_ONCE = 20;

/** Removes snapshots whose last event is no longer in the stream. */
export async function dropSnapshotsAhead(
  events: Pick<EventStore, 'readStream'>,
  reads: Pick<ReadStore, 'listRecords' | 'deleteRecord'>,
): Promise<void> {
  for (let after: string | undefined = ''; after !== undefined;) {
    const page: readonly { readonly key: string; readonly value: JsonObject }[] =
      await reads.listRecords<JsonObject>(KIND, '', SNAPSHOTS_AT_ONCE, after);
    for (const { key, value } of page)
      if (!(await stands(events, key, value))) await reads.deleteRecord(KIND, key);
    after = page.at(-1)?.key;
  }
}

async function stands(
  events: Pick<EventStore, 'readStream'>,
  stream: string,
  { revision, headId }: JsonObject,
): Promise<boolean> {
  if (typeof revision !== 'string') return false;
  for await (const [event] of events.readStream(stream, { from: BigInt(revision), maxCount: 1 })) {
    return event?.id === headId;
  }
  return false;
}
