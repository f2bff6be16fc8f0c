import {
  AppendTooLarge,
  MAX_APPEND_BYTES,
  START,
  StoreUnavailable,
  WrongExpectedRevision,
  type Appended,
  type EventBatch,
  type EventStore,
  type ExpectedRevision,
  type NewEvent,
  type ReadAll,
  type StoredEvent,
} from '#kernel/ports/event-store.port.js';
import { isShortLived } from '#kernel/ports/short-lived.js';

/**
 * How a request reaches the log: directly, or through the faults of a simulation. It executes the operation and
 * resolves with its result, or rejects like a store.
 */
export type Carrier = <Result>(kind: 'append' | 'read', operation: () => Result) => Promise<Result>;

const atOnce: Carrier = async (_kind, operation) => operation();
const EVENTS_AT_ONCE = 500;

/** The events of a simulated store: one list per stream and one of all events, changed only by `append`. */
export class EventLog {
  readonly all: StoredEvent[] = [];
  private readonly streams = new Map<string, StoredEvent[]>();
  private readonly watchers = new Set<() => void>();

  /** `remembersIds` says whether a repeated append is recognised this time; a server may have forgotten it. */
  constructor(private readonly remembersIds: () => boolean = () => true) {}

  stream(name: string): readonly StoredEvent[] {
    return this.streams.get(name) ?? [];
  }

  append(name: string, expected: ExpectedRevision, events: readonly NewEvent[]): Appended {
    if (name === '') throw new TypeError('a stream has a name');
    if (events.length === 0) throw new TypeError('an append has events');
    if (expected !== 'no-stream' && expected < 0n) throw new RangeError('a revision is 0 or more');
    const written = events.map((event): NewEvent => ({
      ...event,
      data: JSON.parse(JSON.stringify(event.data)),
      metadata: JSON.parse(JSON.stringify(event.metadata)),
    }));
    const bytes = written.reduce((sum, event) => sum + sizeOf(event), 0);
    if (bytes > MAX_APPEND_BYTES) throw new AppendTooLarge(name, bytes);
    const there = this.stream(name);
    const first = expected === 'no-stream' ? 0 : Number(expected) + 1;
    if (first !== there.length) return this.repeated(name, expected, first, events);
    const placed = written.map((event, index) => ({
      ...event,
      stream: name,
      revision: BigInt(first + index),
      position: positionOf(this.all.length + index),
    }));
    const stream = this.streams.get(name) ?? [];
    this.streams.set(name, stream);
    stream.push(...placed);
    this.all.push(...placed);
    for (const watcher of this.watchers) watcher();
    return answerOf(placed);
  }

  /** Resolves after the next append, or when the signal aborts. */
  changed(signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const done = (): void => {
        this.watchers.delete(done);
        signal.removeEventListener('abort', done);
        resolve();
      };
      this.watchers.add(done);
      signal.addEventListener('abort', done);
    });
  }

  /** The answer of an earlier append with the same ids at the same position; any other is a wrong revision. */
  private repeated(
    name: string,
    expected: ExpectedRevision,
    first: number,
    events: readonly NewEvent[],
  ): Appended {
    const there = this.stream(name);
    const same = there.slice(first, first + events.length);
    const isSame = same.length === events.length && same.every(({ id }, index) => id === events[index]?.id);
    if (isSame && this.remembersIds()) return answerOf(same);
    throw new WrongExpectedRevision(name, expected, there.at(-1)?.revision ?? 'no-stream');
  }
}

