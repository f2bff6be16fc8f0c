import type { DatabaseSyncInstance } from '@photostructure/sqlite';
import {
  StoreDamaged,
  type EventBatch,
  type EventMetadata,
  type StoredEvent,
  type StreamEnd,
} from '#kernel/ports/event-store.port.js';
import { isShortLived } from '#kernel/ports/short-lived.js';
import { isCorrupt } from '#sqlite/sqlite-errors.js';
import { positionText } from './position-text.js';
import type { RecentEvents } from './recent-events.js';
import type { StoredRow } from './stored-row.js';
import { eventsAt, inBothIndexes, lastOfStream } from './stream-index.js';

/** Rows that one search for rare event types may skip: a bound on its time on the event loop. */
const MOST_ROWS_SCANNED = 5_000;

const columnsWith = (revision: string): string =>
  `position, streams.name, ${revision}, type_id, events.id, data, metadata`;
const COLUMNS = columnsWith('events.revision');
/** With the revision of the index, so that what is read through it is in order already. */
const INDEXED_COLUMNS = columnsWith('place.revision');

const STREAMS_LOOKED_AT = 100;

/** So few rows are read without a type filter: passing the types to the statement would cost more. */
const FEW_ROWS = 64;

/** A range of the log. `bytes` is the size of its payloads, for the size of the next range. */
export type OrderedPart = EventBatch & { readonly end: number; readonly bytes: number };
export type StreamPart = { readonly events: readonly StoredEvent[]; readonly bytes: number };

type EndRow = readonly [stream: string, streamId: number | null, revision: number | null, id: string | null];

export type EventReader = {
  readonly head: () => number;
  /** The last event at or before a position; null if there is none. */
  readonly lastUpTo: (position: number) => StoredEvent | null;
  /** Position of the last event at or before a position that no sweep removes; 0 if there is none. */
  readonly lastLasting: (upTo: number) => number;
  /**
   * The events that this connection has committed right after a position, at most `limit`; null if unknown or none:
   * they have to be read.
   */
  readonly recent: (after: number, types: readonly string[] | null, limit: number) => OrderedPart | null;
  /** Reads on after a position, at most `limit` events. `types` null means every type. */
  readonly ordered: (after: number, types: readonly string[] | null, limit: number) => OrderedPart;
  /** The last events before a position, newest first. */
  readonly back: (before: number, limit: number) => readonly StoredEvent[];
  /** Last events of streams; null for one without any. */
  readonly ends: (streams: readonly string[]) => ReadonlyMap<string, StreamEnd | null>;
  /** All events of several streams. */
  readonly whole: (streams: readonly string[]) => ReadonlyMap<string, readonly StoredEvent[]>;
  readonly forwards: (stream: string, from: number, limit: number) => StreamPart;
  readonly backwards: (stream: string, from: number, limit: number) => StreamPart;
};

