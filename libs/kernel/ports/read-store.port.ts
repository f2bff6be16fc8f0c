import { StoreUnavailable, type Position } from './event-store.port.js';
import type { JsonValue } from '../values/json.js';

/**
 * A value that can be indexed and compared. Text compares by code point, null sorts before everything, false
 * before true. A field holds values of one type (or null); a field that is missing is null.
 */
export type Scalar = string | number | boolean | null;

/**
 * The name, version and indexes of a view. The version is part of the physical name. An index lists top-level scalar
 * fields of the document: equality fields first, then sort fields. Every field that a query filters, sorts or groups by
 * must be in an index; otherwise the query rejects with an `Error` that names the field. If two indexes of one length
 * serve a query, the first is used, so the most selective index comes first. A change of the indexes, or of their
 * order, needs a new version.
 */
export type ViewShape = {
  readonly name: string;
  readonly version: number;
  readonly indexes: { readonly [index: string]: readonly string[] };
  /**
   * By index, one of its fields: the index leaves out documents in which this field is null. Queries that may match such
   * documents do not use the index.
   */
  readonly onlyWith?: { readonly [index: string]: string };
  /**
   * The store may leave indexed fields out of the stored text of a document and abbreviate names in it. For views of many
   * documents. Callers still write and read whole documents.
   */
  readonly compact?: true;
  /**
   * Indexed text fields that hold instants (RFC 3339, UTC, milliseconds), which a store may keep as numbers. Any other text compares
   * with an instant as text does, but two other texts with no instant between them are equal. `contains` and `groups` do not take
   * these fields.
   */
  readonly instants?: readonly string[];
};

/** Exists only as a type: no object has this member. */
declare const documentOf: unique symbol;

/** A view with the type of its documents, so that callers need not name the type. */
export type ViewOf<Document> = ViewShape & { readonly [documentOf]?: Document };

/** A value to equal, or operators that must all hold. */
export type Condition =
  | Scalar
  | {
      /** Equals one of these; an empty list matches nothing. */
      readonly in?: readonly Scalar[];
      /** Null is neither less nor greater than a value. */
      readonly gt?: NonNullable<Scalar>;
      readonly gte?: NonNullable<Scalar>;
      readonly lt?: NonNullable<Scalar>;
      readonly lte?: NonNullable<Scalar>;
      /** Null differs from every value except null. */
      readonly ne?: Scalar;
      /** Case-insensitive (as folded by the caller) substring; wildcards are literal. */
      readonly contains?: string;
    };

/** All conditions must match (AND); of `anyOf` at least one must match, and an empty list matches nothing. */
export type Filter = {
  readonly where?: { readonly [field: string]: Condition };
  readonly anyOf?: readonly Filter[];
};

export type Sort = readonly (readonly [field: string, direction: 'asc' | 'desc'])[];

export type Query = Filter & {
  /** Documents equal in all sort fields are in key order, descending if the last direction is `desc`. */
  readonly sort?: Sort;
  /**
   * Keyset pagination: the values of the sort fields of the last row of the page before, in the order of `sort`. The last
   * sort field must be unique among equals, and no sort field may be null. The cost of a page does not depend on its
   * depth or on the number of matches if an index has the equality fields and then exactly the sort fields, all in one
   * direction.
   */
  readonly after?: readonly NonNullable<Scalar>[];
  readonly skip?: number;
  readonly limit?: number;
};

/** The fields by which `groups` counts, and the field that it sums. */
export type Grouping = {
  /** Fields with text or numbers; `[]`: one group of all documents, even if there are none. */
  readonly by: readonly string[];
  /** A field with integers as numbers or as decimal text (credits); null counts as zero. */
  readonly sum?: string;
  readonly limit?: number;
};

/** One combination of values of the `by` fields, in their order. The sum is exact (below 2^63); 0 without `sum`. */
export type Group = {
  readonly by: readonly Scalar[];
  readonly count: number;
  readonly sum: bigint;
};

