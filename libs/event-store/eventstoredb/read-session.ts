import type { EventBatch, Position } from '#kernel/ports/event-store.port.js';
import type { LastRecord } from './delivery-order.js';

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

/** A batch, and the record at its position. */
export type Delivered = { readonly batch: EventBatch; readonly last: LastRecord | null };
