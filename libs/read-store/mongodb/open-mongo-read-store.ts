import type { Db } from 'mongodb';
import type { ReadStore } from '#kernel/ports/read-store.port.js';
import { claimDatabase } from '#mongodb/claim-database.js';
import { openMongoDatabase, type ServerKind } from '#mongodb/open-mongo-database.js';
import { serverTimeMs } from '#mongodb/server-time.js';
import { READ_STORE_PREFIX } from './catalogue.js';
import { mongoGenerations } from './generations.js';
import { mongoLeases } from './leases.js';
import { mongoProjectionWrites } from './projection-writes.js';
import { mongoRecords } from './records.js';
import { mongoShares } from './shares.js';
import { mongoViews } from './views.js';

export type OpenMongoReadStore = {
  /** `mongodb://…/database` or `mongodb+srv://…/database`. */
  readonly url: string;
  /** Real time for leases, milliseconds since 1970: the server's, unless a test passes its own. */
  readonly nowMs?: () => number;
  /** How long a call may take before `StoreUnavailable`. */
  readonly callPatienceMs?: number;
};

/** A server accepts more; each one keeps documents in the memory of the filling process. */
const WRITERS_AT_ONCE = 3;

/**
 * The read store in one MongoDB database; any number of processes on any number of machines may open it at once.
 * Rejects with `StoreUnavailable` if no server answers, with `StoreUnusable` if access is denied or the contents are
 * foreign.
 */
export async function openMongoReadStore({
  url,
  nowMs,
  callPatienceMs,
}: OpenMongoReadStore): Promise<ReadStore & { readonly serverKind: ServerKind }> {
  const database = await openMongoDatabase(url, callPatienceMs);
  try {
    await database.write((db) =>
      claimDatabase(db, database.place, {
        prefix: READ_STORE_PREFIX,
        product: 'signal ledger read store',
        layout: 1,
      }),
    );
  } catch (error) {
    await database.close();
    throw error;
  }
  const leaseTime = nowMs === undefined ? serverTimeMs : (): Promise<number> => Promise.resolve(nowMs());
  return {
    serverKind: database.serverKind,
    writersAtOnce: WRITERS_AT_ONCE,
    ...mongoViews(database),
    ...mongoGenerations(database),
    ...mongoProjectionWrites(database),
    ...mongoShares(database),
    ...mongoLeases(database, leaseTime),
    ...mongoRecords(database),
    ping: () =>
      database.read(async (db: Db) => {
        await db.command({ ping: 1 });
      }),
    close: database.close,
  };
}
