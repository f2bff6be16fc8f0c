import { MongoServerError, type Collection, type Db, type Document } from 'mongodb';
import { StoreUnavailable } from '#kernel/ports/event-store.port.js';
import { isNotImplemented } from '#mongodb/store-errors.js';
import {
  catalogueEntries,
  documentsOf,
  type CatalogueEntry,
  type GenerationCollection,
  type StoredDocument,
} from './catalogue.js';

/** Stages of a pipeline over the documents of one generation, and the index that they use. */
export type RowsQuery = { readonly stages: readonly Document[]; readonly hint?: string | null };

export type RowsWithEntry<Row> = {
  /** Throws the error of the read if it did not complete. */
  readonly rows: () => readonly Row[];
  readonly entry: CatalogueEntry | null;
};

/**
 * Reads the rows of a query and then an entry of the catalogue, in this order: the existence of the
 * generation is checked after the last row was read. A read that the server refuses or ends is not an empty result: it
 * fails unless the entry shows that the generation was dropped. Needs one call, or two if the server cannot join the
 * reads or the rows are too many for one document.
 */
export type ReadRowsWithEntry = <Row extends Document>(
  db: Db,
  table: GenerationCollection,
  query: RowsQuery,
  entryId: string,
) => Promise<RowsWithEntry<Row>>;

/** More rows could exceed the 16 MB of one document of the server. */
const MOST_IN_ONE_DOCUMENT = 1_000;

/** The server ended the cursor, whose collection may have gone away: QueryPlanKilled, CursorNotFound, CursorKilled. */
const ENDED: ReadonlySet<unknown> = new Set([175, 43, 237]);

export function rowsWithEntryReader(): ReadRowsWithEntry {
  let canJoin = true;

  return async <Row extends Document>(
    db: Db,
    table: GenerationCollection,
    query: RowsQuery,
    entryId: string,
  ): Promise<RowsWithEntry<Row>> => {
    if (canJoin) {
      try {
        const joined = await inOneCall<Row>(db, table, query, entryId);
        if (joined !== null) return joined;
      } catch (error) {
        // Rows over 16 MB, a sharded catalogue before MongoDB 5.1: separate calls have neither limit.
        if (!(error instanceof MongoServerError)) throw error;
        if (isNotImplemented(error)) canJoin = false;
      }
    }
    const rows = await rowsOrFault(aggregate<Row>(documentsOf(db, table), query.stages, query.hint));
    return { rows, entry: await catalogueEntries(db).findOne({ _id: entryId }) };
  };
}

type Joined<Row> = { readonly rows: readonly Row[]; readonly entries: readonly CatalogueEntry[] };

/**
 * `$facet` gathers all rows in one document before the entry is looked up, and gives that document also for no row.
 * Null if there are too many rows, or if the server gives no document for a collection that does not exist.
 */
async function inOneCall<Row extends Document>(
  db: Db,
  table: GenerationCollection,
  { stages, hint }: RowsQuery,
  entryId: string,
): Promise<RowsWithEntry<Row> | null> {
  const [joined] = await aggregate<Joined<Row>>(
    documentsOf(db, table),
    [
      ...stages,
      { $limit: MOST_IN_ONE_DOCUMENT + 1 },
      { $facet: { rows: [{ $match: {} }] } },
      {
        $lookup: {
          from: catalogueEntries(db).collectionName,
          pipeline: [{ $match: { _id: entryId } }],
          as: 'entries',
        },
      },
    ],
    hint,
  ).toArray();
  if (joined === undefined || joined.rows.length > MOST_IN_ONE_DOCUMENT) return null;
  return { rows: () => joined.rows, entry: joined.entries[0] ?? null };
}

async function rowsOrFault<Row>(cursor: {
  readonly toArray: () => Promise<Row[]>;
}): Promise<() => readonly Row[]> {
  try {
    const rows = await cursor.toArray();
    return () => rows;
  } catch (error) {
    if (!(error instanceof MongoServerError)) throw error;
    const fault = ENDED.has(error.code)
      ? new StoreUnavailable('the server ended a read before its end', 'nothing-written', { cause: error })
      : error;
    return () => {
      throw fault;
    };
  }
}

function aggregate<Row extends Document>(
  documents: Collection<StoredDocument>,
  stages: readonly Document[],
  hint: string | null | undefined,
) {
  return documents.aggregate<Row>([...stages], hint === null || hint === undefined ? {} : { hint });
}
