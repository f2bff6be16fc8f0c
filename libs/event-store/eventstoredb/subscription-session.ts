import { setImmediate } from 'node:timers/promises';
import { StoreUnusable, type EventBatch, type Position } from '#kernel/ports/event-store.port.js';
import type { ServerConnection } from './connection.js';
import { deliveryOrder } from './delivery-order.js';
import type { FiniteRead } from './finite-read.js';
import type { LogHead } from './log-head.js';
import { recordBefore } from './resuming.js';
import { openSubscription } from './subscription.js';

export type ReaderPace = {
  /**
   * A subscription without records for so long is checked if the log has grown: it may be dead, and it does not
   * report events that its filter omits, for which a reader may be waiting.
   */
  readonly heartbeatMs: number;
  /** A catch-up without records for so long is finished by plain reads. */
  readonly quietMs: number;
};

export type SubscriptionRequest = {
  readonly after: Position;
  readonly types: readonly string[] | null;
  readonly size: number;
  readonly signal: AbortSignal;
  /** Stops when it has caught up instead of waiting for more. */
  readonly finite: boolean;
};

type Session = SubscriptionRequest & {
  /** The id of the event at `after`, if an earlier session delivered it. */
  readonly lastId: string | null;
  /** The server has delivered that event again, so its log is still the same. */
  readonly proven: () => void;
  /** The end of the log before this session began. */
  readonly end: Position;
  /** The end at which a check stopped the session, on a working connection. */
  readonly doubted: () => void;
};

export type SessionParts = {
  readonly connection: ServerConnection;
  readonly read: FiniteRead;
  readonly head: LogHead;
  readonly pace: ReaderPace;
};

/** Records of any kind in one plain read. */
const LOG_PAGE = 500;

/** One subscription from its start until it has caught up (finite), is checked, or ends with an error. */
export async function* session(parts: SessionParts, wanted: Session): AsyncGenerator<EventBatch> {
  const { connection, head, pace } = parts;
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
      if (wanted.lastId !== null && order.beganWith(wanted.lastId)) wanted.proven();
      const isDrained = records.length < size;
      if (isDrained) {
        order.reach(subscription.checkpoint());
        if (subscription.isCaughtUp()) order.reach(end);
        hasCaughtUp = subscription.isCaughtUp() || order.position() >= end;
      }
      // A finite read ends there, even if events are written meanwhile.
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
      // A server that ends the stream without an error has dropped the subscription.
      if (subscription.isOver()) return;
      if (await subscription.arrival(hasCaughtUp ? pace.heartbeatMs : pace.quietMs)) {
        // Records of the same turn of the event loop belong to the same batch.
        await setImmediate();
        continue;
      }
      if (!hasCaughtUp) {
        yield* plainly(parts.read, wanted, position);
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

/** Reads the rest up to a known end by plain reads, for a server that does not report `caughtUp`. */
async function* plainly(
  read: FiniteRead,
  { end, signal, types, size }: Session,
  after: Position,
): AsyncGenerator<EventBatch> {
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
      yield { events, position, caughtUp: isEnd && isLast };
    }
  }
}
