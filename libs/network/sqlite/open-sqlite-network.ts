import { startCheckpointer } from '#sqlite/checkpointer.js';
import { ingestObservations } from '../ingest.js';
import type { NetworkStore } from '../network-store.js';
import { observedNetwork } from '../observed-network.js';
import { openNetworkDatabase } from './network-schema.js';
import { sqliteReader } from './reader.js';
import { sqliteDirectory, sqliteNetworkReads } from './sqlite-directory.js';
import { sqliteObservationWriter } from './sqlite-observation-writer.js';
import { sqliteKeys } from './sqlite-keys.js';
import { sqliteTexts } from './sqlite-texts.js';

export type OpenSqliteNetwork = {
  readonly path: string;
  /** NETWORK_BASE_URL: what emitted network URLs start with. */
  readonly networkBaseUrl: string;
  /** Called once, with a line for the log, where an earlier version's data was brought up to date. */
  readonly tell?: (message: string) => void;
};

/** Opens the observed network in an SQLite file. Rejects with `StoreUnusable` or `StoreUnavailable`. */
export async function openSqliteNetwork({
  path,
  networkBaseUrl,
  tell = () => {},
}: OpenSqliteNetwork): Promise<NetworkStore> {
  const db = await openNetworkDatabase(path, tell);
  const checkpointer = startCheckpointer({ path });
  const reader = sqliteReader(path);
  const reads = sqliteNetworkReads(db, networkBaseUrl);
  const writer = sqliteObservationWriter(db, path);
  const directory = sqliteDirectory(db, networkBaseUrl, reads, reader);
  return {
    directory,
    source: observedNetwork(sqliteTexts(db, reader), sqliteKeys(db, reader, directory)),
    ingest: (chunks, options) => ingestObservations(writer, chunks, options),
    ping: () => reader.once(() => void db.prepare('SELECT 1 FROM observation LIMIT 1').get()),
    close: async () => {
      await checkpointer.close();
      db.close();
    },
  };
}