/**
 * The read side, for query handlers. Each call reads the live generation of the view, so a result never mixes two
 * generations. Rejects with `ReadModelUnavailable` while a view has no live generation.
 */
export interface ReadModels {
  get<Document>(view: ViewOf<Document>, key: string): Promise<Document | null>;
  getMany<Document>(view: ViewOf<Document>, keys: readonly string[]): Promise<ReadonlyMap<string, Document>>;
  find<Document>(view: ViewOf<Document>, query: Query): Promise<readonly Document[]>;
  count(view: ViewShape, filter: Filter): Promise<number>;
  /**
   * Counts documents per distinct combination of values, ordered by these values. The cost grows with the matching
   * documents, so sums of a long history need a roll-up document instead.
   */
  groups(view: ViewShape, filter: Filter, grouping: Grouping): Promise<readonly Group[]>;
}

/** A stored document with the position of the last event folded into it. `document` null: deleted (tombstone). */
export type GuardedDocument<Document = JsonValue> = {
  readonly key: string;
  readonly position: Position;
  readonly document: Document | null;
  /** A hint: the writer knows no earlier document, so the store may insert without a lookup. */
  readonly isNew?: boolean;
  /** A hint: the document that is stored under this key, so the store may write only the differences. */
  readonly replaces?: { readonly position: Position; readonly document: Document | null };
};

/** The id and recording time of an event. */
export type EventMark = { readonly id: string; readonly recordedAt: string };

/** The progress of a projection generation and the number of its events by outcome. Never decreases. */
export type Checkpoint = {
  readonly position: Position;
  /**
   * The event at the position. A reader that continues from here compares it with the log (log mismatch). Absent before
   * the first event and in checkpoints of earlier versions.
   */
  readonly event?: EventMark;
  readonly applied: number;
  readonly ignored: number;
  readonly parked: number;
};

/** A checkpoint as the store returns it. */
export type KeptCheckpoint = Checkpoint & {
  /** Documents may contain events up to here: a writer ended before its checkpoint. Only in stores without transactions. */
  readonly ahead?: { readonly position: Position; readonly event: EventMark };
};

export type Lease = {
  readonly name: string;
  readonly holder: string;
  /** Grows by one with every new holder. The store refuses a write with an earlier epoch. */
  readonly epoch: number;
  /** The time left at the moment of the read, by the store's clock; 0 or less: expired. */
  readonly remainingMs: number;
};

/** Proof that the writer holds the lease. The store checks it in the same write as the checkpoint. */
export type Fence = { readonly lease: string; readonly epoch: number };

/** A generation that the store has of some version of a view, also one whose removal was interrupted. */
export type StoredGeneration = {
  readonly version: number;
  readonly generation: number;
  readonly isLive: boolean;
};

/** One generation of one view: `detections` version 2, generation 3. A rebuild creates a new generation. */
export type Generation = { readonly view: ViewShape; readonly generation: number };

export type ProjectionWrite = {
  readonly generation: Generation;
  readonly documents: readonly GuardedDocument[];
  readonly checkpoint: Checkpoint;
};

/** The number of events of a generation by outcome. */
export type EventCounts = Pick<Checkpoint, 'applied' | 'ignored' | 'parked'>;

/**
 * The progress of a share: of some partitions of the workspaces, in all generations that are projected together. Never
 * decreases.
 */
export type ShareCheckpoint = {
  readonly position: Position;
  /** The event at the position; absent if there is none yet. */
  readonly event?: EventMark;
  /** The events of these partitions since the share was created, by a key of the generation that the writer chooses. */
  readonly counts: { readonly [generation: string]: EventCounts };
};

/** A share as it is read. */
export type KeptShare = ShareCheckpoint & Pick<KeptCheckpoint, 'ahead'> & { readonly name: string };

