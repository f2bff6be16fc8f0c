import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ReadStore } from '#kernel/ports/read-store.port.js';
import { openSqliteReadStore } from '#read-store/sqlite/open-sqlite-read-store.js';
import type { ReadStorePlace } from './read-store-fixture.js';

/** A file in a folder of its own; removing it closes every connection that was opened here. */
export async function makeSqlitePlace(): Promise<ReadStorePlace & { readonly path: string }> {
  const folder = await mkdtemp(join(tmpdir(), 'read-store-'));
  const path = join(folder, 'views.db');
  const open: ReadStore[] = [];
  return {
    path,
    connect: async (nowMs = Date.now) => {
      const store = await openSqliteReadStore({ path, nowMs });
      open.push(store);
      return store;
    },
    remove: async () => {
      await Promise.all(open.map((store) => store.close()));
      await rm(folder, { recursive: true, force: true });
    },
  };
}
