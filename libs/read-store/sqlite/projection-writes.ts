import { setImmediate as nextTurn } from 'node:timers/promises';
import type { JsonValue } from '#kernel/values/json.js';
import type {
  Checkpoint,
  EventMark,
  GuardedDocument,
  ProjectionWrite,
  ReadStore,
} from '#kernel/ports/read-store.port.js';
import type { Connection } from './connection.js';
import { existingTable } from './generations.js';
import { requireFence } from './leases.js';
import { sqlValue, type SqlValue } from './query-sql.js';
import { tableOf, type Table } from './tables.js';

type ProjectionStore = Pick<ReadStore, 'load' | 'write' | 'checkpoint' | 'scan' | 'sweepTombstones'>;
type GuardedRow = { readonly _key: string; readonly _position: string; readonly _document: string | null };
type CheckpointRow = Pick<Checkpoint, 'applied' | 'ignored' | 'parked'> & {
  readonly position: string | null;
  readonly event: string | null;
};
/** With its place: an earlier version that still runs moves the position on and leaves the event behind. */
type StoredMark = EventMark & { readonly position: string };

const SWEEP_SLICE_ROWS = 2_000;
/** Rows of one statement where there are many: a call of the driver costs as much as several values. */
const ROWS_AT_ONCE = 20;

