import { copyFile, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync, type DatabaseSyncInstance } from '@photostructure/sqlite';
import { indexFaults } from '#event-store/sqlite/index-faults.js';
import type { SqliteEventStore } from '#event-store/sqlite/sqlite-event-store.js';
import { INDEXED_TOGETHER } from '#event-store/sqlite/stream-index.js';
import {
  START,
  StoreUnusable,
  WrongExpectedRevision,
  type StoredEvent,
} from '#kernel/ports/event-store.port.js';
import { houseRoot } from '#test/house/house.js';
import { eventsOf, everythingAfter, idsOf, newEvent, newEvents } from '#test/support/event-stores.js';
import { sqliteEventStores, type SqliteEventStores } from '#test/support/sqlite-event-stores.js';

describe('the index of streams of an SQLite event store', () => {
  let stores: SqliteEventStores;
  let connections: DatabaseSyncInstance[] = [];
  const connection = (): DatabaseSyncInstance => {
    const db = new DatabaseSync(stores.path);
    connections.push(db);
    return db;
  };
  const counts = (db = connection()): readonly unknown[] =>
    db
      .prepare('SELECT (SELECT count(*) FROM stream_index), (SELECT count(*) FROM recent_stream_index)', {
        returnArrays: true,
      })
      .get();
  const schema = (db: DatabaseSyncInstance): readonly unknown[] =>
    db
      .prepare(
        `SELECT type, name, tbl_name, sql FROM sqlite_schema WHERE name <> 'sqlite_sequence' ORDER BY name`,
      )
      .all();
  const faults = async (): Promise<readonly unknown[]> => {
    const found: unknown[] = [];
    for await (const fault of indexFaults(stores.path)) found.push(fault);
    return found;
  };
  beforeEach(async () => {
    stores = await sqliteEventStores();
    connections = [];
  });
  afterEach(async () => {
    for (const db of connections) db.close();
    await stores.tearDown();
  });

  /** Events of three streams in turns, so that each stream has old and recent places. */
  async function fill(store: SqliteEventStore, events: number): Promise<void> {
    const ends = new Map<string, bigint>();
    for (let written = 0; written < events;) {
      const stream = `turn-${Math.floor(written / 100) % 3}`;
      const count = Math.min(100, events - written);
      const { revision } = await store.append(stream, ends.get(stream) ?? 'no-stream', newEvents(count));
      ends.set(stream, revision);
      written += count;
    }
  }
  async function expectStreamsOf(store: SqliteEventStore): Promise<void> {
    const all = await everythingAfter(store, START);
    const names = [...new Set(all.map(({ stream }) => stream))];
    const [whole, ends] = [await store.readWhole(names), await store.ends(names)];
    for (const name of names) {
      const expected = all.filter(({ stream }) => stream === name);
      const middle = BigInt(expected.length >> 1);
      expect(await eventsOf(store, name)).toEqual(expected);
      expect(await eventsOf(store, name, { direction: 'backwards' })).toEqual(expected.toReversed());
      expect(await eventsOf(store, name, { from: middle, maxCount: 1_000 })).toEqual(
        expected.slice(Number(middle), Number(middle) + 1_000),
      );
      expect(whole.get(name)).toEqual(expected);
      expect(ends.get(name)).toEqual(endOf(expected));
    }
    expect(await faults()).toEqual([]);
  }
  const endOf = (events: readonly StoredEvent[]): unknown => {
    const last = events.at(-1);
    return last === undefined ? null : { revision: last.revision, id: last.id };
  };

  it('takes the places of all recent events at once, and reads streams across both tables', async () => {
    const store = await stores.open();
    await fill(store, INDEXED_TOGETHER - 1);
    expect(counts()).toEqual([0, INDEXED_TOGETHER - 1]);
    await expectStreamsOf(store);
    await store.append('turn-last', 'no-stream', newEvents(1));
    expect(counts()).toEqual([INDEXED_TOGETHER, 0]);
    await expectStreamsOf(store);
    const [end] = await eventsOf(store, 'turn-1', { direction: 'backwards', maxCount: 1 });
    await store.append('turn-1', end?.revision ?? 'no-stream', newEvents(700));
    expect(counts()).toEqual([INDEXED_TOGETHER, 700]);
    await expectStreamsOf(store);
    await expectStreamsOf(await stores.open());
  });

  it('refuses and repeats appends by the end of the stream in either table', async () => {
    const store = await stores.open();
    const [first, second] = [newEvent(), newEvent()];
    await store.append('a-1', 'no-stream', [first]);
    await fill(store, INDEXED_TOGETHER);
    await store.append('a-1', 0n, [second]);
    expect(counts()).toEqual([INDEXED_TOGETHER + 1, 1]);
    for (const opened of [store, await stores.open()]) {
      await expect(opened.append('a-1', 0n, newEvents(1))).rejects.toBeInstanceOf(WrongExpectedRevision);
      await expect(opened.append('a-1', 'no-stream', newEvents(2))).rejects.toBeInstanceOf(
        WrongExpectedRevision,
      );
      expect(await opened.append('a-1', 'no-stream', [first, second])).toMatchObject({ revision: 1n });
      expect(await opened.append('a-1', 0n, [second])).toMatchObject({ revision: 1n });
    }
    expect(idsOf(await eventsOf(store, 'a-1'))).toEqual([first.id, second.id]);
  });

  it('leaves the places of recent events where they are if a transaction that would move them is refused', async () => {
    const store = await stores.open();
    await fill(store, INDEXED_TOGETHER - 1);
    const append = (stream: string, expected: 'no-stream' | bigint) => ({
      stream,
      expected,
      events: newEvents(1),
    });
    await expect(store.appendWhole([append('b-1', 'no-stream'), append('b-1', 7n)])).rejects.toBeInstanceOf(
      WrongExpectedRevision,
    );
    expect(counts()).toEqual([0, INDEXED_TOGETHER - 1]);
    await store.appendWhole([append('b-1', 'no-stream'), append('b-1', 0n)]);
    expect(counts()).toEqual([INDEXED_TOGETHER + 1, 0]);
    await expectStreamsOf(store);
  });

  it('is one for all connections: whoever writes the position moves the places', async () => {
    const [one, two] = [await stores.open(), await stores.open()];
    let revision: bigint | 'no-stream' = 'no-stream';
    for (let turn = 0; turn < INDEXED_TOGETHER / 128 + 1; turn += 1) {
      const store = turn % 2 === 0 ? one : two;
      ({ revision } = await store.append('both-1', revision, newEvents(64)));
      await store.append(`own-${turn}`, 'no-stream', newEvents(64));
    }
    expect(counts()).toEqual([INDEXED_TOGETHER, 128]);
    await expectStreamsOf(one);
    await expectStreamsOf(two);
  });

  it('loses the places of swept streams from both tables', async () => {
    const store = await stores.open();
    const old = (): ReturnType<typeof newEvent> => ({
      ...newEvent(),
      metadata: { recordedAt: '2026-01-01T00:00:00.000Z' },
    });
    await store.append('request-1_old', 'no-stream', [old()]);
    await fill(store, INDEXED_TOGETHER);
    await store.append('request-1_old', 0n, [old()]);
    await store.append('request-1_recent', 'no-stream', [old()]);
    await store.append('list-1_1', 'no-stream', newEvents(1));
    expect(counts()).toEqual([INDEXED_TOGETHER + 1, 3]);
    let removed = 0;
    for (let isDone = false; !isDone;) {
      const swept = await store.sweep(new Date('2026-02-01T00:00:00Z'));
      [removed, isDone] = [removed + swept.removed, swept.isDone];
    }
    expect(removed).toBe(3);
    expect(counts()).toEqual([INDEXED_TOGETHER, 1]);
    expect(await store.append('request-1_old', 'no-stream', [old()])).toMatchObject({ revision: 0n });
    await expectStreamsOf(store);
  });

  it('names events without a place and places without an event', async () => {
    const store = await stores.open();
    await store.append('c-1', 'no-stream', newEvents(4));
    await store.append('c-2', 'no-stream', newEvents(1));
    const db = connection();
    db.exec(`DELETE FROM recent_stream_index WHERE position = 2;
      UPDATE recent_stream_index SET position = 9 WHERE position = 4;
      INSERT INTO stream_index VALUES ((SELECT id FROM streams WHERE name = 'c-2'), 7, 12)`);
    expect(await faults()).toEqual([
      { kind: 'not-indexed', position: 2, stream: 'c-1', revision: 1 },
      { kind: 'not-indexed', position: 4, stream: 'c-1', revision: 3 },
      { kind: 'no-event', position: 12, stream: 'c-2', revision: 7 },
      { kind: 'no-event', position: 9, stream: 'c-1', revision: 3 },
    ]);
  });

  describe('of a file of version 1', () => {
    const golden = join(houseRoot, 'test/contract/event-store/version-1/events.db');
    const insert =
      'INSERT INTO events (stream_id, revision, type_id, id, data, metadata) VALUES (?, ?, ?, ?, ?, ?)';

    it('is kept as it is, with every event, and takes the places of new events', async () => {
      await copyFile(golden, stores.path);
      const before = connection();
      const written = before.prepare('SELECT position, id, data FROM events ORDER BY position').all();
      expect(written).toHaveLength(120);
      const [store, beside] = await Promise.all([stores.open(), stores.open()]);
      const events = await everythingAfter(store, START);
      expect(
        events.map(({ position, id, data }) => ({
          position: Number(position),
          id,
          data: JSON.stringify(data),
        })),
      ).toEqual(written);
      expect(counts()).toEqual([120, 0]);
      await expectStreamsOf(store);
      const [end] = await eventsOf(store, 'stream-3', { direction: 'backwards', maxCount: 1 });
      const appended = await beside.append('stream-3', end?.revision ?? 'no-stream', newEvents(2));
      expect(Number(appended.position)).toBe(122);
      await fill(store, INDEXED_TOGETHER);
      await expectStreamsOf(store);
      const db = connection();
      expect(db.prepare('PRAGMA integrity_check').all()).toEqual([{ integrity_check: 'ok' }]);
      const fresh = await sqliteEventStores();
      await (await fresh.open()).append('d-1', 'no-stream', newEvents(1));
      const freshDb = new DatabaseSync(fresh.path);
      expect(schema(db)).toEqual(schema(freshDb));
      freshDb.close();
      await fresh.tearDown();
    });

    it('cannot be written by a process of the version before that still runs', async () => {
      await copyFile(golden, stores.path);
      const old = connection().prepare(insert);
      await stores.open();
      expect(() => old.run(1, 99, 1, 'late', '{}', '{}')).toThrow('no such table: events');
      expect(counts()).toEqual([120, 0]);
    });

    it('is refused unchanged without its index', async () => {
      const db = connection();
      db.exec(
        `CREATE TABLE events (position INTEGER PRIMARY KEY, id TEXT); PRAGMA user_version = 1; PRAGMA application_id = ${0x73674576}`,
      );
      const bytes = await readFile(stores.path);
      await expect(stores.open()).rejects.toThrow(StoreUnusable);
      expect((await readFile(stores.path)).equals(bytes)).toBe(true);
    });
  });
});
