import { StreamMemory } from '#kernel/commands/stream-memory.js';
import { event } from '#kernel/events/event.js';
import { Type } from '#kernel/values/schema.js';
import type { JsonValue } from '#kernel/values/json.js';
import { EventLog, memoryEventStore } from '#test/simulation/memory-event-store.js';

describe('the memory of a stream', () => {
  it('weighs an event by its text, at any depth', () => {
    let weight = 0;
    const memory = new StreamMemory(
      'note-1',
      { category: 'note', scope: 'global', vocabulary: {}, on: {}, initial: () => null },
      {
        eventStore: memoryEventStore(new EventLog()),
        onWeight: (difference) => (weight += difference),
        snapshots: null,
        onSnapshotFailure: () => undefined,
      },
    );
    const fold = (text: string): void =>
      memory.speculate({ id: 'x', type: 'Noted', data: { a: 1, deep: [{ text }] }, metadata: {} });
    fold('');
    const small = weight;
    fold('x'.repeat(65_536));
    expect(weight - small).toBe(small + 65_536);
    memory.forget();
    expect(weight).toBe(0);
  });

  /** The revisions of the snapshots that are stored while the stream gets these events, one by one. */
  const snapshotsOf = async (types: readonly string[]): Promise<readonly JsonValue[]> => {
    const log = new EventLog();
    const eventStore = memoryEventStore(log);
    const kept: JsonValue[] = [];
    const memory = new StreamMemory(
      'note-1',
      {
        category: 'note',
        scope: 'global',
        vocabulary: { Noted: event(Type.Object({})) },
        initial: () => 0,
        on: { Noted: (notes) => Number(notes) + 1 },
        snapshot: {
          every: 3,
          sizeOf: Number,
          stateVersion: 1,
          toJson: (notes) => ({ notes: Number(notes) }),
          fromJson: ({ notes }) => notes,
        },
      },
      {
        eventStore,
        onWeight: () => undefined,
        snapshots: {
          read: async () => null,
          write: async (_stream, { revision }) => void kept.push(revision ?? null),
        },
        onSnapshotFailure: () => undefined,
      },
    );
    for (const [place, type] of types.entries()) {
      const expected = place === 0 ? 'no-stream' : BigInt(place - 1);
      await eventStore.append('note-1', expected, [{ id: `e${place}`, type, data: {}, metadata: {} }]);
      await memory.readTail();
      memory.keepSnapshot();
    }
    return kept;
  };

  it('stores a snapshot after a fixed number of events, plus the number of listed things in the snapshot', async () => {
    // three events, then as many as were noted at the previous snapshot and since
    expect(await snapshotsOf(Array(24).fill('Noted'))).toEqual(['2', '5', '11', '23']);
  });

  /** The weight of a stream of 1,000 events that is forgotten in parts, after each event. */
  const weightsOf = async (forgets: () => boolean): Promise<readonly number[]> => {
    const log = new EventLog();
    const eventStore = memoryEventStore(log);
    const weights: number[] = [];
    let weight = 0;
    const memory = new StreamMemory(
      'note-1',
      {
        category: 'note',
        scope: 'global',
        vocabulary: { Noted: event(Type.Object({ text: Type.String() })) },
        initial: () => null,
        on: {},
        snapshot: {
          every: 10,
          sizeOf: () => 2,
          stateVersion: 1,
          toJson: () => ({}),
          fromJson: () => null,
          forget: forgets,
        },
      },
      {
        eventStore,
        onWeight: (difference) => (weight += difference),
        snapshots: { read: async () => null, write: async () => undefined },
        onSnapshotFailure: () => undefined,
      },
    );
    for (let place = 0; place < 1_000; place += 1) {
      const noted = { id: `e${place}`, type: 'Noted', data: { text: 'x'.repeat(244) }, metadata: {} };
      await eventStore.append('note-1', place === 0 ? 'no-stream' : BigInt(place - 1), [noted]);
      await memory.readTail();
      memory.keepSnapshot();
      weights.push(weight);
    }
    memory.forget();
    expect(weight).toBe(0);
    return weights;
  };

  it('weighs what it has not forgotten, so that a long stream does not count as a large one', async () => {
    const weights = await weightsOf(() => true);
    // The events since the snapshot before the last one, and two entries that were open then.
    expect(Math.max(...weights)).toBe(19 * 500 + 2 * 256);
    expect(Math.min(...weights.slice(20))).toBe(10 * 500 + 2 * 256);
  });

  it('weighs everything as long as there is too little to forget', async () => {
    const weights = await weightsOf(() => false);
    expect(weights.at(-1)).toBe(1_000 * 500);
    let snapshots = 0;
    const later = await weightsOf(() => (snapshots += 1) > 50);
    expect([Math.max(...later), later.at(-1)]).toEqual([519 * 500, 10 * 500 + 2 * 256]);
  });

  it('stores no snapshot after an event that only a newer version knows, which would miss it in the state', async () => {
    const types = ['Noted', 'Noted', 'Noted', 'NotedLater', ...Array(20).fill('Noted')];
    expect(await snapshotsOf(types)).toEqual(['2']);
  });
});