export function sqliteProjectionWrites({ statement, read, write }: Connection): ProjectionStore {
  /** Writes each document only over an older one; a deletion moves the guard to the tombstones. */
  const putAll = (table: Table, documents: readonly GuardedDocument[]): void => {
    const sql = writeSqlOf(table);
    // What was replaced was there, so it is not among the tombstones.
    const left = documents.filter((document) => !replace(table, document));
    if (left.length === 0) return;
    // Most views never delete: their documents need not be looked up among the tombstones.
    if (left.every(({ document }) => document !== null) && !hasTombstones(sql)) {
      upsertAll(table, left);
      return;
    }
    for (const { key, position, document } of left) {
      if (document === null) {
        requireKey(table, key);
        statement(sql.remove).run(key, position);
        statement(sql.bury).run(key, position);
        continue;
      }
      const values: SqlValue[] = [];
      pushRow(values, table, { key, position, document });
      const { changes } = statement(sql.upsertGuarded).run(...values);
      if (Number(changes) > 0) statement(sql.revive).run(key);
    }
  };

  /** Writes over the very document that the writer knows, and leaves alone the columns, and their indexes, that stay. */
  const replace = (table: Table, { key, position, document, replaces }: GuardedDocument): boolean => {
    if (replaces === undefined || replaces.document === null || document === null) return false;
    const before = replaces.document;
    const fields: string[] = [];
    const values: SqlValue[] = [];
    for (const field of table.fields) {
      const value = columnValue(table, key, field, document);
      if (value === columnValue(table, key, field, before)) continue;
      fields.push(field);
      values.push(value);
    }
    const sql = updateSql(table, fields);
    const { changes } = statement(sql).run(
      key,
      replaces.position,
      position,
      JSON.stringify(document),
      ...values,
    );
    return Number(changes) > 0;
  };

  const hasTombstones = (sql: WriteSql): boolean => statement(sql.findTombstone).get() !== undefined;

  const upsertAll = (table: Table, documents: readonly GuardedDocument[]): void => {
    const sql = writeSqlOf(table);
    const manyUntil = documents.length - (documents.length % ROWS_AT_ONCE);
    for (let from = 0; from < documents.length; from += from < manyUntil ? ROWS_AT_ONCE : 1) {
      const isMany = from < manyUntil;
      const values: SqlValue[] = [];
      for (const document of documents.slice(from, isMany ? from + ROWS_AT_ONCE : from + 1))
        pushRow(values, table, document);
      statement(isMany ? sql.upsertMany : sql.upsert).run(...values);
    }
  };

  /** Saves a checkpoint unless it goes back, and gives the table of its generation, which must exist. */
  const saveCheckpoint = ({ generation, checkpoint }: ProjectionWrite, storedMark: MarkText): Table => {
    const { position, event, applied, ignored, parked } = checkpoint;
    const table = tableOf(generation);
    const { changes } = statement(SAVE_CHECKPOINT_SQL).run(
      position,
      applied,
      ignored,
      parked,
      generation.view.name,
      generation.view.version,
      generation.generation,
      event === undefined ? null : storedMark(event, position),
      table.indexLists,
    );
    // A generation that was found as it must be need not be looked up besides.
    return Number(changes) > 0 ? table : existingTable(statement, generation);
  };

  return {
    load: (generation, keys) =>
      read(() => {
        const { documents, tombstones } = existingTable(statement, generation);
        const rows = statement(
          `SELECT _key, _position, _document FROM ${documents} WHERE _key IN (SELECT value FROM json_each(?1))` +
            ` UNION ALL SELECT _key, _position, NULL FROM ${tombstones} WHERE _key IN (SELECT value FROM json_each(?1))`,
        ).all(JSON.stringify(keys)) as readonly GuardedRow[];
        return new Map(rows.map((row) => [row._key, guarded(row)]));
      }),
    write: (writes, fence) =>
      write(() => {
        requireFence(statement, fence);
        const storedMark = markTexts();
        for (const one of writes) {
          const table = saveCheckpoint(one, storedMark);
          if (one.documents.length > 0) putAll(table, one.documents);
        }
      }),
    checkpoint: ({ view, generation }) =>
      read(() => {
        const row = statement(
          'SELECT position, event, applied, ignored, parked FROM _generations' +
            ' WHERE view = ? AND version = ? AND generation = ? AND dropping = 0',
        ).get(view.name, view.version, generation) as CheckpointRow | undefined;
        if (row === undefined || row.position === null) return null;
        const { position, event, applied, ignored, parked } = row;
        return { position, ...markAt(position, event), applied, ignored, parked };
      }),
    scan: (generation, afterKey, limit) =>
      read(() => {
        const { documents } = existingTable(statement, generation);
        const rows = statement(
          `SELECT _key, _position, _document FROM ${documents} WHERE _key > ? ORDER BY _key LIMIT ?`,
        ).all(afterKey ?? '', limit) as readonly GuardedRow[];
        return rows.map(guarded);
      }),
    sweepTombstones: async (generation, olderThan) => {
      for (let swept = 0; ; await nextTurn()) {
        const changes = await write(() => {
          const { tombstones } = existingTable(statement, generation);
          const slice = `SELECT _key FROM ${tombstones} WHERE _position < ? LIMIT ${SWEEP_SLICE_ROWS}`;
          return Number(
            statement(`DELETE FROM ${tombstones} WHERE _key IN (${slice})`).run(olderThan).changes,
          );
        });
        swept += changes;
        if (changes < SWEEP_SLICE_ROWS) return swept;
      }
    },
  };
}

const SAVE_CHECKPOINT_SQL =
  'UPDATE _generations SET position = ?1, event = ?8, applied = ?2, ignored = ?3, parked = ?4' +
  ' WHERE view = ?5 AND version = ?6 AND generation = ?7 AND (position IS NULL OR position <= ?1)' +
  ' AND dropping = 0 AND indexes = ?9';

type MarkText = (event: EventMark, position: string) => string;

/** Marks as they are stored. The checkpoints of one write nearly always stand on the same event. */
function markTexts(): MarkText {
  let last = { id: '', position: '', text: '' };
  return (event, position) => {
    if (last.id !== event.id || last.position !== position) {
      last = { id: event.id, position, text: JSON.stringify({ ...event, position } satisfies StoredMark) };
    }
    return last.text;
  };
}

