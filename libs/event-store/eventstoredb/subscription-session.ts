import { setImmediate } from 'node:timers/promises';
import { StoreUnusable, type EventBatch, type Position } from '#kernel/ports/event-store.port.js';
import type { ServerConnection } from './connection.js';
import { deliveryOrder, type LastRecord } from './delivery-order.js';
import type { FiniteRead } from './finite-read.js';
import type { LogGrowth } from './log-growth.js';
import type { LogHead } from './log-head.js';
import type { ReadUnlessRefused } from './refused-position.js';
import { recordBefore } from './resuming.js';
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

export type SubscriptionRequest = {
  readonly after: Position;
  readonly types: readonly string[] | null;
  readonly size: number;
  readonly signal: AbortSignal;
  /** Batches without events may be left out. */
  readonly onlyEvents: boolean;
  /** Stops when it has caught up instead of waiting for more. */
  readonly finite: boolean;
};

export type ReadSession = SubscriptionRequest & {
  /** The record at `after`, if an earlier session delivered it. */
  readonly last: LastRecord | null;
  /** The server has delivered that record again, so its log is still the same. */
  readonly proven: () => void;
  /**
   * The end of the log before this session began; null if it was not read. The session then begins with the last
   * record, without any other read, and delivers nothing before the server has delivered that record again.
   */
  readonly end: Position | null;
  /** The server has said that it has no further events: it says so in each session. */
  readonly announced: () => void;
  /** A check stopped the session, on a working connection, because the log ends here. */
  readonly doubted: (end: Position) => void;
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

/** A batch, and the record at its position. */
export type Delivered = { readonly batch: EventBatch; readonly last: LastRecord | null };

/** One subscription from its start until it has caught up (finite), is checked, or ends with an error. */
export async function* session(parts: SessionParts, wanted: ReadSession): AsyncGenerator<Delivered> {
  const { connection, head, growth, pace, unlessRefused } = parts;
  const { types, size, signal, finite, end, last } = wanted;
  const heartbeatMs = wanted.onlyEvents ? pace.eventsHeartbeatMs : pace.heartbeatMs;
  const line = connection.line();
  let reported = wanted.after;
  let hasCaughtUp = false;
  let saidSo = false;
  if (finite && end !== null && end <= wanted.after) {
    yield { batch: { events: [], position: wanted.after, caughtUp: true }, last };
    return;
  }
  const behind =
    end === null && last !== null ? last.behind : await recordBefore(head, wanted.after, unlessRefused);
  const order = deliveryOrder(wanted.after, types, behind);
  let isProven = false;
  const subscription = openSubscription(line, { behind, end, types, size, signal });
  try {
    for (;;) {
      const records = subscription.take(size);
      const events = order.take(records);
      if (!isProven && last !== null && order.beganWith(last.id)) {
        isProven = true;
        wanted.proven();
      }
      const isDrained = records.length < size;
      if (isDrained) {
        const isCaughtUp = subscription.isCaughtUp();
        order.reach(subscription.checkpoint());
        if (isCaughtUp) wanted.announced();
        if (isCaughtUp && end !== null) order.reach(end);
        hasCaughtUp = isCaughtUp || (end !== null && order.position() >= end);
      }
      // The last record is gone, and so may be the one before it: the server may have omitted what follows.
      if (end === null && !isProven && (hasCaughtUp || order.position() !== wanted.after)) return;
      // A finite read ends there, even if events are written meanwhile.
      const caughtUp = finite && end !== null ? order.position() >= end : isDrained && hasCaughtUp;
      const position = order.position();
      if (events.length > 0 || position !== reported || (caughtUp && !saidSo)) {
        connection.worked();
        growth.saw(position);
        reported = position;
        saidSo = caughtUp;
        yield { batch: { events, position, caughtUp }, last: order.last() };
      }
      if (signal.aborted || (finite && caughtUp)) return;
      if (!isDrained) continue;
      // A server that ends the stream without an error has dropped the subscription.
      if (subscription.isOver()) return;
      if (await subscription.arrival(hasCaughtUp ? heartbeatMs : pace.quietMs)) {
        // Records of the same turn of the event loop belong to the same batch.
        await setImmediate();
        continue;
      }
      if (!hasCaughtUp) {
        if (end !== null) yield* plainly(parts.read, { ...wanted, end }, position);
        return;
      }
      const grownTo = await growth.past(position);
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
