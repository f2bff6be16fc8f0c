import { indexedFields, onceByGeneration, versionName } from '#kernel/projections/generation-tables.js';
import type { Generation, ViewShape } from '#kernel/ports/read-store.port.js';
import { indexesOfView, indexLists, type ViewIndex } from '#kernel/projections/view-indexes.js';

/**
 * Where one generation of a view is stored: a table `detections_v2_g3` with the fields of the index lists as
 * columns beside the JSON document, and a table of the keys deleted from it.
 */
export type Table = {
  readonly view: ViewShape;
  readonly generation: number;
  /** Quoted name of the documents' table. */
  readonly documents: string;
  /** Quoted name of the tombstones' table, which is separate so that queries need not skip tombstones. */
  readonly tombstones: string;
  readonly fields: readonly string[];
  /** The fields whose columns are instants as numbers. */
  readonly instants: ReadonlySet<string>;
  /** The index lists as stored in the catalogue, to detect changes. */
  readonly indexLists: string;
  /** Their names are quoted. */
  readonly indexes: readonly ViewIndex[];
};

export const tableOf = onceByGeneration(({ view, generation }: Generation): Table => {
  const name = `${versionName(view)}_g${generation}`;
  return {
    view,
    generation,
    documents: `"${name}"`,
    tombstones: `"${name}_deleted"`,
    fields: indexedFields(view, generation),
    instants: new Set(view.instants),
    indexLists: indexLists(view),
    indexes: indexesOfView(view).map((index) => ({ ...index, name: `"${name}_${index.name}"` })),
  };
});

/** The values that identify a generation in the catalogue. */
export const namesOf = ({ view, generation }: Generation) => [view.name, view.version, generation] as const;

/** A view without its folds, in a form that a message between threads can carry. */
export function bareShape({ name, version, indexes, onlyWith, compact, instants }: ViewShape): ViewShape {
  return {
    name,
    version,
    indexes,
    ...(onlyWith === undefined ? {} : { onlyWith }),
    ...(compact === undefined ? {} : { compact }),
    ...(instants === undefined ? {} : { instants }),
  };
}

/** Quoted column of an indexed field. */
export function columnOf(table: Table, field: string): string {
  if (!table.fields.includes(field)) {
    throw new Error(
      `view ${table.view.name} version ${table.view.version} has no index with the field ${JSON.stringify(field)}`,
    );
  }
  return `"${field}"`;
}

/** The statements that create a generation, without its indexes. */
export function createTableSql(table: Table): readonly string[] {
  // The driver binds these numbers as floats (8 bytes); a column of this type stores a whole one as an integer (6 bytes).
  const typeOf = (field: string): string => (table.instants.has(field) ? ' INTEGER' : '');
  const columns = table.fields.map((field) => `"${field}"${typeOf(field)}, `).join('');
  return [
    // The document comes last: reading a column before it does not walk through its overflow pages.
    `CREATE TABLE ${table.documents} (_key TEXT NOT NULL PRIMARY KEY, _position TEXT NOT NULL, ${columns}_document TEXT NOT NULL)`,
    `CREATE TABLE ${table.tombstones} (_key TEXT NOT NULL PRIMARY KEY, _position TEXT NOT NULL) WITHOUT ROWID`,
    `CREATE INDEX ${table.tombstones.slice(0, -1)}_at" ON ${table.tombstones} (_position)`,
  ];
}

/** Creates one index. Every index ends with the key: one total order for keyset pages. */
export function createIndexSql(table: Table, { name, fields, onlyWith }: ViewIndex): string {
  const columns = fields.map((field) => `"${field}", `).join('');
  const rows = onlyWith === null ? '' : ` WHERE "${onlyWith}" IS NOT NULL`;
  return `CREATE INDEX IF NOT EXISTS ${name} ON ${table.documents} (${columns}_key)${rows}`;
}

/** Added by version 2 of the file: the event of a checkpoint. */
export const EVENT_COLUMN_SQL = 'ALTER TABLE _generations ADD COLUMN event TEXT';

/**
 * Added by version 3 of the file: a table of checkpoints. Old checkpoints stay where they were until their generation
 * is written next, and an earlier version that still runs continues there.
 */
export const CHECKPOINTS_SQL = `
  CREATE TABLE _checkpoints (
    id INTEGER PRIMARY KEY,
    position TEXT,
    event TEXT,
    recorded_at TEXT,
    applied INTEGER,
    ignored INTEGER,
    parked INTEGER
  );
  ALTER TABLE _generations ADD COLUMN checkpoint INTEGER;
`;

/** The tables that every read store file has; their names cannot be those of a view. */
export const CATALOGUE_SQL = `
  CREATE TABLE _generations (
    view TEXT NOT NULL,
    version INTEGER NOT NULL,
    generation INTEGER NOT NULL,
    indexes TEXT NOT NULL,
    live INTEGER NOT NULL DEFAULT 0,
    dropping INTEGER NOT NULL DEFAULT 0,
    position TEXT,
    event TEXT,
    applied INTEGER,
    ignored INTEGER,
    parked INTEGER,
    PRIMARY KEY (view, version, generation)
  ) WITHOUT ROWID;
  CREATE UNIQUE INDEX _live ON _generations (view, version) WHERE live = 1;
  CREATE TABLE _leases (
    name TEXT NOT NULL PRIMARY KEY,
    holder TEXT,
    epoch INTEGER NOT NULL,
    expires_at_ms INTEGER NOT NULL
  ) WITHOUT ROWID;
  CREATE TABLE _records (
    kind TEXT NOT NULL,
    key TEXT NOT NULL,
    value TEXT NOT NULL,
    PRIMARY KEY (kind, key)
  );
`;
