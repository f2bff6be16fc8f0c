import type { JsonObject } from '../values/json.js';

/** Flat facts about an event: who, when, caused by what. Written once, read as strings. */
export type EventMetadata = { readonly [name: string]: string };

/** An event on its way into a stream. `id` is a UUID, kept through every retry of the same append. */
export type NewEvent = {
  readonly id: string;
  readonly type: string;
  readonly data: JsonObject;
  readonly metadata: EventMetadata;
};

/** An event as the store holds it. */
export type StoredEvent = NewEvent & {
  readonly stream: string;
  /** Place in its stream, 0-based. */
  readonly revision: bigint;
  /** Place among all events: opaque, orders as text. */
  readonly position: Position;
};

/** Opaque place in the order of all events; compare with `<`. `START` is before every event. */
export type Position = string;
export const START: Position = '';

export type ExpectedRevision = 'no-stream' | bigint;

/** Events for one stream, written together or not at all. */
export type StreamAppend = {
  readonly stream: string;
  readonly expected: ExpectedRevision;
  readonly events: readonly NewEvent[];
};

export type Appended = {
  /** Revision and position of the last event of this append. */
  readonly revision: bigint;
  readonly position: Position;
};

export type ReadStream = {
  /** First revision to return; forwards from 0 and backwards from the end when absent. */
  readonly from?: bigint;
  readonly direction?: 'forwards' | 'backwards';
  readonly maxCount?: number;
};

export type ReadAll = {
  /** Exclusive: only events after this position. */
  readonly after?: Position;
  /** Only these event types; absent means every type. */
  readonly types?: readonly string[];
  /** Upper bound of events in one batch (default 500). */
  readonly batchSize?: number;
};

/** Events in order, and how far this reader has seen: every matching event up to `position` was delivered. */
export type EventBatch = {
  readonly events: readonly StoredEvent[];
  readonly position: Position;
  /** True when nothing more was there at the time of the read. */
  readonly caughtUp: boolean;
  /**
   * The connection was lost and the reading taken up again behind the last batch: if the log was set back to an
   * older one meanwhile, nothing before this batch is certain to be in it.
   */
  readonly resumed?: true;
};

/** One step of a sweep: how many events it removed, and whether there is nothing left to do for now. */
export type Swept = { readonly removed: number; readonly isDone: boolean };

/**
 * Append-only streams of events with optimistic concurrency and one order over everything.
 *
 * Errors: every method rejects with `StoreUnavailable` when the store cannot be reached or stays locked,
 * and with `StoreUnusable` when what is there is not ours (corrupt or foreign file).
 */
export interface EventStore {
  /**
   * Appends all events or none. Durable before it resolves. Sending the same ids at the same expected
   * revision again answers as the first time and writes nothing.
   * Rejects with `WrongExpectedRevision`, `AppendTooLarge` (over `MAX_APPEND_BYTES`), `StoreUnavailable`.
   */
  append(stream: string, expected: ExpectedRevision, events: readonly NewEvent[]): Promise<Appended>;
  /** The events of one stream in batches; a stream that does not exist yields nothing. */
  readStream(stream: string, read?: ReadStream): AsyncIterable<readonly StoredEvent[]>;
  /** Everything after a position that is there now, in order, then ends. */
  readAll(read?: ReadAll): AsyncIterable<EventBatch>;
  /** As `readAll`, then goes on with what is appended by anyone, until `signal` aborts (ends without error). */
  subscribe(read: ReadAll & { readonly signal: AbortSignal }): AsyncIterable<EventBatch>;
  /** Position of the last event, `START` when there is none. */
  head(): Promise<Position>;
  /**
   * Resolves while the store takes events, as far as that can be told without appending; rejects with
   * `StoreUnavailable` while there is no room for another event, or its file was replaced or removed.
   */
  requireRoom(): Promise<void>;
  /**
   * The last event at or before a position, or of all; `lasting`: of those that no sweep takes away. Null where
   * there is none, and where this log has no such place: it ends before it, or the position is that of another kind
   * of store.
   */
  lastEvent(upTo?: Position, which?: 'any' | 'lasting'): Promise<StoredEvent | null>;
  /**
   * Removes short-lived streams (`isShortLived`) to which nothing was appended since a time, a bounded part of them.
   * Nothing to do where the server lets go of them itself.
   */
  sweep(before: Date): Promise<Swept>;
  close(): Promise<void>;
}

/** Sum of JSON bytes (data and metadata) that one append may carry. */
export const MAX_APPEND_BYTES = 512 * 1024;

/** The stream is not where the writer believed. */
export class WrongExpectedRevision extends Error {
  constructor(
    readonly stream: string,
    readonly expected: ExpectedRevision,
    readonly actual: ExpectedRevision,
  ) {
    super(`stream ${stream} is at ${actual}, not at ${expected}`);
    this.name = 'WrongExpectedRevision';
  }
}

/** The append is over the size limit; nothing was written and a retry will not help. */
export class AppendTooLarge extends Error {
  constructor(
    readonly stream: string,
    readonly bytes: number,
  ) {
    super(`an append of ${bytes} bytes to ${stream} is over the limit of ${MAX_APPEND_BYTES}`);
    this.name = 'AppendTooLarge';
  }
}

/**
 * The store cannot be used now: server down, file locked for too long, disk full. `outcome` tells whether
 * the write that met this may have happened.
 */
export class StoreUnavailable extends Error {
  constructor(
    message: string,
    readonly outcome: 'nothing-written' | 'unknown' = 'nothing-written',
    options?: ErrorOptions,
  ) {
    super(message, options);
    this.name = 'StoreUnavailable';
  }
}

/** The file or server is there but is not a store of this product, or is damaged; nothing was changed. */
export class StoreUnusable extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'StoreUnusable';
  }
}
