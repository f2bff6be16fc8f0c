import { DatabaseSync } from '@photostructure/sqlite';
import { START } from '#kernel/ports/event-store.port.js';
import { runScript, type Child } from '#test/support/child-process.js';
import { everythingAfter, eventsOf, idsOf, newEvents, soon } from '#test/support/event-stores.js';
import { sqliteEventStores, type SqliteEventStores } from '#test/support/sqlite-event-stores.js';

describe('one SQLite event store file and several processes', () => {
  let stores: SqliteEventStores;
  let children: Child[] = [];
  const writer = (args: readonly (string | number)[], limits?: string): Child => {
    const child = runScript('event-store-writer.js', [stores.path, ...args.map(String)], limits);
    children.push(child);
    return child;
  };
  beforeEach(async () => {
    stores = await sqliteEventStores();
    children = [];
  });
  afterEach(async () => {
    for (const child of children) child.process.kill('SIGKILL');
    await Promise.all(children.map(({ ended }) => ended));
    await stores.tearDown();
  });

  it('accepts appends of all of them, and a subscription in one sees them in order', async () => {
    const store = await stores.open();
    const stop = new AbortController();
    const seen: string[] = [];
    const reading = (async () => {
      for await (const { events } of store.subscribe({ signal: stop.signal, batchSize: 50 })) {
        seen.push(...idsOf(events));
        if (seen.length >= 400) stop.abort();
      }
    })();
    const writers = [writer(['one', 4, 50, 100]), writer(['two', 4, 50, 100])];
    const codes = await soon('both writers', Promise.all(writers.map(({ ended }) => ended)));
    expect([codes, writers.map(({ errors }) => errors())]).toEqual([
      [0, 0],
      ['', ''],
    ]);
    await soon('400 events', reading);

    expect(seen).toEqual(idsOf(await everythingAfter(store, START)));
    expect(seen.toSorted()).toEqual(writers.flatMap(({ lines }) => lines()).toSorted());
    expect((await eventsOf(store, 'two-3')).map(({ revision }) => revision)).toEqual(
      Array.from({ length: 50 }, (_, index) => BigInt(index)),
    );
  });

  it('loses no acknowledged append to kill -9, and the next process continues', async () => {
    const killed = writer(['killed', 16, 1_000_000, 300]);
    await soon('2,000 acknowledged appends', killed.printed(2_000));
    killed.process.kill('SIGKILL');
    expect(await soon('the end of the writer', killed.ended)).toBe(null);

    const store = await stores.open();
    const stored = new Set(idsOf(await everythingAfter(store, START)));
    const acknowledged = killed.lines();
    expect(acknowledged.length).toBeGreaterThanOrEqual(2_000);
    expect(acknowledged.filter((id) => !stored.has(id))).toEqual([]);
    const [last] = await eventsOf(store, 'killed-0', { direction: 'backwards', maxCount: 1 });
    await store.append('killed-0', last?.revision ?? 'no-stream', newEvents(1));
  });

  it('reports that it is unavailable if the system lets the file grow no further, and keeps acknowledged appends', async () => {
    const limited = writer(['full', 4, 1_000_000, 2_000], 'ulimit -f 2048');
    expect(await soon('the end of the writer', limited.ended)).toBe(1);
    expect(limited.errors()).toMatch(/^StoreUnavailable (nothing-written|unknown)\n$/);

    const store = await stores.open();
    const stored = new Set(idsOf(await everythingAfter(store, START)));
    expect(limited.lines().length).toBeGreaterThan(0);
    expect(limited.lines().filter((id) => !stored.has(id))).toEqual([]);
    await store.append('after-1', 'no-stream', newEvents(1));
    const db = new DatabaseSync(stores.path, { readOnly: true });
    expect(db.prepare('PRAGMA integrity_check').get()).toMatchObject({ integrity_check: 'ok' });
    db.close();
  });

  it('lets a process end without closing it', async () => {
    const leaver = runScript('event-store-leaver.js', [stores.path]);
    children.push(leaver);
    expect(await soon('the end of the process', leaver.ended)).toBe(0);
    expect([leaver.lines(), leaver.errors()]).toEqual([['checkpoints 1', 'events 50'], '']);
  });
});
