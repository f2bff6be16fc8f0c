import type { Projection } from '#kernel/projections/projection.js';
import type { ReadStore } from '#kernel/ports/read-store.port.js';
import type { ProjectionEngine } from '#projection-engine/projection-engine.js';
import {
  balances,
  bankPerCase,
  caughtUp,
  deposited,
  deposits,
  eventually,
  expectNaive,
  type Balance,
} from './engine-fixture.js';

/** Two deployments on one directory: the newer knows the second version of a view. */
describe('a new version of a view at a deployment', () => {
  const { bank, reads } = bankPerCase();
  let old: ProjectionEngine;
  const first = balances();
  const second: Projection<Balance> = balances({ works: true }, 2, 'second');
  const failures: unknown[] = [];

  beforeEach(async () => {
    failures.length = 0;
    for (let account = 0; account < 40; account += 1) await bank.happen(deposited(1, `a${account}`, 5));
    old = bank.engine(reads, [first, deposits()]);
    old.start();
    await caughtUp(bank, old);
  });

  const newer = async (): Promise<{ readonly engine: ProjectionEngine; readonly reads: ReadStore }> => {
    const connection = await bank.connectReads();
    const onFailure = (_group: string, error: unknown): number => failures.push(error);
    const engine = bank.running(connection, [second, deposits()], { onFailure });
    return { engine, reads: connection };
  };
  const counted = async (engine: ProjectionEngine): Promise<number | undefined> =>
    (await engine.status()).find(({ name }) => name === 'balances')?.applied;

  it('is built beside the leading process, which continues, and no query of either fails', async () => {
    const next = await newer();
    let isReady = false;
    let answers = 0;
    let builtWhileAsked = 0;
    while (!isReady) {
      await bank.happen(deposited(1, 'a0', 1));
      expect(await reads.get(first, '1/a0')).toMatchObject({ generation: 'first' });
      expect(await next.reads.get(first, '1/a1')).toMatchObject({ total: 5, generation: 'first' });
      answers += 1;
      isReady = (await next.engine.readiness()).ready;
      if (!isReady) builtWhileAsked += 1;
      await eventually(() => true);
    }
    expect(builtWhileAsked).toBeGreaterThan(0);
    await bank.happen(deposited(1, 'a0', 100));
    await caughtUp(bank, old, 1);
    await caughtUp(bank, next.engine, 1);
    expect([old.isLeading(), next.engine.isLeading()]).toEqual([true, false]);
    const total = 105 + answers;
    expect(await reads.get(first, '1/a0')).toMatchObject({ total, generation: 'first' });
    expect(await next.reads.get(second, '1/a0')).toMatchObject({ total, generation: 'second' });
    await expectNaive(bank, reads, first);
    expect(failures).toEqual([]);
  });

  it('is taken into the term of the newer process when the earlier one stops, each event once', async () => {
    const next = await newer();
    await caughtUp(bank, next.engine, 1);
    await old.stop();
    await eventually(() => next.engine.isLeading());
    await bank.happen(deposited(1, 'a0', 1));
    await caughtUp(bank, next.engine, 1);
    expect(await next.reads.get(second, '1/a0')).toMatchObject({ total: 6, generation: 'second' });
    expect(await counted(next.engine)).toBe(41);
    expect(failures).toEqual([]);
  });

  it('has one process at it: one that projects ahead yields when another of its version leads', async () => {
    const one = await newer();
    await caughtUp(bank, one.engine, 1);
    const other = await newer();
    await old.stop();
    await eventually(() => one.engine.isLeading() || other.engine.isLeading());
    for (let deposit = 0; deposit < 20; deposit += 1) await bank.happen(deposited(1, 'a0', 1));
    await caughtUp(bank, one.engine, 1);
    await caughtUp(bank, other.engine, 1);
    expect(one.engine.isLeading()).not.toBe(other.engine.isLeading());
    expect(await reads.get(second, '1/a0')).toMatchObject({ total: 25 });
    expect(await counted(one.engine)).toBe(60);
    expect(failures).toEqual([]);
  });

  it('is not started by the next leader before the process ahead has stopped', async () => {
    const connection = await bank.connectReads();
    // It never looks, so it does not notice that another leads.
    const ahead = bank.running(connection, [second, deposits()], { lookEveryMs: 3_600_000 });
    await caughtUp(bank, ahead, 1);
    await old.stop();
    let asked = 0;
    const store = await bank.connectReads();
    const counting: ReadStore = {
      ...store,
      acquireLease: (name, holder, ttlMs) => {
        if (name.endsWith(':ahead')) asked += 1;
        return store.acquireLease(name, holder, ttlMs);
      },
    };
    const next = bank.running(counting, [second, deposits()]);
    await eventually(() => asked >= 3);
    expect(next.isLeading()).toBe(false);
    await bank.happen(deposited(1, 'a0', 1));
    await eventually(async () => (await counted(ahead)) === 41);
    await ahead.stop();
    await eventually(() => next.isLeading());
    await bank.happen(deposited(1, 'a0', 1));
    await caughtUp(bank, next, 1);
    expect(await counted(next)).toBe(42);
  });

  it('keeps the earlier version as long as a process projects it; then pruning removes it', async () => {
    const versions = async () => await reads.storedGenerations('balances');
    const next = await newer();
    await caughtUp(bank, next.engine, 1);
    expect(await next.engine.prune('balances')).toBe(0);
    await old.stop();
    await eventually(() => next.engine.isLeading());
    // One that returns projects its version ahead of the leader.
    const returned = bank.running(await bank.connectReads(), [first, deposits()]);
    await bank.happen(deposited(1, 'a0', 1));
    await caughtUp(bank, returned, 1);
    expect(await next.engine.prune('balances')).toBe(0);
    expect(await reads.get(first, '1/a0')).toMatchObject({ total: 6, generation: 'first' });
    await returned.stop();
    expect(await versions()).toEqual([
      { version: 1, generation: 1, isLive: true },
      { version: 2, generation: 1, isLive: true },
    ]);
    expect(await next.engine.prune('balances')).toBe(1);
    expect(await versions()).toEqual([{ version: 2, generation: 1, isLive: true }]);
    expect(await next.engine.prune('balances')).toBe(0);
    await bank.happen(deposited(1, 'a0', 1));
    await caughtUp(bank, next.engine, 1);
    expect(await reads.get(second, '1/a0')).toMatchObject({ total: 7, generation: 'second' });
    // A process of the earlier version that is started after all builds its own again, and takes nothing of the later one.
    await next.engine.stop();
    const again = bank.running(await bank.connectReads(), [first, deposits()]);
    await caughtUp(bank, again, 1);
    expect(await again.prune('balances')).toBe(0);
    await expectNaive(bank, reads, first);
    expect(await reads.get(second, '1/a0')).toMatchObject({ total: 7, generation: 'second' });
    expect(failures).toEqual([]);
  });

  it('keeps a view that the newer program does not have as long as a process projects it', async () => {
    const next = bank.running(await bank.connectReads(), [second]);
    await caughtUp(bank, next, 1);
    expect(await next.pruneUnknown()).toEqual(new Map());
    await old.stop();
    await eventually(() => next.isLeading());
    const returned = bank.running(await bank.connectReads(), [first, deposits()]);
    await caughtUp(bank, returned, 1);
    expect(await next.pruneUnknown()).toEqual(new Map());
    await returned.stop();
    expect(await reads.storedViews()).toEqual(['balances', 'deposits']);
    expect(await next.pruneUnknown()).toEqual(new Map([['deposits', 1]]));
    expect(await reads.storedViews()).toEqual(['balances']);
    expect(await next.pruneUnknown()).toEqual(new Map());
    // A process of the earlier version builds its own again.
    const again = bank.running(await bank.connectReads(), [first, deposits()]);
    await caughtUp(bank, again, 1);
    expect(await reads.storedViews()).toEqual(['balances', 'deposits']);
    expect(await reads.generations(deposits())).toEqual({ live: 1, all: [1] });
    expect(failures).toEqual([]);
  });

  it('leaves the earlier version to a returning process of that version', async () => {
    await old.stop();
    const next = await newer();
    await caughtUp(bank, next.engine, 1);
    const back = bank.running(await bank.connectReads(), [first, deposits()]);
    await bank.happen(deposited(1, 'a0', 1));
    await caughtUp(bank, back, 1);
    expect(next.engine.isLeading()).toBe(true);
    expect(await reads.get(first, '1/a0')).toMatchObject({ total: 6, generation: 'first' });
    expect(await reads.get(second, '1/a0')).toMatchObject({ total: 6, generation: 'second' });
  });
});