/** The changes to the documents of one generation. */
export type DocumentWrite = Pick<ProjectionWrite, 'generation' | 'documents'>;

/**
 * A read model cannot answer although its store can be reached: it is being built, does not have all events, is stopped
 * for the workspace, or has a log mismatch. Nothing was changed. The name stays that of `StoreUnavailable`, as recorded
 * reasons state it.
 */
export class ReadModelUnavailable extends StoreUnavailable {}

/** Another process holds the lease. The documents that this writer has in memory are out of date. */
export class LeaseLost extends Error {
  constructor(readonly lease: string) {
    super(`the lease ${lease} was taken by another process`);
    this.name = 'LeaseLost';
  }
}

/**
 * Writes to generations concurrently with the caller, in the order of the calls. Only this writer fills them. The first
 * failure ends the filling: later writes are dropped, and every later call rejects with the same error.
 */
export interface GenerationFilling {
  /** As `ReadStore.write`, but resolves as soon as another write is accepted: this one may still be pending. */
  write(writes: readonly ProjectionWrite[], fence: Fence): Promise<void>;
  /** As `ReadStore.load`, including accepted writes that are not stored yet. */
  load(generation: Generation, keys: readonly string[]): Promise<ReadonlyMap<string, GuardedDocument>>;
  /** Resolves when all accepted writes are stored. */
  settled(): Promise<void>;
  /** As `ReadStore.indexGeneration`, after the accepted writes. */
  indexGeneration(generation: Generation): Promise<void>;
  /** Stores the accepted writes; resolves when all resources are released. */
  end(): Promise<void>;
}

/** Bytes of removed generations: given back to the file system, and kept in the file for later writes. */
export type ReturnedSpace = { readonly givenBack: number; readonly left: number };

/**
 * The whole read store: queries, projection writes, checkpoints, leases and small records. All of it can be deleted
 * and rebuilt from the event store. Errors as for EventStore: `StoreUnavailable`, `StoreUnusable`.
 */
export interface ReadStore extends ReadModels {
  /** The number of writers that can fill generations at the same time without waiting for one another. */
  readonly writersAtOnce: number;
  /** The existing generations of a view version, and the live one; null before the first. */
  generations(view: ViewShape): Promise<{ readonly live: number | null; readonly all: readonly number[] }>;
  /** The names of all views that have a generation, in order. */
  storedViews(): Promise<readonly string[]>;
  /** The generations of every version of a view, in order. */
  storedGenerations(viewName: string): Promise<readonly StoredGeneration[]>;
  /**
   * Creates the storage of a generation without its indexes. No effect if it exists; rejects with an `Error` if it exists
   * with other indexes.
   */
  createGeneration(generation: Generation): Promise<void>;
  /**
   * Builds the missing indexes of a generation. Indexes that are built after the fill take a fraction of the time. The
   * call may take long, does not block the event loop and allows writes meanwhile; the next call completes an
   * interrupted one. Rejects with an `Error` if the generation does not exist.
   */
  indexGeneration(generation: Generation): Promise<void>;
  /** Makes queries read this generation. Rejects with `LeaseLost`, or with an `Error` if an index is missing. */
  makeLive(generation: Generation, fence: Fence): Promise<void>;
  /** Leaves the view without a live generation if this one is live. Rejects with `LeaseLost`. */
  withdraw(generation: Generation, fence: Fence): Promise<void>;
  /**
   * Removes a generation if it exists and is not live, whatever indexes it has; false if it is live, and then nothing
   * changes. Of a drop and a `makeLive` at the same time only one takes effect: a generation that is being removed is
   * not made live.
   */
  dropGeneration(generation: Generation): Promise<boolean>;
  /**
   * Gives the space of removed generations back to the file system, in slices between which others write. `onProgress` gets the
   * bytes that are given back so far and those that are left. Resolves with both when nothing is left, or if the store cannot give
   * back more. Absent: the store gives it back by itself.
   */
  giveBackSpace?(onProgress: (space: ReturnedSpace) => void): Promise<ReturnedSpace>;

