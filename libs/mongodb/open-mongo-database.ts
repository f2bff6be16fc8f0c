import {
  MongoClient,
  ReadConcern,
  WriteConcern,
  type Db,
  type MongoClientOptions,
  type ServerType,
} from 'mongodb';
import { StoreUnavailable, StoreUnusable } from '#kernel/ports/event-store.port.js';
import { shownAddress } from '#kernel/values/shown-address.js';
import { lossOf } from './lost-client.js';
import { storeError } from './store-errors.js';

/** One database of a MongoDB, as the stores use it: with the errors of the ports and the kind of the server. */
export type MongoDatabase = {
  /** Database and hosts, without credentials. */
  readonly place: string;
  /** The kind of the server at the start: `standalone`, `replica set` or `sharded cluster`. */
  readonly serverKind: ServerKind;
  readonly read: <Result>(work: (db: Db) => Promise<Result>) => Promise<Result>;
  readonly write: <Result>(work: (db: Db) => Promise<Result>) => Promise<Result>;
  /** As `write`, for operations whose duration grows with the data: no request waits for them. */
  readonly writeAtLength: <Result>(work: (db: Db) => Promise<Result>) => Promise<Result>;
  readonly close: () => Promise<void>;
};

export type ServerKind = 'standalone' | 'replica set' | 'sharded cluster';

/** Times of a store that requests wait for; a connection string may name others. */
const PATIENCE: MongoClientOptions = {
  serverSelectionTimeoutMS: 2_000,
  connectTimeoutMS: 2_000,
  heartbeatFrequencyMS: 2_000,
  maxPoolSize: 50,
};

/** Limit of one call with all its commands: an unresponsive server must not block a request without end. */
const CALL_PATIENCE_MS = 10_000;

/** Options that the stores depend on; they override the connection string. */
const PROMISES: MongoClientOptions = {
  readPreference: 'primary',
  // Documents of the stores hold text, numbers and nothing that turns into another type on the way.
  ignoreUndefined: true,
};

/**
 * Connects to the database that a connection string names.
 * Rejects with `StoreUnavailable` if no server answers, with `StoreUnusable` if the server refuses us.
 */
export async function openMongoDatabase(
  url: string,
  callPatienceMs: number = CALL_PATIENCE_MS,
): Promise<MongoDatabase> {
  const place = placeOf(url);
  let client = clientOf(url, place);
  let isLost = lossOf(client);
  let serverType: ServerType = 'Unknown';
  client.on('serverDescriptionChanged', ({ newDescription }) => {
    if (newDescription.type !== 'Unknown') serverType = newDescription.type;
  });
  let closed = false;
  const close = async (): Promise<void> => {
    closed = true;
    await client.close();
  };
  try {
    await client.connect();
    await client.db().command({ ping: 1 });
  } catch (error) {
    await close();
    throw storeError(error, place, false);
  }
  const serverKind = kindOf(serverType);
  const databaseOf = (connected: MongoClient): Db => durableDatabase(connected, serverKind);
  let db = databaseOf(client);
  /** Replaces a client that would never detect that its server is back. */
  const renew = (): void => {
    const old = client;
    client = clientOf(url, place);
    isLost = lossOf(client);
    db = databaseOf(client);
    // Pending calls on the old client fail, as its calls have for a while; nothing waits for its end.
    old.close().catch(() => undefined);
  };
  const run = async <Result>(
    work: (db: Db) => Promise<Result>,
    outcome: StoreUnavailable['outcome'],
    patienceMs: number | null,
  ): Promise<Result> => {
    if (closed) throw new StoreUnavailable(`${place} is closed`);
    try {
      return await (patienceMs === null ? work(db) : inTime(work(db), patienceMs, place, outcome));
    } catch (error) {
      const known = storeError(error, place, outcome === 'unknown');
      if (known instanceof StoreUnavailable && !closed && isLost()) renew();
      throw known;
    }
  };
  return {
    place,
    serverKind,
    read: (work) => run(work, 'nothing-written', callPatienceMs),
    write: (work) => run(work, 'unknown', callPatienceMs),
    writeAtLength: (work) => run(work, 'unknown', null),
    close,
  };
}

/**
 * The database of the connection string, with the durability of the stores. Each write is in the journal of a majority
 * before it is acknowledged: a standalone server would acknowledge writes that it only has in memory. The options of a
 * client cannot ensure this, because `journal` in a connection string has priority.
 */
export function durableDatabase(client: MongoClient, serverKind: ServerKind): Db {
  const writeConcern = new WriteConcern('majority', client.options.writeConcern?.wtimeoutMS, true);
  // A write without a majority may be rolled back: a checkpoint must never be read before its documents are safe.
  const readConcern = serverKind === 'standalone' ? {} : { readConcern: new ReadConcern('majority') };
  return client.db(undefined, { writeConcern, ...readConcern });
}

/** The driver sets no bound to a call: its own option for that has no effect. */
function inTime<Result>(
  work: Promise<Result>,
  patienceMs: number,
  place: string,
  outcome: StoreUnavailable['outcome'],
): Promise<Result> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(
      () => reject(new StoreUnavailable(`${place} did not answer within ${patienceMs} ms`, outcome)),
      patienceMs,
    );
    work.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}

function clientOf(url: string, place: string): MongoClient {
  const named = new Set(
    [...new URLSearchParams(url.split('?')[1] ?? '').keys()].map((name) => name.toLowerCase()),
  );
  const patience = Object.entries(PATIENCE).filter(([name]) => !named.has(name.toLowerCase()));
  try {
    return new MongoClient(url, { ...Object.fromEntries(patience), ...PROMISES });
  } catch (error) {
    // Not as its cause: the driver may quote the whole string.
    throw new StoreUnusable(
      `${place}: ${shownAddress(error instanceof Error ? error.message : String(error))}`,
    );
  }
}

/** `mongodb://user:secret@host:1/db?x=y` as `mongodb://host:1/db`. */
function placeOf(url: string): string {
  return url.replace(/\/\/.*@/s, '//').replace(/\?.*$/s, '');
}

function kindOf(type: ServerType): ServerKind {
  if (type === 'Mongos' || type === 'LoadBalancer') return 'sharded cluster';
  return type.startsWith('RS') ? 'replica set' : 'standalone';
}
