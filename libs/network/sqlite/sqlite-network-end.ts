import type { DatabaseSyncInstance } from '@photostructure/sqlite';
import { StoreUnusable } from '#kernel/ports/event-store.port.js';
import { retryWhileBusy } from '#sqlite/busy.js';
import { startCheckpointer } from '#sqlite/checkpointer.js';
import { inWriteTransaction } from '#sqlite/transaction.js';
import type { RecordedMove } from '../moves.js';
import {
  windowIn,
  windowOf,
  type NetworkCopyEnd,
  type NetworkRecords,
  type RecordsOfPart,
} from '../network-record.js';
import type { Observation, ObservationKind } from '../observation.js';
import { openNetworkDatabase } from './network-schema.js';
import { observationRows } from './observation-rows.js';
import { READING, readingIn, type ReadingColumns } from './reading-columns.js';
import { moveKeeper } from './recorded-moves.js';

/** An observed network in an SQLite file as one end of a copy. Rejects with `StoreUnusable` or `StoreUnavailable`. */
export async function openSqliteNetworkEnd(
  path: string,
  onMigration: (message: string) => void = () => {},
): Promise<NetworkCopyEnd & { readonly close: () => Promise<void> }> {
  const db = await openNetworkDatabase(path, onMigration);
  const checkpointer = startCheckpointer({ path });
  return {
    ...partsIn({ db, path }),
    close: async () => {
      await checkpointer.close();
      db.close();
    },
  };
}

type File = { readonly db: DatabaseSyncInstance; readonly path: string };
type Value = string | number;

function partsIn(file: File): NetworkCopyEnd {
  return {
    observation: { ...listed(file, OBSERVATIONS), add: addObservations(file) },
    move: { ...listed(file, MOVES), add: addMoves(file) },
    place: plain(file, PLACES),
    reading: plain(file, READINGS),
    learning: plain(file, LEARNING),
    pace: plain(file, PACES),
    poll: plain(file, POLLS),
  };
}

/** How a table stores the records of one part. */
type Listed<Row, Stored> = {
  readonly columns: string;
  readonly table: string;
  readonly where?: string;
  /** The order columns, and their values in a record. */
  readonly order: readonly string[];
  readonly keyOf: (record: Stored) => readonly Value[];
  readonly recordIn: (row: Row) => Stored;
};

function listed<Row, Stored>(
  { db, path }: File,
  { columns, table, where = 'true', order, keyOf, recordIn }: Listed<Row, Stored>,
): Omit<RecordsOfPart<Stored>, 'add'> {
  const keys = order.join(', ');
  const places = order.map(() => '?').join(', ');
  const count = db.prepare(`SELECT count(*) AS records FROM ${table} WHERE ${where}`);
  const first = db.prepare(`SELECT ${columns} FROM ${table} WHERE ${where} ORDER BY ${keys} LIMIT ?`);
  const next = db.prepare(
    `SELECT ${columns} FROM ${table} WHERE ${where} AND (${keys}) > (${places}) ORDER BY ${keys} LIMIT ?`,
  );
  return {
    count: () => retryWhileBusy(path, () => Number(count.get()['records'])),
    behind: (after, limit) =>
      retryWhileBusy(path, () => {
        const rows = after === null ? first.all(limit) : next.all(...keyOf(after), limit);
        return (rows as readonly Row[]).map(recordIn);
      }),
  };
}

/** A part without additional look-up columns. */
type Plain<Stored> = Omit<Listed<Stored, Stored>, 'recordIn'> & {
  readonly insert: string;
  readonly valuesOf: (record: Stored) => readonly Value[];
};

function plain<Stored>(file: File, { insert, valuesOf, ...rows }: Plain<Stored>): RecordsOfPart<Stored> {
  const add = file.db.prepare(insert);
  return {
    ...listed(file, { ...rows, recordIn: (row: Stored) => ({ ...row }) }),
    add: (records) =>
      inTransaction(file, () => {
        for (const record of records) add.run(...valuesOf(record));
      }),
  };
}

const inTransaction = ({ db, path }: File, work: () => void): Promise<void> =>
  retryWhileBusy(path, () => inWriteTransaction(db, work));

