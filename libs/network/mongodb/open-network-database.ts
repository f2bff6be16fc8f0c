import { claimDatabase } from '#mongodb/claim-database.js';
import { openMongoDatabase, type MongoDatabase } from '#mongodb/open-mongo-database.js';
import { bringUpToDate } from './bring-up-to-date.js';
import { createNetworkIndexes, NETWORK_PREFIX } from './network-collections.js';
import { settleAll } from './settle.js';

/**
 * Opens the database of an observed network, migrated, with the follow-up writes of interrupted batches completed.
 * Rejects with `StoreUnusable` or `StoreUnavailable`.
 */
export async function openNetworkDatabase(
  url: string,
  onMigration: (message: string) => void,
): Promise<MongoDatabase> {
  const database = await openMongoDatabase(url);
  try {
    await database.writeAtLength(async (db) => {
      await claimDatabase(db, database.place, {
        prefix: NETWORK_PREFIX,
        product: 'signal ledger observed network',
        layout: 2,
        bringUpToDate: {
          from: 1,
          work: async () => onMigration(await bringUpToDate(db, database.place, onMigration)),
        },
      });
      await createNetworkIndexes(db);
    });
    await settleAll(database.write);
    return database;
  } catch (error) {
    await database.close();
    throw error;
  }
}
