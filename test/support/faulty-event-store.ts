import {
  StoreUnavailable,
  WrongExpectedRevision,
  type Appended,
  type EventStore,
  type ExpectedRevision,
  type NewEvent,
} from '#kernel/ports/event-store.port.js';

/** The fault of one append. */
export type AppendFault =
  /** Another writer writes to the stream first. */
  | 'wrong-revision'
  /** Refused before anything was written. */
  | 'unavailable'
  /** Stored, but the writer gets no answer (unknown outcome). */
  | 'lost acknowledgement'
  /** Not written, and the writer cannot know. */
  | 'lost request';

export type SeenAppend = {
  readonly stream: string;
  readonly expected: ExpectedRevision;
  readonly events: readonly NewEvent[];
};

export type FaultyEventStore = EventStore & {
  /** Every append call, in order, with any outcome. */
  readonly appends: readonly SeenAppend[];
};

export type Faults = {
  /** The fault of append number `index` (0-based); null for none. */
  readonly faultOf: (index: number, append: SeenAppend) => AppendFault | null;
  /** Writes to the stream as another writer, for `wrong-revision`. */
  readonly interfere?: (append: SeenAppend) => Promise<unknown>;
  /** Like a server that does not recognise a repeated append: it answers with a conflict. */
  readonly repeatsConflict?: boolean;
};

/** An event store with the given faults of appends; all other calls pass to the store underneath. */
export function faultyEventStore(store: EventStore, faults: Faults): FaultyEventStore {
  const appends: SeenAppend[] = [];

  async function append(
    stream: string,
    expected: ExpectedRevision,
    events: readonly NewEvent[],
  ): Promise<Appended> {
    if (faults.repeatsConflict === true) {
      for await (const [last] of store.readStream(stream, { direction: 'backwards', maxCount: 1 })) {
        if (last !== undefined && last.revision !== expected)
          throw new WrongExpectedRevision(stream, expected, last.revision);
      }
    }
    return store.append(stream, expected, events);
  }

  return {
    appends,
    async append(stream, expected, events): Promise<Appended> {
      const seen = { stream, expected, events };
      const fault = faults.faultOf(appends.push(seen) - 1, seen);
      switch (fault) {
        case null:
          return append(stream, expected, events);
        case 'wrong-revision':
          await faults.interfere?.(seen);
          return append(stream, expected, events);
        case 'unavailable':
          throw new StoreUnavailable('not now', 'nothing-written');
        case 'lost acknowledgement':
          await append(stream, expected, events);
          throw new StoreUnavailable('connection lost after the write', 'unknown');
        case 'lost request':
          throw new StoreUnavailable('connection lost before the write', 'unknown');
      }
    },
    readStream: (stream, read) => store.readStream(stream, read),
    ends: (streams) => store.ends(streams),
    readWhole: (streams) => store.readWhole(streams),
    readAll: (read) => store.readAll(read),
    subscribe: (read) => store.subscribe(read),
    head: () => store.head(),
    requireSpace: () => store.requireSpace(),
    lastEvent: (upTo, which) => store.lastEvent(upTo, which),
    readBack: (before, maxCount) => store.readBack(before, maxCount),
    sweep: (before) => store.sweep(before),
    close: () => store.close(),
  };
}
