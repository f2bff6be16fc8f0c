import { createIds } from '#kernel/commands/ids.js';
import { runScript } from '../support/child-process.js';
import { faultyEventStore, type AppendFault } from '../support/faulty-event-store.js';
import { seededRandom } from '../support/seeded-random.js';
import { sharedSqliteEventStore, sharedSqliteEventStores } from '../support/sqlite-event-stores.js';
import { NOON } from './tally.js';

const FAULTS: readonly AppendFault[] = ['unavailable', 'lost acknowledgement', 'lost request'];

const files = sharedSqliteEventStores();
const store = sharedSqliteEventStore(files);

function expectDistinct(ids: readonly number[], count: number): void {
  expect(ids).toHaveLength(count);
  expect(new Set(ids).size).toBe(count);
  for (const id of ids) expect(Number.isInteger(id) && id >= 1).toBe(true);
}

describe('ids', () => {
  it('are distinct for concurrent callers of several allocators, in any amounts', async () => {
    const random = seededRandom(7);
    const allocators = [store, await files.open(), await files.open()].map((opened) =>
      createIds(opened, NOON),
    );
    const asked = Array.from({ length: 150 }, (_, index) => ({
      ids: allocators[index % allocators.length],
      count: Math.floor(random() * 60),
    }));
    const given = await Promise.all(asked.map(({ ids, count }) => ids?.nextMany('movement', count) ?? []));
    expect(given.map(({ length }) => length)).toEqual(asked.map(({ count }) => count));
    expectDistinct(
      given.flat(),
      asked.reduce((sum, { count }) => sum + count, 0),
    );
  });

  it('start at 1 and form a separate sequence for each kind', async () => {
    const ids = createIds(store, NOON);
    expect(await Promise.all([ids.next('lead'), ids.next('lead'), ids.next('company')])).toEqual([1, 2, 1]);
  });

  it('are also given in numbers larger than a block', async () => {
    expectDistinct(await createIds(store, NOON).nextMany('content', 12_345), 12_345);
  });

  it('are distinct while the store fails and loses acknowledgements', async () => {
    const random = seededRandom(11);
    const allocators = Array.from({ length: 3 }, () =>
      createIds(
        faultyEventStore(store, {
          faultOf: () => (random() < 0.5 ? (FAULTS[Math.floor(random() * FAULTS.length)] ?? null) : null),
        }),
        NOON,
      ),
    );
    const given = await Promise.all(
      Array.from({ length: 90 }, (_, index) => allocators[index % 3]?.nextMany('detection', 25) ?? []),
    );
    expectDistinct(given.flat(), 90 * 25);
  });

  it('are given by a process that was paused within a reservation, while another one reserved', async () => {
    const now = performance.now.bind(performance);
    let pausedMs = 0;
    const clock = jest.spyOn(performance, 'now').mockImplementation(() => now() + pausedMs);
    const other = createIds(store, NOON);
    const paused: typeof store = {
      ...store,
      async append(...asked) {
        if (pausedMs === 0) {
          pausedMs = 60_000;
          await other.next('cap');
        }
        return store.append(...asked);
      },
    };
    expectDistinct([await createIds(paused, NOON).next('cap'), await other.next('cap')], 2);
    clock.mockRestore();
  });

  it('are refused as by a store that is unavailable while other processes are always faster', async () => {
    const other = createIds(store, NOON);
    const slow: typeof store = {
      ...store,
      async append(...asked) {
        await other.nextMany('source', 5_000);
        return store.append(...asked);
      },
    };
    const given = createIds(slow, NOON).next('source');
    await expect(given).rejects.toMatchObject({ name: 'StoreUnavailable', outcome: 'nothing-written' });
  });

  it('are distinct across operating system processes', async () => {
    const children = Array.from({ length: 3 }, () => runScript('id-taker.js', [files.path, '20', '37']));
    const codes = await Promise.all(children.map(({ ended }) => ended));
    expect(codes).toEqual([0, 0, 0]);
    expectDistinct(
      children.flatMap((child) => child.lines().map(Number)),
      3 * 20 * 37,
    );
  });
});