  /** Documents with their guards, including tombstones. */
  load(generation: Generation, keys: readonly string[]): Promise<ReadonlyMap<string, GuardedDocument>>;
  /**
   * Writes documents and then the checkpoint, under the fence; in one transaction if the store has transactions. A
   * document with an older position than the stored one is ignored, and so is an older checkpoint. Rejects with
   * `LeaseLost` if the lease has another holder or was released; an expired lease without a new holder is accepted.
   */
  write(writes: readonly ProjectionWrite[], fence: Fence): Promise<void>;
  /** Begins to fill these generations on another thread; absent if writes wait for a server anyway. */
  fillBeside?(generations: readonly Generation[]): GenerationFilling;
  checkpoint(generation: Generation): Promise<KeptCheckpoint | null>;
  /**
   * Creates a share, or sets it back to this checkpoint. Its name is also the name of the lease under which it is
   * written; nobody may hold this lease.
   */
  createShare(name: string, checkpoint: ShareCheckpoint): Promise<void>;
  /**
   * Writes documents as `write` does, and then the checkpoint of a share, under the fence of the share's lease. The
   * generations must exist, and their own checkpoints do not change. Rejects with `LeaseLost` also if there is no such
   * share.
   */
  writeShare(writes: readonly DocumentWrite[], checkpoint: ShareCheckpoint, fence: Fence): Promise<void>;
  /** All shares, by name. */
  shares(): Promise<readonly KeptShare[]>;
  /** Removes a share; nothing happens if there is none. */
  deleteShare(name: string): Promise<void>;
  /** The documents of a generation in key order, without tombstones; for verify. */
  scan(generation: Generation, afterKey: string | null, limit: number): Promise<readonly GuardedDocument[]>;
  /** Removes tombstones with an older position. */
  sweepTombstones(generation: Generation, olderThan: Position): Promise<number>;

  /** Acquires a lease that is free, expired or already the holder's (same epoch then); null if another holds it. */
  acquireLease(name: string, holder: string, ttlMs: number): Promise<Lease | null>;
  /**
   * Renews the leases that are still held at their epoch, even expired ones, all in one request. Returns for each whether
   * it was renewed.
   */
  renewLeases(fences: readonly Fence[], ttlMs: number): Promise<readonly boolean[]>;
  /** Releases a lease that is still held at this epoch. */
  releaseLease(name: string, fence: Fence): Promise<void>;
  /** The lease, even if expired; null if it was never acquired or was released. */
  lease(name: string): Promise<Lease | null>;

  /** Small records beside the views, such as snapshots, parked events and rebuild notes; all can be derived again. */
  getRecord<T>(kind: string, key: string): Promise<T | null>;
  putRecord(kind: string, key: string, value: JsonValue): Promise<void>;
  deleteRecord(kind: string, key: string): Promise<void>;
  /** In key order, after `afterKey` if given; the prefix is literal. */
  listRecords<T>(
    kind: string,
    keyPrefix: string,
    limit: number,
    afterKey?: string,
  ): Promise<readonly { readonly key: string; readonly value: T }[]>;

  ping(): Promise<void>;
  close(): Promise<void>;
}

/** The parts of a read store: each is a file of its adapters, and what some users need of it. */
export type ProjectionStore = Pick<ReadStore, 'load' | 'write' | 'checkpoint' | 'scan' | 'sweepTombstones'>;
export type LeaseStore = Pick<ReadStore, 'acquireLease' | 'renewLeases' | 'releaseLease' | 'lease'>;
export type ShareStore = Pick<ReadStore, 'createShare' | 'writeShare' | 'shares' | 'deleteShare'>;
export type RecordStore = Pick<ReadStore, 'getRecord' | 'putRecord' | 'deleteRecord' | 'listRecords'>;
