import { randomUUID } from 'node:crypto';
import { eventWriter } from '#event-store/sqlite/event-writer.js';
import { serializeAppend } from '#event-store/sqlite/serialized-append.js';
import { sweeper } from '#event-store/sqlite/sweep.js';
import type { SqliteEventStore } from '#event-store/sqlite/sqlite-event-store.js';
import type { ExpectedRevision, NewEvent } from '#kernel/ports/event-store.port.js';
import { placeOf } from '#sqlite/file-place.js';
import { connect } from '#sqlite/open-database.js';
import { inWriteTransaction } from '#sqlite/transaction.js';
import { eventsOf, everythingAfter, newEvents } from '#test/support/event-stores.js';
import { sqliteEventStores, type SqliteEventStores } from '#test/support/sqlite-event-stores.js';

const NOON = Date.parse('2026-06-01T12:00:00Z');
const HOUR_MS = 3_600_000;
const at = (hours: number): Date => new Date(NOON + hours * HOUR_MS);

describe('the sweep of an SQLite event store', () => {
  let stores: SqliteEventStores;
  let store: SqliteEventStore;
  beforeEach(async () => {
    stores = await sqliteEventStores();
    store = await stores.open();
  });
  afterEach(() => stores.tearDown());

  const append = (stream: string, hours: number, expected: ExpectedRevision = 'no-stream') => {
    const metadata = { recordedAt: at(hours).toISOString() };
    const event: NewEvent = { id: randomUUID(), type: 'Noted', data: {}, metadata };
    return store.append(stream, expected, [event]);
  };
  const left = async (): Promise<readonly string[]> =>
    (await everythingAfter(store, '')).map(({ stream, revision }) => `${stream}@${revision}`);
  async function sweepAll(before: Date): Promise<number> {
    for (let all = 0; ;) {
      const { removed, isDone } = await store.sweep(before);
      all += removed;
      if (isDone) return all;
    }
  }

  it('begins with the oldest stream that may be short-lived: a starting process reads no more of the log', async () => {
    const noted = (): NewEvent => ({
      id: randomUUID(),
      type: 'Noted',
      data: {},
      metadata: { recordedAt: at(0).toISOString() },
    });
    await store.append('list-1_1', 'no-stream', Array.from({ length: 2_100 }, noted));
    await append('request-1_old', 0);
    await append('batch-1_old', 0);
    await append('list-1_2', 1);
    // One step reads at most 2,000 events.
    expect(await (await stores.open()).sweep(at(25))).toEqual({ removed: 2, isDone: true });
    expect(await (await stores.open()).sweep(at(25))).toEqual({ removed: 0, isDone: true });
    await append('request-1_later', 1);
    await append('list-1_3', 1);
    expect(await sweepAll(at(25))).toBe(1);
  });

  it('removes short-lived streams completely, once nothing was appended to them for their lifetime, and nothing else', async () => {
    await append('list-1_1', 0);
    await append('request-1_old', 0);
    await append('request-operator_old', 0);
    await append('request-1_again', 0);
    await append('request-1_old', 1, 0n);
    await append('requests-1_other', 1);
    await append('request-1_again', 30, 0n);
    await append('request-12_young', 31);
    await append('list-1_1', 31, 0n);
    expect(await sweepAll(at(25))).toBe(2);
    expect(await left()).toEqual([
      'list-1_1@0',
      'request-operator_old@0',
      'request-1_again@0',
      'requests-1_other@0',
      'request-1_again@1',
      'request-12_young@0',
      'list-1_1@1',
    ]);
    expect(await sweepAll(at(25))).toBe(0);
    expect(await sweepAll(at(40))).toBe(3);
    expect(await left()).toEqual([
      'list-1_1@0',
      'request-operator_old@0',
      'requests-1_other@0',
      'list-1_1@1',
    ]);
  });

  it('keeps the end of the log, so that it is not shorter for a reader that has read up to it', async () => {
    await append('list-1_1', 0);
    await append('request-1_last', 0);
    const head = await store.head();
    expect(await sweepAll(at(100))).toBe(0);
    expect(await store.head()).toBe(head);
    await append('list-1_1', 1, 0n);
    expect(await sweepAll(at(100))).toBe(1);
  });

  it('lets a removed key be claimed again, even by a process that remembers the old one', async () => {
    await append('request-1_key', 0);
    const { position } = await append('list-1_1', 0);
    await sweepAll(at(100));
    expect(await eventsOf(store, 'request-1_key')).toEqual([]);
    await expect(append('request-1_key', 100, 0n)).rejects.toMatchObject({ actual: 'no-stream' });
    const again = await append('request-1_key', 100);
    expect(again.revision).toBe(0n);
    expect(again.position > position).toBe(true);
  });

  it('removes a bounded part in one step, and continues there', async () => {
    for (let index = 0; index < 120; index += 1) await append(`request-1_${index}`, 0);
    await append('list-1_1', 0);
    const steps: number[] = [];
    for (let isDone = false; !isDone;) {
      const step = await store.sweep(at(100));
      steps.push(step.removed);
      ({ isDone } = step);
    }
    expect(steps.reduce((sum, removed) => sum + removed, 0)).toBe(120);
    expect(Math.max(...steps)).toBeLessThan(120);
  });

  it('continues after a concurrent sweep of two processes', async () => {
    for (let index = 0; index < 80; index += 1) await append(`request-1_${index}`, 0);
    await append('list-1_1', 0);
    const other = await stores.open();
    const both = await Promise.all(
      [store, other].flatMap((one) => Array.from({ length: 4 }, () => one.sweep(at(100)))),
    );
    expect(both.reduce((sum, { removed }) => sum + removed, 0)).toBe(80);
    expect(await left()).toEqual(['list-1_1@0']);
  });

  it('leaves gaps at which the previous event counts as the last', async () => {
    const first = await append('list-1_1', 0);
    const swept = await append('request-1_key', 0);
    const last = await append('list-1_1', 0, 0n);
    await sweepAll(at(100));
    expect((await store.lastEvent(swept.position))?.position).toBe(first.position);
    expect((await store.lastEvent(last.position))?.position).toBe(last.position);
  });

  it('keeps a stream whose last event is exactly as old as the time, and says that no more is to do behind it', async () => {
    await append('request-1_old', 0);
    await append('request-1_young', 1);
    const noted = newEvents(2_100).map((event) => ({
      ...event,
      metadata: { recordedAt: at(1).toISOString() },
    }));
    await store.append('list-1_1', 'no-stream', noted);
    expect(await store.sweep(at(1))).toEqual({ removed: 1, isDone: true });
    expect(await store.sweep(at(1))).toEqual({ removed: 0, isDone: true });
    expect(await sweepAll(new Date(at(1).getTime() + 1))).toBe(1);
  });

  it('keeps a stream to which another process appends after the step has found it', async () => {
    await append('request-1_again', 0);
    await append('request-1_old', 0);
    const { position } = await append('list-1_1', 0);
    const [db, other] = [connect(stores.path, false), connect(stores.path, false)];
    const writer = eventWriter(other);
    const place = {
      ...placeOf(stores.path),
      require: () =>
        inWriteTransaction(other, () => {
          writer.begin();
          writer.write(serializeAppend('request-1_again', 0n, newEvents(1)));
          writer.end();
        }),
    };
    try {
      expect(sweeper(db, place)(at(100), Number(position))).toEqual({ removed: 1, isDone: true });
    } finally {
      db.close();
      other.close();
    }
    expect(await left()).toEqual(['request-1_again@0', 'list-1_1@0', 'request-1_again@1']);
  });

  it('removes nothing from a file that was replaced', async () => {
    await append('request-1_old', 0);
    const { position } = await append('list-1_1', 0);
    const db = connect(stores.path, false);
    const refuse = (): never => {
      throw new Error('replaced');
    };
    try {
      expect(() =>
        sweeper(db, { ...placeOf(stores.path), require: refuse })(at(100), Number(position)),
      ).toThrow('replaced');
    } finally {
      db.close();
    }
    expect(await left()).toHaveLength(2);
  });
});
