import { WrongExpectedRevision } from '#kernel/ports/event-store.port.js';
import { eventsOf, newEvents } from '#test/support/event-stores.js';
import { sqliteEventStores, type SqliteEventStores } from '#test/support/sqlite-event-stores.js';

describe('the cached ends of streams in an SQLite event store', () => {
  let stores: SqliteEventStores;
  beforeEach(async () => {
    stores = await sqliteEventStores();
  });
  afterEach(() => stores.tearDown());

  it('are read again once another connection has written', async () => {
    const [store, other] = [await stores.open(), await stores.open()];
    await store.append('a-1', 'no-stream', newEvents(1));
    await other.append('a-1', 0n, newEvents(2));
    await expect(store.append('a-1', 0n, newEvents(1))).rejects.toMatchObject({ actual: 2n });
    expect(await store.append('a-1', 2n, newEvents(1))).toMatchObject({ revision: 3n });
    await expect(other.append('a-1', 2n, newEvents(1))).rejects.toMatchObject({ actual: 3n });
    expect((await eventsOf(other, 'a-1')).map(({ revision }) => revision)).toEqual([0n, 1n, 2n, 3n]);
  });

  it('are removed with a rollback', async () => {
    const store = await stores.open();
    const refused = [
      { stream: 'a-1', expected: 'no-stream', events: newEvents(2) },
      { stream: 'b-1', expected: 7n, events: newEvents(1) },
    ] as const;
    await expect(store.appendWhole(refused)).rejects.toBeInstanceOf(WrongExpectedRevision);
    expect(await store.append('a-1', 'no-stream', newEvents(1))).toMatchObject({ revision: 0n });
    expect(await store.append('a-1', 0n, newEvents(1))).toMatchObject({ revision: 1n });
    expect((await eventsOf(store, 'a-1')).length).toBe(2);
  });
});
