import {
  indexedFields,
  onceByGeneration,
  requireSameIndexes,
  versionName,
} from '#kernel/projections/generation-tables.js';
import type { Collection, Db } from 'mongodb';
import type { EventMark, Generation, ViewShape } from '#kernel/ports/read-store.port.js';
import { indexesOfView, indexLists, type ViewIndex } from '#kernel/projections/view-indexes.js';

/** Every collection of a read store starts with it, so that a database may hold other stores beside it. */
export const READ_STORE_PREFIX = 'reads.';

/** `lease` and `fence`: only a holder of that lease with at least that epoch may write. See `fencing.ts`. */
type Fenced = { readonly lease: string | null; readonly fence: number };

/** One generation and its progress. `_id` is the name of its collection without the prefix. */
export type GenerationEntry = Fenced & {
  readonly _id: string;
  readonly kind: 'generation';
  readonly view: string;
  readonly version: number;
  readonly generation: number;
  readonly indexes: string;
  /** Its indexes exist: it can be queried. */
  readonly indexed: boolean;
  readonly dropping: boolean;
  readonly position: string | null;
  /** The event at `position`; absent if an earlier version wrote it. */
  readonly event?: PlacedMark | null;
  /** The target of the current write, or of a write whose writer died: documents may contain events up to here. */
  readonly ahead?: PlacedMark | null;
  readonly applied: number;
  readonly ignored: number;
  readonly parked: number;
};

/** An event with its position: an earlier version that still runs moves the position and leaves the event unchanged. */
export type PlacedMark = EventMark & { readonly position: string };

/** Which generation of a view version queries read; the index lists are those of that generation. */
export type PointerEntry = Fenced & {
  readonly _id: string;
  readonly kind: 'pointer';
  readonly view: string;
  readonly version: number;
  readonly live: number | null;
  readonly indexes: string | null;
  /** Present for a generation that is being removed: in this entry, so that one write decides between a drop and a swap. */
  readonly [dropped: `dropped_${number}`]: true;
};

/** The mark of a removed generation in the pointer of its view. */
export const droppedMark = ({ generation }: Generation): `dropped_${number}` => `dropped_${generation}`;

/** A share and its progress. `_id` is `share:` and the name of the share, which is also its lease. */
export type ShareEntry = Fenced & {
  readonly _id: string;
  readonly kind: 'share';
  readonly position: string;
  readonly event: PlacedMark | null;
  /** As of a generation. */
  readonly ahead: PlacedMark | null;
  /** JSON, because a name of a generation may be no name of a field. */
  readonly counts: string;
};

export type CatalogueEntry = GenerationEntry | PointerEntry | ShareEntry;

/** A released lease stays with its epoch and without a holder, so that epochs never repeat. */
export type LeaseEntry = {
  readonly _id: string;
  readonly holder: string | null;
  readonly epoch: number;
  readonly expiresAtMs: number;
};

export type RecordEntry = { readonly _id: string; readonly json: string };

/**
 * A document as it is stored: the indexed fields as values of their own beside the JSON text, so that a
 * document comes back exactly as it was written, with any keys. A tombstone is a document that is not alive.
 */
export type StoredDocument = {
  readonly _id: string;
  readonly _position: string;
  readonly _alive: boolean;
  readonly _json?: string;
  readonly [field: string]: string | number | boolean | null | undefined;
};

export function generationEntries(db: Db): Collection<GenerationEntry> {
  return db.collection<GenerationEntry>(`${READ_STORE_PREFIX}catalogue`);
}

export function pointerEntries(db: Db): Collection<PointerEntry> {
  return db.collection<PointerEntry>(`${READ_STORE_PREFIX}catalogue`);
}

export function shareEntries(db: Db): Collection<ShareEntry> {
  return db.collection<ShareEntry>(`${READ_STORE_PREFIX}catalogue`);
}

export function catalogueEntries(db: Db): Collection<CatalogueEntry> {
  return db.collection<CatalogueEntry>(`${READ_STORE_PREFIX}catalogue`);
}

export function leaseEntries(db: Db): Collection<LeaseEntry> {
  return db.collection<LeaseEntry>(`${READ_STORE_PREFIX}leases`);
}

export function recordEntries(db: Db): Collection<RecordEntry> {
  return db.collection<RecordEntry>(`${READ_STORE_PREFIX}records`);
}

export function documentsOf(db: Db, table: GenerationCollection): Collection<StoredDocument> {
  return db.collection<StoredDocument>(`${READ_STORE_PREFIX}${table.id}`);
}

/** Where one generation of a view is stored. */
export type GenerationCollection = {
  readonly view: ViewShape;
  /** `detections_v2_g3`: the id of its entry in the catalogue and, after the prefix, the name of its collection. */
  readonly id: string;
  readonly fields: ReadonlySet<string>;
  readonly indexes: readonly ViewIndex[];
  /** Fields that are absent from a document without a value: a field that is present as null counts as present. */
  readonly absentFields: ReadonlySet<string>;
  /** The index lists as stored in the catalogue, to detect changes. */
  readonly indexLists: string;
};

export const tableOf = onceByGeneration(({ view, generation }: Generation): GenerationCollection => {
  const indexes = indexesOfView(view);
  return {
    view,
    id: `${versionName(view)}_g${generation}`,
    fields: new Set(indexedFields(view, generation)),
    indexes,
    absentFields: new Set(indexes.flatMap(({ onlyWith }) => (onlyWith === null ? [] : [onlyWith]))),
    indexLists: indexLists(view),
  };
});

/**
 * The indexes of a generation. Every query filters by alive documents, so that field comes first; every index ends
 * with the key: one total order for keyset pages.
 */
export function indexesOf({ indexes }: GenerationCollection) {
  return indexes.map(({ name, fields, onlyWith }) => ({
    name,
    key: { _alive: 1, ...Object.fromEntries(fields.map((field) => [field, 1])), _id: 1 },
    ...(onlyWith === null ? {} : { partialFilterExpression: { [onlyWith]: { $exists: true } } }),
  }));
}

/** Refuses a generation that does not exist, is being dropped, or has other indexes. */
export function requireGeneration(
  entry: GenerationEntry | null | undefined,
  { view, generation }: Generation,
): void {
  if (entry === null || entry === undefined || entry.dropping) {
    throw new Error(`generation ${generation} of ${view.name} version ${view.version} does not exist`);
  }
  requireSameIndexes(tableOf({ view, generation }), entry.indexes);
}
