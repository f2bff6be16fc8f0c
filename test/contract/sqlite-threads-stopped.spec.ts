import { setImmediate as turn } from 'node:timers/promises';
import { DatabaseSync, type DatabaseSyncInstance } from '@photostructure/sqlite';
import { StoreUnavailable } from '#kernel/ports/event-store.port.js';
import type { Fence, Generation, ProjectionWrite, ReadStore } from '#kernel/ports/read-store.port.js';
import { at, checkpointAt, fenceOf, runs, type RunDocument } from './read-store-fixture.js';
import { makeSqlitePlace } from './sqlite-read-store.fixture.js';

/** This many rows take some tens of milliseconds to index or write. */
const MANY = 20_000;
const MOST_TRIES = 20;
const generation: Generation = { view: runs, generation: 1 };

const write = (position: number, rows: number): ProjectionWrite => ({
  generation,
  documents: Array.from({ length: rows }, (_, id) => ({
    key: `run-${position}-${id}`,
    position: at(position),
    document: { id, workspaceId: 7, state: 'running', startedAt: '2025' } satisfies RunDocument,
  })),
  checkpoint: checkpointAt(position),
});

/** A thread in a call of the driver must return from it: terminating it would end the process. */
describe('a store that is closed while its thread is in the middle of a transaction', () => {
  let place: Awaited<ReturnType<typeof makeSqlitePlace>>;
  let store: ReadStore;
  let observer: DatabaseSyncInstance;
  const open = async (): Promise<void> => {
    place = await makeSqlitePlace();
    store = await place.connect();
    await store.createGeneration(generation);
    observer = new DatabaseSync(place.path, { timeout: 0 });
  };
  const remove = async (): Promise<void> => {
    observer.close();
    await place.remove();
  };
  beforeEach(open);
  afterEach(remove);

  /**
   * Closes the store in the middle of the work that is begun, and waits for its end. On a busy machine this process may pause until
   * more of the work is done: then everything is repeated on another file.
   */
  async function closedInTheMiddle(
    prepare: (fence: Fence) => Promise<void>,
    begin: (fence: Fence) => Promise<unknown>,
    isInTheMiddle: () => boolean,
  ): Promise<void> {
    for (let tries = 1; ; tries += 1) {
      const fence = await fenceOf(store);
      await prepare(fence);
      const work = begin(fence).then(
        () => null,
        (error: unknown) => error,
      );
      await isWriting(work);
      await store.close();
      const error = await work;
      if ((error !== null && isInTheMiddle()) || tries === MOST_TRIES)
        return expect(error).toBeInstanceOf(StoreUnavailable);
      await remove();
      await open();
    }
  }

  /** Resolves while the work has the file's lock. Rejects if the work ends before that is seen. */
  async function isWriting(work: Promise<unknown>): Promise<void> {
    let isOver = false;
    const over = (): void => void (isOver = true);
    work.then(over, over);
    while (!isOver) {
      try {
        observer.exec('BEGIN IMMEDIATE');
      } catch {
        return;
      }
      observer.exec('ROLLBACK');
      await turn();
    }
    throw new Error('the work ended before it was seen to write');
  }
  const count = (sql: string): unknown =>
    Object.values(observer.prepare(`SELECT count(*) FROM ${sql}`).get() ?? {})[0];

  it('has the index that was being built, and none that was not begun', async () => {
    const declared = Object.keys(runs.indexes).map((name) => `'runs_v1_g1_${name}'`);
    const indexes = `sqlite_schema WHERE type = 'index' AND name IN (${declared.join()})`;
    await closedInTheMiddle(
      async (fence) => {
        await store.write([write(1, MANY)], fence);
        expect(count(indexes)).toBe(0);
      },
      () => store.indexGeneration(generation),
      () => count(indexes) === 1,
    );
    expect(count(indexes)).toBe(1);
    const again = await place.connect();
    await again.indexGeneration(generation);
    await again.makeLive(generation, await fenceOf(again));
    expect(await again.count(runs, { where: { state: 'running' } })).toBe(MANY);
  });

  it('has the complete write in progress, and none that was not begun', async () => {
    await closedInTheMiddle(
      () => Promise.resolve(),
      async (fence) => {
        const filling = store.fillBeside?.([generation]);
        await Promise.allSettled([
          filling?.write([write(1, MANY)], fence),
          filling?.write([write(2, 1)], fence),
        ]);
        await filling?.settled();
      },
      () => true,
    );
    const again = await place.connect();
    expect(await again.checkpoint(generation)).toEqual(checkpointAt(1));
    expect(count('runs_v1_g1')).toBe(MANY);
  });
});
