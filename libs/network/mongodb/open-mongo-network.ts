import { claimDatabase } from '#mongodb/claim-database.js';
import { openMongoDatabase, type ServerKind } from '#mongodb/open-mongo-database.js';
import { ingestObservations } from '../ingest.js';
import type { NetworkStore } from '../network-store.js';
import { mongoDirectory, mongoNetworkReads } from './mongo-directory.js';
import { mongoObservationWriter } from './mongo-observation-writer.js';
import { mongoSource } from './mongo-source.js';
import { createNetworkIndexes, NETWORK_PREFIX } from './network-collections.js';

export type OpenMongoNetwork = {
  /** `mongodb://…/database` or `mongodb+srv://…/database`; it may be that of the read store. */
  readonly url: string;
  /** NETWORK_BASE_URL: what emitted network URLs start with. */
  readonly networkBaseUrl: string;
};

/** Opens the observed network in a MongoDB database. Rejects with `StoreUnusable` or `StoreUnavailable`. */
export async function openMongoNetwork({
  url,
  networkBaseUrl,
}: OpenMongoNetwork): Promise<NetworkStore & { readonly serverKind: ServerKind }> {
  const database = await openMongoDatabase(url);
  try {
    await database.writeAtLength(async (db) => {
      const claim = { prefix: NETWORK_PREFIX, product: 'signal ledger observed network', layout: 1 };
      await claimDatabase(db, database.place, claim);
      await createNetworkIndexes(db);
    });
  } catch (error) {
    await database.close();
    throw error;
  }
  const reads = mongoNetworkReads(networkBaseUrl);
  const writer = mongoObservationWriter(database);
  return {
    serverKind: database.serverKind,
    directory: mongoDirectory(database, networkBaseUrl, reads),
    source: mongoSource(database, reads),
    ingest: (chunks, options) => ingestObservations(writer, chunks, options),
    ping: () => database.read((db) => db.command({ ping: 1 }).then(() => undefined)),
    close: database.close,
  };
}
