import {
  accessSync,
  chmodSync,
  constants,
  existsSync,
  linkSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { randomBytes } from 'node:crypto';
import { dirname, join } from 'node:path';
import { StoreUnavailable, StoreUnusable, type EventStore } from '#kernel/ports/event-store.port.js';
import type { ReadStore } from '#kernel/ports/read-store.port.js';
import { standaloneNotice } from '#mongodb/standalone-notice.js';
import type { NetworkStore } from '#network/network-store.js';
import { openSqliteNetwork, type OpenSqliteNetwork } from '#network/sqlite/open-sqlite-network.js';
import { openSqliteReadStore } from '#read-store/sqlite/open-sqlite-read-store.js';
import { sharedWriteOrder, type SharedWriteOrder } from '#read-store/sqlite/write-order.js';
import type { SecretStore } from '#kernel/ports/secret-store.port.js';
import { lazySecretStore } from '#secrets/lazy-secret-store.js';
import { openSqliteSecretStore } from '#secrets/sqlite/sqlite-secret-store.js';
import { wrapping } from '#secrets/wrapping.js';
import { fileError } from '#sqlite/file-error.js';
import { makeFolder } from '#sqlite/make-folder.js';
import { projections } from '#projections/index.js';
import type { EmbeddedFiles } from './fill-thread.js';
import { sharedCount, type SharedCount } from './gathered-events.js';
import { logUpkeep } from './log-upkeep.js';
import { openEventStore, type EmbeddedOptions } from './open-event-store.js';
import { refuseToBegin } from './read-store-claim.js';
import { InvalidSetting, SHORTEST_SECRET, type Settings } from './settings.js';
import { allSteps } from './stop-steps.js';

export type Stores = {
  readonly events: EventStore;
  readonly reads: ReadStore;
  readonly network: NetworkStore;
  /** Secrets that sign webhooks: stored with the observed network, because neither can be rebuilt. */
  readonly secrets: SecretStore;
  /** If events and read models are files: the data that a thread needs to work on them. */
  readonly embedded: (EmbeddedFiles & { readonly commitsBeside: SharedCount }) | null;
  /** The kind and the server of each store, for the operator: `read store: MongoDB (replica set)`. */
  readonly kinds: readonly string[];
  /** Notices from the opening of the stores for the operator. */
  readonly notices: readonly string[];
  /** Failing parts that affect no caller. */
  readonly degraded: () => readonly string[];
  readonly close: () => Promise<void>;
};

export type StoreOptions = Omit<EmbeddedOptions, 'onTrouble'> & {
  /** Called with a line for the log when a part of the stores begins to fail that serves no caller. */
  readonly onDegraded?: (trouble: string) => void;
  /** Called immediately with each line about a migration of a store; absent: the lines are among the notices. */
  readonly onUpgrade?: (line: string) => void;
};

/** Opens the three stores that the settings name; if one fails, the opened ones are closed again. */
export async function openStores(settings: Settings, options: StoreOptions = {}): Promise<Stores> {
  const opened: { close: () => Promise<void> }[] = [];
  const open = async <Store extends { close: () => Promise<void> }>(
    setting: string,
    opening: Promise<Store>,
  ): Promise<Store> => {
    const store = await opening.catch((error: unknown) => {
      throw named(setting, error);
    });
    opened.unshift(store);
    return store;
  };
  const close = (): Promise<void> => allSteps(opened.map((store) => () => store.close()));
  const { eventStore, readStore, networkStore, networkBaseUrl } = settings;
  const notices: string[] = [];
  try {
    makeFolders(settings);
    notices.push(...openToOthers(settings));
    const turns = sharedWriteOrder();
    const {
      onDegraded = () => {},
      onUpgrade = (line) => void notices.push(line),
      ...embeddedOptions
    } = options;
    const upkeep = logUpkeep(onDegraded);
    const reads = await open('READ_STORE_URL', openReadStore(readStore, turns, upkeep.of('read store')));
    // A missing file is created when it is opened: not next to the read models of another log.
    if (eventStore.kind === 'sqlite' && !existsSync(eventStore.path)) await refuseToBegin(reads, projections);
    const eventOptions = { ...embeddedOptions, onTrouble: upkeep.of('event store') };
    const events = await open('EVENT_STORE_URL', openEventStore(eventStore, eventOptions));
    const network = await open(
      'NETWORK_STORE_URL',
      openNetworkStore(networkStore, {
        networkBaseUrl,
        onMigration: onUpgrade,
        onTrouble: upkeep.of('network store'),
      }),
    );
    const secrets = await open('SECRETS_KEY_FILE', openSecretStore(settings));
    const kinds = [
      `event store: ${eventStore.kind === 'sqlite' ? 'SQLite' : 'EventStoreDB'}`,
      `read store: ${kindOf(reads)}`,
      `network store: ${kindOf(network)}`,
    ];
    for (const [setting, store] of Object.entries({ READ_STORE_URL: reads, NETWORK_STORE_URL: network }))
      if ('serverKind' in store && store.serverKind === 'standalone') notices.push(standaloneNotice(setting));
    const embedded =
      eventStore.kind === 'sqlite' && readStore.kind === 'sqlite'
        ? { eventsPath: eventStore.path, readsPath: readStore.path, turns, commitsBeside: sharedCount() }
        : null;
    return { events, reads, network, secrets, embedded, kinds, notices, degraded: upkeep.degraded, close };
  } catch (error) {
    await close();
    throw error;
  }
}

/** The error for the operator, with the setting that it concerns. */
function named(setting: string, error: unknown): unknown {
  if (error instanceof StoreUnavailable) {
    return new StoreUnavailable(`${setting}: ${error.message}`, error.outcome, { cause: error });
  }
  return error instanceof StoreUnusable
    ? new StoreUnusable(`${setting}: ${error.message}`, { cause: error })
    : error;
}

/** The folders of the settings, the data directory first: with servers too, because the service writes its address there. */
function makeFolders({ dataDirectory, eventStore, readStore, networkStore }: Settings): void {
  makeFolderOf('DATA_DIR', dataDirectory);
  const stores = { EVENT_STORE_URL: eventStore, READ_STORE_URL: readStore, NETWORK_STORE_URL: networkStore };
  for (const [variable, store] of Object.entries(stores))
    if (store.kind === 'sqlite') makeFolderOf(variable, dirname(store.path));
}

const OTHER_USERS = 0o077;

/**
 * A line for each folder with wider permissions than this service sets: it contains the keys and the money of
 * workspaces.
 */
function openToOthers({ dataDirectory, eventStore, readStore, networkStore }: Settings): readonly string[] {
  // Windows has no such modes.
  if (process.platform === 'win32') return [];
  const files = [eventStore, readStore, networkStore].flatMap((store) =>
    store.kind === 'sqlite' ? [store.path] : [],
  );
  return [dataDirectory, ...files]
    .filter((path) => existsSync(path) && (statSync(path).mode & OTHER_USERS) !== 0)
    .map((path) => `other users of this machine can read ${path}: run chmod go= ${path}`);
}

function makeFolderOf(variable: string, folder: string): void {
  try {
    makeFolder(folder);
    accessSync(folder, constants.W_OK | constants.X_OK);
  } catch (error) {
    const why = error instanceof Error ? `: ${error.message}` : '';
    throw new InvalidSetting(variable, `a folder that this process can create and write${why}`);
  }
}

// The clients of servers are loaded only if they are used: they would take a third of a second of every start.
async function openReadStore(
  store: Settings['readStore'],
  turns: SharedWriteOrder,
  onTrouble: (reason: string | null) => void,
): Promise<ReadStore> {
  if (store.kind === 'sqlite') return openSqliteReadStore({ ...store, turns, onTrouble });
  const { openMongoReadStore } = await import('#read-store/mongodb/open-mongo-read-store.js');
  return openMongoReadStore(store);
}

export async function openNetworkStore(
  store: Settings['networkStore'],
  options: Omit<OpenSqliteNetwork, 'path'>,
): Promise<NetworkStore> {
  if (store.kind === 'sqlite') return openSqliteNetwork({ ...options, path: store.path });
  const { openMongoNetwork } = await import('#network/mongodb/open-mongo-network.js');
  const { networkBaseUrl, onMigration } = options;
  return openMongoNetwork({
    ...store,
    networkBaseUrl,
    ...(onMigration === undefined ? {} : { onMigration }),
  });
}

/** The store of the secrets: MongoDB if the observed network is in MongoDB, else a file beside the other stores. */
export function secretsPlace({
  dataDirectory,
  networkStore,
}: Pick<Settings, 'dataDirectory' | 'networkStore'>): Settings['networkStore'] {
  return networkStore.kind === 'mongodb'
    ? networkStore
    : { kind: 'sqlite', path: join(dataDirectory, 'secrets.db') };
}

/**
 * An existing store is opened immediately: a wrong key stops the start and not the first delivery. `isBeside`: the event
 * loop of this process has opened it.
 */
export async function openSecretStore(settings: Settings, isBeside = false): Promise<SecretStore> {
  const place = secretsPlace(settings);
  const wrap = wrapping(settings.secretsKey);
  const store = lazySecretStore({
    isThere: () => place.kind === 'mongodb' || existsSync(place.path),
    async open() {
      if (place.kind === 'sqlite') return openSqliteSecretStore(place.path, wrap, isBeside);
      const { openMongoSecretStore } = await import('#secrets/mongodb/mongo-secret-store.js');
      return openMongoSecretStore(place.url, wrap);
    },
  });
  if (!isBeside) await store.get([]);
  return store;
}

function kindOf(store: object): string {
  return 'serverKind' in store ? `MongoDB (${String(store.serverKind)})` : 'SQLite';
}

const SECRET_BYTES = 32;

/** The text of a file that only its owner may read. */
function privateText(file: string): string {
  try {
    chmodSync(file, 0o600);
    return readFileSync(file, 'utf8');
  } catch (error) {
    throw fileError(error, file, 'read');
  }
}

/** The secret that signs cursors: from the settings, or created once in a file that only its owner may read. */
export function cursorSecret(settings: Settings): string {
  if (settings.cursorSecret !== null) return settings.cursorSecret;
  const file = join(settings.dataDirectory, 'cursor.secret');
  if (!existsSync(file)) {
    const draft = `${file}.${process.pid}`;
    try {
      // Flushed and created atomically by a link: no other process, and no start after a power cut, reads half a secret.
      writeFileSync(draft, randomBytes(SECRET_BYTES).toString('hex'), { mode: 0o600, flush: true });
      linkSync(draft, file);
    } catch (error) {
      // Another process of this data directory was faster: its secret is used.
      if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST'))
        throw fileError(error, file, 'written');
    } finally {
      rmSync(draft, { force: true });
    }
  }
  const secret = privateText(file).trim();
  const shortage =
    secret === ''
      ? 'is empty'
      : secret.length < SHORTEST_SECRET
        ? `has fewer than ${SHORTEST_SECRET} characters`
        : null;
  if (shortage !== null)
    throw new StoreUnusable(`${file} ${shortage}: delete it, and a new secret is generated`);
  return secret;
}