export function eventReader(
  db: DatabaseSyncInstance,
  path: string,
  recent: Pick<RecentEvents, 'after'>,
): EventReader {
  const arrays = { returnArrays: true };
  const source = 'recorded_events AS events JOIN streams ON streams.id = stream_id';
  const lastPosition = db.prepare('SELECT coalesce(max(position), 0) FROM recorded_events', arrays);
  const lastBefore = db.prepare(
    `SELECT ${COLUMNS} FROM ${source} WHERE position = (SELECT max(position) FROM recorded_events WHERE position <= ?)`,
    arrays,
  );
  const inOrder = db.prepare(
    `SELECT ${COLUMNS} FROM ${source} WHERE position > ? AND position <= ? ORDER BY position LIMIT ?`,
    arrays,
  );
  // The names are looked up inside the statement: in one snapshot with the events, so that a type that
  // another process has just used for the first time cannot be missed.
  const inOrderOfTypes = db.prepare(
    `SELECT ${COLUMNS} FROM ${source} WHERE position > ? AND position <= ? AND type_id IN
       (SELECT event_types.id FROM event_types JOIN json_each(?) AS wanted ON wanted.value = event_types.name)
     ORDER BY position LIMIT ?`,
    arrays,
  );
  const ofStreams = streamStatements(db);
  const [typeNames, wantedTypes] = [namesOfTypes(db), setsOfTypes()];

  const events = (rows: readonly StoredRow[]): StreamPart => {
    let bytes = 0;
    // Events of one command share theirs: the same text beside itself is parsed once.
    let lastMetadata: string | null = null;
    let parsedMetadata: EventMetadata = {};
    const read = rows.map((row): StoredEvent => {
      const [position, stream, revision, typeId, id, data, metadata] = row;
      bytes += data.length + metadata.length;
      try {
        if (metadata !== lastMetadata) {
          parsedMetadata = JSON.parse(metadata);
          lastMetadata = metadata;
        }
        return {
          id,
          type: typeNames(typeId),
          data: JSON.parse(data),
          metadata: parsedMetadata,
          stream,
          revision: BigInt(revision),
          position: positionText(position),
        };
      } catch (error) {
        throw new StoreDamaged(`${path} is damaged: event ${revision} of ${stream} cannot be read`, {
          cause: error,
        });
      }
    });
    return { events: read, bytes };
  };
  const head = (): number => lastPosition.get()[0];

  return {
    head,
    lastUpTo: (position) => events(lastBefore.all(position)).events[0] ?? null,
    lastLasting: lastLasting(db),
    recent: (after, types, limit) => {
      const rows = recent.after(after, limit);
      if (rows === null) return null;
      const end = rows.at(-1)?.[0] ?? after;
      const caughtUp = recent.after(end, 1) === null;
      return { ...events(ofTypes(rows, types)), position: positionText(end), end, caughtUp };
    },
    ordered: (after, types, limit) => {
      const last = head();
      const end = types === null ? last : Math.min(last, after + MOST_ROWS_SCANNED);
      const rows = rowsInOrder(after, end, types, limit);
      const full = rows.length === limit;
      const reached = Math.max(after, full ? (rows.at(-1)?.[0] ?? end) : end);
      return {
        ...events(rows),
        position: positionText(reached),
        end: reached,
        caughtUp: reached >= last,
      };
    },
    ends: lastOfStreams(db),
    whole: (streams) => byStream(events(ofStreams.whole.all(JSON.stringify(streams))).events),
    back: (before, limit) => events(backInOrder(db).all(before, limit)).events,
    forwards: (stream, from, limit) =>
      naming(stream, () => events(ofStreams.forwards.all(stream, from, limit))),
    backwards: (stream, from, limit) =>
      naming(stream, () => events(ofStreams.backwards.all(stream, from, limit))),
  };

  function rowsInOrder(
    after: number,
    end: number,
    types: readonly string[] | null,
    limit: number,
  ): readonly StoredRow[] {
    if (end <= after) return [];
    if (types === null) return inOrder.all(after, end, limit);
    if (end - after > Math.min(FEW_ROWS, limit)) {
      return inOrderOfTypes.all(after, end, JSON.stringify(types), limit);
    }
    return ofTypes(inOrder.all(after, end, limit), types);
  }

  function ofTypes(rows: readonly StoredRow[], types: readonly string[] | null): readonly StoredRow[] {
    if (types === null) return rows;
    const wanted = wantedTypes(types);
    return rows.filter(([, , , typeId]) => wanted.has(typeNames(typeId)));
  }

  /** Names the stream whose page is damaged. */
  function naming<Result>(stream: string, read: () => Result): Result {
    try {
      return read();
    } catch (error) {
      if (!isCorrupt(error)) throw error;
      throw new StoreDamaged(`${path} is damaged: the stream ${stream} cannot be read`, { cause: error });
    }
  }
}

