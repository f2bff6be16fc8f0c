import { StoreUnavailable, type EventStore } from '#kernel/ports/event-store.port.js';
import { isShortLived } from '#kernel/ports/short-lived.js';
import { appendDurably, type AppendPatience } from './append.js';
import { openConnection } from './connection.js';
import { finiteRead } from './finite-read.js';
import { backReader, lastEventReader } from './last-event.js';
import { logCensus, type LogCensus } from './log-census.js';
import { logGrowth } from './log-growth.js';
import { logHead } from './log-head.js';
import { orderedReader } from './ordered-reader.js';
import { ownEvent } from './recorded-event.js';
import { readUnlessRefused } from './refused-position.js';
import { serializeAppend, type SerializedServerAppend } from './serialized-append.js';
import { appendShortLived } from './short-lived-append.js';
import { streamReader } from './stream-reader.js';
import type { ReaderPace } from './subscription-session.js';

export type OpenEventStoreDb = Partial<AppendPatience & ReaderPace> & {
  /** `esdb://host:port?tls=false` or `esdb+discover://…`, with user and password before the host if needed. */
  readonly url: string;
  /** How long a read waits for the next record. */
  readonly silenceMs?: number;
  /** How long reads from a position must fail until the position counts as one of another log. */
  readonly refusedMs?: number;
  /** The time in milliseconds, from any beginning, for the pace at which the end of the log is read. */
  readonly now?: () => number;
};

export type EventStoreDbEventStore = EventStore & {
  /** Reads the whole log, records of other programs included, and counts it. */
  readonly census: (onRecords: (done: number) => void) => Promise<LogCensus>;
};

/**
 * The event store in an EventStoreDB (22.10 to 24) or KurrentDB, through its v1 gRPC protocol.
 * Rejects with `StoreUnusable` (connection string) or `StoreUnavailable` (no server, no right to read).
 */
export async function openEventStoreDb(options: OpenEventStoreDb): Promise<EventStoreDbEventStore> {
  const { url, answerMs = 5_000, patienceMs = 5_000, silenceMs = 10_000, refusedMs = 3_000 } = options;
  const { heartbeatMs = 100, eventsHeartbeatMs = 1_000, quietMs = 1_000 } = options;
  const connection = openConnection(url);
  const read = finiteRead(connection, silenceMs);
  const unlessRefused = readUnlessRefused(read, refusedMs);
  const head = logHead(read);
  const growth = logGrowth(head, { heartbeatMs, now: options.now });
  const readStream = streamReader(read, growth.saw);
  const pace = { heartbeatMs, eventsHeartbeatMs, quietMs };
  const { readAll, subscribe } = orderedReader({
    connection,
    read,
    unlessRefused,
    head,
    growth,
    pace,
  });
  const durably = (append: SerializedServerAppend) =>
    appendDurably(connection, append, { answerMs, patienceMs }, async (name, from, count) => {
      const page = await read.streamPage({ stream: name, from, direction: 'forwards', count });
      return page.flatMap((resolved) => ownEvent(resolved) ?? []);
    });
  const inFlight = new Set<Promise<unknown>>();
  let closing: Promise<void> | null = null;

  // A missing server is detected now and not at the first request.
  await head.own().catch(async (error: unknown) => {
    await connection.close();
    throw error;
  });
  return {
    append: async (stream, expected, events) => {
      if (closing !== null) throw new StoreUnavailable('the event store is closed');
      const append = serializeAppend(stream, expected, events);
      const isFirst = expected === 'no-stream' && isShortLived(stream);
      const appended = isFirst
        ? appendShortLived(connection, read, append, answerMs, durably)
        : durably(append);
      inFlight.add(appended);
      try {
        const written = await appended;
        growth.saw(written.position);
        return written;
      } finally {
        inFlight.delete(appended);
      }
    },
    readStream,
    // Each stream would be one read: the caller reads them itself.
    ends: async () => new Map(),
    readWhole: async () => new Map(),
    readAll,
    subscribe,
    head: async () => {
      const last = await head.own();
      growth.saw(last);
      return last;
    },
    lastEvent: lastEventReader(read, head, unlessRefused),
    readBack: backReader(read, unlessRefused),
    // A client cannot read the free space of a server.
    requireSpace: async () => undefined,
    // The server hides expired events, and frees their space at a scavenge.
    sweep: async () => ({ removed: 0, isDone: true }),
    census: (onRecords) => logCensus(read, onRecords),
    close: () => {
      closing ??= Promise.allSettled(inFlight).then(connection.close);
      return closing;
    },
  };
}
