import { setImmediate } from 'node:timers/promises';
import type { AllStreamResolvedEvent } from '@eventstore/db-client';
import {
  START,
  StoreUnavailable,
  StoreUnusable,
  type EventBatch,
  type Position,
  type ReadAll,
  type StoredEvent,
} from '#kernel/ports/event-store.port.js';
import { backoffMs, type RetryPolicy } from '#kernel/commands/retry.js';
import { readError } from './client-errors.js';
import type { Connection } from './connection.js';
import type { FiniteRead } from './finite-read.js';
import type { LogHead } from './log-head.js';
import { logPosition } from './position-text.js';
import { ownEvent, positionOf } from './recorded-event.js';
import { pauseUnlessAborted } from './pause-unless-aborted.js';
import { endAfter, recordBefore } from './resuming.js';
import { openSubscription } from './subscription.js';

export type OrderedReaderPace = {
  /**
   * A subscription that brings nothing for so long is doubted where the log has grown: it may be dead, and it
   * does not tell of what its filter holds back, for which somebody may be waiting.
   */
  readonly heartbeatMs: number;
  /** A catching up that brings nothing for so long is finished by plain reading. */
  readonly quietMs: number;
};

export type OrderedReader = {
  readonly readAll: (wanted?: ReadAll) => AsyncGenerator<EventBatch>;
  readonly subscribe: (wanted: ReadAll & { readonly signal: AbortSignal }) => AsyncGenerator<EventBatch>;
};

const DEFAULT_EVENTS = 500;
const MOST_EVENTS = 2_000;
/** Records of any kind in one plain read. */
const LOG_PAGE = 500;
/** A finite read is given up after so many drops in a row without progress; a subscription never. */
const DROPS: RetryPolicy = { tries: 6, firstDelayMs: 20, longestDelayMs: 2_000 };

type Wanted = {
  readonly after: Position;
  readonly types: readonly string[] | null;
  readonly size: number;
  readonly signal: AbortSignal;
  /** Stops when it has caught up instead of waiting for more. */
  readonly finite: boolean;
};

type Session = Wanted & {
  /** Where the log ended before this began. */
  readonly end: Position;
  /** Told where it ends because it is doubted, on a connection that works. */
  readonly doubted: () => void;
};

/**
 * Reads everything in order through filtered subscriptions. The server drops them as a matter of course (its live
 * buffer holds 32 events), so each is one session of many: the next goes on after what was handed out.
 */
