import { setTimeout as delay } from 'node:timers/promises';
import { StoreUnavailable } from '#kernel/ports/event-store.port.js';
import type { ReadStore } from '#kernel/ports/read-store.port.js';
import { holdLease } from '#projection-engine/held-lease.js';
import { servedReadModels } from '#projection-engine/parked-guard.js';
import type { ProjectionEngine } from '#projection-engine/projection-engine.js';
import {
  balances,
  closed,
  deposited,
  deposits,
  documentsOf,
  eventually,
  rates,
  rateSet,
} from '#test/projections/engine-fixture.js';
import { soon } from '#test/support/event-stores.js';
import { killedAt } from '#test/support/killed-points.js';
import { mortal, untilDeath } from '#test/support/mortal.js';
import { expectFolded, freeLeases, openVault, upToDate, type Vault } from './vault.js';
import type { Backup } from './vault-logs.js';
import { freeLease } from '#test/support/free-lease.js';

const views = [balances(), deposits(), rates()];

describe('read models of a log that is set back', () => {
  let vault: Vault;
  let reads: ReadStore;
  let backup: Backup;
  /** A worker as a process starts one: it looks first. */
  const worker = async (events = vault.events(), through = reads): Promise<ProjectionEngine> => {
    const engine = vault.engine(through, views, { events });
    await engine.requireFit();
    engine.start();
    return engine;
  };
  beforeEach(async () => {
    vault = await openVault();
    reads = await vault.reads();
    vault.happen(deposited(1, 'a', 5), deposited(2, 'b', 7), rateSet(3));
    const first = await worker();
    await upToDate(vault, first);
    backup = vault.backup();
    vault.happen(deposited(1, 'a', 100), closed(2, 'b'), deposited(3, 'c', 9), rateSet(4));
    await upToDate(vault, first);
    await first.stop();
  });
  afterEach(() => vault.close());

  it('are rebuilt from an older backup automatically', async () => {
    await vault.restore(backup);
    const engine = await worker();
    await upToDate(vault, engine);
    await expectFolded(vault, engine, reads, views);
  });

  it('are rebuilt when the log has grown past the old end since: the event there is another', async () => {
    await vault.restore(backup);
    vault.happen(...Array.from({ length: 10 }, (_, index) => deposited(4, `later-${index}`, index)));
    const engine = await worker();
    await upToDate(vault, engine);
    await expectFolded(vault, engine, reads, views);
  });

  it('continue unchanged when the log is the same', async () => {
    const before = await Promise.all(views.map((view) => reads.generations(view)));
    const engine = await worker();
    vault.happen(deposited(1, 'a', 1));
    await upToDate(vault, engine);
    await expectFolded(vault, engine, reads, views);
    expect(await Promise.all(views.map((view) => reads.generations(view)))).toEqual(before);
  });

  it('are not served from the look until they are built, and readiness gives one reason', async () => {
    await vault.restore(backup);
    const engine = vault.engine(reads, views);
    await engine.requireFit();
    await expect(reads.get(balances(), '1/a')).rejects.toThrow(StoreUnavailable);
    const { ready, builtAnew, notCaughtUp } = await engine.readiness();
    expect([ready, notCaughtUp]).toEqual([false, []]);
    expect(builtAnew).toEqual([
      {
        reason: expect.stringMatching(/^read models (were ahead of|had seen) /),
        views: 3,
        ready: 0,
        events: 0,
        isBuilt: false,
      },
    ]);
    engine.start();
    await upToDate(vault, engine);
    await expectFolded(vault, engine, reads, views);
    expect(await documentsOf(reads, balances())).not.toEqual(new Map());
  });

  it('have one reason also in an answer that is collected while the last of them is built', async () => {
    await vault.restore(backup);
    const waiting = vault.engine(reads, views);
    await waiting.requireFit();
    // The lease is looked up after the read models were found not to be ready.
    const builtMeanwhile = new Proxy(reads, {
      get: (target, name) =>
        name !== 'lease'
          ? Reflect.get(target, name, target)
          : async (...asked: Parameters<ReadStore['lease']>) => {
              const engine = await worker();
              await upToDate(vault, engine);
              await engine.stop();
              return target.lease(...asked);
            },
    });
    const { builtAnew, notCaughtUp } = await vault.engine(builtMeanwhile, views).readiness();
    expect([builtAnew, notCaughtUp]).toEqual([[expect.objectContaining({ views: 3, ready: 0 })], []]);
  });

  it('are not served by a process that finds them led from another log', async () => {
    const other = await holdLease(reads, 'projections:bank', 'elsewhere:1:x');
    await vault.restore(backup);
    const engine = vault.engine(reads, views);
    await engine.requireFit();
    const served = servedReadModels(reads, engine.requireServed);
    await expect(served.get(balances(), '1/a')).rejects.toThrow(StoreUnavailable);
    expect(await engine.standing('balances', 1)).toBeNull();
    expect((await engine.readiness()).unserved).toEqual(['balances', 'deposits', 'rates']);
    await other?.release();
    // The next look takes them out of service, and a worker builds them.
    const next = await worker();
    await upToDate(vault, next);
    await soon(
      'served again',
      eventually(() =>
        served.get(balances(), '1/a').then(
          (found) => found !== null,
          () => false,
        ),
      ),
    );
    await expectFolded(vault, engine, reads, views);
  });

  it('make every process discard its cached state', async () => {
    let notified = 0;
    const api = vault.engine(await vault.reads(), views, { onSetBack: () => (notified += 1) });
    await api.requireFit();
    expect(notified).toBe(0);
    await vault.restore(backup);
    await upToDate(vault, await worker());
    await soon(
      'word of it',
      eventually(() => notified > 0),
    );
  });

  it('remove other stored knowledge before they are built, again after a crash', async () => {
    await vault.restore(backup);
    let cleared = 0;
    const dying = vault.engine(reads, views, {
      onMisfit: async () => {
        cleared += 1;
        if (cleared === 1) throw new Error('the process dies here');
      },
    });
    await expect(dying.requireFit()).rejects.toThrow('the process dies here');
    await dying.requireFit();
    dying.start();
    await upToDate(vault, dying);
    expect(cleared).toBe(2);
    await expectFolded(vault, dying, reads, views);
  });

  it('are renewed by the process that leads next, if this one loses its lease meanwhile', async () => {
    await vault.restore(backup);
    let cleared = 0;
    const losing = vault.engine(reads, views, {
      onMisfit: async () => {
        cleared += 1;
        if (cleared > 1) return;
        await freeLease(reads, 'projections:bank');
        // Its next renewal finds that out.
        await delay(20);
      },
      leaseTiming: { ttlMs: 5_000, renewEveryMs: 1 },
    });
    await losing.requireFit();
    losing.start();
    await upToDate(vault, losing);
    await expectFolded(vault, losing, reads, views);
  });

  it('of an earlier version, whose checkpoints name no event, continue and get one', async () => {
    for (const view of views) {
      const generation = { view, generation: 1 };
      const { event: _, ...checkpoint } = (await reads.checkpoint(generation)) ?? {
        position: '',
        applied: 0,
        ignored: 0,
        parked: 0,
      };
      const lease = await holdLease(reads, 'projections:bank', 'an earlier version');
      if (lease === null) throw new Error('the lease is held');
      await reads.write([{ generation, documents: [], checkpoint }], lease.fence());
      await lease.release();
      expect(await reads.checkpoint(generation)).toEqual(checkpoint);
    }
    const engine = await worker();
    await soon(
      'events beside checkpoints',
      eventually(async () => {
        const kept = await Promise.all(views.map((view) => reads.checkpoint({ view, generation: 1 })));
        return kept.every((checkpoint) => checkpoint?.event?.id === vault.history().at(-1)?.id);
      }),
    );
    await expectFolded(vault, engine, reads, views);
  });

  it('are rebuilt by a leader whose subscription finds another log when it resumes', async () => {
    const events = vault.events();
    let cut: (() => void) | null = null;
    const resuming = {
      ...events,
      // The server goes away and comes back with an older log.
      async *subscribe(...[read]: Parameters<typeof events.subscribe>) {
        const ended = new AbortController();
        cut = () => ended.abort();
        const signal = AbortSignal.any([read.signal, ended.signal]);
        let after = read.after ?? '';
        for await (const batch of current().subscribe({ ...read, signal })) {
          after = batch.position;
          yield batch;
        }
        if (read.signal.aborted) return;
        let resumed = true;
        for await (const batch of current().subscribe({ ...read, after })) {
          yield resumed ? { ...batch, resumed } : batch;
          resumed = false;
        }
      },
      readAll: (...read: Parameters<typeof events.readAll>) => current().readAll(...read),
      lastEvent: (...upTo: Parameters<typeof events.lastEvent>) => current().lastEvent(...upTo),
      head: () => current().head(),
    };
    let log = events;
    const current = () => log;
    const engine = await worker(resuming as typeof events);
    await upToDate(vault, engine);
    await vault.restore(backup);
    vault.happen(...Array.from({ length: 6 }, (_, index) => deposited(5, `grown-${index}`)));
    log = vault.events();
    (cut as (() => void) | null)?.();
    await soon(
      'a new generation',
      eventually(async () => ((await reads.generations(balances())).live ?? 1) > 1),
    );
    await upToDate(vault, engine);
    await expectFolded(vault, engine, reads, views);
  });

  it('end a rebuild that was filled from events that are gone', async () => {
    const engine = await worker();
    const stop = new AbortController();
    const cancelled = await engine.rebuild('deposits', {
      signal: stop.signal,
      pace: { sliceMs: 10, maxSliceEvents: 1 },
      onProgress: ({ events }) => (events >= 4 ? stop.abort() : undefined),
    });
    expect(cancelled.outcome).toBe('cancelled');
    await engine.stop();
    await vault.restore(backup);
    vault.happen(deposited(6, 'new', 1));
    const next = await worker();
    await upToDate(vault, next);
    expect((await next.rebuild('deposits')).outcome).toBe('live');
    await expectFolded(vault, next, reads, views);
  });

  it('are correct after a death of the process at any await of noticing and building', async () => {
    await vault.restore(backup);
    vault.happen(deposited(7, 'after', 2));
    await killedAt({
      morePointsThan: 40,
      begin: makeMisfit,
      workUntil: (_, fatalPoint) =>
        untilDeath(fatalPoint, async (life) => {
          const engine = vault.engine(mortal(reads, life), views, {}, 'dies');
          await engine.requireFit();
          engine.start();
          await upToDate(vault, engine);
          await engine.stop();
        }),
      finish: () => freeLeases(reads),
      async check() {
        const next = await worker();
        await upToDate(vault, next);
        await expectFolded(vault, next, reads, views);
        await next.stop();
      },
    });
  });

  /** The views see events that are undone afterwards, so that the next look finds a difference. */
  async function makeMisfit(): Promise<void> {
    const kept = vault.backup();
    vault.happen(deposited(8, 'gone', 1), rateSet(9));
    const engine = await worker();
    await upToDate(vault, engine);
    await engine.stop();
    await vault.restore(kept);
  }
});
