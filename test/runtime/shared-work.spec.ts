import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { hostname } from 'node:os';
import { creditAccount } from '#ledger/domain/credit-account.js';
import { grant } from '#ledger/domain/post-credits.js';
import { StoreUnavailable } from '#kernel/ports/event-store.port.js';
import { LeaseLost, type ReadModels, type Scalar, type LeaseStore } from '#kernel/ports/read-store.port.js';
import { partitionOf, PARTITIONS, shareOf } from '#kernel/events/workspace-partition.js';
import { partitionLease, partitions } from '#process-engine/partitions.js';
import type { Process } from '#process-engine/process.js';
import { workQueue, type WorkQueue, type WorkQueueSettings } from '#process-engine/work-queue.js';
import { createProcessRunner, type ProcessRunner } from '#process-engine/process-runner.js';
import { eventually } from '#test/projections/engine-fixture.js';
import { toDo } from '#process-engine/to-do.js';
import { openLedgerHost, operatorOf, type LedgerHost } from '../ops/ledger-host.js';
import { moment, type Moment } from '../support/moment.js';
import { processHostOf } from '../support/process-host.js';
import { openThings, things, type Thing, type ThingsToDo } from '../support/things-to-do.js';
import { freeLease } from '#test/support/free-lease.js';

/** Enough that each part has some. */
const WORKSPACES = 2 * PARTITIONS;
const WORKSPACE = 7;
const PARTS_OF_SOME = [39, 15, 54, 2, 15];
const LATE = 5_000_000n;
const NUMBERS = Array.from({ length: PARTITIONS }, (_, number) => number);
/** Two of each workspace. */
const ITEMS = Array.from({ length: 2 * WORKSPACES }, (_, at): Thing => ({
  workspaceId: 1 + (at % WORKSPACES),
  name: `item-${at}`,
  kind: 'short',
  at,
  dueAt: null,
}));

