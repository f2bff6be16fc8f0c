import { copyFile, readFile, rm, stat, symlink, truncate, writeFile } from 'node:fs/promises';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { DatabaseSync, type DatabaseSyncInstance } from '@photostructure/sqlite';
import { EVENT_STORE_APPLICATION_ID } from '#event-store/sqlite/schema.js';
import {
  START,
  StoreUnavailable,
  StoreUnusable,
  WrongExpectedRevision,
} from '#kernel/ports/event-store.port.js';
import { BUSY_TIMEOUT_MS } from '#sqlite/busy.js';
import { startCheckpointer } from '#sqlite/checkpointer.js';
import { openDatabase } from '#sqlite/open-database.js';
import {
  batchesOf,
  eventsOf,
  everythingAfter,
  idsOf,
  newEvent,
  newEvents,
  soon,
} from '#test/support/event-stores.js';
import { sqliteEventStores, type SqliteEventStores } from '#test/support/sqlite-event-stores.js';

describe('the SQLite event store and its file', () => {
  let stores: SqliteEventStores;
  let connections: DatabaseSyncInstance[] = [];
  const connection = (): DatabaseSyncInstance => {
    const db = new DatabaseSync(stores.path, { timeout: 0 });
    connections.push(db);
    return db;
  };
  const numberOf = (db: DatabaseSyncInstance, sql: string): number =>
    Object.values(db.prepare(sql).get()).map(Number)[0] ?? NaN;
  beforeEach(async () => {
    stores = await sqliteEventStores();
    connections = [];
  });
  afterEach(async () => {
    for (const db of connections) if (db.isOpen) db.close();
    await stores.tearDown();
  });

  describe('commits', () => {
    /** A store, and the number of its transactions so far. */
    async function counted() {
      let transactions = 0;
      const store = await stores.open({ onCommitted: () => (transactions += 1) });
      return { store, transactions: () => transactions };
    }

    it('commits before it acknowledges: another connection counts the event at that moment', async () => {
      const store = await stores.open();
      const db = connection();
      const counts = await Promise.all(
        Array.from({ length: 20 }, async (_, index) => {
          const event = newEvent();
          await store.append(`commit-${index}`, 'no-stream', [event]);
          return numberOf(db, `SELECT count(*) FROM recorded_events WHERE id = '${event.id}'`);
        }),
      );
      expect(counts).toEqual(counts.map(() => 1));
    });

    it('commits everything that one turn of the event loop sends in one transaction', async () => {
      const { store, transactions } = await counted();
      await Promise.all(
        Array.from({ length: 64 }, (_, index) => store.append(`turn-${index}`, 'no-stream', newEvents(2))),
      );
      expect(transactions()).toBe(1);
    });

    it('refuses only the append whose own expectation fails, in the same transaction', async () => {
      const { store, transactions } = await counted();
      const outcomes = await Promise.allSettled([
        store.append('a-1', 'no-stream', newEvents(1)),
        store.append('a-1', 'no-stream', newEvents(1)),
        store.append('a-1', 0n, newEvents(1)),
        store.append('b-1', 3n, newEvents(1)),
        store.append('c-1', 'no-stream', newEvents(1)),
      ]);
      expect(outcomes.map(({ status }) => status === 'fulfilled')).toEqual([true, false, true, false, true]);
      expect(transactions()).toBe(1);
    });

    it('limits a transaction in appends and in bytes', async () => {
      const { store, transactions } = await counted();
      await Promise.all(
        Array.from({ length: 600 }, (_, index) => store.append(`many-${index}`, 'no-stream', newEvents(1))),
      );
      expect(transactions()).toBe(2);
      const large = () => [newEvent('Noted', { text: 'x'.repeat(500_000) })];
      await Promise.all(
        Array.from({ length: 6 }, (_, index) => store.append(`large-${index}`, 'no-stream', large())),
      );
      expect(transactions()).toBe(4);
    });

    it('numbers positions without a gap, with or without refused appends in between', async () => {
      const store = await stores.open();
      for (let turn = 0; turn < 5; turn += 1) {
        await store.append(`gap-${turn}`, 'no-stream', newEvents(2));
        await expect(store.append(`gap-${turn}`, 9n, newEvents(2))).rejects.toBeInstanceOf(
          WrongExpectedRevision,
        );
      }
      const positions = (await everythingAfter(store, START)).map(({ position }) => Number(position));
      expect(positions).toEqual(positions.map((_, index) => index + 1));
    });
  });

  describe('settings', () => {
    it('leaves an empty write-ahead log when it is closed, so that a copy of the file alone is a complete backup', async () => {
      const store = await stores.open();
      await store.append('kept-1', 'no-stream', newEvents(3));
      expect((await stat(`${stores.path}-wal`)).size).toBeGreaterThan(0);
      await store.close();
      const log = await stat(`${stores.path}-wal`).catch(() => ({ size: 0 }));
      expect(log.size).toBe(0);
    });

    it('opens for durable commits that never checkpoint and wait for a lock at most 20 ms', async () => {
      const db = await openDatabase({
        path: stores.path,
        applicationId: 1,
        schemaVersion: 1,
        migrate: (created) => created.exec('CREATE TABLE things (id INTEGER PRIMARY KEY)'),
        synchronous: 'FULL',
      });
      connections.push(db);
      expect(db.prepare('PRAGMA journal_mode').get()).toEqual({ journal_mode: 'wal' });
      expect(numberOf(db, 'PRAGMA synchronous')).toBe(2);
      expect(numberOf(db, 'PRAGMA wal_autocheckpoint')).toBe(0);
      expect(numberOf(db, 'PRAGMA busy_timeout')).toBe(BUSY_TIMEOUT_MS);
      expect(BUSY_TIMEOUT_MS).toBeLessThanOrEqual(20);
    });

    it('indexes integers and no event id', async () => {
      await stores.open();
      const db = connection();
      expect(db.prepare(`SELECT name FROM pragma_index_list('recorded_events')`).all()).toEqual([]);
      for (const index of ['stream_index', 'recent_stream_index']) {
        const columns = db.prepare(`SELECT name, type FROM pragma_table_info('${index}')`).all();
        expect(columns.map(({ name, type }) => `${name} ${type}`)).toEqual([
          'stream_id INTEGER',
          'revision INTEGER',
          'position INTEGER',
        ]);
      }
      expect(numberOf(db, 'PRAGMA application_id')).toBe(EVENT_STORE_APPLICATION_ID);
    });

    it('creates one store in one file if several open it at the same time', async () => {
      const opened = await Promise.all([stores.open(), stores.open(), stores.open(), stores.open()]);
      await Promise.all(
        opened.map((store, index) => store.append(`open-${index}`, 'no-stream', newEvents(1))),
      );
      expect(await everythingAfter(await stores.open(), START)).toHaveLength(4);
    });

    it('reads a bounded number of events at a time in search of rare types', async () => {
      const store = await stores.open();
      for (let turn = 0; turn < 12; turn += 1) await store.append(`s-${turn}`, 'no-stream', newEvents(1_000));
      const batches = await batchesOf(store.readAll({ types: ['Never'] }));
      expect(batches.map(({ position }) => Number(position))).toEqual([5_000, 10_000, 12_000]);
    });

    it('copies the write-ahead log into the file on its own thread, which ends when it is closed', async () => {
      const store = await stores.open();
      await store.append('log-1', 'no-stream', newEvents(1_000));
      const before = await stat(stores.path);
      const checkpointer = startCheckpointer({ path: stores.path, checkpointAtBytes: 1 });
      await checkpointer.check();
      expect(checkpointer.copies()).toBe(1);
      expect((await stat(stores.path)).size).toBeGreaterThan(before.size);
      await checkpointer.check();
      expect(checkpointer.copies()).toBe(1);
      await checkpointer.close();
      expect(process.getActiveResourcesInfo()).not.toContain('MessagePort');
    });

    it('checks a write-ahead log again soon after it has copied it', async () => {
      const store = await stores.open();
      const checkpointer = startCheckpointer({
        path: stores.path,
        intervalMs: 3_600_000,
        checkpointAtBytes: 1,
      });
      await store.append('log-1', 'no-stream', newEvents(1));
      await checkpointer.check();
      expect(checkpointer.copies()).toBe(1);
      await store.append('log-2', 'no-stream', newEvents(1));
      while (checkpointer.copies() < 2) await nextTurn();
      await checkpointer.close();
      expect(checkpointer.copies()).toBe(2);
    });

    it('checks a write-ahead log with few writes less and less often, until it grows', async () => {
      const store = await stores.open();
      await store.append('log-1', 'no-stream', newEvents(5_000));
      const { size } = await stat(`${stores.path}-wal`);
      const checkpointer = startCheckpointer({
        path: stores.path,
        intervalMs: 3_600_000,
        checkpointAtBytes: size,
        keptBytes: 1 << 30,
      });
      let written = 0;
      const checkpointsAfter = async (looks: number): Promise<number> => {
        for (let look = 0; look < looks; look += 1) {
          await store.append(`hardly-${(written += 1)}`, 'no-stream', newEvents(1));
          await checkpointer.check();
        }
        return checkpointer.copies();
      };
      // Much had been written, so the next check is done as well, and finds little.
      await checkpointer.check();
      expect(checkpointer.copies()).toBe(1);
      expect(await checkpointsAfter(1)).toBe(2);
      expect([await checkpointsAfter(1), await checkpointsAfter(1)]).toEqual([2, 3]);
      expect([await checkpointsAfter(2), await checkpointsAfter(1)]).toEqual([3, 4]);
      expect([await checkpointsAfter(4), await checkpointsAfter(1)]).toEqual([4, 5]);
      await store.append('log-2', 'no-stream', newEvents(8_000));
      expect((await stat(`${stores.path}-wal`)).size).toBeGreaterThan(size);
      await checkpointer.check();
      expect(checkpointer.copies()).toBe(6);
      expect(await checkpointsAfter(1)).toBe(7);
      await checkpointer.close();
    });

    it('truncates a write-ahead log that has grown large', async () => {
      const store = await stores.open();
      await store.append('log-1', 'no-stream', newEvents(1_000));
      const checkpointer = startCheckpointer({ path: stores.path, checkpointAtBytes: 1, truncateAtBytes: 1 });
      await checkpointer.check();
      await checkpointer.close();
      expect((await stat(`${stores.path}-wal`)).size).toBe(0);
      expect(await eventsOf(store, 'log-1')).toHaveLength(1_000);
    });
  });

  describe('a preallocated write-ahead log', () => {
    const logBytes = async (): Promise<number> => (await stat(`${stores.path}-wal`)).size;
    const afterCommits = async (commits: number, keptBytes: number): Promise<void> => {
      const checkpointer = startCheckpointer({ path: stores.path, keptBytes });
      for (let commit = 0; commit < commits; commit += 1) await checkpointer.committed(1);
      await checkpointer.close();
    };

    it('grows fourfold once it is written repeatedly, and is then reused', async () => {
      const store = await stores.open();
      await store.append('log-1', 'no-stream', newEvents(100));
      const written = await logBytes();
      await afterCommits(63, 16 << 20);
      expect(await logBytes()).toBe(written);
      await afterCommits(64, 16 << 20);
      expect(await logBytes()).toBe(4 * written);
      await store.append('log-2', 'no-stream', newEvents(100));
      expect(await logBytes()).toBe(4 * written);
      const found = connection().prepare('SELECT count(*) AS events FROM recorded_events').get();
      expect(found).toEqual({ events: 200 });
    });

    it('grows no further while it has room, nor above its maximum', async () => {
      const store = await stores.open();
      await store.append('log-1', 'no-stream', newEvents(100));
      const written = await logBytes();
      await afterCommits(200, 16 << 20);
      expect(await logBytes()).toBe(4 * written);
      await afterCommits(200, 4 * written + 1);
      expect(await logBytes()).toBe(4 * written + 1);
    });

    it('is copied at once when half of its maximum is written, and begins again', async () => {
      const store = await stores.open();
      await store.append('log-1', 'no-stream', newEvents(100));
      const path = stores.path;
      const checkpointer = startCheckpointer({ path, keptBytes: 1_000, checkpointAtBytes: 1 });
      await checkpointer.committed(499);
      expect(checkpointer.copies()).toBe(0);
      await checkpointer.committed(1);
      expect(checkpointer.copies()).toBe(1);
      const written = await logBytes();
      await store.append('log-2', 'no-stream', newEvents(50));
      expect(await logBytes()).toBe(written);
      await checkpointer.committed(499);
      expect(checkpointer.copies()).toBe(1);
      await checkpointer.close();
    });

    it('is read to the last commit after a crash, whatever follows it', async () => {
      const store = await stores.open();
      await store.append('log-1', 'no-stream', newEvents(100));
      await afterCommits(64, 16 << 20);
      await store.append('log-2', 'no-stream', newEvents(1));
      const crashed = `${stores.path}-crashed`;
      for (const end of ['', '-wal']) await copyFile(`${stores.path}${end}`, `${crashed}${end}`);
      const reopened = await stores.open({ path: crashed });
      expect(await everythingAfter(reopened, START)).toHaveLength(101);
      expect(await reopened.append('log-2', 0n, newEvents(1))).toMatchObject({ revision: 1n });
    });

    it('grows with the writes while it cannot be preallocated', async () => {
      const store = await stores.open();
      await store.append('log-1', 'no-stream', newEvents(100));
      const checkpointer = startCheckpointer({ path: stores.path, keptBytes: 16 << 20 });
      const db = connection();
      db.exec('BEGIN IMMEDIATE');
      const written = await logBytes();
      for (let commit = 0; commit < 64; commit += 1) await checkpointer.committed(1);
      expect(await logBytes()).toBe(written);
      db.exec('ROLLBACK');
      await checkpointer.close();
      await store.append('log-2', 'no-stream', newEvents(100));
      expect(await everythingAfter(store, START)).toHaveLength(200);
    });
  });

  describe('a write-ahead log that cannot be checked or copied', () => {
    const checkpointer = (path: string, reported: (string | null)[]) =>
      startCheckpointer({
        path,
        intervalMs: 3_600_000,
        checkpointAtBytes: 1,
        keptBytes: 1 << 20,
        onTrouble: (reason) => reported.push(reason),
      });

    it('ends nothing if the system cannot report its size: reported once, checked again', async () => {
      const path = `${stores.path}-unreadable`;
      // A link to itself exists and cannot be followed.
      await symlink(`${path}-wal`, `${path}-wal`);
      const reported: (string | null)[] = [];
      const keeper = checkpointer(path, reported);
      await keeper.check();
      await keeper.check();
      for (let commit = 0; commit < 64; commit += 1) await keeper.committed(1);
      expect(reported).toEqual([expect.stringContaining('ELOOP')]);
      expect(keeper.copies()).toBe(0);
      await rm(`${path}-wal`);
      await keeper.check();
      expect(reported).toEqual([expect.stringContaining('ELOOP'), null]);
      await keeper.close();
    });

    it('ends nothing if its thread cannot start: reported once, started again at the next check', async () => {
      const store = await stores.open();
      await store.append('log-1', 'no-stream', newEvents(10));
      const path = `${stores.path}-unopened`;
      await writeFile(path, 'no database'.padEnd(4096));
      const reported: (string | null)[] = [];
      const keeper = checkpointer(path, reported);
      for (let look = 0; look < 2; look += 1) {
        // SQLite removes the write-ahead log of a file that is no database.
        await writeFile(`${path}-wal`, 'more than nothing');
        await keeper.check();
      }
      expect(reported).toEqual([expect.stringContaining('not a database')]);
      // Overwritten and not replaced: the checkpointer opens only the file that it was started on, and a new file has
      // the inode of a removed one only if no other file was created in between.
      for (const end of ['', '-wal'])
        await writeFile(`${path}${end}`, await readFile(`${stores.path}${end}`));
      await keeper.check();
      expect(reported.at(1)).toBeNull();
      expect(keeper.copies()).toBe(1);
      await keeper.close();
    });
  });

  describe('a locked file', () => {
    it('waits for the lock without blocking the event loop, then writes', async () => {
      const store = await stores.open();
      const db = connection();
      db.exec('BEGIN IMMEDIATE');
      let settled = false;
      const append = store.append('lock-1', 'no-stream', newEvents(1)).finally(() => (settled = true));
      for (let turn = 0; turn < 200; turn += 1) await new Promise((resolve) => setImmediate(resolve));
      expect(settled).toBe(false);
      db.exec('ROLLBACK');
      expect(await soon('the append', append)).toMatchObject({ revision: 0n });
    });

    it('reports that it is unavailable and nothing was written after its timeout', async () => {
      const store = await stores.open({ lockPatienceMs: 1 });
      const db = connection();
      db.exec('BEGIN IMMEDIATE');
      const refusal = await store
        .append('lock-1', 'no-stream', newEvents(1))
        .catch((error: unknown) => error);
      expect(refusal).toBeInstanceOf(StoreUnavailable);
      expect(refusal).toMatchObject({
        outcome: 'nothing-written',
        message: expect.stringContaining(stores.path),
      });
      expect(await everythingAfter(store, START)).toEqual([]);
      db.exec('ROLLBACK');
      await store.append('lock-1', 'no-stream', newEvents(1));
    });

    it('is not opened while another process holds an exclusive lock', async () => {
      const db = connection();
      db.exec('PRAGMA locking_mode = EXCLUSIVE; CREATE TABLE held (id INTEGER); DROP TABLE held');
      await expect(stores.open({ lockPatienceMs: 1 })).rejects.toBeInstanceOf(StoreUnavailable);
      db.close();
      expect(await (await stores.open()).head()).toBe(START);
    });
  });

  describe('a full disk', () => {
    it('is unavailable with nothing written, can be read, and is written again when there is room', async () => {
      await (await stores.open()).append('full-1', 'no-stream', newEvents(1));
      const db = connection();
      db.exec('CREATE TABLE ballast AS SELECT zeroblob(1000000) AS weight');
      const store = await stores.open({ maxPages: numberOf(db, 'PRAGMA page_count') });
      await expect(store.requireSpace()).rejects.toThrow(
        /has no room to grow: it has reached its size limit/,
      );
      const events = [newEvent('Noted', { text: 'x'.repeat(100_000) })];
      const refusal = await Promise.allSettled([
        store.append('full-2', 'no-stream', newEvents(1, 'FirstOfItsType')),
        store.append('full-1', 0n, events),
      ]);
      for (const outcome of refusal) {
        expect(outcome).toMatchObject({
          status: 'rejected',
          reason: { name: StoreUnavailable.name, outcome: 'nothing-written' },
        });
      }
      expect(await everythingAfter(store, START)).toHaveLength(1);

      db.exec('DROP TABLE ballast');
      await store.requireSpace();
      expect(await store.append('full-1', 0n, events)).toMatchObject({ revision: 1n });
      await store.append('full-2', 'no-stream', newEvents(1, 'FirstOfItsType'));
      const all = await everythingAfter(store, START);
      expect(all.map(({ position, type }) => [Number(position), type])).toEqual([
        [1, 'Noted'],
        [2, 'Noted'],
        [3, 'FirstOfItsType'],
      ]);
    });
  });

  describe('a file that is not one of our stores', () => {
    const isRefusedUnchanged = async (reason: RegExp): Promise<void> => {
      const before = await readFile(stores.path);
      const refusal = await stores.open().catch((error: unknown) => error);
      expect(refusal).toBeInstanceOf(StoreUnusable);
      expect(refusal).toMatchObject({ message: expect.stringMatching(reason) });
      expect(refusal).toMatchObject({ message: expect.stringContaining(stores.path) });
      expect((await readFile(stores.path)).equals(before)).toBe(true);
    };

    it('is refused if it is no database, and left unchanged', async () => {
      await writeFile(stores.path, 'a text of some length, which is no database\n'.repeat(100));
      await isRefusedUnchanged(/is not an SQLite database/);
    });

    it('is refused if its header is truncated', async () => {
      await writeFile(stores.path, 'SQLite format 3\0');
      await isRefusedUnchanged(/is not an SQLite database/);
    });

    it('is refused if another application wrote it, and left unchanged', async () => {
      connection().exec(
        'PRAGMA application_id = 77; PRAGMA user_version = 1; CREATE TABLE notes (id INTEGER)',
      );
      await isRefusedUnchanged(/of another application/);
    });

    it('is refused if it has tables without an application id, in either journal mode', async () => {
      const db = connection();
      db.exec('CREATE TABLE notes (id INTEGER)');
      await isRefusedUnchanged(/of another application/);
      db.exec('PRAGMA journal_mode = WAL; INSERT INTO notes VALUES (1)');
      await isRefusedUnchanged(/of another application/);
    });

    it('is refused if a newer version wrote it, and left unchanged', async () => {
      await (await stores.open()).close();
      const db = connection();
      db.exec('PRAGMA user_version = 999; PRAGMA wal_checkpoint(TRUNCATE)');
      await isRefusedUnchanged(/newer version .*999/);
    });

    const damage = async (from: number): Promise<void> => {
      const store = await stores.open();
      for (let turn = 0; turn < 5; turn += 1) await store.append(`d-${turn}`, 'no-stream', newEvents(800));
      await store.close();
      connection().exec('PRAGMA wal_checkpoint(TRUNCATE)');
      const bytes = await readFile(stores.path);
      await writeFile(stores.path, bytes.fill(0xee, from));
    };

    it('is refused if it is damaged, naming it', async () => {
      await damage(4096);
      await isRefusedUnchanged(/is damaged/);
    });

    it('is refused if its end is missing', async () => {
      await damage(1 << 30);
      await truncate(stores.path, 8192);
      await isRefusedUnchanged(/is damaged/);
    });

    it('ends a read that meets damage, naming the file', async () => {
      const store = await stores.open();
      await store.append('d-1', 'no-stream', newEvents(3));
      connection().exec(`UPDATE recorded_events SET data = '{"cut' WHERE revision = 1`);
      const refusal = await eventsOf(store, 'd-1').catch((error: unknown) => error);
      expect(refusal).toBeInstanceOf(StoreUnusable);
      expect(refusal).toMatchObject({ message: expect.stringContaining('event 1 of d-1') });
    });

    it('is a new store if it is empty, and created with its folder if it is missing', async () => {
      await writeFile(stores.path, '');
      await (await stores.open()).append('new-1', 'no-stream', newEvents(1));
      const deeper = await stores.open({ path: `${stores.path}-folder/deeper/events.db` });
      expect(idsOf(await everythingAfter(deeper, START))).toEqual([]);
    });

    it('is unavailable if it cannot be opened', async () => {
      await expect(stores.open({ path: '/proc/nowhere/events.db' })).rejects.toBeInstanceOf(StoreUnavailable);
      await expect(stores.open({ path: '/dev' })).rejects.toBeInstanceOf(StoreUnavailable);
    });
  });
});
