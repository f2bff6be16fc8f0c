import type { DatabaseSyncInstance } from '@photostructure/sqlite';
import type { ReadStore } from '#kernel/ports/read-store.port.js';
import { startCheckpointer } from '#sqlite/checkpointer.js';
import { openDatabase, type OpenDatabase } from '#sqlite/open-database.js';
import { readStoreConnection, sayRebuildable, type Connection } from './connection.js';
import { sqliteFilling } from './fill-generation.js';
import { sqliteReturnedSpace } from './returned-space.js';
import { sqliteGenerations } from './generations.js';
import { sqliteIndexing } from './index-generation.js';
import { sqliteLeases } from './leases.js';
import { sqliteProjectionWrites } from './projection-writes.js';
import { sqliteRecords } from './records.js';
import { sqliteShares } from './shares.js';
import { CATALOGUE_SQL, CHECKPOINTS_SQL, EVENT_COLUMN_SQL } from './tables.js';
import { sqliteViews } from './views.js';
import { sharedWriteOrder, writeOrderOfLoop, type SharedWriteOrder } from './write-order.js';

export type OpenSqliteReadStore = {
  readonly path: string;
  /** Real time, milliseconds since 1970, for leases; tests bring their own. */
  readonly nowMs?: () => number;
  /** How long a call may wait for the file's lock, without blocking the process, before `StoreUnavailable`. */
  readonly lockPatienceMs?: number;
  /** Where a thread of this process writes to the same file. */
  readonly turns?: SharedWriteOrder;
  /** Called with the reason when the log of the file cannot be checkpointed, and with null when it can again. */
  readonly onTrouble?: (reason: string | null) => void;
};

/** "slrv": the application id in the SQLite header. */
const READ_STORE_APPLICATION_ID = 0x736c7276;
const SCHEMA_VERSION = 3;
/** At most, and only of pages that were used. */
const PAGE_CACHE_KIB = 32_768;

/**
 * The read store in one SQLite file; any number of processes may open it at once. Rejects with `StoreUnusable` for a
 * damaged or foreign file, which stays unchanged.
 */
export async function openSqliteReadStore(options: OpenSqliteReadStore): Promise<ReadStore> {
  const { path, nowMs = Date.now, lockPatienceMs, turns = sharedWriteOrder(), onTrouble } = options;
  const db = await openReadStoreFile(path, lockPatienceMs === undefined ? {} : { lockPatienceMs });
  const connection = readStoreConnection(db, path, lockPatienceMs, writeOrderOfLoop(turns));
  const checkpointer = startCheckpointer({ path, onTrouble });
  const store = readStoreOn(connection, nowMs);
  const { fillBeside, indexBeside, stopFilling } = sqliteFilling(path, store.load);

  return {
    ...store,
    indexGeneration: sqliteIndexing(connection, indexBeside),
    fillBeside,
    close: async () => {
      await stopFilling();
      await checkpointer.close();
      connection.close();
    },
  };
}

/** A connection to the file, which is created if missing. */
export function openReadStoreFile(
  path: string,
  options: Pick<OpenDatabase, 'lockPatienceMs' | 'isOpenHere'>,
): Promise<DatabaseSyncInstance> {
  return openDatabase({
    ...options,
    path,
    applicationId: READ_STORE_APPLICATION_ID,
    schemaVersion: SCHEMA_VERSION,
    migrate: (file, fromVersion) => {
      if (fromVersion === 0) file.exec(CATALOGUE_SQL);
      if (fromVersion === 1) file.exec(EVENT_COLUMN_SQL);
      file.exec(CHECKPOINTS_SQL);
    },
    // A power failure may lose the last commits, checkpoints with their documents: they are projected again.
    synchronous: 'NORMAL',
    givesBackSpace: true,
    // Large views do not fit SQLite's default cache of 2 MB, and every write to them would read pages again.
    // A statement of several rows keeps the pages that it changes until it has succeeded. In memory that saves a quarter of
    // the bytes that a hold writes (24.7 instead of 32.8 KB), and no write fails because the folder of temporary files is full.
    pragmas: [`cache_size = -${PAGE_CACHE_KIB}`, 'temp_store = MEMORY'],
  }).catch((error: unknown) => {
    throw sayRebuildable(error);
  });
}

/** The operations of a read store on one connection, on any thread. */
export function readStoreOn(
  connection: Connection,
  nowMs: () => number,
): Omit<ReadStore, 'indexGeneration' | 'close'> {
  return {
    writersAtOnce: 1,
    ...sqliteViews(connection),
    ...sqliteGenerations(connection),
    ...sqliteReturnedSpace(connection),
    ...sqliteProjectionWrites(connection),
    ...sqliteShares(connection),
    ...sqliteLeases(connection, nowMs),
    ...sqliteRecords(connection),
    ping: () =>
      connection.read(() => {
        connection.requirePlace();
        connection.statement('SELECT count(*) FROM _generations').get();
      }),
  };
}