export function orderedReader(
  connection: Connection,
  read: FiniteRead,
  head: LogHead,
  pace: OrderedReaderPace,
): OrderedReader {
  /** One subscription from its beginning until it has caught up (finite), is doubted, or ends with an error. */
  async function* session(wanted: Session): AsyncGenerator<EventBatch> {
    const { types, size, signal, finite, end } = wanted;
    const line = connection.line();
    const order = deliveryOrder(wanted.after, types);
    let reported = wanted.after;
    let hasCaughtUp = false;
    let saidSo = false;
    if (finite && end <= wanted.after) {
      yield { events: [], position: wanted.after, caughtUp: true };
      return;
    }
    const behind = await recordBefore(head, wanted.after);
    const subscription = openSubscription(line, { behind, end, types, size, signal });
    try {
      for (;;) {
        const records = subscription.take(size);
        const events = order.take(records);
        const isDrained = records.length < size;
        if (isDrained) {
          order.reach(subscription.checkpoint());
          if (subscription.isCaughtUp()) order.reach(end);
          hasCaughtUp = subscription.isCaughtUp() || order.position() >= end;
        }
        // A finite read is over there, however much is written meanwhile.
        const caughtUp = finite ? order.position() >= end : isDrained && hasCaughtUp;
        const position = order.position();
        if (events.length > 0 || position !== reported || (caughtUp && !saidSo)) {
          connection.worked();
          reported = position;
          saidSo = caughtUp;
          yield { events, position, caughtUp };
        }
        if (signal.aborted || (finite && caughtUp)) return;
        if (!isDrained) continue;
        // A server that ends the stream in good order has dropped us all the same.
        if (subscription.isOver()) return;
        if (await subscription.arrival(hasCaughtUp ? pace.heartbeatMs : pace.quietMs)) {
          // What comes in the same turn belongs into the same batch.
          await setImmediate();
          continue;
        }
        if (!hasCaughtUp) {
          yield* plainly(wanted, position, end);
          return;
        }
        if ((await head.end()) > position) {
          wanted.doubted();
          return;
        }
      }
    } catch (error) {
      if (!signal.aborted && !(error instanceof StoreUnusable)) connection.failed(line, error);
      throw error;
    } finally {
      subscription.close();
    }
  }

  /** The rest up to a known end by plain reads, for a server that does not say when it has caught up. */
  async function* plainly(wanted: Session, after: Position, end: Position): AsyncGenerator<EventBatch> {
    let next = after;
    while (next < end && !wanted.signal.aborted) {
      const records = await read.logPage(next, LOG_PAGE);
      const order = deliveryOrder(next, wanted.types);
      const found = order.take(records);
      const isLast = records.length < LOG_PAGE || order.position() >= end;
      if (isLast) order.reach(end);
      next = order.position();
      for (let from = 0; from === 0 || from < found.length; from += wanted.size) {
        const events = found.slice(from, from + wanted.size);
        const isEnd = from + wanted.size >= found.length;
        const position = isEnd ? next : (events.at(-1)?.position ?? next);
        yield { events, position, caughtUp: isEnd && isLast };
      }
    }
  }

  /** Sessions one after another, each where the one before stopped. */
  async function* sessions(wanted: Wanted): AsyncGenerator<EventBatch> {
    let { after } = wanted;
    let drops = 0;
    let goal: Position | null = null;
    let isResumed = false;
    while (!wanted.signal.aborted) {
      let isSound = false;
      try {
        // Looked up before the subscription begins: "caught up" carries no position, and this one is behind it.
        // A finite read keeps its first one, or it would run after a log that grows all the time.
        const end: Position =
          wanted.finite && goal !== null ? goal : await endAfter(head, after, wanted.signal);
        goal = end;
        const doubted = (): void => void (isSound = true);
        for await (const batch of session({ ...wanted, after, end, doubted })) {
          if (wanted.signal.aborted) return;
          if (batch.position > after) drops = 0;
          after = batch.position;
          yield isResumed ? { ...batch, resumed: true } : batch;
          isResumed = false;
          if (wanted.finite && batch.caughtUp) return;
          if (wanted.signal.aborted) return;
        }
      } catch (error) {
        if (wanted.signal.aborted) return;
        const meaning = readError(error, 'all events');
        const isLast = wanted.finite && drops + 1 >= DROPS.tries;
        if (
          meaning instanceof StoreUnusable ||
          error instanceof RangeError ||
          isLast ||
          connection.isClosed()
        ) {
          throw error instanceof RangeError ? error : meaning;
        }
      }
      isResumed ||= !isSound;
      await pauseUnlessAborted(backoffMs(DROPS, Math.min(drops, DROPS.tries)), wanted.signal);
      if (connection.isClosed()) throw new StoreUnavailable('the event store is closed');
      drops += 1;
    }
  }

  const sizeOf = (wanted: number = DEFAULT_EVENTS): number => {
    if (!(wanted >= 1)) throw new RangeError(`a batch of ${wanted} events cannot be read`);
    return Math.min(Math.trunc(wanted), MOST_EVENTS);
  };

  return {
    readAll: async function* ({ after = START, types = null, batchSize } = {}) {
      const size = sizeOf(batchSize);
      logPosition(after);
      yield* sessions({ after, types, size, signal: new AbortController().signal, finite: true });
    },
    subscribe: async function* ({ after = START, types = null, batchSize, signal }) {
      const size = sizeOf(batchSize);
      logPosition(after);
      yield* sessions({ after, types, size, signal, finite: false });
    },
  };
}

type DeliveryOrder = {
  /** The events of ours among what was delivered. Throws when a record comes that was passed already. */
  readonly take: (records: readonly AllStreamResolvedEvent[]) => readonly StoredEvent[];
  /** Everything up to here was delivered or does not concern us. */
  readonly reach: (position: Position) => void;
  readonly position: () => Position;
};

function deliveryOrder(after: Position, types: readonly string[] | null): DeliveryOrder {
  const wanted = types === null ? null : new Set(types);
  let position = after;
  let passed = START;
  return {
    take: (records) => {
      const events: StoredEvent[] = [];
      for (const record of records) {
        const at = positionOf(record);
        if (at === null) continue;
        if (at <= passed) throw new StoreUnusable(`the event store delivers position ${at} after ${passed}`);
        passed = at;
        // A resumed read may begin with what is known already.
        if (at <= after) continue;
        position = at;
        const event = ownEvent(record, at);
        // The server compares beginnings: `Noted` also lets `NotedAgain` through.
        if (event !== null && (wanted === null || wanted.has(event.type))) events.push(event);
      }
      return events;
    },
    reach: (reached) => {
      if (reached <= position) return;
      position = reached;
      passed = reached;
    },
    position: () => position,
  };
}
