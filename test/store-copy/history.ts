import { createHash, randomUUID } from 'node:crypto';
import { openSqliteEventStore } from '#event-store/sqlite/sqlite-event-store.js';
import { START, type EventStore, type NewEvent, type StoredEvent } from '#kernel/ports/event-store.port.js';
import type { JsonObject } from '#kernel/values/json.js';
import { everythingAfter } from '#test/support/event-stores.js';

/** The facts of an event that a copy must keep, written as a manual check would. */
const factsOf = ({ stream, revision, id, type, data, metadata }: StoredEvent): readonly unknown[] => [
  stream,
  String(revision),
  id,
  type,
  data,
  metadata,
];

export async function historyOf(
  store: Pick<EventStore, 'readAll'>,
): Promise<readonly (readonly unknown[])[]> {
  return (await everythingAfter(store as EventStore, START)).map(factsOf);
}

/** That of a file which no other process has open. */
export async function historyAt(path: string): ReturnType<typeof historyOf> {
  const store = await openSqliteEventStore({ path });
  try {
    return await historyOf(store);
  } finally {
    await store.close();
  }
}

/** The hash as the help of the command describes it. */
export function hashOf(history: readonly (readonly unknown[])[]): string {
  return createHash('sha256')
    .update(history.map((facts) => `${JSON.stringify(facts)}\n`).join(''))
    .digest('hex');
}

export const noted = (data: JsonObject = {}, id: string = randomUUID()): NewEvent => ({
  id,
  type: 'Noted',
  data,
  metadata: { workspaceId: '1', schemaVersion: '1' },
});

/**
 * Interleaved streams, series in one stream, appends of several events, payloads that are easy to damage: unsorted
 * keys, text of all kinds, exact decimals as text.
 */
export async function writeHistory(store: EventStore, rounds = 4): Promise<void> {
  const next = new Map<string, bigint>();
  const append = async (stream: string, ...data: readonly JsonObject[]): Promise<void> => {
    const at = next.get(stream);
    const events = data.map((payload) => noted(payload));
    const { revision } = await store.append(stream, at ?? 'no-stream', events);
    next.set(stream, revision);
  };
  for (let round = 0; round < rounds; round += 1) {
    await append('credits-1', {
      zebra: round,
      apple: '0.000001',
      nested: { b: [1, 2, { c: null }], a: true },
    });
    await append('credits-2', { text: 'Straße 我们的CRM 👋 "quoted"\n\u2028', empty: '' });
    await append('credits-1', { first: 1 }, { second: 2 }, { third: 3 });
    await append('credits-1', { run: 'goes on' });
    await append(`run-1_${round}`, {});
  }
}

/** The same events through a port that leaves some out, like a store with truncated streams. */
export function without(
  store: Pick<EventStore, 'readAll'>,
  isGone: (event: StoredEvent) => boolean,
): Pick<EventStore, 'readAll'> {
  return {
    readAll: async function* (read) {
      for await (const batch of store.readAll(read)) {
        yield { ...batch, events: batch.events.filter((event) => !isGone(event)) };
      }
    },
  };
}
