import { startCheckpointer } from '#sqlite/checkpointer.js';
import { ingestObservations } from '../ingest.js';
import type { NetworkStore } from '../network-store.js';
import { openNetworkDatabase } from './network-schema.js';
import { sqliteReader } from './reader.js';
import { sqliteDirectory, sqliteNetworkReads } from './sqlite-directory.js';
import { sqliteObservationWriter } from './sqlite-observation-writer.js';
import { sqliteSource } from './sqlite-source.js';

export type OpenSqliteNetwork = {
  readonly path: string;
  /** NETWORK_BASE_URL: what emitted network URLs start with. */
  readonly networkBaseUrl: string;
};

/** Opens the observed network in an SQLite file. Rejects with `StoreUnusable` or `StoreUnavailable`. */
export async function openSqliteNetwork({ path, networkBaseUrl }: OpenSqliteNetwork): Promise<NetworkStore> {
  const db = await openNetworkDatabase(path);
  const checkpointer = startCheckpointer({ path });
  const reader = sqliteReader(path);
  const reads = sqliteNetworkReads(db, networkBaseUrl);
  const writer = sqliteObservationWriter(db, path);
  return {
    directory: sqliteDirectory(db, networkBaseUrl, reads, reader),
    source: sqliteSource(db, reads, reader),
    ingest: (chunks, options) => ingestObservations(writer, chunks, options),
    ping: () => reader.once(() => void db.prepare('SELECT 1 FROM observation LIMIT 1').get()),
    close: async () => {
      await checkpointer.close();
      db.close();
    },
  };
}
