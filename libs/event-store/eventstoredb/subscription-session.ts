import { setImmediate } from 'node:timers/promises';
import { StoreUnusable, type Position } from '#kernel/ports/event-store.port.js';
import type { ServerConnection } from './connection.js';
import { deliveryOrder } from './delivery-order.js';
import type { FiniteRead } from './finite-read.js';
import type { LogGrowth } from './log-growth.js';
import type { LogHead } from './log-head.js';
import type { Delivered, ReadSession, SubscriptionRequest } from './read-session.js';
import type { ReadUnlessRefused } from './refused-position.js';
import { recordBefore } from './resuming.js';
import { sessionIntake } from './session-intake.js';
import { openSubscription } from './subscription.js';

export type ReaderPace = {
  /**
   * A subscription without records for so long is checked if the log has grown: it may be dead, and it does not
   * report events that its filter omits, for which a reader may be waiting.
   */
  readonly heartbeatMs: number;
  /** The same if only its events are wanted: the check only finds a dead subscription then. */
  readonly eventsHeartbeatMs: number;
  /** A catch-up without records for so long is finished by plain reads. */
  readonly quietMs: number;
};

export type SessionParts = {
  readonly connection: ServerConnection;
  readonly read: FiniteRead;
  readonly unlessRefused: ReadUnlessRefused;
  readonly head: LogHead;
  readonly growth: LogGrowth;
  readonly pace: ReaderPace;
};

/** Records of any kind in one plain read. */
const LOG_PAGE = 500;

/** One subscription from its start until it has caught up (finite), is checked, or ends with an error. */
export async function* session(parts: SessionParts, wanted: ReadSession): AsyncGenerator<Delivered> {
  const { connection, head, growth, pace, unlessRefused } = parts;
  const { types, size, signal, finite, end, last } = wanted;
  const heartbeatMs = wanted.onlyEvents ? pace.eventsHeartbeatMs : pace.heartbeatMs;
  const line = connection.line();
  if (finite && end !== null && end <= wanted.after) {
    yield { batch: { events: [], position: wanted.after, caughtUp: true }, last };
    return;
  }
  const behind =
    end === null && last !== null ? last.behind : await recordBefore(head, wanted.after, unlessRefused);
  const subscription = openSubscription(line, { behind, end, types, size, signal });
  const intake = sessionIntake(wanted, subscription, deliveryOrder(wanted.after, types, behind));
  try {
    for (;;) {
      const taken = intake.take();
      if (taken === null) return;
      if (taken.delivered !== null) {
        connection.worked();
        growth.saw(taken.position);
        yield taken.delivered;
      }
      if (signal.aborted || (finite && taken.isWhole)) return;
      if (!taken.isDrained) continue;
      // A server that ends the stream without an error has dropped the subscription.
      if (subscription.isOver()) return;
      if (await subscription.arrival(taken.hasCaughtUp ? heartbeatMs : pace.quietMs)) {
        // Records of the same turn of the event loop belong to the same batch.
        await setImmediate();
        continue;
      }
      if (!taken.hasCaughtUp) {
        if (end !== null) yield* plainly(parts.read, { ...wanted, end }, taken.position);
        return;
      }
      const grownTo = await growth.past(taken.position);
      if (grownTo !== null) {
        wanted.doubted(grownTo);
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

/** Reads the rest up to a known end by plain reads, for a server that does not report `caughtUp`. */
async function* plainly(
  read: FiniteRead,
  { end, signal, types, size }: SubscriptionRequest & { readonly end: Position },
  after: Position,
): AsyncGenerator<Delivered> {
  let next = after;
  while (next < end && !signal.aborted) {
    const records = await read.logPage(next, LOG_PAGE);
    const order = deliveryOrder(next, types);
    const found = order.take(records);
    const isLast = records.length < LOG_PAGE || order.position() >= end;
    if (isLast) order.reach(end);
    next = order.position();
    for (let from = 0; from === 0 || from < found.length; from += size) {
      const events = found.slice(from, from + size);
      const isEnd = from + size >= found.length;
      const position = isEnd ? next : (events.at(-1)?.position ?? next);
      yield { batch: { events, position, caughtUp: isEnd && isLast }, last: null };
    }
  }
}
