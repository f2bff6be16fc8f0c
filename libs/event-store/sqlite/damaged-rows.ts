import type { DatabaseSyncInstance } from '@photostructure/sqlite';
import { connect } from '#sqlite/open-database.js';
import { isCorrupt, storeError } from '#sqlite/sqlite-errors.js';
import { inBothIndexes } from './stream-index.js';

/** An event with an unreadable row; an intact index gives its stream. */
export type DamagedRow = {
  readonly position: number;
  readonly stream: string | null;
  readonly revision: number | null;
};

type Place = readonly [position: number, streamId: number, revision: number];

const ROWS_IN_ONE_GO = 500;

/**
 * Reads a file that may have damaged pages row by row. The list of rows comes from the index of streams and revisions,
 * which is on separate pages.
 */
export async function* damagedRows(path: string): AsyncGenerator<DamagedRow, undefined> {
  const db = connect(path, true);
  try {
    yield* damagedIn(db);
  } catch (error) {
    throw storeError(error, path);
  } finally {
    db.close();
  }
  return undefined;
}

async function* damagedIn(db: DatabaseSyncInstance): AsyncGenerator<DamagedRow, undefined> {
  const places = readPlaces(db);
  const names = readNames(db);
  const row = db.prepare('SELECT id, data, metadata, type_id FROM recorded_events WHERE position = ?', {
    returnArrays: true,
  });
  let inOneGo = 0;
  for (const [position, streamId, revision] of places) {
    if (!isWhole(() => row.get(position))) {
      yield { position, stream: names.get(streamId) ?? null, revision };
    }
    inOneGo += 1;
    if (inOneGo % ROWS_IN_ONE_GO === 0) await new Promise((resolve) => setImmediate(resolve));
  }
  return undefined;
}

function readPlaces(db: DatabaseSyncInstance): readonly Place[] {
  const found: Place[] = [];
  collect(() => {
    const statement = db.prepare(
      inBothIndexes((table) => `SELECT position, stream_id, revision FROM ${table}`),
      { returnArrays: true },
    );
    for (const place of statement.iterate()) found.push(place as Place);
  });
  return found.sort(([left], [right]) => left - right);
}

function readNames(db: DatabaseSyncInstance): ReadonlyMap<number, string> {
  const names = new Map<number, string>();
  collect(() => {
    for (const [id, name] of db.prepare('SELECT id, name FROM streams', { returnArrays: true }).iterate())
      names.set(id, name);
  });
  return names;
}

/** Keeps the rows before the damage. */
function collect(read: () => void): void {
  try {
    read();
  } catch (error) {
    if (!isCorrupt(error)) throw error;
  }
}

function isWhole(read: () => readonly unknown[] | undefined): boolean {
  try {
    const found = read();
    if (found === undefined) return false;
    JSON.parse(String(found[1]));
    JSON.parse(String(found[2]));
    return true;
  } catch (error) {
    if (error instanceof SyntaxError || isCorrupt(error)) return false;
    throw error;
  }
}