type ObservationRow = ReadingColumns & {
  readonly kind: ObservationKind;
  readonly ref: string;
  readonly rev: number;
  readonly body: string;
  readonly previous_body: string | null;
  readonly is_automatic: number;
  readonly closed_at: number | null;
  readonly at: number | null;
};

const OBSERVATIONS: Listed<ObservationRow, NetworkRecords['observation']> = {
  columns: `kind, ref, rev, body, previous_body, is_automatic, closed_at, at, ${READING}`,
  table: 'observation',
  order: ['kind', 'ref'],
  keyOf: ({ kind, ref }) => [kind, ref],
  recordIn: ({ kind, ref, rev, body, previous_body, is_automatic, closed_at, at, ...reading }) => ({
    kind,
    ref,
    rev,
    body,
    previousBody: kind === 'person' ? previous_body : null,
    isAutomatic: is_automatic === 1,
    closedAtMs: closed_at,
    windowAtMs: windowIn(JSON.parse(body) as Observation, at),
    source: readingIn(reading),
  }),
};

function addObservations(file: File): RecordsOfPart<NetworkRecords['observation']>['add'] {
  const rows = observationRows(file.db);
  return (records) =>
    inTransaction(file, () => {
      rows.begin();
      for (const record of records) {
        const { kind, ref, body, windowAtMs } = record;
        const observation = JSON.parse(body) as Observation;
        const rejected = rows.write(rows.find(kind, ref), {
          ...record,
          observation,
          atMs: windowOf(observation, windowAtMs),
        });
        if (rejected !== null)
          throw new StoreUnusable(`${file.path} cannot hold ${kind} ${ref}: ${rejected}`);
      }
      rows.fileWords();
    });
}

const MOVES: Listed<NetworkRecords['move'], NetworkRecords['move']> = {
  columns: 'person, at, rev, body',
  table: 'move',
  order: ['person', 'at', 'rev'],
  keyOf: ({ person, at, rev }) => [person, at, rev],
  recordIn: (row) => ({ ...row }),
};

function addMoves(file: File): RecordsOfPart<NetworkRecords['move']>['add'] {
  const keep = moveKeeper(file.db);
  return (records) =>
    inTransaction(file, () => {
      for (const { body } of records) keep(JSON.parse(body) as RecordedMove, body);
    });
}

const PLACES: Plain<NetworkRecords['place']> = {
  columns: 'city, country_code AS countryCode',
  table: 'place',
  order: ['city', 'country_code'],
  keyOf: ({ city, countryCode }) => [city, countryCode],
  // Observations written before have already added their places.
  insert: 'INSERT OR IGNORE INTO place (city, country_code) VALUES (?, ?)',
  valuesOf: ({ city, countryCode }) => [city, countryCode],
};

const READINGS: Plain<NetworkRecords['reading']> = {
  columns: 'ref, read_at AS readAtMs',
  table: 'reading',
  order: ['ref'],
  keyOf: ({ ref }) => [ref],
  insert: 'INSERT INTO reading (ref, read_at) VALUES (?, ?)',
  valuesOf: ({ ref, readAtMs }) => [ref, readAtMs],
};

const LEARNING: Plain<NetworkRecords['learning']> = {
  columns: 'learned',
  table: 'learning',
  where: 'learned > 0',
  order: ['one'],
  keyOf: () => [1],
  insert: 'UPDATE learning SET learned = ?',
  valuesOf: ({ learned }) => [learned],
};

const PACES: Plain<NetworkRecords['pace']> = {
  columns: 'host, next_at AS nextAtMs',
  table: 'pace',
  order: ['host'],
  keyOf: ({ host }) => [host],
  insert: 'INSERT INTO pace (host, next_at) VALUES (?, ?)',
  valuesOf: ({ host, nextAtMs }) => [host, nextAtMs],
};

const POLLS: Plain<NetworkRecords['poll']> = {
  columns: 'key, memory',
  table: 'poll',
  where: 'memory IS NOT NULL',
  order: ['key'],
  keyOf: ({ key }) => [key],
  // A row without a memory is only a claim.
  insert:
    'INSERT INTO poll (key, memory) VALUES (?, ?) ON CONFLICT (key) DO UPDATE SET memory = excluded.memory',
  valuesOf: ({ key, memory }) => [key, memory],
};
