import type { ServerKind } from '#mongodb/open-mongo-database.js';
import { ingestObservations } from '../ingest.js';
import type { NetworkStore } from '../network-store.js';
import { observedNetwork } from '../observed-network.js';
import { mongoDirectory } from './mongo-directory.js';
import { mongoArrivals } from './mongo-arrivals.js';
import { mongoKeys } from './mongo-keys.js';
import { mongoObservationWriter } from './mongo-observation-writer.js';
import { mongoPolls } from './mongo-polls.js';
import { mongoTexts } from './mongo-texts.js';
import { openNetworkDatabase } from './open-network-database.js';

export type OpenMongoNetwork = {
  /** `mongodb://…/database` or `mongodb+srv://…/database`; it may be the database of the read store. */
  readonly url: string;
  /** NETWORK_BASE_URL: the prefix of network URLs in answers. */
  readonly networkBaseUrl: string;
  /** Called with lines for the log while data of an earlier version is migrated. */
  readonly onMigration?: (message: string) => void;
};

/** Opens the observed network in a MongoDB database. Rejects with `StoreUnusable` or `StoreUnavailable`. */
export async function openMongoNetwork({
  url,
  networkBaseUrl,
  onMigration = () => {},
}: OpenMongoNetwork): Promise<NetworkStore & { readonly serverKind: ServerKind }> {
  const database = await openNetworkDatabase(url, onMigration);
  const writer = mongoObservationWriter(database);
  const directory = mongoDirectory(database, networkBaseUrl);
  return {
    serverKind: database.serverKind,
    directory,
    source: observedNetwork(mongoTexts(database), mongoKeys(database, directory)),
    write: writer.write,
    arrivals: mongoArrivals(database),
    polls: mongoPolls(database),
    ingest: (chunks, options) => ingestObservations(writer, chunks, options),
    ping: () => database.read((db) => db.command({ ping: 1 }).then(() => undefined)),
    close: database.close,
  };
}
