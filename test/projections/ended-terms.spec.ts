import { StoreUnavailable } from '#kernel/ports/event-store.port.js';
import type { ReadStore } from '#kernel/ports/read-store.port.js';
import type { ProjectionEngine } from '#projection-engine/projection-engine.js';
import { answerSweep } from '#projection-engine/retry-request.js';
import { viewKey } from '#projection-engine/registry.js';
import { soon } from '#test/support/event-stores.js';
import { killedAt } from '#test/support/killed-points.js';
import { mortal, untilDeath } from '#test/support/mortal.js';
import {
  balances,
  bankPerCase,
  caughtUp,
  deposited,
  deposits,
  documentsOf,
  eventually,
  openBank,
} from './engine-fixture.js';
import { freeLease } from '#test/support/free-lease.js';

const SMALL_SLICES = { sliceMs: 10, maxSliceEvents: 16 };
const EVENTS = 100;
const REBUILD_LEASE = `rebuild:${viewKey(balances())}`;
const LOST =
  'The work on balances stopped, because this process or the read store did not answer for some seconds: start it again';
const STOPS = {
  name: 'StoreUnavailable',
  message: 'read models are not filled any more: the service stops',
};

describe('work on read models whose term or lease ends before it', () => {
  const { bank, reads } = bankPerCase();
  const views = [balances(), deposits()];

  const leading = async (through: ReadStore = reads): Promise<ProjectionEngine> => {
    await bank.happen(
      ...Array.from({ length: EVENTS }, (_, index) => deposited(1 + (index % 3), `a${index}`)),
    );
    const engine = bank.running(through, views, { pace: SMALL_SLICES });
    await caughtUp(bank, engine);
    return engine;
  };
  /** Another process. */
  const operator = (through: ReadStore): ProjectionEngine =>
    bank.engine(through, views, { pace: SMALL_SLICES });
  /** Does something before a write of documents. */
  const beforeWrite = async (number: number, act: () => Promise<unknown>): Promise<ReadStore> => {
    const store = await bank.connectReads();
    let writes = 0;
    return {
      ...store,
      write: async (written, fence) => {
        writes += 1;
        if (writes === number) await act();
        return store.write(written, fence);
      },
    };
  };
  /** Does something before the first other generation goes live. */
  const beforeSwap = async (act: () => Promise<unknown>): Promise<ReadStore> => {
    const store = await bank.connectReads();
    let isDone = false;
    return {
      ...store,
      makeLive: async (generation, fence) => {
        if (generation.generation > 1 && !isDone) {
          isDone = true;
          await act();
        }
        return store.makeLive(generation, fence);
      },
    };
  };

  it('a cancelled verification says so, and leaves nothing behind', async () => {
    await leading();
    const store = await bank.connectReads();
    let isSeen = false;
    const slow: ReadStore = {
      ...store,
      write: async (written, fence) => {
        await operator(reads).cancel('balances');
        await eventually(() => isSeen);
        return store.write(written, fence);
      },
      getRecord: async <T>(kind: string, key: string): Promise<T | null> => {
        const found = await store.getRecord<T>(kind, key);
        if (kind === 'rebuild-cancel' && found !== null) isSeen = true;
        return found;
      },
    };
    await expect(operator(slow).verify('balances')).rejects.toMatchObject({
      name: 'RebuildRefused',
      message: 'The work on balances was cancelled',
    });
    expect(await reads.generations(balances())).toEqual({ live: 1, all: [1] });
    expect(await reads.lease(REBUILD_LEASE)).toBeNull();
  });

  it('a rebuild that loses its lease says what to do, and the next one continues it', async () => {
    await leading();
    const losing = await beforeWrite(3, () => freeLease(reads, REBUILD_LEASE));
    await expect(operator(losing).rebuild('balances')).rejects.toMatchObject({
      name: 'RebuildRefused',
      message: LOST,
    });
    expect((await reads.checkpoint({ view: balances(), generation: 2 }))?.applied).toBeGreaterThan(0);
    expect(await operator(reads).rebuild('balances')).toMatchObject({ outcome: 'live', generation: 2 });
    expect((await documentsOf(reads, balances())).size).toBe(EVENTS);
  });

  it('a rebuild that was paused while another one replaced its generation says what to do, and does not wait for ever', async () => {
    await leading();
    const store = await bank.connectReads();
    const paused: ReadStore = {
      ...store,
      putRecord: async (kind, key, value) => {
        await store.putRecord(kind, key, value);
        if (kind !== 'rebuild' || Object(value).state !== 'ready') return;
        await eventually(async () => (await reads.generations(balances())).live === 2);
        await freeLease(reads, REBUILD_LEASE);
        expect(await operator(reads).rebuild('balances')).toMatchObject({ outcome: 'live', generation: 3 });
      },
    };
    await expect(soon('the first', operator(paused).rebuild('balances'))).rejects.toMatchObject({
      name: 'RebuildRefused',
      message: LOST,
    });
    expect(await reads.generations(balances())).toEqual({ live: 3, all: [2, 3] });
  });

  it('a verification that loses its lease says what to do, and removes nothing of the one after it', async () => {
    await leading();
    let next: Promise<unknown> = Promise.resolve();
    let isFirstOver = false;
    let isFilling = false;
    const goesOn = await beforeWrite(3, async () => {
      isFilling = true;
      await eventually(() => isFirstOver);
    });
    const losing = await beforeWrite(3, async () => {
      await freeLease(reads, REBUILD_LEASE);
      next = operator(goesOn).verify('balances');
      // Its shadow has the same number.
      await eventually(() => isFilling);
    });
    const lost = await operator(losing)
      .verify('balances')
      .catch((error: unknown) => error);
    isFirstOver = true;
    expect(lost).toMatchObject({ name: 'RebuildRefused', message: LOST });
    expect(await soon('the next', next)).toMatchObject({ ok: true, documents: EVENTS });
    expect(await reads.generations(balances())).toEqual({ live: 1, all: [1] });
  });

  it('a process that loses the lease of the group while it swaps tries again', async () => {
    await (await leading()).stop();
    const losing = await beforeSwap(() => freeLease(reads, 'projections:bank'));
    expect(await operator(losing).rebuild('balances')).toMatchObject({ outcome: 'live', generation: 2 });
    expect(await reads.lease('projections:bank')).toBeNull();
  });

  it('a process that stops while its rebuild waits for its leader says that it stops', async () => {
    const store = await bank.connectReads();
    let stop = (): void => undefined;
    const engine = await leading({
      ...store,
      putRecord: async (kind, key, value) => {
        await store.putRecord(kind, key, value);
        if (kind === 'rebuild' && Object(value).state === 'ready') stop();
      },
    });
    stop = () => {
      engine.endRebuilds();
      void engine.stop();
    };
    await expect(engine.rebuild('balances')).rejects.toMatchObject(STOPS);
    expect(await operator(reads).rebuild('balances')).toMatchObject({ outcome: 'live', generation: 2 });
  });

  it('a process that stops ends its verification', async () => {
    await leading();
    const verifying: { engine?: ProjectionEngine } = {};
    const store = await beforeWrite(2, async () => verifying.engine?.endRebuilds());
    verifying.engine = operator(store);
    await expect(verifying.engine.verify('balances')).rejects.toMatchObject(STOPS);
    expect(await reads.generations(balances())).toEqual({ live: 1, all: [1] });
  });

  it('a cancellation takes no lease: a rebuild that begins at that moment is not refused', async () => {
    await leading();
    const store = await bank.connectReads();
    let begun: Promise<unknown> = Promise.resolve();
    const meeting: ReadStore = {
      ...store,
      acquireLease: async (...of) => {
        const lease = await store.acquireLease(...of);
        begun = operator(reads).rebuild('balances');
        await begun.catch(() => undefined);
        return lease;
      },
    };
    await expect(operator(meeting).cancel('balances')).rejects.toThrow(
      'balances is neither being rebuilt nor verified',
    );
    await begun;
  });

  it('an abandonment that was killed at any point is completed by the next one', async () => {
    await killedAt({
      begin: async () => {
        const house = await openBank();
        const store = await house.connectReads();
        await house.happen(deposited(1, 'a'), deposited(1, 'b'));
        const engine = house.running(store, views);
        await caughtUp(house, engine);
        await engine.rebuild('balances', { signal: AbortSignal.abort() });
        expect(await store.generations(balances())).toEqual({ live: 1, all: [1, 2] });
        await engine.stop();
        return { house, store };
      },
      workUntil: ({ house, store }, fatalPoint) =>
        untilDeath(fatalPoint, (life) => house.engine(mortal(store, life), views).abandon('balances')),
      finish: async ({ house, store }) => {
        await freeLease(store, REBUILD_LEASE);
        const refusal = await house
          .engine(store, views)
          .abandon('balances')
          .catch((error: unknown) => String(error));
        expect([undefined, 'RebuildRefused: No rebuild of balances is under way']).toContain(refusal);
      },
      check: async ({ house, store }) => {
        expect(await store.generations(balances())).toEqual({ live: 1, all: [1] });
        expect(await store.listRecords('rebuild', '', 10)).toEqual([]);
        expect(await store.lease(REBUILD_LEASE)).toBeNull();
        await house.close();
      },
    });
  });

  it('an answer to a killed process is removed an hour after it was seen', async () => {
    await leading();
    const store = await bank.connectReads();
    let isAnswered = false;
    let end = (): void => undefined;
    const dead: ReadStore = {
      ...store,
      getRecord: async <T>(kind: string, key: string): Promise<T | null> => {
        const found = await store.getRecord<T>(kind, key);
        if (kind !== 'retry-answer' || found === null) return found;
        isAnswered = true;
        return new Promise<never>((_, reject) => (end = () => reject(new StoreUnavailable('it is over'))));
      },
    };
    const retried = operator(dead).retry('balances');
    retried.catch(() => undefined);
    await eventually(() => isAnswered);
    const sweep = answerSweep(reads, 'bank');
    expect(await sweep(0)).toBe(0);
    expect(await sweep(3_599_999)).toBe(0);
    expect(await reads.listRecords('retry-answer', '', 10)).toHaveLength(1);
    expect(await sweep(3_600_000)).toBe(1);
    expect(await reads.listRecords('retry-answer', '', 10)).toEqual([]);
    end();
    await expect(retried).rejects.toThrow('it is over');
  });
});
