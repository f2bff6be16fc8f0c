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
import type { Table } from './tables.js';

type ProjectionStore = Pick<ReadStore, 'load' | 'write' | 'checkpoint' | 'scan' | 'sweepTombstones'>;
type GuardedRow = { readonly _key: string; readonly _position: string; readonly _document: string | null };
type CheckpointRow = Pick<Checkpoint, 'applied' | 'ignored' | 'parked'> & {
  readonly position: string | null;
  readonly event: string | null;
};
/** With its place: an earlier version that still runs moves the position on and leaves the event behind. */
type StoredMark = EventMark & { readonly position: string };

const SWEEP_SLICE_ROWS = 2_000;

export function sqliteProjectionWrites({ statement, read, write }: Connection): ProjectionStore {
  /** Writes each document only over an older one; a deletion moves the guard to the tombstones. */
  const putInto = (table: Table): ((document: GuardedDocument) => void) => {
    const sql = writeSqlOf(table);
    // Most views never delete: their documents need not be looked up among the tombstones.
    let hasTombstones = statement(sql.findTombstone).get() !== undefined;
    return ({ key, position, document }) => {
      if (key === '') throw new Error(`a document of ${table.view.name} has an empty key`);
      if (document === null) {
        statement(sql.remove).run(key, position);
        statement(sql.bury).run(key, position);
        hasTombstones = true;
        return;
      }
      const values = table.fields.map((field) => columnValue(table, key, field, document));
      const text = JSON.stringify(document);
      if (!hasTombstones) {
        statement(sql.upsert).run(key, position, ...values, text);
        return;
      }
      const { changes } = statement(sql.upsertGuarded).run(key, position, ...values, text);
      if (Number(changes) > 0) statement(sql.revive).run(key);
    };
  };

  const saveCheckpoint = ({ generation, checkpoint }: ProjectionWrite): void => {
    const { position, event, applied, ignored, parked } = checkpoint;
    statement(
      'UPDATE _generations SET position = ?1, event = ?8, applied = ?2, ignored = ?3, parked = ?4' +
        ' WHERE view = ?5 AND version = ?6 AND generation = ?7 AND (position IS NULL OR position <= ?1)',
    ).run(
      position,
      applied,
      ignored,
      parked,
      generation.view.name,
      generation.view.version,
      generation.generation,
      event === undefined ? null : JSON.stringify({ ...event, position }),
    );
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
        for (const one of writes) {
          const table = existingTable(statement, one.generation);
          if (one.documents.length > 0) one.documents.forEach(putInto(table));
          saveCheckpoint(one);
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

function markAt(position: string, stored: string | null): Pick<Checkpoint, 'event'> {
  const mark = stored === null ? null : (JSON.parse(stored) as StoredMark);
  if (mark === null || mark.position !== position) return {};
  return { event: { id: mark.id, recordedAt: mark.recordedAt } };
}

type WriteSql = Readonly<
  Record<'findTombstone' | 'upsert' | 'upsertGuarded' | 'revive' | 'remove' | 'bury', string>
>;

const writeSqls = new WeakMap<Table, WriteSql>();

/** Spelt once a table: a lone event goes into few documents, and the same texts find their statements sooner. */
function writeSqlOf(table: Table): WriteSql {
  const known = writeSqls.get(table);
  if (known !== undefined) return known;
  const { documents, tombstones } = table;
  const made = {
    findTombstone: `SELECT 1 FROM ${tombstones} LIMIT 1`,
    upsert: upsertSql(table, false),
    upsertGuarded: upsertSql(table, true),
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

function upsertSql({ documents, tombstones, fields }: Table, isGuarded: boolean): string {
  const columns = [...fields.map((field) => `"${field}"`), '_document'];
  const marks = columns.map((_, place) => `?${place + 3}`).join(', ');
  const changes = ['_position', ...columns].map((column) => `${column} = excluded.${column}`).join(', ');
  const source = isGuarded
    ? `SELECT ?1, ?2, ${marks} WHERE NOT EXISTS (SELECT 1 FROM ${tombstones} WHERE _key = ?1 AND _position >= ?2)`
    : `VALUES (?1, ?2, ${marks})`;
  return (
    `INSERT INTO ${documents} (_key, _position, ${columns.join(', ')}) ${source}` +
    ` ON CONFLICT (_key) DO UPDATE SET ${changes} WHERE excluded._position > _position`
  );
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
