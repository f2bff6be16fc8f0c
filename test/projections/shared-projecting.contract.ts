import { randomUUID } from 'node:crypto';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { partitionOf } from '#kernel/events/workspace-partition.js';
import { systemClock } from '#kernel/ports/clock.js';
import { START, StoreUnavailable, type EventStore, type Position } from '#kernel/ports/event-store.port.js';
import { LeaseLost, type ReadStore } from '#kernel/ports/read-store.port.js';
import type { Projection } from '#kernel/projections/projection.js';
import { groupLease } from '#projection-engine/group-lease.js';
import type { LeaseTiming } from '#projection-engine/held-lease.js';
import { projectionEngine, type ProjectionEngine } from '#projection-engine/projection-engine.js';
import { projectionRegistry } from '#projection-engine/registry.js';
import { memberPlaces } from '#projection-engine/share-members.js';
import { shareName, sharePlan, type SharePlan } from '#projection-engine/share-plan.js';
import type { MakeReadStorePlace, ReadStorePlace } from '#test/contract/read-store-fixture.js';
import { soon } from '#test/support/event-stores.js';
import { moment } from '#test/support/moment.js';
import { lifeUntil, mortal } from '#test/support/mortal.js';
import {
  balances,
  caughtUp,
  deposited,
  deposits,
  eventually,
  expectNaive,
  openBank,
  rates,
  rateSet,
  type Bank,
  type BankEvent,
  type Poison,
} from './engine-fixture.js';
import { freeLease } from '#test/support/free-lease.js';

const WORKSPACES = 40;

/** A worker with its own connections; `written` are the workspaces of the documents that it wrote. */
type Worker = {
  readonly engine: ProjectionEngine;
  readonly written: Set<string>;
  readonly kill: () => void;
};

type Behaviour = {
  readonly shareAfterMs?: number;
  readonly slowTurns?: number;
  /** Called when it asks for a lease, which is taken afterwards. */
  readonly beforeLease?: (name: string) => Promise<void>;
  /** Called before a write to its share. */
  readonly beforeShareWrite?: () => Promise<void>;
  /** Called before it announces its views. */
  readonly beforeAnnouncement?: () => Promise<void>;
  readonly planEveryMs?: number;
  readonly events?: EventStore;
  readonly holder?: string;
  readonly onFailure?: (group: string, error: unknown) => void;
};

