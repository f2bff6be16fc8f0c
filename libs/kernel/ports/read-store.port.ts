import type { Position } from './event-store.port.js';
import type { JsonValue } from '../values/json.js';

/**
 * A value that can be indexed and compared. Text compares by code point, null sorts before everything, false
 * before true. A field holds values of one type (or null); a field that is missing is null.
 */
export type Scalar = string | number | boolean | null;

/**
 * What the documents of a view look like from outside: a name, a version (part of the physical name), and
 * the index lists. Each list names top-level fields of the document that hold scalars: equality fields
 * first, then sort fields. Every field that is filtered, sorted or grouped on must stand in some list; a
 * query that names another field, or another unknown thing, rejects with an `Error` that says which. Where two
 * lists of one length serve a query the first is taken: what tells most comes first.
 * A change of the lists, or of their order, needs a new version.
 */
export type ViewShape = {
  readonly name: string;
  readonly version: number;
  readonly indexes: { readonly [index: string]: readonly string[] };
  /**
   * By index, one of its fields: documents that are null there stay out of the index and cost it nothing. It is
   * never chosen for a query that may ask for them.
   */
  readonly onlyWith?: { readonly [index: string]: string };
  /**
   * A store that has indexed fields beside the text of a document may leave them out of the text, and abbreviate names in
   * it. For views of many documents. Documents are written and read whole either way.
   */
  readonly compact?: true;
};

/** Only a type: no object has it. */
declare const documentOf: unique symbol;

/** A view and what its documents are: reading it by its projection needs no name of a type. */
export type ViewOf<Document> = ViewShape & { readonly [documentOf]?: Document };

/** A value to equal, or operators that must all hold. */
export type Condition =
  | Scalar
  | {
      /** Equals one of these; an empty list holds for nothing. */
      readonly in?: readonly Scalar[];
      /** A field that is null is neither below nor above anything. */
      readonly gt?: NonNullable<Scalar>;
      readonly gte?: NonNullable<Scalar>;
      readonly lt?: NonNullable<Scalar>;
      readonly lte?: NonNullable<Scalar>;
      /** A field that is null differs from every value but null. */
      readonly ne?: Scalar;
      /** Case-insensitive (as folded by the caller) substring; wildcards are literal. */
      readonly contains?: string;
    };

/** All fields must hold (AND); `anyOf` adds alternatives of which one must hold (an empty list: none does). */
export type Filter = {
  readonly where?: { readonly [field: string]: Condition };
  readonly anyOf?: readonly Filter[];
};

export type Sort = readonly (readonly [field: string, direction: 'asc' | 'desc'])[];

export type Query = Filter & {
  /** Documents equal in all sort fields come in key order, backwards when the last direction is `desc`. */
  readonly sort?: Sort;
  /**
   * Keyset: values of the sort fields of the last row seen, in the order of `sort`; the answer starts behind
   * them. The last sort field must be unique among equals, and no sort field may be null. A page costs the
   * same at any depth, and however few documents match, when an index lists the fields that equal one of some
   * values and then exactly the sort fields, which all go one way.
   */
  readonly after?: readonly NonNullable<Scalar>[];
  readonly skip?: number;
  readonly limit?: number;
};

/** What `groups` counts by, and which field it adds up. */
export type Grouping = {
  /** Fields that hold text or numbers; `[]` gives one group of all documents, also when there are none. */
  readonly by: readonly string[];
  /** A field of integers, as numbers or (credits) as decimal text; null counts as zero. */
  readonly sum?: string;
  readonly limit?: number;
};

/** One combination of values of the `by` fields, in their order. The sum is exact (below 2^63); 0 when not asked. */
export type Group = {
  readonly by: readonly Scalar[];
  readonly count: number;
  readonly sum: bigint;
};

/**
 * Reading side: what query handlers use. Resolves the live generation of a view at each call, so that an
 * answer never mixes two; rejects with `StoreUnavailable` while a view has none.
 */
export interface ReadModels {
  get<Document>(view: ViewOf<Document>, key: string): Promise<Document | null>;
  getMany<Document>(view: ViewOf<Document>, keys: readonly string[]): Promise<ReadonlyMap<string, Document>>;
  find<Document>(view: ViewOf<Document>, query: Query): Promise<readonly Document[]>;
  count(view: ViewShape, filter: Filter): Promise<number>;
  /**
   * Counts the documents of a bounded window per distinct combination of values, ordered by them. Costs grow
   * with the documents that match: what sums a long history keeps a roll-up document instead.
   */
  groups(view: ViewShape, filter: Filter, grouping: Grouping): Promise<readonly Group[]>;
}

/** A document as stored: with the position of the last event folded into it. `document` null: deleted (tombstone). */
export type GuardedDocument<Document = JsonValue> = {
  readonly key: string;
  readonly position: Position;
  readonly document: Document | null;
  /** The writer knows no earlier document: a store may insert without looking for one to replace. Only a hint. */
  readonly isNew?: boolean;
  /**
   * The document that the writer knows to be stored under this key: a store may then write only the differences. Only
   * a hint.
   */
  readonly replaces?: { readonly position: Position; readonly document: Document | null };
};

/** The id and recording time of an event. */
export type EventMark = { readonly id: string; readonly recordedAt: string };

/** The progress of a projection generation, with a count per outcome of its events. Never decreases. */
export type Checkpoint = {
  readonly position: Position;
  /** The event that stands at the position: whoever goes on from here asks the log for it. Absent before the first, and where an earlier version wrote it. */
  readonly event?: EventMark;
  readonly applied: number;
  readonly ignored: number;
  readonly parked: number;
};

