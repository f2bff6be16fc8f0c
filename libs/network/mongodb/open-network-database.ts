import { claimDatabase, raiseLayout, type StoreClaim } from '#mongodb/claim-database.js';
import { openMongoDatabase, type MongoDatabase } from '#mongodb/open-mongo-database.js';
import { bringUpToDate } from './bring-up-to-date.js';
import { createNetworkIndexes, hasNetworkIndexes, NETWORK_PREFIX } from './network-collections.js';
import { settleAll } from './settle.js';

const CLAIM: StoreClaim = {
  prefix: NETWORK_PREFIX,
  product: 'signal ledger observed network',
  layout: 2,
  earlierLayout: 1,
};

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
    const found = await database.write((db) => claimDatabase(db, database.place, CLAIM));
    if (found === 'earlier') {
      await database.writeAtLength(async (db) => {
        onMigration(await bringUpToDate(db, database.place, onMigration));
        await raiseLayout(db, CLAIM);
      });
    }
    // Creating an index that exists also waits for a majority, and this call has no time limit.
    if (!(await database.read(hasNetworkIndexes))) await database.writeAtLength(createNetworkIndexes);
    await settleAll(database.write);
    return database;
  } catch (error) {
    await database.close();
    throw error;
  }
}