/** Several workers on one read store; `makePlace` opens an empty one. */
export function sharedProjectingCases(makePlace: MakeReadStorePlace, leaseTiming: LeaseTiming): void {
  let place: ReadStorePlace;
  let bank: Bank;
  let reads: ReadStore;
  let poison: Poison;
  let living: Set<ProjectionEngine>;
  /** How often a plan was begun or ended. */
  let planWrites: number;
  /** Open the gates of the case. */
  let openings: (() => void)[];
  /** So many of the next removals of shares fail. */
  let faults: number;
  beforeEach(async () => {
    place = await makePlace();
    bank = await openBank(() => place.connect());
    reads = await bank.connectReads();
    poison = { works: true };
    living = new Set();
    faults = 0;
    openings = [];
    planWrites = 0;
  });
  afterEach(async () => {
    // Behind a closed gate a worker would not stop.
    for (const open of openings) open();
    for (const engine of living) await engine.stop();
    await bank.close();
    await place.remove();
  });

  const views = (): readonly Projection[] => [balances(poison), deposits(), rates(poison)];

  const worker = async (
    projections: readonly Projection[] = views(),
    behaviour: Behaviour = {},
  ): Promise<Worker> => {
    const { shareAfterMs = 0, slowTurns = 0, planEveryMs = 5, events = bank.events } = behaviour;
    const { holder, onFailure = () => undefined } = behaviour;
    const written = new Set<string>();
    const life = lifeUntil(Infinity);
    const own = await bank.connectReads();
    const noted = (writes: Parameters<ReadStore['writeShare']>[0]): void => {
      for (const { generation, documents } of writes)
        if (generation.view.name === 'balances')
          for (const { key } of documents) written.add(key.split('/')[0] ?? '');
    };
    const noting: ReadStore = {
      ...own,
      acquireLease: async (name, ...lease) => {
        await behaviour.beforeLease?.(name);
        return own.acquireLease(name, ...lease);
      },
      write: async (writes, fence) => {
        noted(writes);
        for (let turn = 0; turn < slowTurns; turn += 1) await nextTurn();
        await own.write(writes, fence);
      },
      deleteShare: async (name) => {
        faults -= 1;
        if (faults >= 0) throw new StoreUnavailable('the read store is away');
        await own.deleteShare(name);
      },
      putRecord: async (kind, name, record) => {
        if (kind === 'share-plan') planWrites += 1;
        if (name.includes(':member:')) await behaviour.beforeAnnouncement?.();
        await own.putRecord(kind, name, record);
      },
      writeShare: async (writes, checkpoint, fence) => {
        await behaviour.beforeShareWrite?.();
        noted(writes);
        await own.writeShare(writes, checkpoint, fence);
      },
    };
    const engine = projectionEngine({
      events,
      reads: mortal(noting, life),
      registry: projectionRegistry({ name: 'bank', projections }),
      decode: (stored) => stored,
      clock: systemClock,
      lookEveryMs: 5,
      pollMs: 2,
      sharing: true,
      shareAfterMs,
      planEveryMs,
      leaseTiming,
      onFailure,
      ...(holder === undefined ? {} : { holder }),
    });
    living.add(engine);
    engine.start();
    return {
      engine,
      written,
      kill: () => {
        life.kill();
        // A dead process is not stopped: its calls never end.
        living.delete(engine);
      },
    };
  };
  const twoWorkers = async (): Promise<readonly [Worker, Worker]> => [await worker(), await worker()];
  const threeWorkers = async (): Promise<readonly [Worker, Worker, Worker]> => [
    ...(await twoWorkers()),
    await worker(),
  ];
  /** Deposits to every workspace, and one rate. */
  const round = (amount = 1): readonly BankEvent[] => [
    ...Array.from({ length: WORKSPACES }, (_, index) => deposited(index + 1, 'a', amount)),
    rateSet(amount),
  ];
  /** A call that waits for `goOn`. */
  const gate = () => {
    let asks = 0;
    const { promise, resolve } = moment();
    openings.push(resolve);
    const pass = (): Promise<void> => {
      asks += 1;
      return promise;
    };
    return { asks: () => asks, goOn: resolve, pass };
  };
  /** A lease that a worker asks for and gets only after `goOn`. */
  const heldBack = (held: string) => {
    const { pass, ...rest } = gate();
    return { ...rest, beforeLease: async (name: string) => (name === held ? pass() : undefined) };
  };
  const planOf = (count: number): Promise<void> =>
    eventually(async () => {
      const plan = await sharePlan(reads, 'bank');
      return plan !== null && !plan.isEnded && plan.shares.length === count;
    });
  /** Appends a round, and waits until so many workers share the projecting. */
  const sharedRound = async (workers: number, amount?: number): Promise<void> => {
    await bank.happen(...round(amount));
    await planOf(workers);
  };
  /** A leader, and a worker whose write to its share waits for `goOn`. */
  const heldBackShare = async () => {
    const first = await worker();
    await eventually(() => first.engine.isLeading());
    const { asks, goOn, pass } = gate();
    await worker(views(), { beforeShareWrite: pass });
    await sharedRound(2);
    await bank.happen(...round(2));
    await eventually(() => asks() === 1);
    return { first, goOn };
  };
  const everythingProjected = async (by: Worker): Promise<void> => {
    await caughtUp(bank, by.engine);
    await expectNaive(bank, reads, balances(poison));
    await expectNaive(bank, reads, deposits());
    await expectNaive(bank, reads, rates(poison));
  };
  /** Each event of a view's types is counted once, however often the shares changed. */
  const countedOnce = async (by: Worker): Promise<void> => {
    const history = await bank.history();
    const count = (...types: readonly string[]): number =>
      history.filter(({ type }) => types.includes(type)).length;
    const expected: { readonly [name: string]: number } = {
      balances: count('Deposited', 'Closed'),
      deposits: count('Deposited'),
      rates: count('RateSet'),
    };
    await eventually(async () => {
      const status = (await by.engine.status()).filter(({ name }) => name in expected);
      // The counts of a share may come later, but never more than there are.
      for (const { name, scanned } of status) expect(scanned).toBeLessThanOrEqual(expected[name] ?? 0);
      return status.every(({ name, scanned }) => scanned === expected[name]);
    });
  };
  const everythingCounted = async (by: Worker): Promise<void> => {
    await everythingProjected(by);
    await countedOnce(by);
  };

  it('has each workspace projected by one worker, and every worker projects some', async () => {
    const all = await threeWorkers();
    const [first] = all;
    let plan: SharePlan | null = null;
    let after: SharePlan | null = null;
    // On a busy machine a worker may lose its lease; another plan follows, with other partitions.
    do {
      await sharedRound(3);
      plan = await sharePlan(reads, 'bank');
      for (const each of all) each.written.clear();
      await bank.happen(...round(2), ...round(3));
      await everythingProjected(first);
      after = await sharePlan(reads, 'bank');
    } while (plan === null || plan.id !== after?.id);
    const partsOf = ({ written }: Worker): readonly number[] => [
      ...new Set([...written].map((workspace) => partitionOf(Number(workspace)))),
    ];
    const parts = all.map(partsOf);
    expect(parts.map(({ length }) => length > 0)).toEqual([true, true, true]);
    expect(new Set(parts.flat()).size).toBe(parts.flat().length);
    await countedOnce(first);
  });

  it('reports to a writer that the read models show its events when the worker that has them is done, whichever worker is asked', async () => {
    const all = await threeWorkers();
    await sharedRound(3);
    for (let workspace = 1; workspace <= 12; workspace += 1) {
      const position = await bank.happen(deposited(workspace, 'b', 7));
      const asked = all[workspace % 3];
      expect(
        await asked?.engine.reached({ position, types: ['Deposited'], workspaceId: workspace }, 20_000),
      ).toBe(true);
      expect(await reads.get(balances(), `${workspace}/b`)).toMatchObject({ total: 7 });
    }
  });

  it('gives the partitions of a worker that stops to the others, and those of one that comes to it', async () => {
    const [first, second] = await twoWorkers();
    await sharedRound(2);
    const third = await worker();
    await planOf(3);
    await bank.happen(...round(2));
    await second.engine.stop();
    await planOf(2);
    await bank.happen(...round(3));
    await everythingCounted(first);
    await third.engine.stop();
    await eventually(async () => (await sharePlan(reads, 'bank')) === null);
    await bank.happen(...round(4));
    await everythingCounted(first);
  });

  it('offers to project no share when a worker stops before the answer whether it leads', async () => {
    const first = await worker();
    await eventually(() => first.engine.isLeading());
    const lease = heldBack(groupLease('bank'));
    const second = await worker(views(), lease);
    await eventually(() => lease.asks() === 1);
    const stopped = second.engine.stop();
    lease.goOn();
    await stopped;
    // As many calls as an offer needs, and some more.
    for (let time = 0; time < 5; time += 1)
      expect((await memberPlaces(reads, 'bank')).filter(({ holder }) => holder !== null)).toEqual([]);
    expect(lease.asks()).toBe(1);
  });

  it('stops a worker that is about to take its share', async () => {
    await worker();
    await bank.happen(...round());
    const lease = heldBack(shareName('bank', 1));
    const second = await worker(views(), lease);
    await eventually(() => lease.asks() === 1);
    const stopped = second.engine.stop();
    lease.goOn();
    await soon('the worker that stops', stopped);
    await eventually(async () => (await sharePlan(reads, 'bank')) === null);
  });

  it('takes no share by a plan that is over, so that the next plan misses no event', async () => {
    const first = await worker();
    const lease = heldBack(shareName('bank', 1));
    await bank.happen(...round());
    await worker(views(), { ...lease, planEveryMs: 200 });
    await eventually(() => lease.asks() === 1);
    const before = await sharePlan(reads, 'bank');
    const operator = bank.engine(await bank.connectReads(), views(), { sharing: true });
    expect(await operator.rebuild('balances')).toMatchObject({ outcome: 'live', generation: 2 });
    await eventually(async () => {
      const plan = await sharePlan(reads, 'bank');
      return plan !== null && plan.id !== before?.id && !plan.isEnded;
    });
    await bank.happen(...round(2));
    lease.goOn();
    await everythingCounted(first);
  });

  it('reads no event of its share again after the server dropped its subscription', async () => {
    const afters: Position[] = [];
    let isDropped = false;
    const events: EventStore = {
      ...bank.events,
      async *subscribe(wanted) {
        afters.push(wanted.after ?? START);
        for await (const batch of bank.events.subscribe(wanted)) {
          const isResumed = isDropped;
          isDropped = false;
          yield isResumed ? { ...batch, resumed: true } : batch;
        }
      },
    };
    const first = await worker();
    await worker(views(), { events });
    await sharedRound(2);
    const position = await bank.happen(...round(2));
    await caughtUp(bank, first.engine);
    const subscriptions = afters.length;
    isDropped = true;
    await bank.happen(...round(3));
    await eventually(() => afters.length > subscriptions);
    expect(afters.at(-1)?.localeCompare(position)).toBeGreaterThanOrEqual(0);
    await everythingCounted(first);
  });

  it('halts a view also if no other share has passed the event', async () => {
    const first = await worker();
    const lease = heldBack(shareName('bank', 1));
    await bank.happen(...round());
    await worker(views(), lease);
    await eventually(() => lease.asks() === 1);
    const before = planWrites;
    await bank.happen(rateSet(9, true));
    await eventually(async () => (await first.engine.readiness()).halted.length === 1);
    // The plan ends, and no other one is begun before the view is halted.
    expect(planWrites - before).toBe(1);
    lease.goOn();
    await caughtUp(bank, first.engine);
    await expectNaive(bank, reads, balances(poison));
  });

  it('stops the leader while it waits for the share of another worker', async () => {
    const first = await worker();
    const { asks, goOn, pass } = gate();
    const second = await worker(views(), { beforeShareWrite: pass });
    await sharedRound(2);
    await bank.happen(...round(2));
    await eventually(() => asks() === 1);
    const third = await worker();
    await eventually(async () => (await sharePlan(reads, 'bank'))?.isEnded === true);
    const leader = [first, second, third].find(({ engine }) => engine.isLeading());
    await soon('the leader that stops', leader?.engine.stop() ?? Promise.reject(new Error('nobody leads')));
    goOn();
    await everythingCounted(third);
  });

  it.each([
    { writes: 'fail', write: () => Promise.reject(new StoreUnavailable('no answer')) },
    { writes: 'do not end', write: null },
  ])(
    'gives the share of a worker whose writes $writes to the others, and names the worker',
    async ({ write }) => {
      const failures: string[] = [];
      const first = await worker(views(), { onFailure: (_, error) => failures.push(String(error)) });
      await eventually(() => first.engine.isLeading());
      await worker();
      const { asks, goOn, pass } = gate();
      const stuck = { holder: 'elsewhere:1:stuck', beforeShareWrite: write ?? pass };
      await worker(views(), stuck);
      await sharedRound(3);
      const holders = async (): Promise<readonly string[]> =>
        (await sharePlan(reads, 'bank'))?.shares.map(({ holder }) => holder) ?? [];
      expect(await holders()).toContain(stuck.holder);
      await bank.happen(...round(2));
      await everythingProjected(first);
      await planOf(2);
      expect(await holders()).not.toContain(stuck.holder);
      expect(failures.join()).toMatch(`the worker ${stuck.holder} does not project`);
      // A late write of the worker changes nothing.
      if (write === null) expect(asks()).toBe(1);
      goOn();
      await bank.happen(...round(3));
      await everythingCounted(first);
    },
  );

  it('takes the share of a worker that does not release it when a plan ends', async () => {
    const { first, goOn } = await heldBackShare();
    expect(await soon('the retry', first.engine.retry('balances'))).toMatchObject({ events: 0 });
    goOn();
    await everythingCounted(first);
  });

  it('leaves a retry to the next leader if the lease of the leader is lost before it is done', async () => {
    const { first, goOn } = await heldBackShare();
    const retried = soon('the retry', first.engine.retry('balances'));
    await eventually(async () => (await sharePlan(reads, 'bank'))?.isEnded === true);
    const epoch = await freeLease(reads, groupLease('bank'));
    await eventually(async () => ((await reads.lease(groupLease('bank')))?.epoch ?? 0) > epoch);
    goOn();
    expect(await retried).toMatchObject({ events: 0, halted: null });
    await everythingCounted(first);
  });

  it('offers to project a share again after the read store refused the announcement of its views', async () => {
    let refusals = 1;
    await worker();
    await worker(views(), {
      beforeAnnouncement: async () => {
        refusals -= 1;
        if (refusals >= 0) throw new StoreUnavailable('the read store is away');
      },
    });
    await sharedRound(2);
    expect(refusals).toBeLessThan(0);
  });

  it('goes on when the leader stops, when it dies, and when a worker dies', async () => {
    const all = [...(await threeWorkers()), await worker()];
    const leaderOf = (): Worker => {
      const leader = all.find(({ engine }) => engine.isLeading());
      if (leader === undefined) throw new Error('nobody leads');
      return leader;
    };
    const without = (gone: Worker): void => void all.splice(all.indexOf(gone), 1);
    await sharedRound(4);
    const stopped = leaderOf();
    await stopped.engine.stop();
    without(stopped);
    await sharedRound(3, 2);
    const dead = leaderOf();
    dead.kill();
    without(dead);
    await bank.happen(...round(3));
    await eventually(() => all.some(({ engine }) => engine.isLeading()));
    await planOf(2);
    const member = all.find(({ engine }) => !engine.isLeading());
    member?.kill();
    await bank.happen(...round(4));
    const last = leaderOf();
    await everythingCounted(last);
  });

  it('swaps a rebuilt generation in, rolls it back and verifies it', async () => {
    const [first] = await threeWorkers();
    await sharedRound(3);
    const operator = bank.engine(await bank.connectReads(), views(), { sharing: true });
    expect(await operator.rebuild('balances')).toMatchObject({ outcome: 'live', generation: 2 });
    await sharedRound(3, 2);
    await bank.happen(...round(3));
    await everythingProjected(first);
    expect(await operator.verify('balances')).toMatchObject({ ok: true, documents: WORKSPACES });
    expect(await operator.rollback('balances')).toMatchObject({ outcome: 'live', generation: 1 });
    await bank.happen(...round(4));
    await everythingProjected(first);
    await planOf(3);
    await countedOnce(first);
  });

  it('parks a workspace in the worker that has it, and folds its events when an operator retries them', async () => {
    const all = await threeWorkers();
    await sharedRound(3);
    await bank.happen(
      ...Array.from({ length: 6 }, (_, index) => deposited(index + 1, 'a', 5, true)),
      ...round(2),
    );
    for (const { engine } of all) {
      await caughtUp(bank, engine);
      await eventually(
        async () => (await engine.isParked('balances', 3)) && !(await engine.isParked('balances', 9)),
      );
    }
    poison.works = false;
    const member = all.find(({ engine }) => !engine.isLeading());
    expect(await member?.engine.retry('balances')).toEqual({ events: 12, stillParked: [], halted: null });
    const [first] = all;
    await everythingProjected(first);
    await planOf(3);
    await countedOnce(first);
  });

  it('halts a view at an event without a workspace, shares nothing meanwhile, and goes on after a retry', async () => {
    const [first] = await threeWorkers();
    await sharedRound(3);
    await bank.happen(rateSet(9, true), ...round(2));
    await eventually(async () => (await first.engine.readiness()).halted.length === 1);
    expect((await first.engine.readiness()).halted).toEqual([
      { name: 'rates', reason: 'Error: cannot fold this' },
    ]);
    await caughtUp(bank, first.engine);
    await expectNaive(bank, reads, deposits());
    poison.works = false;
    expect(await first.engine.retry('rates')).toMatchObject({ halted: null });
    await planOf(3);
    await bank.happen(...round(3));
    await everythingProjected(first);
  });

  it('leaves a read model across workspaces to one worker', async () => {
    const across: Projection = { ...deposits(), name: 'sums', acrossWorkspaces: true, key: () => 'all' };
    const projections = [...views(), across];
    const all = [await worker(projections), await worker(projections), await worker(projections)];
    await sharedRound(3);
    await bank.happen(...round(2), ...round(3));
    for (const { engine } of all) await caughtUp(bank, engine);
    await expectNaive(bank, reads, across);
  });

  it('begins when the leader does not keep up with the log, and begins again with another worker meanwhile', async () => {
    const slow = { shareAfterMs: 1, slowTurns: 200 };
    const first = await worker(views(), slow);
    const all = [first, await worker(views(), slow)];
    await bank.happen(...round());
    for (const { engine } of all) await caughtUp(bank, engine);
    let isOver = false;
    /** The end of the log stays so many events ahead that no slice reaches it. */
    const isNear = async (): Promise<boolean> => {
      const [status] = await first.engine.status(['deposits']);
      return Number(await bank.events.head()) - Number(status?.checkpoint) <= 2_000;
    };
    const writing = (async () => {
      for (let number = 1; ; number += 1) {
        await eventually(async () => isOver || (await isNear()));
        if (isOver) return;
        const workspaceId = String(1 + (number % WORKSPACES));
        const metadata = { recordedAt: new Date().toISOString(), workspaceId };
        const some = Array.from({ length: 500 }, () => ({
          id: randomUUID(),
          type: 'Deposited',
          data: { account: 'many', amount: 1 },
          metadata,
        }));
        await bank.events.append(`growing-${number}`, 'no-stream', some);
      }
    })();
    const planned = async (): Promise<void> => {
      await planOf(2);
      all.push(await worker(views(), slow));
      await planOf(3);
    };
    try {
      // A writer that fails ends the case.
      await Promise.race([planned(), writing]);
    } finally {
      isOver = true;
    }
    await writing;
    await everythingCounted(first);
  });

  it('does not begin while the leader keeps up', async () => {
    const [first] = [
      await worker(views(), { shareAfterMs: 60_000 }),
      await worker(views(), { shareAfterMs: 60_000 }),
    ];
    await bank.happen(...round());
    await everythingProjected(first);
    await bank.happen(...round(2));
    await everythingProjected(first);
    expect(await sharePlan(reads, 'bank')).toBeNull();
  });

  it('goes on after a merge that the read store refused', async () => {
    const [first] = await twoWorkers();
    await sharedRound(2);
    faults = 1;
    await worker();
    await planOf(3);
    expect(faults).toBeLessThanOrEqual(0);
    await bank.happen(...round(2));
    await everythingCounted(first);
  });

  it('does not share with a worker of another version, and both versions are complete', async () => {
    const [first] = await twoWorkers();
    await sharedRound(2);
    const next = await worker([balances(poison, 2, 'second'), deposits(), rates(poison)]);
    await bank.happen(...round(2));
    await eventually(async () => (await reads.generations(balances(poison, 2))).live !== null);
    expect((await sharePlan(reads, 'bank'))?.shares.length).toBe(2);
    await everythingProjected(first);
    await caughtUp(bank, next.engine);
    await expectNaive(bank, reads, balances(poison, 2, 'second'));
  });

  it('gives a worker whose lease of a share was taken over no further write', async () => {
    const [first] = await twoWorkers();
    await sharedRound(2);
    const plan = await sharePlan(reads, 'bank');
    const share = plan?.shares[1];
    if (share === undefined) throw new Error('a share');
    const lease = await reads.lease(share.name);
    await expect(
      reads.writeShare(
        [],
        { position: 'z', counts: {} },
        { lease: share.name, epoch: (lease?.epoch ?? 1) - 1 },
      ),
    ).rejects.toThrow(LeaseLost);
    await everythingProjected(first);
  });
}
