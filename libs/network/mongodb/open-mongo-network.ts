import { claimDatabase } from '#mongodb/claim-database.js';
import { openMongoDatabase, type ServerKind } from '#mongodb/open-mongo-database.js';
import { ingestObservations } from '../ingest.js';
import type { NetworkStore } from '../network-store.js';
import { observedNetwork } from '../observed-network.js';
import { mongoDirectory, mongoNetworkReads } from './mongo-directory.js';
import { mongoObservationWriter } from './mongo-observation-writer.js';
import { bringUpToDate } from './bring-up-to-date.js';
import { mongoKeys } from './mongo-keys.js';
import { mongoPolls } from './mongo-polls.js';
import { mongoTexts } from './mongo-texts.js';
import { createNetworkIndexes, NETWORK_PREFIX } from './network-collections.js';
import { settleAll } from './settle.js';

export type OpenMongoNetwork = {
  /** `mongodb://…/database` or `mongodb+srv://…/database`; it may be that of the read store. */
  readonly url: string;
  /** NETWORK_BASE_URL: what emitted network URLs start with. */
  readonly networkBaseUrl: string;
  /** Called once, with a line for the log, where an earlier version's data was brought up to date. */
  readonly tell?: (message: string) => void;
};

/** Opens the observed network in a MongoDB database. Rejects with `StoreUnusable` or `StoreUnavailable`. */
export async function openMongoNetwork({
  url,
  networkBaseUrl,
  tell = () => {},
}: OpenMongoNetwork): Promise<NetworkStore & { readonly serverKind: ServerKind }> {
  const database = await openMongoDatabase(url);
  try {
    await database.writeAtLength(async (db) => {
      await claimDatabase(db, database.place, {
        prefix: NETWORK_PREFIX,
        product: 'signal ledger observed network',
        layout: 2,
        bringUpToDate: { from: 1, work: async () => tell(await bringUpToDate(db, database.place)) },
      });
      await createNetworkIndexes(db);
    });
    // What a process that ended in the middle of a batch left undone.
    await settleAll(database.write);
  } catch (error) {
    await database.close();
    throw error;
  }
  const reads = mongoNetworkReads(networkBaseUrl);
  const writer = mongoObservationWriter(database);
  const directory = mongoDirectory(database, networkBaseUrl, reads);
  return {
    serverKind: database.serverKind,
    directory,
    source: observedNetwork(mongoTexts(database), mongoKeys(database, directory)),
    write: writer.write,
    polls: mongoPolls(database),
    ingest: (chunks, options) => ingestObservations(writer, chunks, options),
    ping: () => database.read((db) => db.command({ ping: 1 }).then(() => undefined)),
    close: database.close,
  };
}