/** Statements about streams, each over both tables of their index. */
function streamStatements(db: DatabaseSyncInstance) {
  const arrays = { returnArrays: true };
  const ofStream = (comparison: string, direction: string): ReturnType<typeof db.prepare> => {
    const inIndex = inBothIndexes(
      (table) => `SELECT ${INDEXED_COLUMNS} FROM streams CROSS JOIN ${eventsAt(table)}
        WHERE streams.name = ?1 AND place.stream_id = streams.id AND place.revision ${comparison} ?2`,
    );
    return db.prepare(`${inIndex} ORDER BY 3 ${direction} LIMIT ?3`, arrays);
  };
  const whole = db.prepare(
    inBothIndexes(
      (table) => `SELECT ${INDEXED_COLUMNS} FROM json_each(?1) AS wanted
        CROSS JOIN streams ON streams.name = wanted.value CROSS JOIN ${eventsAt(table)}
        WHERE place.stream_id = streams.id`,
    ),
    arrays,
  );
  return { forwards: ofStream('>=', 'ASC'), backwards: ofStream('<=', 'DESC'), whole };
}

/** Rarely used, so it is prepared at its first use. */
const backInOrder = (db: DatabaseSyncInstance) =>
  db.prepare(
    `SELECT ${COLUMNS} FROM recorded_events AS events JOIN streams ON streams.id = stream_id
     WHERE position < ? ORDER BY position DESC LIMIT ?`,
    { returnArrays: true },
  );

function byStream(events: readonly StoredEvent[]): ReadonlyMap<string, readonly StoredEvent[]> {
  const streams = new Map<string, StoredEvent[]>();
  for (const event of events) {
    const before = streams.get(event.stream);
    if (before === undefined) streams.set(event.stream, [event]);
    else before.push(event);
  }
  // In order already if SQLite reads one table after the other, which it does not promise.
  for (const stream of streams.values()) stream.sort((left, right) => Number(left.revision - right.revision));
  return streams;
}

function lastLasting(db: DatabaseSyncInstance): EventReader['lastLasting'] {
  const streamsBefore = db.prepare(
    `SELECT position, streams.name FROM recorded_events CROSS JOIN streams ON streams.id = stream_id
     WHERE position <= ? ORDER BY position DESC LIMIT ${STREAMS_LOOKED_AT}`,
    { returnArrays: true },
  );
  return (upTo) => {
    for (let before = upTo; ;) {
      const found: readonly (readonly [position: number, stream: string])[] = streamsBefore.all(before);
      const lasting = found.find(([, stream]) => !isShortLived(stream));
      const last = found.at(-1);
      if (lasting !== undefined || last === undefined) return lasting?.[0] ?? 0;
      before = last[0] - 1;
    }
  };
}

/** Finds the last events of streams; a swept stream, which is known and has no event, is left out. */
function lastOfStreams(db: DatabaseSyncInstance): EventReader['ends'] {
  const find = db.prepare(
    `SELECT wanted.value, streams.id, revision, events.id
     FROM json_each(?) AS wanted LEFT JOIN streams ON streams.name = wanted.value
       LEFT JOIN recorded_events AS events ON position = ${lastOfStream('position', 'streams.id')}`,
    { returnArrays: true },
  );
  return (streams) => {
    const rows: readonly EndRow[] = find.all(JSON.stringify(streams));
    const ends = new Map<string, StreamEnd | null>();
    for (const [stream, streamId, revision, id] of rows) {
      if (streamId === null) ends.set(stream, null);
      else if (revision !== null && id !== null) ends.set(stream, { revision: BigInt(revision), id });
    }
    return ends;
  };
}

/** A follower of the log requests the same types each time. */
function setsOfTypes(): (types: readonly string[]) => ReadonlySet<string> {
  const sets = new WeakMap<readonly string[], ReadonlySet<string>>();
  return (types) => {
    const known = sets.get(types);
    if (known !== undefined) return known;
    const made = new Set(types);
    sets.set(types, made);
    return made;
  };
}

/** Type names by id. A type never changes, so only an id not met before is looked up. */
function namesOfTypes(db: DatabaseSyncInstance): (id: number) => string {
  const find = db.prepare('SELECT name FROM event_types WHERE id = ?', { returnArrays: true });
  const names = new Map<number, string>();
  return (id) => {
    const known = names.get(id);
    if (known !== undefined) return known;
    const stored: readonly [string] | undefined = find.get(id);
    if (stored === undefined) throw new Error(`event type ${id} has no name`);
    names.set(id, stored[0]);
    return stored[0];
  };
}
