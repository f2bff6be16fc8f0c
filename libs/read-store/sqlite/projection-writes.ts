import { setImmediate as nextTurn } from 'node:timers/promises';
import type { JsonValue } from '#kernel/values/json.js';
import type {
  Checkpoint,
  Fence,
  Generation,
  GuardedDocument,
  ProjectionWrite,
  ProjectionStore,
} from '#kernel/ports/read-store.port.js';
import { sqliteCheckpoints, type Checkpoints } from './checkpoints.js';
import type { Connection } from './connection.js';
import { documentRows, putRows, type DocumentRows } from './document-rows.js';
import { existingTable } from './generations.js';
import { requireFence } from './leases.js';
import { documentColumns, documentOfRow } from './document-text.js';
import type { SqlValue } from './query-sql.js';
import { tableOf, type Table } from './tables.js';

/** Key, position and the values of `documentColumns`: null for a deleted document. */
type GuardedRow = readonly SqlValue[];

const SWEEP_SLICE_ROWS = 2_000;

export function sqliteProjectionWrites({ statement, rows, read, write }: Connection): ProjectionStore {
  const checkpoints = sqliteCheckpoints({ statement });
  return {
    load: (generation, keys) =>
      read(() => {
        const table = existingTable(statement, generation);
        const columns = documentColumns(table);
        const nulls = columns.map(() => 'NULL');
        const found = rows(
          `SELECT _key, _position, ${columns.join(', ')} FROM ${table.documents} WHERE _key IN (SELECT value FROM json_each(?1))` +
            ` UNION ALL SELECT _key, _position, ${nulls.join(', ')} FROM ${table.tombstones} WHERE _key IN (SELECT value FROM json_each(?1))`,
        ).all(JSON.stringify(keys)) as readonly GuardedRow[];
        return new Map(found.map((row) => guarded(table, row)).map((each) => [each.key, each]));
      }),
    write: async (writes, fence) => {
      const prepared = preparedWrites(writes);
      await write(() => putWrites({ statement, checkpoints }, prepared, fence));
    },
    checkpoint: (generation) => read(() => checkpoints.of(generation)),
    scan: (generation, afterKey, limit) =>
      read(() => {
        const table = existingTable(statement, generation);
        const columns = documentColumns(table).join(', ');
        const found = rows(
          `SELECT _key, _position, ${columns} FROM ${table.documents} WHERE _key > ? ORDER BY _key LIMIT ?`,
        ).all(afterKey ?? '', limit) as readonly GuardedRow[];
        return found.map((row) => guarded(table, row));
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

/** A write whose documents are rows: data that a message between threads can carry, except the view's folds. */
export type PreparedWrite = {
  readonly generation: Generation;
  readonly checkpoint: Checkpoint;
  readonly documents: DocumentRows;
};

/** Must run inside a write transaction. */
export function putDocuments(
  statement: Connection['statement'],
  writes: readonly Pick<PreparedWrite, 'generation' | 'documents'>[],
): void {
  for (const { generation, documents } of writes) {
    if (documents.rows.length > 0) putRows(statement, existingTable(statement, generation), documents);
  }
}

export function preparedWrites(writes: readonly ProjectionWrite[]): readonly PreparedWrite[] {
  return writes.map(({ generation, checkpoint, documents }) => ({
    generation,
    checkpoint,
    documents: documentRows(tableOf(generation), documents),
  }));
}

/** Must run inside a write transaction. */
export function putWrites(
  { statement, checkpoints }: Pick<Connection, 'statement'> & { readonly checkpoints: Checkpoints },
  writes: readonly PreparedWrite[],
  fence: Fence,
): void {
  if (writes.length === 0) requireFence(statement, fence);
  for (const [place, { generation, checkpoint, documents }] of writes.entries()) {
    const table = checkpoints.save(generation, checkpoint, place === 0 ? fence : null);
    if (documents.rows.length > 0) putRows(statement, table, documents);
  }
}

function guarded(table: Table, row: GuardedRow): GuardedDocument {
  const [key, position, text] = row as readonly [string, string, string | null];
  return { key, position, document: text === null ? null : documentOfRow<JsonValue>(table, row, 2) };
}