function markAt(position: string, stored: string | null): Pick<Checkpoint, 'event'> {
  const mark = stored === null ? null : (JSON.parse(stored) as StoredMark);
  if (mark === null || mark.position !== position) return {};
  return { event: { id: mark.id, recordedAt: mark.recordedAt } };
}

type WriteSql = Readonly<
  Record<'findTombstone' | 'upsert' | 'upsertMany' | 'upsertGuarded' | 'revive' | 'remove' | 'bury', string>
>;

const writeSqls = new WeakMap<Table, WriteSql>();

/** Spelt once a table: a lone event goes into few documents, and the same texts find their statements sooner. */
function writeSqlOf(table: Table): WriteSql {
  const known = writeSqls.get(table);
  if (known !== undefined) return known;
  const { documents, tombstones } = table;
  const made = {
    findTombstone: `SELECT 1 FROM ${tombstones} LIMIT 1`,
    upsert: upsertSql(table, 1),
    upsertMany: upsertSql(table, ROWS_AT_ONCE),
    upsertGuarded: upsertSql(table, 'guarded'),
    revive: `DELETE FROM ${tombstones} WHERE _key = ?`,
    remove: `DELETE FROM ${documents} WHERE _key = ?1 AND _position < ?2`,
    bury:
      `INSERT INTO ${tombstones} (_key, _position) SELECT ?1, ?2` +
      ` WHERE NOT EXISTS (SELECT 1 FROM ${documents} WHERE _key = ?1)` +
      ' ON CONFLICT (_key) DO UPDATE SET _position = excluded._position WHERE excluded._position > _position',
  };
  writeSqls.set(table, made);
  return made;
}

function updateSql({ documents }: Table, fields: readonly string[]): string {
  const changes = fields.map((field, place) => `, "${field}" = ?${place + 5}`).join('');
  return `UPDATE ${documents} SET _position = ?3, _document = ?4${changes} WHERE _key = ?1 AND _position = ?2 AND _position < ?3`;
}

/** Statements take the values of a row in this order: key, position, fields, document. */
function upsertSql({ documents, tombstones, fields }: Table, rows: number | 'guarded'): string {
  const columns = ['_key', '_position', ...fields.map((field) => `"${field}"`), '_document'];
  const changes = columns.slice(1).map((column) => `${column} = excluded.${column}`);
  const row = columns.map((_, place) => (rows === 'guarded' ? `?${place + 1}` : '?')).join(', ');
  const source =
    rows === 'guarded'
      ? `SELECT ${row} WHERE NOT EXISTS (SELECT 1 FROM ${tombstones} WHERE _key = ?1 AND _position >= ?2)`
      : `VALUES ${Array.from({ length: rows }, () => `(${row})`).join(', ')}`;
  return (
    `INSERT INTO ${documents} (${columns.join(', ')}) ${source}` +
    ` ON CONFLICT (_key) DO UPDATE SET ${changes.join(', ')} WHERE excluded._position > _position`
  );
}

function pushRow(values: SqlValue[], table: Table, { key, position, document }: GuardedDocument): void {
  requireKey(table, key);
  values.push(key, position);
  for (const field of table.fields) values.push(columnValue(table, key, field, document));
  values.push(JSON.stringify(document));
}

function requireKey({ view }: Table, key: string): void {
  if (key === '') throw new Error(`a document of ${view.name} has an empty key`);
}

function columnValue(table: Table, key: string, field: string, document: JsonValue): SqlValue {
  if (typeof document !== 'object' || document === null || !(field in document)) return null;
  const value = (document as { readonly [name: string]: JsonValue | undefined })[field];
  if (typeof value === 'object' && value !== null) {
    throw new Error(`${field} of ${table.view.name} ${key} is indexed but holds no scalar`);
  }
  return sqlValue(value ?? null);
}

function guarded({ _key, _position, _document }: GuardedRow): GuardedDocument {
  const document = _document === null ? null : (JSON.parse(_document) as JsonValue);
  return { key: _key, position: _position, document };
}
