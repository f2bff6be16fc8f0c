import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  openSqliteEventStore,
  type OpenSqliteEventStore,
  type SqliteEventStore,
} from '#event-store/sqlite/sqlite-event-store.js';
import type { EventStore } from '#kernel/ports/event-store.port.js';
import { late } from './late.js';

export type SqliteEventStores = {
  readonly path: string;
  readonly open: (options?: Partial<OpenSqliteEventStore>) => Promise<SqliteEventStore>;
  /** Closes every store opened here and removes the folder. */
  readonly tearDown: () => Promise<void>;
};

/** An event store file for all cases of this file or `describe`. */
export function sharedSqliteEventStores(): SqliteEventStores {
  let stores: SqliteEventStores | undefined;
  beforeAll(async () => {
    stores = await sqliteEventStores();
  });
  afterAll(() => stores?.tearDown());
  return late('the event store file', () => stores);
}

/** A store for all cases, on the file of `files` or on one of its own. */
export function sharedSqliteEventStore(files = sharedSqliteEventStores()): EventStore {
  let store: EventStore | undefined;
  beforeAll(async () => {
    store = await files.open();
  });
  return late('the event store', () => store);
}

/** An event store file in a new temporary folder. */
export async function sqliteEventStores(): Promise<SqliteEventStores> {
  const folder = await mkdtemp(join(tmpdir(), 'event-store-'));
  const path = join(folder, 'events.db');
  const opened: SqliteEventStore[] = [];
  return {
    path,
    open: async (options = {}) => {
      const store = await openSqliteEventStore({ path, ...options });
      opened.push(store);
      return store;
    },
    tearDown: async () => {
      await Promise.all(opened.map((store) => store.close()));
      await rm(folder, { recursive: true, force: true });
    },
  };
}
