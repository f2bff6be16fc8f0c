import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  openSqliteEventStore,
  type OpenSqliteEventStore,
  type SqliteEventStore,
} from '#event-store/sqlite/sqlite-event-store.js';

export type SqliteEventStores = {
  readonly path: string;
  readonly open: (options?: Partial<OpenSqliteEventStore>) => Promise<SqliteEventStore>;
  /** Closes every store opened here and removes the folder. */
  readonly tearDown: () => Promise<void>;
};

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
