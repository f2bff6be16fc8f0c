import { copyNetwork, type NetworkCopyProgress, type NetworkCopyResult } from '#network/copy-network.js';
import type { NetworkCopyEnd } from '#network/network-record.js';
import { NETWORK_FILE } from '#network/sqlite/network-schema.js';
import { openSqliteNetworkEnd } from '#network/sqlite/sqlite-network-end.js';
import { copySecrets, type KeptSecrets, type SecretsCopy } from '#secrets/copy-secrets.js';
import { openSqliteKeptSecrets, SECRETS_FILE } from '#secrets/sqlite/sqlite-secret-store.js';
import { readStoreHeader } from '#sqlite/file-header.js';
import { requireTwoStores } from './copy-store.js';
import { requireFile } from './open-event-store.js';
import type { MongoUrl, StoreUrl } from './settings.js';
import { whileOpen, type Closable } from './while-open.js';

type Place = StoreUrl | MongoUrl;

/** The kinds of stored data that cannot be rebuilt. */
export type HeldIn = 'events' | 'network' | 'secrets';

/**
 * The kind of data in an SQLite file, by its header; a file of another program counts as events. `option` is the option that named
 * the file. Throws `InvalidSetting` if the file does not exist.
 */
export async function heldIn(option: string, path: string): Promise<HeldIn> {
  requireFile(option, path);
  const header = await readStoreHeader(path);
  if (header.kind !== 'sqlite') return 'events';
  if (header.applicationId === NETWORK_FILE) return 'network';
  return header.applicationId === SECRETS_FILE ? 'secrets' : 'events';
}

/** Copies an observed network, see `copyNetwork`. Throws `InvalidSetting` for addresses that cannot be intended. */
export function copyNetworkStore(
  from: Place,
  to: Place,
  onMigration: (message: string) => void,
  onProgress?: (progress: NetworkCopyProgress) => void,
): Promise<NetworkCopyResult> {
  return between(
    from,
    to,
    (place) => openNetworkEnd(place, onMigration),
    (source, destination) => copyNetwork(source, destination, onProgress),
  );
}

/** Copies the signing secrets of webhooks, see `copySecrets`. Throws as `copyNetworkStore`. */
export function copySecretStore(from: Place, to: Place): Promise<SecretsCopy> {
  return between(from, to, openKeptSecrets, copySecrets);
}

export async function openNetworkEnd(
  place: Place,
  onMigration: (message: string) => void,
): Promise<NetworkCopyEnd & Closable> {
  if (place.kind === 'sqlite') return openSqliteNetworkEnd(place.path, onMigration);
  const { openMongoNetworkEnd } = await import('#network/mongodb/mongo-network-end.js');
  return openMongoNetworkEnd(place.url, onMigration);
}

export async function openKeptSecrets(place: Place): Promise<KeptSecrets> {
  if (place.kind === 'sqlite') return openSqliteKeptSecrets(place.path);
  const { openMongoKeptSecrets } = await import('#secrets/mongodb/mongo-secret-store.js');
  return openMongoKeptSecrets(place.url);
}

/** Opens both ends, and closes them again. */
async function between<End extends Closable, Result>(
  from: Place,
  to: Place,
  open: (place: Place) => Promise<End>,
  work: (source: End, destination: End) => Promise<Result>,
): Promise<Result> {
  requireTwoStores(from, to);
  return whileOpen(
    () => open(from),
    (source) =>
      whileOpen(
        () => open(to),
        (destination) => work(source, destination),
      ),
  );
}
