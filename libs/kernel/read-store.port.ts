import type { Position } from './event-store.port.js';
import type { JsonValue } from './json.js';

/** A value that can be indexed and compared. Text compares by code point, null sorts first. */
export type Scalar = string | number | boolean | null;

/**
 * What the documents of a view look like from outside: a name, a version (part of the physical name), and
 * the index lists. Each list names top-level fields of the document that hold scalars: equality fields
 * first, then sort fields. Every field that is filtered or sorted on must stand in some list.
 */
export type ViewShape = {
  readonly name: string;
  readonly version: number;
  readonly indexes: { readonly [index: string]: readonly string[] };
};

export type Condition =
  | Scalar
  | {
      readonly in?: readonly Scalar[];
      readonly gt?: Scalar;
      readonly gte?: Scalar;
      readonly lt?: Scalar;
      readonly lte?: Scalar;
      readonly ne?: Scalar;
      /** Case-insensitive (as folded by the caller) substring; wildcards are literal. */
      readonly contains?: string;
    };

/** All fields must hold (AND); `anyOf` adds alternatives of which one must hold. */
export type Filter = {
  readonly where?: { readonly [field: string]: Condition };
  readonly anyOf?: readonly Filter[];
};

export type Sort = readonly (readonly [field: string, direction: 'asc' | 'desc'])[];

export type Query = Filter & {
  readonly sort?: Sort;
  /** Keyset: values of the sort fields of the last row seen, in the order of `sort`. Nulls are not allowed. */
  readonly after?: readonly Scalar[];
  readonly skip?: number;
  readonly limit?: number;
};

/** Reading side: what query handlers use. Resolves the live generation of a view at each call. */
export interface ReadModels {
  get<Document>(view: ViewShape, key: string): Promise<Document | null>;
  getMany<Document>(view: ViewShape, keys: readonly string[]): Promise<ReadonlyMap<string, Document>>;
  find<Document>(view: ViewShape, query: Query): Promise<readonly Document[]>;
  count(view: ViewShape, filter: Filter): Promise<number>;
}

/** A document as stored: with the position of the last event folded into it. `document` null: deleted (tombstone). */
export type GuardedDocument<Document = JsonValue> = {
  readonly key: string;
  readonly position: Position;
  readonly document: Document | null;
};

/** How far a projection generation has come, and what became of every event it was given. */
export type Checkpoint = {
  readonly position: Position;
  readonly applied: number;
  readonly ignored: number;
  readonly parked: number;
};

export type Lease = {
  readonly name: string;
  readonly holder: string;
  /** Grows by one with every new holder; a write with an older epoch is refused. */
  readonly epoch: number;
  readonly expiresAtMs: number;
};

/** Proof that the writer still holds the lease; checked by the store in the same write as the checkpoint. */
export type Fence = { readonly lease: string; readonly epoch: number };

/** One generation of one view: `detections` version 2, generation 3. Rebuilds make a new generation. */
export type Generation = { readonly view: ViewShape; readonly generation: number };

export type ProjectionWrite = {
  readonly generation: Generation;
  readonly documents: readonly GuardedDocument[];
  readonly checkpoint: Checkpoint;
};

/** The lease was taken over: what this writer held in memory is worthless. */
export class LeaseLost extends Error {
  constructor(readonly lease: string) {
    super(`the lease ${lease} was taken by another process`);
    this.name = 'LeaseLost';
  }
}

/**
 * The whole read store: queries, projection writes, checkpoints, leases and small records.
 * Everything in it can be deleted and comes back from the event store.
 * Errors as for EventStore: `StoreUnavailable`, `StoreUnusable`.
 */
export interface ReadStore extends ReadModels {
  /** Generations that exist of a view version, and the live one (null before the first). */
  generations(view: ViewShape): Promise<{ readonly live: number | null; readonly all: readonly number[] }>;
  /** Creates the storage and the indexes of a generation; nothing happens where it exists. */
  createGeneration(generation: Generation): Promise<void>;
  /** Points queries at this generation, if the fence holds. Rejects with `LeaseLost`. */
  makeLive(generation: Generation, fence: Fence): Promise<void>;
  dropGeneration(generation: Generation): Promise<void>;

  /** Documents with their guards, deleted ones included while their tombstone is kept. */
  load(generation: Generation, keys: readonly string[]): Promise<ReadonlyMap<string, GuardedDocument>>;
  /**
   * Writes documents (each only over an older position), then the checkpoint, under the fence. All of it in
   * one transaction where the store has them; else documents first, checkpoint last. Rejects with `LeaseLost`.
   */
  write(writes: readonly ProjectionWrite[], fence: Fence): Promise<void>;
  checkpoint(generation: Generation): Promise<Checkpoint | null>;
  /** Every document of a generation in key order, for verify. Tombstones are left out. */
  scan(generation: Generation, afterKey: string | null, limit: number): Promise<readonly GuardedDocument[]>;
  /** Removes tombstones whose deletion is older than this position. */
  sweepTombstones(generation: Generation, olderThan: Position): Promise<number>;

  /** Takes the lease when it is free, expired, or already the holder's (renewal keeps the epoch); null when held. */
  acquireLease(name: string, holder: string, ttlMs: number): Promise<Lease | null>;
  /** Gives it back at once, if still held at that epoch. */
  releaseLease(name: string, fence: Fence): Promise<void>;
  lease(name: string): Promise<Lease | null>;

  /** Small records beside the views (snapshots, parked events, rebuild notes): a cache or working notes, never truth. */
  getRecord<T>(kind: string, key: string): Promise<T | null>;
  putRecord(kind: string, key: string, value: JsonValue): Promise<void>;
  deleteRecord(kind: string, key: string): Promise<void>;
  listRecords<T>(
    kind: string,
    keyPrefix: string,
    limit: number,
  ): Promise<readonly { readonly key: string; readonly value: T }[]>;

  ping(): Promise<void>;
  close(): Promise<void>;
}
