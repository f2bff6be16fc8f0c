import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync, type DatabaseSyncInstance } from '@photostructure/sqlite';
import type { ReadStore, ViewShape } from '#kernel/ports/read-store.port.js';
import { openSqliteReadStore } from '#read-store/sqlite/open-sqlite-read-store.js';
import type { Sql } from '#read-store/sqlite/query-sql.js';
import { publish, type ReadStorePlace } from './read-store-fixture.js';

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

/** The steps of the plan of a query of these views, which are empty; they show what the query reads. */
export function plansOf(...views: readonly ViewShape[]): (query: Sql) => readonly string[] {
  let place: Awaited<ReturnType<typeof makeSqlitePlace>>;
  let db: DatabaseSyncInstance;
  beforeAll(async () => {
    place = await makeSqlitePlace();
    const store = await place.connect();
    for (const view of views) await publish(store, { view, generation: 1 }, []);
    db = new DatabaseSync(place.path, { readOnly: true });
  });
  afterAll(async () => {
    db.close();
    await place.remove();
  });
  return ({ text, values }) =>
    db
      .prepare(`EXPLAIN QUERY PLAN ${text}`)
      .all(...values)
      .map(({ detail }: { readonly detail: string }) => detail)
      // How the list of an IN is held in memory, which does not concern the table.
      .filter((detail: string) => !/^(LIST SUBQUERY|SCAN json_each|CREATE BLOOM FILTER)/.test(detail));
}
