import { startCheckpointer } from '#sqlite/checkpointer.js';
import { closeWithEmptyLog } from '#sqlite/empty-log.js';
import { placeOf } from '#sqlite/file-place.js';
import { ingestObservations } from '../ingest.js';
import type { NetworkStore } from '../network-store.js';
import { observedNetwork } from '../observed-network.js';
import { openNetworkDatabase } from './network-schema.js';
import { sqliteArrivals } from './sqlite-arrivals.js';
import { sqliteReader } from './reader.js';
import { sqliteDirectory } from './sqlite-directory.js';
import { sqliteObservationWriter } from './sqlite-observation-writer.js';
import { sqliteKeys } from './sqlite-keys.js';
import { sqlitePolls } from './sqlite-polls.js';
import { sqliteTexts } from './sqlite-texts.js';

export type OpenSqliteNetwork = {
  readonly path: string;
  /** NETWORK_BASE_URL: the prefix of network URLs in answers. */
  readonly networkBaseUrl: string;
  /** Called with lines for the log while data of an earlier version is migrated. */
  readonly onMigration?: (message: string) => void;
  /**
   * Called with the reason if the write-ahead log of the file cannot be maintained, and with null when it can again.
   */
  readonly onTrouble?: (reason: string | null) => void;
  /** Another connection of this process has the file open and checkpoints its log. */
  readonly isBeside?: boolean;
};

/** Opens the observed network in an SQLite file. Rejects with `StoreUnusable` or `StoreUnavailable`. */
export async function openSqliteNetwork({
  path,
  networkBaseUrl,
  onMigration = () => {},
  onTrouble,
  isBeside = false,
}: OpenSqliteNetwork): Promise<NetworkStore> {
  const db = await openNetworkDatabase(path, onMigration, isBeside);
  const place = placeOf(path);
  const checkpointer = isBeside ? null : startCheckpointer({ path, onTrouble });
  const reader = sqliteReader(path);
  const writer = sqliteObservationWriter(db, path, place);
  const directory = sqliteDirectory(db, networkBaseUrl, reader);
  return {
    directory,
    source: observedNetwork(sqliteTexts(db, reader), sqliteKeys(db, reader, directory)),
    write: writer.write,
    arrivals: sqliteArrivals(db, reader),
    polls: sqlitePolls(db, path),
    ingest: (chunks, options) => ingestObservations(writer, chunks, options),
    ping: () =>
      reader.once(() => {
        place.require();
        db.prepare('SELECT 1 FROM observation LIMIT 1').get();
      }),
    close: async () => {
      await checkpointer?.close();
      // A connection of a worker thread may stay open longer, so that closing this one does not empty the log.
      if (isBeside) db.close();
      else closeWithEmptyLog(db, path);
    },
  };
}
