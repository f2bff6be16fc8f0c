import { setImmediate as nextTurn } from 'node:timers/promises';
import type { JsonValue } from '#kernel/values/json.js';
import type {
  Checkpoint,
  EventMark,
  Fence,
  Generation,
  GuardedDocument,
  ProjectionWrite,
  ReadStore,
} from '#kernel/ports/read-store.port.js';
import type { Connection } from './connection.js';
import { documentRows, putRows, type DocumentRows } from './document-rows.js';
import { existingTable } from './generations.js';
import { requireFence } from './leases.js';
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

export function sqliteProjectionWrites({ statement, read, write }: Connection): ProjectionStore {
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
    write: async (writes, fence) => {
      const prepared = preparedWrites(writes);
      await write(() => putWrites(statement, prepared, fence));
    },
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

/** A write whose documents are rows: only what a message between threads can hold, but for the view's folds. */
export type PreparedWrite = {
  readonly generation: Generation;
  readonly checkpoint: Checkpoint;
  readonly documents: DocumentRows;
};

export function preparedWrites(writes: readonly ProjectionWrite[]): readonly PreparedWrite[] {
  return writes.map(({ generation, checkpoint, documents }) => ({
    generation,
    checkpoint,
    documents: documentRows(tableOf(generation), documents),
  }));
}

/** Call it inside a write transaction. */
export function putWrites(
  statement: Connection['statement'],
  writes: readonly PreparedWrite[],
  fence: Fence,
): void {
  requireFence(statement, fence);
  const storedMark = markTexts();
  for (const one of writes) {
    const table = saveCheckpoint(statement, one, storedMark);
    if (one.documents.rows.length > 0) putRows(statement, table, one.documents);
  }
}

/** Saves a checkpoint unless it goes back, and gives the table of its generation, which must exist. */
function saveCheckpoint(
  statement: Connection['statement'],
  { generation, checkpoint }: PreparedWrite,
  storedMark: MarkText,
): Table {
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

function guarded({ _key, _position, _document }: GuardedRow): GuardedDocument {
  const document = _document === null ? null : (JSON.parse(_document) as JsonValue);
  return { key: _key, position: _position, document };
}