/** A checkpoint as it is read. */
export type KeptCheckpoint = Checkpoint & {
  /** Documents may hold events up to here: a writer died before its checkpoint. Only where a write is no transaction. */
  readonly ahead?: { readonly position: Position; readonly event: EventMark };
};

export type Lease = {
  readonly name: string;
  readonly holder: string;
  /** Grows by one with every new holder; a write with an older epoch is refused. */
  readonly epoch: number;
  /**
   * How long it still lasted when it was read, by the store's own clock, which those of the machines may be far
   * from; 0 or less: it has expired.
   */
  readonly remainingMs: number;
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
 * Writing to generations that nobody else fills, beside the caller's own work and in the order of the calls. What
 * fails ends it: nothing behind it is written, and every later call rejects with the same error.
 */
export interface GenerationFilling {
  /** As the store's own, but resolves as soon as there is room for the next: it may not be written yet. */
  write(writes: readonly ProjectionWrite[], fence: Fence): Promise<void>;
  /** As the store's own, with what was taken and is not written yet. */
  load(generation: Generation, keys: readonly string[]): Promise<ReadonlyMap<string, GuardedDocument>>;
  /** Resolves when everything taken so far is written. */
  settled(): Promise<void>;
  /** As the store's own, behind what was taken before. */
  indexGeneration(generation: Generation): Promise<void>;
  /** Finishes what was taken, in its own time; resolves when it has let go of what it needed. */
  end(): Promise<void>;
}

/**
 * The whole read store: queries, projection writes, checkpoints, leases and small records.
 * Everything in it can be deleted and comes back from the event store.
 * Errors as for EventStore: `StoreUnavailable`, `StoreUnusable`.
 */
export interface ReadStore extends ReadModels {
  /** So many can fill generations at the same time without waiting for one another; 1 where there is one writer. */
  readonly writersAtOnce: number;
  /** Generations that exist of a view version, and the live one (null before the first). */
  generations(view: ViewShape): Promise<{ readonly live: number | null; readonly all: readonly number[] }>;
  /**
   * Creates the storage of a generation, to be filled before it is indexed; nothing happens where it exists.
   * Rejects with an `Error` where it exists with other index lists.
   */
  createGeneration(generation: Generation): Promise<void>;
  /**
   * Builds those indexes of a generation that are missing: filled first and indexed then, a large one is ready
   * in a fraction of the time. May take long and does not occupy the caller's loop; documents can be written
   * meanwhile, and a call that was killed is finished by the next. Rejects with an `Error` where there is no
   * such generation.
   */
  indexGeneration(generation: Generation): Promise<void>;
  /** Points queries at this generation, if the fence holds. Rejects with `LeaseLost`, with an `Error` where indexes are missing. */
  makeLive(generation: Generation, fence: Fence): Promise<void>;
  /** Points queries at nothing, if this generation is the live one and the fence holds. Rejects with `LeaseLost`. */
  withdraw(generation: Generation, fence: Fence): Promise<void>;
  /** Removes a generation; nothing happens where there is none. A view whose live one this was has none then. */
  dropGeneration(generation: Generation): Promise<void>;

  /** Documents with their guards, deleted ones included while their tombstone is kept. */
  load(generation: Generation, keys: readonly string[]): Promise<ReadonlyMap<string, GuardedDocument>>;
  /**
   * Writes documents (each only over an older position), then the checkpoint, under the fence. All of it in
   * one transaction where the store has them; else documents first, checkpoint last. A checkpoint that is
   * older than the one there is ignored. Rejects with `LeaseLost` also when the lease was given back; a lease
   * that has expired but that nobody took still holds.
   */
  write(writes: readonly ProjectionWrite[], fence: Fence): Promise<void>;
  /** Begins to fill these generations on another thread; absent where writes wait for a server anyhow. */
  fillBeside?(generations: readonly Generation[]): GenerationFilling;
  checkpoint(generation: Generation): Promise<KeptCheckpoint | null>;
  /** Every document of a generation in key order, for verify. Tombstones are left out. */
  scan(generation: Generation, afterKey: string | null, limit: number): Promise<readonly GuardedDocument[]>;
  /** Removes tombstones whose deletion is older than this position. */
  sweepTombstones(generation: Generation, olderThan: Position): Promise<number>;

  /** Takes the lease when it is free, expired, or already the holder's (renewal keeps the epoch); null when held. */
  acquireLease(name: string, holder: string, ttlMs: number): Promise<Lease | null>;
  /**
   * Lets those that are still held at their epoch, expired or not, last so long from now on; says of each whether it is.
   * In one go, however many: a process renews all that it holds together.
   */
  renewLeases(fences: readonly Fence[], ttlMs: number): Promise<readonly boolean[]>;
  /** Gives it back at once, if still held at that epoch. */
  releaseLease(name: string, fence: Fence): Promise<void>;
  /** Who has it, expired or not; null when nobody ever had it or it was given back. */
  lease(name: string): Promise<Lease | null>;

  /** Small records beside the views (snapshots, parked events, rebuild notes): a cache or working notes, never truth. */
  getRecord<T>(kind: string, key: string): Promise<T | null>;
  putRecord(kind: string, key: string, value: JsonValue): Promise<void>;
  deleteRecord(kind: string, key: string): Promise<void>;
  /** In key order, behind `afterKey` where one is given; the prefix is literal. */
  listRecords<T>(
    kind: string,
    keyPrefix: string,
    limit: number,
    afterKey?: string,
  ): Promise<readonly { readonly key: string; readonly value: T }[]>;

  ping(): Promise<void>;
  close(): Promise<void>;
}
