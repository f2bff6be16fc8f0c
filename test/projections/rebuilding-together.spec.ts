import { setImmediate as nextTurn } from 'node:timers/promises';
import { START, type EventStore } from '#kernel/ports/event-store.port.js';
import type { Projection } from '#kernel/projections/projection.js';
import type { ReadStore } from '#kernel/ports/read-store.port.js';
import { OPERATOR_PACE, type ProjectionEngine } from '#projection-engine/projection-engine.js';
import { RebuildRefused, type RebuildOptions } from '#projection-engine/rebuild-work.js';
import type { RebuildOutcome } from '#projection-engine/swap-in.js';
import {
  balances,
  bankPerCase,
  caughtUp,
  deposited,
  deposits,
  documentsOf,
  projected,
  rateSet,
  rates,
} from './engine-fixture.js';

const SMALL_SLICES = { sliceMs: 10, maxSliceEvents: 16 };
const EVENTS = 101;

/** None of its events occurs here. */
const closings = (): Projection => ({ ...deposits(), name: 'closings', on: { Closed: () => null } });

describe('rebuilding several together', () => {
  const { bank, reads } = bankPerCase();
  let views: readonly Projection[];
  beforeEach(async () => {
    views = [balances(), deposits(), rates()];
    for (let index = 0; index < EVENTS - 1; index += 1)
      await bank.happen(deposited(1, `a${index % 9}`, index));
    await bank.happen(rateSet(2));
    const engine = bank.running(reads, views);
    await caughtUp(bank, engine);
    await engine.stop();
  });

  const rebuilding = (store: ReadStore = reads, events: EventStore = bank.events): ProjectionEngine =>
    bank.engine(store, views, { events, pace: SMALL_SLICES });
  const all = (
    engine: ProjectionEngine,
    optionsOf: (name: string) => RebuildOptions = () => ({}),
  ): Promise<readonly PromiseSettledResult<RebuildOutcome>[]> => {
    const rebuild = engine.rebuildTogether(views.length);
    return Promise.allSettled(views.map(({ name }) => rebuild(name, optionsOf(name))));
  };
  const liveNumbers = async (): Promise<readonly (number | null)[]> =>
    Promise.all(views.map(async (view) => (await reads.generations(view)).live));
  const documents = async (): Promise<readonly unknown[]> =>
    Promise.all(views.map(async (view) => [...(await documentsOf(reads, view))]));

  type Counted = { readonly store: EventStore; readonly given: () => number; readonly begun: () => number };
  /** The number of events delivered, and of reads from the first event. */
  const counted = (): Counted => {
    let [given, begun] = [0, 0];
    const store: EventStore = {
      ...bank.events,
      async *readAll(options) {
        if (options?.after === START) begun += 1;
        for await (const batch of bank.events.readAll(options)) {
          given += batch.events.length;
          yield batch;
        }
      },
    };
    return { store, given: () => given, begun: () => begun };
  };

  it('reads history once, and each read model becomes the same again', async () => {
    const before = await documents();
    const late: ReadStore = {
      ...reads,
      createGeneration: async (generation) => {
        if (generation.view.name === 'rates') for (let turn = 0; turn < 20; turn += 1) await nextTurn();
        await reads.createGeneration(generation);
      },
    };
    const { store, given } = counted();
    expect(await all(rebuilding(late, store))).toMatchObject(
      views.map(() => ({ status: 'fulfilled', value: { outcome: 'live', generation: 2, previous: 1 } })),
    );
    expect(given()).toBe(EVENTS);
    expect(await liveNumbers()).toEqual([2, 2, 2]);
    expect(await documents()).toEqual(before);
    for (const view of views) {
      const { event: _stands, ...first } = (await reads.checkpoint({ view, generation: 1 })) ?? {};
      expect(await reads.checkpoint({ view, generation: 2 })).toMatchObject(first);
    }
  });

  for (const [where, pace] of [
    ['where others wait for the store', SMALL_SLICES],
    ['where no other does', OPERATOR_PACE],
  ] as const) {
    it(`of a short log is indexed when it is filled, ${where}`, async () => {
      const calls: string[] = [];
      const recording: ReadStore = {
        ...reads,
        indexGeneration: async (generation) => {
          calls.push('indexes');
          await reads.indexGeneration(generation);
        },
        write: async (writes, fence) => {
          if (writes.some(({ documents }) => documents.length > 0)) calls.push('documents');
          await reads.write(writes, fence);
        },
      };
      await all(rebuilding(recording), () => ({ pace }));
      expect([...new Set(calls)].join()).toBe('documents,indexes');
    });
  }

  it('is taken over at once by a leader', async () => {
    const engine = rebuilding();
    engine.start();
    await caughtUp(bank, engine);
    const outcomes = await all(engine);
    expect(outcomes).toMatchObject(views.map(() => ({ value: { outcome: 'live', generation: 2 } })));
    await projected(bank, engine, deposited(1, 'late', 7));
    expect(await reads.get(balances(), '1/late')).toMatchObject({ total: 7 });
  });

  it('makes the leader read no history again, even for a read model without events in it', async () => {
    views = [balances(), closings()];
    const { store, begun } = counted();
    const engine = rebuilding(reads, store);
    engine.start();
    await caughtUp(bank, engine);
    const before = begun();
    expect(await all(engine)).toMatchObject([
      { value: { outcome: 'live', generation: 2 } },
      { value: { outcome: 'live' } },
    ]);
    expect(begun() - before).toBe(1);
  });

  it('stops all when one is asked to stop, and all continue from their positions', async () => {
    const cancelling = new AbortController();
    const slow: ReadStore = {
      ...reads,
      write: async (writes, fence) => {
        await reads.write(writes, fence);
        cancelling.abort();
      },
    };
    const outcomes = await all(rebuilding(slow), (name) =>
      name === 'deposits' ? { signal: cancelling.signal } : {},
    );
    expect(outcomes).toMatchObject(views.map(() => ({ value: { outcome: 'cancelled', generation: 2 } })));
    expect(await liveNumbers()).toEqual([1, 1, 1]);
    expect((await reads.checkpoint({ view: balances(), generation: 2 }))?.applied).toBe(16);

    const firsts = new Map<string, number>();
    const next = await all(rebuilding(), (name) => ({
      onProgress: ({ events }) => firsts.set(name, firsts.get(name) ?? events),
    }));
    expect(next).toMatchObject(views.map(() => ({ value: { outcome: 'live', generation: 2 } })));
    expect(firsts.get('balances')).toBeGreaterThan(16);
  });

  it('does not wait for one that is refused', async () => {
    const held = await reads.acquireLease('rebuild:deposits@1', 'elsewhere:1:other', 60_000);
    expect(held).not.toBeNull();
    const [first, refused, third] = await all(rebuilding());
    expect([first, third]).toMatchObject([{ value: { outcome: 'live' } }, { value: { outcome: 'live' } }]);
    expect(refused?.status === 'rejected' && refused.reason).toBeInstanceOf(RebuildRefused);
    expect(await liveNumbers()).toEqual([2, 1, 2]);
  });

  it('writes each under a lease of its own: after the loss of one lease none of its documents is written', async () => {
    let isTaken = false;
    const stolen: ReadStore = {
      ...reads,
      write: async (writes, fence) => {
        if (!isTaken && fence.lease === 'rebuild:deposits@1') {
          isTaken = true;
          await reads.releaseLease(fence.lease, fence);
          await reads.acquireLease(fence.lease, 'elsewhere:1:other', 60_000);
        }
        await reads.write(writes, fence);
      },
    };
    const outcomes = await all(rebuilding(stolen));
    expect(outcomes.map((one) => one.status === 'rejected' && one.reason)).toEqual(
      views.map(() => expect.any(RebuildRefused)),
    );
    expect(await reads.scan({ view: deposits(), generation: 2 }, null, 10)).toEqual([]);
    expect(await liveNumbers()).toEqual([1, 1, 1]);
  });
});
