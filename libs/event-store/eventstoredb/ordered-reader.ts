import {
  START,
  StoreUnavailable,
  StoreUnusable,
  type EventBatch,
  type Position,
  type ReadAll,
  type Subscribe,
} from '#kernel/ports/event-store.port.js';
import { backoffMs, type RetryPolicy } from '#kernel/commands/retry.js';
import { readError } from './client-errors.js';
import type { LastRecord } from './delivery-order.js';
import { logPosition } from './position-text.js';
import { pauseUnlessAborted } from './pause-unless-aborted.js';
import type { ReadSession, SubscriptionRequest } from './read-session.js';
import { endAfter } from './resuming.js';
import { session, type SessionParts } from './subscription-session.js';

export type OrderedReader = {
  readonly readAll: (wanted?: ReadAll) => AsyncGenerator<EventBatch>;
  readonly subscribe: (wanted: Subscribe) => AsyncGenerator<EventBatch>;
};

const DEFAULT_EVENTS = 500;
const MOST_EVENTS = 2_000;
/** A finite read fails after so many drops in a row without progress; a subscription never. */
const DROPS: RetryPolicy = { tries: 6, firstDelayMs: 20, longestDelayMs: 2_000 };

/**
 * Reads everything in order through filtered subscriptions. The server regularly drops them (its live buffer holds 32
 * events), so a read has many sessions: each continues after the delivered events.
 */
export function orderedReader(parts: SessionParts): OrderedReader {
  const { connection, head } = parts;

  /** Sessions one after another, each from the end of the previous one. */
  async function* sessions(wanted: SubscriptionRequest): AsyncGenerator<EventBatch> {
    let { after } = wanted;
    let drops = 0;
    /** The end of the next session, if it was read already. */
    let goal: Position | null = null;
    let isResumed = false;
    let last: LastRecord | null = null;
    let announces = false;
    /** The session has delivered the last record and has ended since, so that the next one may begin with that record. */
    let isDropped = false;
    while (!wanted.signal.aborted) {
      let isSound = false;
      try {
        // Read before the subscription begins: `caughtUp` has no position and comes at or after this one. A finite
        // read keeps its first end, or it would follow a growing log.
        const isRead = !isDropped || !announces || last === null;
        const end: Position | null = isRead ? (goal ?? (await endAfter(head, after, wanted.signal))) : null;
        goal = wanted.finite ? end : null;
        isDropped = false;
        const doubted = (grownTo: Position): void => {
          isSound = true;
          goal ??= grownTo;
        };
        const proven = (): void => void (isResumed = false);
        const announced = (): void => void (announces = !wanted.finite);
        const begins: ReadSession = { ...wanted, after, end, last, doubted, proven, announced };
        for await (const { batch, last: atBatch } of session(parts, begins)) {
          if (wanted.signal.aborted) return;
          if (batch.position > after) {
            drops = 0;
            last = atBatch;
            isDropped = true;
          }
          after = batch.position;
          yield isResumed ? { ...batch, resumed: true } : batch;
          isResumed = false;
          if (wanted.finite && batch.caughtUp) return;
          if (wanted.signal.aborted) return;
        }
      } catch (error) {
        if (wanted.signal.aborted) return;
        const isLast = wanted.finite && drops + 1 >= DROPS.tries;
        const failure = failureOf(error, isLast || connection.isClosed());
        if (failure !== null) throw failure;
      }
      isResumed ||= !isSound;
      isDropped &&= !isSound;
      // A session that delivered something was sound: the next one begins at once.
      if (drops > 0) await pauseUnlessAborted(backoffMs(DROPS, Math.min(drops, DROPS.tries)), wanted.signal);
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
      const { signal } = new AbortController();
      yield* sessions({ after, types, size, signal, onlyEvents: false, finite: true });
    },
    subscribe: async function* ({ after = START, types = null, batchSize, signal, onlyEvents = false }) {
      const size = sizeOf(batchSize);
      logPosition(after);
      yield* sessions({ after, types, size, signal, onlyEvents, finite: false });
    },
  };
}

/** What the reader is told of an error that ended a session; null if the next session continues. */
function failureOf(error: unknown, isLast: boolean): Error | null {
  if (error instanceof RangeError) return error;
  const meaning = readError(error, 'all events');
  return isLast || meaning instanceof StoreUnusable ? meaning : null;
}