describe('work that several workers share', () => {
  let house: LedgerHost;
  let list: ThingsToDo;
  const runners: ProcessRunner[] = [];
  const errors: unknown[] = [];
  /** Holds up an item, at most until the end of the case: a runner waits for its items when it stops. */
  let stall: Moment;
  beforeEach(async () => {
    errors.length = 0;
    stall = moment();
    house = await openLedgerHost();
    list = await openThings(house.readStore);
    await house.openWorkspace(WORKSPACE);
  });
  afterEach(async () => {
    stall.resolve();
    for (const runner of runners.splice(0)) await runner.stop();
    await house.close();
  });

  const worker = (holder: string, does: Process): ProcessRunner => {
    const runner = createProcessRunner({
      host: processHostOf(house),
      processes: [does],
      leases: house.readStore,
      holder: `elsewhere:${holder}`,
      watch: list.watch,
      readModelsSettled: () => house.eventStore.head(),
      onError: (_name, _key, error) => errors.push(error),
    });
    runners.push(runner);
    return runner;
  };
  const holders = async (): Promise<readonly (string | null)[]> => {
    const leases = await Promise.all(NUMBERS.map((number) => house.readStore.lease(partitionLease(number))));
    return leases.map((lease) => lease?.holder ?? null);
  };
  /** Repeated, because the holder takes a lease again that it has lost in a pause of the machine. */
  const takeOver = (name: string, holder: string): Promise<void> =>
    eventually(async () => {
      await freeLease(house.readStore, name);
      return (await house.readStore.acquireLease(name, holder, 60_000)) !== null;
    });
  const sharesOf = async (...names: readonly string[]): Promise<readonly number[]> => {
    const all = await holders();
    return names.map((name) => all.filter((holder) => holder === `elsewhere:${name}`).length);
  };
  const acting = (act: Process<Thing>['act']): Process<Thing> => ({
    name: 'recorded',
    lane: 'timers',
    atOnce: 8,
    toDo: toDo(things, { where: [{ kind: 'short' }], oldestFirst: ['at', 'name'] }),
    key: ({ name }) => name,
    waitsFor: [],
    act,
  });
  /** The queue of one of two workers that has nothing in hand, at time 0. */
  const queueOf = ({
    readModels = house.readStore,
    ...settings
  }: Pick<WorkQueueSettings, 'isOwn'> &
    Partial<WorkQueueSettings> & { readModels?: ReadModels }): WorkQueue =>
    workQueue({
      host: { ...processHostOf(house), readModels },
      process: acting(async () => undefined),
      idOf: ({ workspaceId }) => String(workspaceId),
      share: () => 1 / 2,
      isFree: () => true,
      notFree: () => 0,
      nowMs: () => 0,
      ...settings,
    });
  /** Only records who did which item. */
  const recorded = (name: string, done: Map<string, string[]>): Process<Thing> =>
    acting(async (_host, item) => {
      done.set(item.name, [...(done.get(item.name) ?? []), name]);
      await list.remove(item);
    });

  it('puts a workspace into the same part in every process, and equally many into every range of parts', () => {
    // Permanent values: workers of two versions of the program work side by side.
    expect([1, 2, 3, 1_000, 4_294_967_296 + 2].map(partitionOf)).toEqual(PARTS_OF_SOME);
    for (const workspaces of [20, 64, 1_000]) {
      const parts = Array.from({ length: workspaces }, (_, index) => partitionOf(index + 1));
      for (const workers of [2, 4, 16]) {
        for (let rank = 0; rank < workers; rank += 1) {
          const { from, size } = shareOf(rank, workers);
          const own = parts.filter((part) => part >= from && part < from + size).length;
          expect(Math.abs(own - workspaces / workers)).toBeLessThanOrEqual(2);
        }
      }
    }
  });

  it('shares all parts among any number of workers, none twice, and evenly up to one part', () => {
    for (let workers = 1; workers <= PARTITIONS; workers += 1) {
      const shares = Array.from({ length: workers }, (_, rank) => shareOf(rank, workers));
      const all = shares.flatMap(({ from, size }) =>
        Array.from({ length: size }, (_, index) => from + index),
      );
      expect(all).toEqual(NUMBERS);
      const sizes = shares.map(({ size }) => size);
      expect(Math.max(...sizes) - Math.min(...sizes)).toBeLessThanOrEqual(1);
    }
  });

  it('is done by one worker; a second one gets half of it, and all of it when the first one goes', async () => {
    const none = new Map<string, string[]>();
    const first = worker('1:first', recorded('first', none));
    first.start();
    await eventually(async () => (await sharesOf('1:first'))[0] === PARTITIONS);
    const second = worker('2:second', recorded('second', none));
    second.start();
    await eventually(async () =>
      (await sharesOf('1:first', '2:second')).every((share) => share === PARTITIONS / 2),
    );
    await first.stop();
    expect((await sharesOf('1:first'))[0]).toBe(0);
    await eventually(async () => (await sharesOf('2:second'))[0] === PARTITIONS);
    await second.stop();
    expect(await holders()).toEqual(NUMBERS.map(() => null));
  });

  it('is done item by item by the one worker that holds the part, also behind items of another part', async () => {
    const done = new Map<string, string[]>();
    for (const name of ['first', 'second']) worker(`1:${name}`, recorded(name, done)).start();
    await eventually(async () =>
      (await sharesOf('1:first', '1:second')).every((share) => share === PARTITIONS / 2),
    );
    const owners = (await holders()).map((holder) => holder?.split(':').at(-1));
    await list.add(...ITEMS);
    await eventually(() => done.size === ITEMS.length);
    for (const { name, workspaceId } of ITEMS)
      expect(done.get(name)).toEqual([owners[partitionOf(workspaceId)]]);
    expect(errors).toEqual([]);
  });

  it('stops while a worker of an earlier version works, which shares by another rule', async () => {
    const { readStore } = house;
    const earlier = ['processes:seat:2', 'processes:1'];
    for (const name of earlier) await readStore.acquireLease(name, 'elsewhere:0:earlier', 60_000);
    const first = partitions(readStore, 'elsewhere:1:first');
    const second = partitions(readStore, 'elsewhere:2:second');
    await first.lookAfter();
    expect(first.held().size).toBe(0);
    for (const name of earlier) await readStore.releaseLease(name, { lease: name, epoch: 1 });
    await first.lookAfter();
    expect(first.held().size).toBe(PARTITIONS);
    // Such a worker comes back, for example when the new version is rolled back.
    await readStore.acquireLease('processes:seat:0', 'elsewhere:0:earlier', 60_000);
    await first.lookAfter();
    await first.settle(() => true);
    await second.lookAfter();
    expect([first.held().size, second.held().size]).toEqual([0, 0]);
    await first.release();
    await second.release();
  });

  it('counts a worker that has crashed until its slot expires, and on its own host only until the crash is noticed', async () => {
    const { readStore } = house;
    const gone = spawn(process.execPath, ['-e', '']);
    await once(gone, 'exit');
    const living = partitions(readStore, 'elsewhere:1:living');
    await readStore.acquireLease('processes:worker:0', 'elsewhere:2:silent', 60_000);
    await living.lookAfter();
    expect(living.held().size).toBe(PARTITIONS / 2);
    await readStore.releaseLease('processes:worker:0', { lease: 'processes:worker:0', epoch: 1 });
    await readStore.acquireLease('processes:worker:0', `${hostname()}:${gone.pid}:gone`, 60_000);
    await living.lookAfter();
    expect(living.held().size).toBe(PARTITIONS);
    await living.release();
  });

  it('is read by a worker for its own workspaces alone, however many others come before them', async () => {
    const FIRST_OWN = 1_900;
    const asked: (Scalar | undefined)[] = [];
    const watched: ReadModels = {
      ...house.readStore,
      find(view, query) {
        asked.push(query.where?.['workspaceId'] as Scalar | undefined);
        return house.readStore.find(view, query);
      },
    };
    const all = Array.from({ length: FIRST_OWN + 5 }, (_, at): Thing => ({
      workspaceId: at + 1,
      name: `thing-${at}`,
      kind: 'short',
      at,
      dueAt: null,
    }));
    await list.add(...all);
    const queue = queueOf({ readModels: watched, isOwn: (workspaceId) => workspaceId > FIRST_OWN });
    await queue.look();
    const taken: number[] = [];
    for (let item = queue.take(() => 0, 1); item !== null; item = queue.take(() => 0, 1))
      taken.push(item.workspaceId);
    const own = [1, 2, 3, 4, 5].map((place) => FIRST_OWN + place);
    expect(taken).toEqual(own);
    // Once all together, which shows that there are more.
    expect(asked).toEqual([undefined, ...own]);
  });

  it('is looked for every second by the worker of its workspace alone, while it is not done', async () => {
    let nowMs = 0;
    const reads = [0, 0, 0, 0];
    const queues = reads.map((_, worker) =>
      queueOf({
        readModels: {
          ...house.readStore,
          find(view, query) {
            reads[worker] = (reads[worker] ?? 0) + 1;
            return house.readStore.find(view, query);
          },
        },
        isOwn: (workspaceId) => workspaceId % reads.length === worker,
        isFree: () => false,
        nowMs: () => nowMs,
      }),
    );
    const lookWhereNeeded = async (): Promise<void> => {
      for (const queue of queues) if (queue.isToLook()) await queue.look();
    };
    await list.add({ workspaceId: 2, name: 'takes long', kind: 'short', at: 1, dueAt: null });
    await lookWhereNeeded();
    expect(reads).toEqual([1, 1, 1, 1]);
    for (let second = 0; second < 10; second += 1) {
      nowMs += 1_000;
      await lookWhereNeeded();
    }
    expect(reads).toEqual([1, 1, 11, 1]);
    // The view has changed, and the last worker has got other partitions.
    nowMs += 25;
    for (const queue of queues.slice(0, 3)) queue.moved();
    queues[3]?.forget();
    await lookWhereNeeded();
    expect(reads).toEqual([2, 2, 12, 2]);
  });

  it('is looked for again by a worker whose workspaces may come after those of a read', async () => {
    let nowMs = 0;
    const most = 1_000;
    const things = ITEMS.slice(0, 1).flatMap((thing) =>
      Array.from({ length: most + 1 }, (_, at) => ({ ...thing, workspaceId: at + 1, name: `thing-${at}` })),
    );
    await list.add(...things);
    const isOwn = (workspaceId: number): boolean => workspaceId > most;
    const queue = queueOf({ isOwn, share: () => 1, nowMs: () => nowMs });
    await queue.look();
    nowMs += 1_000;
    expect(queue.isToLook()).toBe(true);
  });

  it.each([
    ['whose work waits', (workspaceId: number) => workspaceId <= 1_000],
    [
      'of which one has something to do all the time',
      (workspaceId: number) => workspaceId > 1 && workspaceId <= 1_000,
    ],
  ])('is found in each of 2,500 workspaces after the first thousand, %s', async (_title, isWaiting) => {
    let nowMs = 0;
    const most = 1_000;
    const all = ITEMS.slice(0, 1).flatMap((thing) =>
      Array.from({ length: 2_500 }, (_, at) => ({ ...thing, workspaceId: at + 1, name: `thing-${at}` })),
    );
    await list.add(...all);
    const asked: number[] = [];
    const queue = queueOf({
      host: {
        ...processHostOf(house),
        isParked: async (_view: string, workspaceId: number) => (
          asked.push(workspaceId),
          isWaiting(workspaceId)
        ),
      },
      process: { ...acting(async () => undefined), waitsFor: ['things'] },
      isOwn: () => true,
      share: () => 1,
      nowMs: () => nowMs,
    });
    const done = new Set<number>();
    const open = all.filter(({ workspaceId }) => !isWaiting(workspaceId));
    for (let looks = 0; looks < 20 && done.size < open.length; looks += 1) {
      asked.length = 0;
      await queue.look();
      for (let item = queue.take(() => 0, 1); item !== null; item = queue.take(() => 0, 1)) {
        done.add(item.workspaceId);
        if (item.workspaceId > 1)
          await list.remove(...all.filter((thing) => thing.workspaceId === item?.workspaceId));
      }
      // However many wait, one read asks for no more of them than before.
      expect(asked.length).toBeLessThanOrEqual(most);
      nowMs += 1_000;
      expect(queue.isToLook()).toBe(true);
    }
    expect(done.size).toBe(open.length);
  });

  it('OPS-18 is not awaited by a process that does no work when no worker does it', async () => {
    const done = new Map<string, string[]>();
    await list.add(...ITEMS);
    const watcher = worker('1:watcher', recorded('watcher', done));
    await expect(watcher.drain()).rejects.toThrow(StoreUnavailable);
    worker('2:busy', recorded('busy', done)).start();
    await eventually(async () => (await sharesOf('2:busy'))[0] === PARTITIONS);
    expect(await watcher.drain()).toEqual({ processed: 0 });
    expect(done.size).toBe(ITEMS.length);
  });

  it('is released by a worker that stops while the store is away: its leases expire', async () => {
    const away: LeaseStore = {
      ...house.readStore,
      releaseLease: () => Promise.reject(new StoreUnavailable('the store is away')),
    };
    const parts = partitions(away, 'elsewhere:1:leaving');
    await parts.lookAfter();
    expect(parts.held().size).toBe(PARTITIONS);
    await parts.release();
    expect(parts.held().size).toBe(0);
  });

  it('is taken up again by a worker that has lost its parts and its slot, as soon as they are free', async () => {
    const parts = partitions(house.readStore, 'elsewhere:1:paused');
    await parts.lookAfter();
    const lost = [...parts.held().values()];
    expect(lost).toHaveLength(PARTITIONS);
    expect(await parts.lookAfter()).toBe(false);
    expect([...parts.held().values()].every((part, at) => part === lost[at])).toBe(true);
    expect(lost.some(({ signal }) => signal.aborted)).toBe(false);
    // Has the effect of an expired time to live, without waiting for it.
    const slot = 'processes:worker:0';
    for (const name of [...NUMBERS.map(partitionLease), slot]) await freeLease(house.readStore, name);
    await eventually(() => lost.every(({ signal }) => signal.aborted));
    for (const part of lost) expect(() => part.fence()).toThrow(LeaseLost);
    await parts.lookAfter();
    const held = [...parts.held().values()];
    for (const part of held) expect(() => part.fence()).not.toThrow();
    expect(held.map(({ signal }) => signal.aborted)).toEqual(NUMBERS.map(() => false));
    expect(new Set(await holders())).toEqual(new Set(['elsewhere:1:paused']));
    expect((await house.readStore.lease(slot))?.holder).toBe('elsewhere:1:paused');
    await parts.release();
    expect(await house.readStore.lease(slot)).toBeNull();
  });

  it('is not written by a worker that stalls in the middle of an item and loses its part', async () => {
    let isStalled = false;
    let stopped: AbortSignal | null = null;
    let failure: unknown = null;
    let failures = 0;
    const give: Process<Thing> = {
      ...acting(async () => undefined),
      async act(host, _item, signal) {
        isStalled = true;
        stopped = signal;
        await stall.promise;
        try {
          await host.commands.handle(
            creditAccount,
            String(WORKSPACE),
            grant({ movementId: 900, credits: LATE, reason: 'late' }),
            {
              context: operatorOf(WORKSPACE),
            },
          );
        } catch (error) {
          failure = error;
          throw error;
        }
      },
      failed: async () => void (failures += 1),
    };
    await list.add(...ITEMS.slice(0, 1));
    worker('1:stalled', give).start();
    await eventually(() => isStalled);
    // Has the effect of an expired time to live, without waiting for it.
    for (const number of NUMBERS) await takeOver(partitionLease(number), 'elsewhere:2:next');
    await eventually(() => stopped?.aborted === true);
    const before = await house.ledger(WORKSPACE);
    stall.resolve();
    await eventually(() => failure !== null);

    expect(failure).toBeInstanceOf(LeaseLost);
    expect(await house.ledger(WORKSPACE)).toEqual(before);
    // An item whose part moved to another worker has not failed.
    expect([failures, errors]).toEqual([0, []]);
    expect(new Set(await holders())).toEqual(new Set(['elsewhere:2:next']));
  });
});
