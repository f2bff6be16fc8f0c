import { connect } from '#sqlite/open-database.js';
import { storeError } from '#sqlite/sqlite-errors.js';
import type { DamagedRow } from './damaged-rows.js';
import { inBothIndexes } from './stream-index.js';

/** A difference between the events of a file and its index of streams. */
export type IndexFault = DamagedRow & { readonly kind: 'not-indexed' | 'no-event' };

type Place = readonly [position: number, stream: string | null, revision: number];

/** The event loop runs in between. */
const POSITIONS_IN_ONE_GO = 5_000;

const NOT_INDEXED = `
  SELECT position, streams.name, revision FROM recorded_events AS events LEFT JOIN streams ON streams.id = stream_id
  WHERE position > ? AND position <= ? AND position NOT IN (${inBothIndexes(
    (table) =>
      `SELECT position FROM ${table} WHERE stream_id = events.stream_id AND revision = events.revision`,
  )})`;

const NO_EVENT = inBothIndexes(
  (table) => `
  SELECT position, streams.name, revision FROM ${table} LEFT JOIN streams ON streams.id = stream_id
  WHERE position NOT IN (SELECT position FROM recorded_events)`,
);

/**
 * Compares all events of a file with its index of streams, which SQLite does not do: to SQLite they are separate tables.
 * Events that the index has at another position are `not-indexed`. Throws `StoreUnusable` for a damaged file.
 */
export async function* indexFaults(path: string): AsyncGenerator<IndexFault, undefined> {
  const db = connect(path, true);
  try {
    const notIndexed = db.prepare(NOT_INDEXED, { returnArrays: true });
    const [head]: readonly [number] = db
      .prepare('SELECT coalesce(max(position), 0) FROM recorded_events', { returnArrays: true })
      .get();
    for (let after = 0; after < head; after += POSITIONS_IN_ONE_GO) {
      for (const place of notIndexed.all(after, after + POSITIONS_IN_ONE_GO))
        yield faultAt('not-indexed', place);
      await new Promise((resolve) => setImmediate(resolve));
    }
    for (const place of db.prepare(NO_EVENT, { returnArrays: true }).iterate())
      yield faultAt('no-event', place as Place);
  } catch (error) {
    throw storeError(error, path);
  } finally {
    db.close();
  }
  return undefined;
}

const faultAt = (kind: IndexFault['kind'], [position, stream, revision]: Place): IndexFault => ({
  kind,
  position,
  stream,
  revision,
});
