import { randomInt } from 'node:crypto';
import type {
  Checkpoint,
  EventMark,
  Fence,
  Generation,
  KeptCheckpoint,
} from '#kernel/ports/read-store.port.js';
import type { Connection } from './connection.js';
import { existingTable } from './generations.js';
import { requireFence } from './leases.js';
import { namesOf, tableOf, type Table } from './tables.js';

type Counts = { readonly applied: number; readonly ignored: number; readonly parked: number };
type StoredRow = Counts & {
  readonly position: string;
  readonly event: string | null;
  readonly recorded_at: string | null;
};
/** As an earlier version left it, or writes it while it still runs. */
type EarlierRow = Counts & { readonly position: string; readonly event: string | null };
/** With its position: an even earlier version moves the position and leaves the event unchanged. */
type EarlierMark = EventMark & { readonly position: string };

export type Checkpoints = {
  /** The progress of a generation; null before its first write, and if it does not exist. */
  readonly of: (generation: Generation) => KeptCheckpoint | null;
  /**
   * Saves a checkpoint unless it would decrease, and returns the table of its generation, which must exist. With a
   * fence it throws `LeaseLost` if the lease is not held. Must run inside a transaction.
   */
  readonly save: (generation: Generation, checkpoint: Checkpoint, fence: Fence | null) => Table;
};

/**
 * Checkpoints have a table of their own, in which those of all views fill two pages: a single event moves the
 * checkpoints of several views, and the rows of the generations are spread over many pages. Measured: a transaction of
 * checkpoints, lease and one document takes 41 to 60 us instead of 75 to 97 us (docs/adr/0041).
 */
export function sqliteCheckpoints({ statement }: Pick<Connection, 'statement'>): Checkpoints {
  /** Ids of checked generations. Ids are never reused: a removed one is not found. */
  const ids = new WeakMap<Table, number>();

  const of = (generation: Generation): KeptCheckpoint | null => {
    const names = namesOf(generation);
    const stored = statement(STORED_SQL).get(...names) as StoredRow | undefined;
    if (stored === undefined) return earlierCheckpoint(statement(EARLIER_SQL).get(...names));
    const { position, event, recorded_at: recordedAt, applied, ignored, parked } = stored;
    const isNamed = event !== null && recordedAt !== null;
    return { position, ...(isNamed ? { event: { id: event, recordedAt } } : {}), applied, ignored, parked };
  };

  const isSaved = (id: number, checkpoint: Checkpoint, fence: Fence | null): boolean => {
    const { position, event, applied, ignored, parked } = checkpoint;
    const values = [id, position, event?.id ?? null, event?.recordedAt ?? null, applied, ignored, parked];
    const { changes } =
      fence === null
        ? statement(SAVE_SQL).run(...values)
        : statement(SAVE_FENCED_SQL).run(...values, fence.lease, fence.epoch);
    return Number(changes) > 0;
  };

  /** The row of the checkpoint of a generation, which must exist; a generation without a row gets one. */
  const idOf = (generation: Generation): number => {
    const table = existingTable(statement, generation);
    const names = namesOf(generation);
    const row = statement(
      'SELECT checkpoint FROM _generations WHERE view = ? AND version = ? AND generation = ?',
    ).get(...names) as { readonly checkpoint: number | null };
    const id = row.checkpoint ?? randomInt(MOST_IDS);
    if (row.checkpoint === null) {
      statement('INSERT INTO _checkpoints (id) VALUES (?)').run(id);
      statement(
        'UPDATE _generations SET checkpoint = ? WHERE view = ? AND version = ? AND generation = ?',
      ).run(id, ...names);
    }
    ids.set(table, id);
    return id;
  };

  return {
    of,
    save: (generation, checkpoint, fence) => {
      const table = tableOf(generation);
      const known = ids.get(table);
      if (known !== undefined && isSaved(known, checkpoint, fence)) return table;
      if (fence !== null) requireFence(statement, fence);
      const id = idOf(generation);
      const before = of(generation);
      if (before === null || before.position <= checkpoint.position) isSaved(id, checkpoint, null);
      return table;
    },
  };
}

/** Random, so that no id is given twice, not even that of a transaction that was rolled back. */
const MOST_IDS = 2 ** 48 - 1;

/** The stored value, unless a leader of an earlier version has continued in the old column. */
const STORED_SQL =
  'SELECT c.position, c.event, c.recorded_at, c.applied, c.ignored, c.parked' +
  ' FROM _generations AS g JOIN _checkpoints AS c ON c.id = g.checkpoint' +
  ' WHERE g.view = ? AND g.version = ? AND g.generation = ? AND g.dropping = 0' +
  ' AND c.position IS NOT NULL AND (g.position IS NULL OR g.position <= c.position)';
const EARLIER_SQL =
  'SELECT position, event, applied, ignored, parked FROM _generations' +
  ' WHERE view = ? AND version = ? AND generation = ? AND dropping = 0 AND position IS NOT NULL';
const SAVE_SQL =
  'UPDATE _checkpoints SET position = ?2, event = ?3, recorded_at = ?4, applied = ?5, ignored = ?6, parked = ?7' +
  ' WHERE id = ?1 AND (position IS NULL OR position <= ?2)';
/**
 * The first checkpoint of a write checks the lease in the same statement: a separate statement costs as much as a
 * checkpoint.
 */
const SAVE_FENCED_SQL = `${SAVE_SQL} AND EXISTS (SELECT 1 FROM _leases WHERE name = ?8 AND epoch = ?9 AND holder IS NOT NULL)`;

function earlierCheckpoint(found: unknown): KeptCheckpoint | null {
  if (found === undefined) return null;
  const { position, event, applied, ignored, parked } = found as EarlierRow;
  const mark = event === null ? null : (JSON.parse(event) as EarlierMark);
  const isHere = mark !== null && mark.position === position;
  return {
    position,
    ...(isHere ? { event: { id: mark.id, recordedAt: mark.recordedAt } } : {}),
    applied,
    ignored,
    parked,
  };
}
