import type { JsonObject } from '../values/json.js';

/** Flat facts about an event: its actor, time and cause. All values are strings. */
export type EventMetadata = { readonly [name: string]: string };

/** An event to append. `id` is a UUID and stays the same in every retry of the append. */
export type NewEvent = {
  readonly id: string;
  readonly type: string;
  readonly data: JsonObject;
  readonly metadata: EventMetadata;
};

/** An event as the store holds it. */
export type StoredEvent = NewEvent & {
  readonly stream: string;
  /** Revision in its stream, 0-based. */
  readonly revision: bigint;
  /** Position in the log: opaque, ordered as text. */
  readonly position: Position;
};

/** Opaque position in the log; compare with `<`. `START` is before every event. */
export type Position = string;
export const START: Position = '';

export type ExpectedRevision = 'no-stream' | bigint;

/** Events for one stream, appended all or none. */
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
  /**
   * First revision to return; forwards from 0 and backwards from the end when absent. A read from below 0 yields nothing, as
   * one behind the end does forwards.
   */
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

export type Subscribe = ReadAll & {
  /** Ends the iteration without an error. */
  readonly signal: AbortSignal;
  /**
   * True if no caller waits for the position: it may stay behind events of other types. A store that has to ask for that
   * position asks less often.
   */
  readonly onlyEvents?: boolean;
};

/** Events in order, and the position up to which every matching event was delivered. */
export type EventBatch = {
  readonly events: readonly StoredEvent[];
  readonly position: Position;
  /** True if there were no further events at the time of the read. */
  readonly caughtUp: boolean;
  /**
   * The connection was lost and the read resumed after the last batch. If the log was reset to an older one
   * meanwhile, it may contain none of the events before this batch.
   */
  readonly resumed?: true;
};

/** The result of one `sweep`: the number of removed events, and whether nothing is left to remove now. */
export type Swept = { readonly removed: number; readonly isDone: boolean };

/** The last event of a stream. */
export type StreamEnd = { readonly revision: bigint; readonly id: string };

/**
 * Append-only streams of events with optimistic concurrency and one global order. Every method rejects with
 * `StoreUnavailable` if the store cannot be reached or stays locked, and with `StoreUnusable` for a corrupt or
 * foreign store.
 */
export interface EventStore {
  /**
   * Appends all events or none, durably. Idempotent: a repetition with the same ids and the same expected revision
   * writes nothing and has the same result.
   * Rejects with `WrongExpectedRevision`, `AppendTooLarge` (over `MAX_APPEND_BYTES`), `StoreUnavailable`.
   */
  append(stream: string, expected: ExpectedRevision, events: readonly NewEvent[]): Promise<Appended>;
  /** The events of one stream in batches; a stream that does not exist yields nothing. */
  readStream(stream: string, read?: ReadStream): AsyncIterable<readonly StoredEvent[]>;
  /**
   * The last events of these streams now, found with one read; null for a stream that never had an event. A stream that is not
   * in the answer has to be read: a store without a cheap way to find ends leaves out all of them.
   */
  ends(streams: readonly string[]): Promise<ReadonlyMap<string, StreamEnd | null>>;
  /**
   * All events of these streams, in the order of each, found with one read: for streams that `ends` shows to be short. A stream
   * that is not in the answer has to be read by itself.
   */
  readWhole(streams: readonly string[]): Promise<ReadonlyMap<string, readonly StoredEvent[]>>;
  /** The events that exist now after a position, in order; then the iteration ends. */
  readAll(read?: ReadAll): AsyncIterable<EventBatch>;
  /** As `readAll`, then new events of every writer until `signal` aborts. */
  subscribe(read: Subscribe): AsyncIterable<EventBatch>;
  /** Position of the last event, `START` if there is none. */
  head(): Promise<Position>;
  /**
   * Resolves if the store seems to accept events; it does not try an append. Rejects with `StoreUnavailable` if the
   * store has no space for another event, or if its file was replaced or removed.
   */
  requireSpace(): Promise<void>;
  /**
   * The last event at or before a position, or of the whole log; `lasting`: among events that no sweep removes. Null
   * if there is no such event, if the log ends before the position, or if the position belongs to another kind of
   * store.
   */
  lastEvent(upTo?: Position, which?: 'any' | 'lasting'): Promise<StoredEvent | null>;
  /**
   * At most `maxCount` events before a position, newest first; null: the last events of the log. Empty if this log has
   * no such position.
   */
  readBack(before: Position | null, maxCount: number): Promise<readonly StoredEvent[]>;
  /**
   * Removes short-lived streams (`isShortLived`) without appends since a time, a bounded number per call. No effect if
   * the server expires the streams itself.
   */
  sweep(before: Date): Promise<Swept>;
  close(): Promise<void>;
}

/** Sum of JSON bytes (data and metadata) that one append may carry. */
export const MAX_APPEND_BYTES = 512 * 1024;

/** The stream does not end at the expected revision. */
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

/** The append is over the size limit. Nothing was written, and a retry fails as well. */
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
 * The store is unavailable now: server down, file locked for too long, disk full. `outcome` `unknown`: the failed write
 * may be stored.
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

/** The file or server is damaged or is not a store of this product. Nothing was changed. */
export class StoreUnusable extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'StoreUnusable';
  }
}

/** A part of the file cannot be read: it was damaged, or never was a store. */
export class StoreDamaged extends StoreUnusable {}