/** A client of the log with the behaviour of every event store; `carrier` injects the faults of a simulation. */
export function memoryEventStore(log: EventLog, carrier: Carrier = atOnce): EventStore {
  const closed = new AbortController();
  const sent = new Set<Promise<unknown>>();

  function ask<Result>(kind: 'append' | 'read', operation: () => Result): Promise<Result> {
    if (closed.signal.aborted) return Promise.reject(new StoreUnavailable('the event store is closed'));
    const asked = carrier(kind, operation);
    sent.add(asked);
    const settled = (): void => void sent.delete(asked);
    asked.then(settled, settled);
    return asked;
  }

  async function* readAll({
    after = START,
    types,
    batchSize = EVENTS_AT_ONCE,
  }: ReadAll = {}): AsyncGenerator<EventBatch> {
    for (let position = after; ;) {
      const batch = await ask('read', () => {
        const matching = log.all
          .slice(placeAfter(position))
          .filter(({ type }) => types?.includes(type) ?? true);
        const events = matching.slice(0, batchSize);
        const caughtUp = events.length === matching.length;
        const end = caughtUp ? (log.all.at(-1)?.position ?? START) : (events.at(-1)?.position ?? position);
        return { events, position: end < position ? position : end, caughtUp };
      });
      yield batch;
      if (batch.caughtUp) return;
      position = batch.position;
    }
  }

  return {
    append: (stream, expected, events) => ask('append', () => log.append(stream, expected, events)),
    async *readStream(stream, { from, direction = 'forwards', maxCount = Infinity } = {}) {
      const backwards = direction === 'backwards';
      let next = from === undefined ? (backwards ? Infinity : 0) : Number(from);
      for (let left = maxCount; left > 0 && next >= 0;) {
        const count = Math.min(left, EVENTS_AT_ONCE);
        const events = await ask('read', () => {
          const there = log.stream(stream);
          if (!backwards) return there.slice(next, next + count);
          const end = Math.min(next + 1, there.length);
          return there.slice(Math.max(0, end - count), end).toReversed();
        });
        const last = events.at(-1);
        if (last === undefined) return;
        yield events;
        if (events.length < count) return;
        left -= events.length;
        next = Number(last.revision) + (backwards ? -1 : 1);
      }
    },
    readWhole: (streams) =>
      ask('read', () => new Map(streams.map((stream) => [stream, [...log.stream(stream)]]))),
    ends: (streams) =>
      ask('read', () => new Map(streams.map((stream) => [stream, log.stream(stream).at(-1) ?? null]))),
    readAll,
    async *subscribe({ signal, ...read }) {
      let after = read.after ?? START;
      const stop = AbortSignal.any([signal, closed.signal]);
      let reported: string | null = null;
      while (!signal.aborted) {
        const seen = log.all.length;
        for await (const batch of readAll({ ...read, after })) {
          after = batch.position;
          if (signal.aborted) return;
          if (batch.events.length === 0 && batch.position === reported) continue;
          reported = batch.position;
          yield batch;
          if (signal.aborted) return;
        }
        if (log.all.length === seen) await log.changed(stop);
      }
    },
    head: () => ask('read', () => log.all.at(-1)?.position ?? START),
    lastEvent: (upTo, which = 'any') =>
      ask('read', () => {
        const place =
          upTo === undefined ? log.all.length - 1 : /^\d{12}$/.test(upTo) ? Number(upTo) : Infinity;
        const isWanted = ({ stream }: StoredEvent): boolean => which === 'any' || !isShortLived(stream);
        return place < log.all.length ? (log.all.slice(0, place + 1).findLast(isWanted) ?? null) : null;
      }),
    readBack: (before, maxCount) =>
      ask('read', () => {
        const end =
          before === null ? log.all.length : log.all.findIndex(({ position }) => position >= before);
        return log.all.slice(0, Math.max(0, end)).reverse().slice(0, maxCount);
      }),
    requireSpace: async () => undefined,
    // A simulated log never removes events.
    sweep: async () => ({ removed: 0, isDone: true }),
    async close() {
      closed.abort();
      await Promise.allSettled(sent);
    },
  };
}

function sizeOf({ data, metadata }: NewEvent): number {
  return Buffer.byteLength(JSON.stringify(data)) + Buffer.byteLength(JSON.stringify(metadata));
}

function answerOf(events: readonly StoredEvent[]): Appended {
  const last = events.at(-1);
  if (last === undefined) throw new Error('an append has events');
  return { revision: last.revision, position: last.position };
}

function positionOf(place: number): string {
  return String(place).padStart(12, '0');
}

function placeAfter(position: string): number {
  return position === START ? 0 : Number(position) + 1;
}
