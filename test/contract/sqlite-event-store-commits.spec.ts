import type { DatabaseSyncInstance } from '@photostructure/sqlite';
import { batchCommitter } from '#event-store/sqlite/commit-batch.js';
import { recentEvents } from '#event-store/sqlite/recent-events.js';
import { serializeAppend } from '#event-store/sqlite/serialized-append.js';
import { START, StoreUnavailable } from '#kernel/ports/event-store.port.js';
import { placeOf } from '#sqlite/file-place.js';
import { connect } from '#sqlite/open-database.js';
import { everythingAfter, newEvents } from '#test/support/event-stores.js';
import { sqliteEventStores, type SqliteEventStores } from '#test/support/sqlite-event-stores.js';

/** Primary result codes of SQLite. */
const [BUSY, IO_ERROR, FULL] = [5, 10, 13];

describe('a commit of the SQLite event store that fails', () => {
  let stores: SqliteEventStores;
  let db: DatabaseSyncInstance;
  beforeEach(async () => {
    stores = await sqliteEventStores();
    await stores.open();
    db = connect(stores.path, false);
  });
  afterEach(async () => {
    db.close();
    await stores.tearDown();
  });

  /** A committer whose connection fails once with this code at a statement, before or after it was carried out. */
  function failing(statement: string, code: number, isCarriedOut = false) {
    let isLeft = true;
    const exec = (sql: string): void => {
      const fails = sql === statement && isLeft;
      if (!fails || isCarriedOut) db.exec(sql);
      if (!fails) return;
      isLeft = false;
      throw Object.assign(new Error('failed'), { code: 'ERR_SQLITE_ERROR', errcode: code });
    };
    const faulty = new Proxy(db, {
      get(target, name) {
        if (name === 'exec') return exec;
        const member: unknown = Reflect.get(target, name, target);
        return typeof member === 'function' ? member.bind(target) : member;
      },
    });
    const refused: unknown[] = [];
    const committed: number[] = [];
    const recent = recentEvents();
    const { commit } = batchCommitter({
      db: faulty,
      path: stores.path,
      place: placeOf(stores.path),
      lockPatienceMs: 5_000,
      onCommit: (bytes) => committed.push(bytes),
      freeSpace: { refused: (error) => refused.push(error) },
      recent,
    });
    const append = serializeAppend('a-1', 'no-stream', newEvents(2));
    return { commit: () => commit([append]), refused, committed, recent };
  }
  const written = async (): Promise<number> => (await everythingAfter(await stores.open(), START)).length;

  it.each([
    ['was not carried out', false],
    ['was carried out', true],
  ])(
    'with an I/O error has an unknown outcome: its repetition is answered, and the events are there once (it %s)',
    async (_, isCarriedOut) => {
      const { commit, committed } = failing('COMMIT', IO_ERROR, isCarriedOut);
      const failure = await commit().catch((error: unknown) => error);
      expect(failure).toBeInstanceOf(StoreUnavailable);
      expect(failure).toMatchObject({ outcome: 'unknown' });
      expect([await written(), committed]).toEqual([isCarriedOut ? 2 : 0, []]);
      expect(await commit()).toEqual([expect.objectContaining({ revision: 1n })]);
      expect(await written()).toBe(2);
    },
  );

  it('with an I/O error before its end has written nothing, and so has one without room for it', async () => {
    for (const [statement, code] of [
      ['BEGIN IMMEDIATE', IO_ERROR],
      ['COMMIT', FULL],
    ] as const) {
      const { commit, refused, committed, recent } = failing(statement, code);
      const failure = await commit().catch((error: unknown) => error);
      expect(failure).toBeInstanceOf(StoreUnavailable);
      expect(failure).toMatchObject({ outcome: 'nothing-written' });
      expect([refused.length, committed, recent.after(0, 9)]).toEqual([1, [], null]);
    }
    expect(await written()).toBe(0);
  });

  it('for a lock of another connection is repeated, and writes the events once', async () => {
    const { commit, committed, recent } = failing('COMMIT', BUSY);
    expect(await commit()).toEqual([expect.objectContaining({ revision: 1n })]);
    expect([await written(), committed.length, recent.after(0, 9)?.length]).toEqual([2, 1, 2]);
  });

  it('leaves nothing to give to followers, also if another connection writes at its positions meanwhile', async () => {
    const { commit, recent } = failing('COMMIT', FULL);
    await expect(commit()).rejects.toBeInstanceOf(StoreUnavailable);
    const events = newEvents(2);
    await (await stores.open()).append('b-1', 'no-stream', events);
    await commit();
    expect(recent.after(0, 9)).toBeNull();
    expect(recent.after(2, 9)?.map(([position, stream]) => [position, stream])).toEqual([
      [3, 'a-1'],
      [4, 'a-1'],
    ]);
  });
});
