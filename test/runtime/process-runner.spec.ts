import { setImmediate } from 'node:timers/promises';
import { StoreUnavailable } from '#kernel/ports/event-store.port.js';
import { pause } from '#kernel/commands/retry.js';
import type { ReadModels } from '#kernel/ports/read-store.port.js';
import { LANES } from '#process-engine/lanes.js';
import type { Process, ProcessHost } from '#process-engine/process.js';
import {
  createProcessRunner,
  type ProcessRunner,
  type ProcessRunnerSettings,
} from '#process-engine/process-runner.js';
import { processes } from '#runtime/processes.js';
import { timedToDo, toDo } from '#process-engine/to-do.js';
import { workQueue, type WorkQueue } from '#process-engine/work-queue.js';
import { eventually } from '#test/projections/engine-fixture.js';
import { openLedgerHost, type LedgerHost } from '../ops/ledger-host.js';
import { moment } from '../support/moment.js';
import { processHostOf } from '../support/process-host.js';
import { openThings, things, type Thing, type ThingsToDo } from '../support/things-to-do.js';

const NOON = '2026-01-05T12:00:00.000Z';
const LATER = '2026-01-05T13:00:00.000Z';

let house: LedgerHost;
let list: ThingsToDo;
const runners: ProcessRunner[] = [];
const errors: unknown[] = [];
beforeEach(async () => {
  errors.length = 0;
  house = await openLedgerHost();
  list = await openThings(house.readStore);
});
afterEach(async () => {
  const stopping = runners.splice(0).map((runner) => runner.stop());
  held.endAll();
  await Promise.all(stopping);
  await house.close();
});

function runnerOf(
  processes: readonly Process[],
  settings: Partial<ProcessRunnerSettings> = {},
): ProcessRunner {
  const runner = createProcessRunner({
    host: processHostOf(house),
    processes,
    leases: house.readStore,
    holder: 'here:0:test',
    watch: list.watch,
    readModelsSettled: () => house.eventStore.head(),
    onError: (_process, _key, error) => errors.push(error),
    ...settings,
  });
  runners.push(runner);
  return runner;
}

let names = 0;
const thing = (workspaceId: number, parts: Partial<Thing> = {}): Thing => {
  const at = (names += 1);
  const name = `thing-${String(at).padStart(6, '0')}`;
  return { workspaceId, name, kind: 'short', at, dueAt: null, ...parts };
};
const timed = timedToDo(things, { where: [{ kind: 'short' }], dueAt: 'dueAt', thenBy: 'name' });

/** A process for items of one kind; a finished item leaves the list, as an event would have it. */
function process(
  parts: Partial<Process<Thing>> & { readonly acted: Thing[] },
  kind: Thing['kind'] = 'short',
): Process<Thing> {
  const { acted } = parts;
  return {
    name: 'things',
    lane: 'timers',
    atOnce: 6,
    toDo: toDo(things, { where: [{ kind }], oldestFirst: ['at', 'name'] }),
    key: ({ name }) => name,
    waitsFor: [],
    async act(_host, item) {
      acted.push(item);
      await list.remove(item);
    },
    ...parts,
  };
}

/** The queue of a process with these to-dos, of a worker that does the work of all workspaces. */
const queueOf = (due: Process<Thing>['toDo'], nowMs: () => number, readModels?: ReadModels): WorkQueue =>
  workQueue({
    host: processHostOf(house, readModels),
    process: process({ acted: [], toDo: due }),
    idOf: String,
    isOwn: () => true,
    share: () => 1,
    isFree: () => true,
    notFree: () => 0,
    nowMs,
  });

/** Releases of acts that wait for the test, at the latest for its end. */
const ends: (() => void)[] = [];
const held = {
  wait: () => new Promise<void>((resolve) => void ends.push(resolve)),
  endOne: () => ends.shift()?.(),
  endAll: () => ends.splice(0).forEach((end) => end()),
};

/** The end of an event store to which others append. */
function positions() {
  let head = 0;
  return { append: () => void (head += 1), head: () => String(head) };
}

/** Counts the queries to the read models. */
function counted(): { readonly models: ReadModels; readonly limits: number[] } {
  const limits: number[] = [];
  const { readStore } = house;
  const models: ReadModels = {
    get: (view, key) => (limits.push(0), readStore.get(view, key)),
    getMany: (view, keys) => (limits.push(0), readStore.getMany(view, keys)),
    count: (view, filter) => (limits.push(0), readStore.count(view, filter)),
    groups: (view, filter, grouping) => (limits.push(0), readStore.groups(view, filter, grouping)),
    find: (view, query) => (limits.push(query.limit ?? 0), readStore.find(view, query)),
  };
  return { models, limits };
}

/** Waits until the runner has checked its leases this many times: any automatic work is done by then. */
async function turns(of: { readonly looks: () => number }, count: number): Promise<void> {
  const until = of.looks() + count;
  await eventually(() => of.looks() >= until);
}

/** Leases that count the checks of the runner: each time it asks for the holder of the first slot. */
function countedLeases() {
  let looked = 0;
  const { readStore } = house;
  return {
    looks: () => looked,
    leases: {
      acquireLease: readStore.acquireLease,
      renewLeases: readStore.renewLeases,
      releaseLease: readStore.releaseLease,
      lease: (name: string) => ((looked += name === 'processes:worker:0' ? 1 : 0), readStore.lease(name)),
    },
  };
}

describe('the process runner', () => {
  it('OPS-18 does not report all work done while the read models are behind', async () => {
    const runner = runnerOf([], { readModelsSettled: async () => null });
    const error: unknown = await runner.drain().catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(StoreUnavailable);
  });

  it('OPS-18 does not say that all is done if the process stops first', async () => {
    const acted: Thing[] = [];
    const runner = runnerOf([
      process({ acted, act: async (_host, item) => (acted.push(item), held.wait()) }),
    ]);
    runner.start();
    await list.add(thing(1));
    await eventually(() => acted.length === 1);
    const drained = runner.drain().catch((error: unknown) => error);
    // It waits for the item.
    await setImmediate();
    const stopped = runner.stop();
    held.endAll();
    await stopped;
    const outcome = await drained;
    expect(outcome).toBeInstanceOf(StoreUnavailable);
    expect(outcome).toHaveProperty('message', 'the service stops before all due work is done');
  });

  it('OPS-18 waits for a runner that this process is about to start', async () => {
    await list.add(thing(1));
    let asked = 0;
    const runner = runnerOf([process({ acted: [] })], {
      isStarting: () => {
        asked += 1;
        if (asked === 2) runner.start();
        return true;
      },
    });
    expect(await runner.drain()).toEqual({ processed: 1 });
  });

  it('OPS-18 reports all work done when the read models contain the last appended events', async () => {
    const settled: string[] = [];
    const position = positions();
    const { readStore } = house;
    const models: ReadModels = {
      ...counted().models,
      async find(view, query) {
        // Work ends between the two questions.
        position.append();
        return readStore.find(view, query);
      },
    };
    const runner = runnerOf([process({ acted: [] })], {
      host: processHostOf(house, models),
      readModelsSettled: async () => (settled.push(position.head()), position.head()),
    });
    await runner.drain();
    expect(settled).toEqual(['0', '1']);
  });

  it('forgets a failed item that is no longer due', async () => {
    let now = 1_000_000;
    const { models, limits } = counted();
    const failing = process({ acted: [], act: () => Promise.reject(new Error('fails')) });
    const runner = runnerOf([failing], { host: processHostOf(house, models), nowMs: () => now });
    const item = thing(1);
    await list.add(item);
    runner.start();
    await eventually(() => errors.length === 1);
    runner.wake();
    await eventually(() => limits.at(-1) === 33);
    await list.remove(item);
    now += 3_600_000;
    runner.wake();
    await eventually(() => limits.at(-1) === 32);
  });

  it('makes no query while there is nothing to do, until its to-do view moves', async () => {
    const { models, limits } = counted();
    const { looks, leases } = countedLeases();
    const acted: Thing[] = [];
    runnerOf([process({ acted })], { host: processHostOf(house, models), leases }).start();
    await eventually(() => limits.length > 0);
    await turns({ looks }, 1);
    const asked = limits.length;
    await turns({ looks }, 4);
    expect(limits).toHaveLength(asked);
    const item = thing(1);
    await list.add(item);
    await eventually(() => acted.length === 1);
    expect(acted).toEqual([item]);
  });

  it('wakes at the next due time without a change of its view, and not before', async () => {
    const acted: Thing[] = [];
    const at: Date[] = [];
    const clock = { now: () => new Date() };
    const dueAt = new Date(Date.now() + 400);
    await list.add(
      thing(1, { dueAt: dueAt.toISOString() }),
      thing(1, { dueAt: '2100-01-01T00:00:00.000Z' }),
      thing(1),
    );
    const runner = runnerOf(
      [
        process({
          acted,
          toDo: timed,
          async act(host, item) {
            acted.push(item);
            at.push(host.clock.now());
            await house.readStore.ping();
          },
        }),
      ],
      { host: { ...processHostOf(house), clock }, watch: () => () => undefined },
    );
    runner.start();
    await eventually(() => acted.length > 0);
    expect(acted[0]?.dueAt).toBe(dueAt.toISOString());
    expect(at[0]?.getTime()).toBeGreaterThanOrEqual(dueAt.getTime());
  });

  it('starts the items it found, even if each query takes so long that its view has moved again meanwhile', async () => {
    const acted: Thing[] = [];
    const { readStore } = house;
    let stale = (): void => undefined;
    const models: ReadModels = {
      ...counted().models,
      async find(view, query) {
        await setImmediate();
        stale();
        return readStore.find(view, query);
      },
    };
    await list.add(thing(1), thing(1, { kind: 'long' }));
    const runner = runnerOf([process({ acted }), process({ acted, name: 'long ones' }, 'long')], {
      host: processHostOf(house, models),
    });
    stale = runner.wake;
    runner.start();
    await eventually(() => acted.length === 2).finally(() => (stale = () => undefined));
    expect(errors).toEqual([]);
  });

  it('reads a to-do that cannot be read again after a second, whatever it knew before', async () => {
    const now = 1_000_000;
    const broken = new StoreUnavailable('the read store is away');
    let works = true;
    const models: ReadModels = {
      ...counted().models,
      find: (view, query) => (works ? house.readStore.find(view, query) : Promise.reject(broken)),
    };
    house.setNow(NOON);
    await list.add(
      ...Array.from({ length: 40 }, () => thing(1, { dueAt: NOON })),
      thing(1, { dueAt: LATER }),
    );
    const queue = queueOf(timed, () => now, models);
    await queue.look();
    while (queue.take(() => 0, 100) !== null);
    house.setNow(LATER);
    expect([queue.isToLook(), queue.idleMs()]).toEqual([true, 0]);
    works = false;
    await expect(queue.look()).rejects.toThrow(broken);
    expect([queue.isToLook(), queue.idleMs()]).toEqual([false, 1_000]);
  });

  it('starts no item after `stop`, also if it comes while the to-dos are read', async () => {
    const acted: Thing[] = [];
    const [asked, answered] = [moment(), moment()];
    const models: ReadModels = {
      ...counted().models,
      async find(view, query) {
        const found = await house.readStore.find(view, query);
        asked.resolve();
        await answered.promise;
        return found;
      },
    };
    await list.add(thing(1));
    const runner = runnerOf([process({ acted })], { host: processHostOf(house, models) });
    runner.start();
    await asked.promise;
    const stopped = runner.stop();
    answered.resolve();
    await stopped;
    expect(acted).toEqual([]);
  });

  it('wakes when the clock was set', async () => {
    const acted: Thing[] = [];
    const { models, limits } = counted();
    await list.add(thing(1, { dueAt: NOON }));
    const runner = runnerOf([process({ acted, toDo: timed })], { host: processHostOf(house, models) });
    runner.start();
    await eventually(() => limits.length >= 2);
    expect(acted).toEqual([]);
    house.setNow(NOON);
    runner.wake();
    await eventually(() => acted.length === 1);
  });

  it.each([
    ['what may be due at once is looked at after 25 ms', {}, 25],
    ['what falls due long after it was written is looked at once a second', { afterMs: 86_400_000 }, 1_000],
    ['what changes more often than it falls due is looked at once a second', { isUnhurried: true }, 1_000],
  ])('however often its view moves, %s', async (_title, hurry, gapMs) => {
    let now = 1_000_000;
    const written = timedToDo(things, {
      where: [{ kind: 'short' }],
      dueAt: 'dueAt',
      ...hurry,
      thenBy: 'name',
    });
    const queue = queueOf(written, () => now);
    await queue.look();
    expect(queue.isToLook()).toBe(false);
    // only the first of them wakes
    expect([queue.moved(), queue.moved()]).toEqual([true, false]);
    now += gapMs - 1;
    expect(queue.isToLook()).toBe(false);
    expect(queue.idleMs()).toBe(1);
    now += 1;
    expect(queue.isToLook()).toBe(true);
    expect(queue.idleMs()).toBe(0);
  });

  it('spends at most a tenth of its time on queries', async () => {
    let now = 1_000_000;
    const { readStore } = house;
    const slow: ReadModels = {
      ...readStore,
      find: (view, query) => ((now += 20), readStore.find(view, query)),
    };
    const queue = queueOf(timed, () => now, slow);
    const lookedAt = now;
    await queue.look();
    queue.moved();
    expect(now - lookedAt).toBe(40);
    now = lookedAt + 10 * 40 - 1;
    expect(queue.isToLook()).toBe(false);
    expect(queue.idleMs()).toBe(1);
    now += 1;
    expect(queue.isToLook()).toBe(true);
  });

  it('leaves finished items alone until their view has moved, while there are more', async () => {
    const acted: Thing[] = [];
    const { looks, leases } = countedLeases();
    const once = process({ acted, act: async (_host, item) => void acted.push(item) });
    const runner = runnerOf([once], { leases, nowMs: () => 1_000_000 });
    const all = Array.from({ length: 80 }, () => thing(1));
    await list.add(...all);
    runner.start();
    await eventually(() => acted.length >= all.length);
    await turns({ looks }, 3);
    expect(acted).toEqual(all);
  });
});

describe('lanes', () => {
  it('eight long runs delay no other work: another lane is worked on meanwhile', async () => {
    const { wait } = held;
    const begun: Thing[] = [];
    const acted: Thing[] = [];
    const long = process(
      {
        name: 'long',
        lane: 'runs',
        atOnce: 8,
        acted: begun,
        act: async (_host, item) => {
          begun.push(item);
          await wait();
          await list.remove(item);
        },
      },
      'long',
    );
    const short = process({ acted });
    await list.add(...Array.from({ length: 20 }, (_, index) => thing(100 + index, { kind: 'long' })));
    runnerOf([long, short]).start();
    await eventually(() => begun.length === LANES.runs.slots);
    const item = thing(1);
    await list.add(item);
    await eventually(() => acted.length === 1);
    expect(acted).toEqual([item]);
    expect(begun).toHaveLength(LANES.runs.slots);
    held.endAll();
    await eventually(() => (held.endAll(), begun.length === 20));
  });

  it('no workspace takes more than its share: a run of another finds a slot beside any number of its runs', async () => {
    const { wait } = held;
    const begun: Thing[] = [];
    const long = process({
      name: 'long',
      lane: 'runs',
      atOnce: 8,
      acted: begun,
      act: async (_host, item) => {
        begun.push(item);
        await wait();
        await list.remove(item);
      },
    });
    await list.add(...Array.from({ length: 100 }, () => thing(1)));
    runnerOf([long]).start();
    await eventually(() => begun.length === LANES.runs.ofOneWorkspace);
    const other = thing(2);
    await list.add(other);
    await eventually(() => begun.length > LANES.runs.ofOneWorkspace);
    expect(begun.slice(LANES.runs.ofOneWorkspace)).toEqual([other]);
  });

  it('a slot goes to the process that has the fewest, however much another one has to do', async () => {
    const { wait } = held;
    const begun: Thing[] = [];
    const acted: Thing[] = [];
    const timers = process(
      { atOnce: LANES.timers.slots, acted: begun, act: async (_host, item) => (begun.push(item), wait()) },
      'long',
    );
    const sweep = process({ name: 'sweep', acted });
    await list.add(...Array.from({ length: 20 }, (_, index) => thing(100 + index, { kind: 'long' })));
    let now = 1_000_000;
    runnerOf([timers, sweep], { nowMs: () => now }).start();
    await eventually(() => begun.length === LANES.timers.slots);
    now += 1_000;
    await list.add(thing(1));
    held.endOne();
    await eventually(() => begun.length + acted.length > LANES.timers.slots);
    expect(acted).toHaveLength(1);
  });

  it('every process leaves slots of its lane to other workspaces', () => {
    for (const { name, lane, atOnce, toDo: work } of processes) {
      const { slots, ofOneWorkspace } = LANES[lane];
      const mostOfOne = work.isOneAWorkspace ? 1 : ofOneWorkspace;
      expect([name, mostOfOne < atOnce, atOnce <= slots]).toEqual([name, true, true]);
    }
  });

  it('a process has no more items in work than it declares, and leaves slots of its lane to the others', async () => {
    const { wait } = held;
    const begun: Thing[] = [];
    const acted: Thing[] = [];
    const timers = process({ acted: begun, act: async (_host, item) => (begun.push(item), wait()) }, 'long');
    const sweep = process({ name: 'sweep', acted });
    await list.add(
      ...Array.from({ length: 20 }, (_, index) => thing(100 + index, { kind: 'long' })),
      thing(1),
    );
    runnerOf([timers, sweep]).start();
    await eventually(() => acted.length === 1 && begun.length === timers.atOnce);
  });
});

describe('one workspace with 10,000 due items', () => {
  const many = () => Array.from({ length: 10_000 }, () => thing(1));

  it('takes turns with a workspace that has one, which came last', async () => {
    const acted: Thing[] = [];
    await list.add(...many());
    const single = thing(2);
    await list.add(single);
    runnerOf([process({ acted })]).start();
    await eventually(() => acted.some(({ name }) => name === single.name));
    // At the first opportunity: all earlier acts were started in the same pass.
    expect(acted.findIndex(({ name }) => name === single.name)).toBeLessThan(LANES.timers.slots);
  });

  it('does not delay a single item that comes while it has its share in work', async () => {
    const { wait } = held;
    const begun: Thing[] = [];
    const slow = process({
      acted: begun,
      act: async (_host, item) => {
        begun.push(item);
        if (item.workspaceId === 1) await wait();
        await list.remove(item);
      },
    });
    await list.add(...many());
    runnerOf([slow]).start();
    await eventually(() => begun.length === LANES.timers.ofOneWorkspace);
    const single = thing(2);
    await list.add(single);
    await eventually(() => begun.length > LANES.timers.ofOneWorkspace);
    expect(begun.slice(LANES.timers.ofOneWorkspace)).toEqual([single]);
  });

  it.each([10, 10_000])('takes turns with others when there is one slot (%i items)', async (count) => {
    const acted: Thing[] = [];
    await list.add(...many().slice(0, count), ...Array.from({ length: 3 }, () => thing(2)), thing(3));
    runnerOf([process({ acted, atOnce: 1 })]).start();
    await eventually(() => acted.length >= 8);
    expect(acted.slice(0, 8).map(({ workspaceId }) => workspaceId)).toEqual([1, 2, 3, 1, 2, 1, 2, 1]);
  });

  it('with a parked model waits, and hides no other', async () => {
    const acted: Thing[] = [];
    await list.add(...many());
    const single = thing(2);
    await list.add(single);
    const host = {
      ...processHostOf(house),
      isParked: async (_view: string, workspaceId: number) => workspaceId === 1,
    };
    const runner = runnerOf([process({ acted, waitsFor: ['things'] })], { host });
    runner.start();
    expect(await runner.drain()).toEqual({ processed: 1 });
    expect(acted).toEqual([single]);
  });
});

describe('a drain of work that nobody does', () => {
  let now: number;
  const later = { nowMs: () => now };
  beforeEach(() => void (now = 0));
  /** Lets more than a minute pass after looks of the drain, and looks again. */
  const aMinutePasses = async (): Promise<void> => {
    await pause(200);
    now += 60_001;
    await pause(200);
  };

  it('OPS-18 ends and names an item that stays due although it is done', async () => {
    const acted: Thing[] = [];
    await list.add(thing(1));
    const stays = process({ acted, act: (_host, item) => Promise.resolve(void acted.push(item)) });
    const runner = runnerOf([stays, process({ acted: [] }, 'long')], later);
    runner.start();
    const drained = runner.drain();
    await eventually(() => acted.length > 2);
    await aMinutePasses();
    expect(await drained).toMatchObject({ stillDue: ['things (1)'] });
  });

  it('OPS-18 ends and names an item that its worker does not see as due', async () => {
    await list.add(thing(1, { dueAt: NOON }));
    await house.setNow(NOON);
    const worker = processHostOf(house);
    const behind = { ...worker, clock: { now: () => new Date(Date.parse(NOON) - 60_000) } };
    const acted: Thing[] = [];
    const timers = [process({ acted, toDo: timed })];
    runnerOf(timers, { ...later, host: behind, holder: 'there:0:test' }).start();
    await eventually(async () => (await house.readStore.lease('processes:worker:0')) !== null);
    const drained = runnerOf(timers, later).drain();
    await aMinutePasses();
    expect(await drained).toEqual({ processed: 0, stillDue: ['things (1)'] });
    expect(acted).toEqual([]);
  });

  it('OPS-18 waits for an item that is worked on for long', async () => {
    const acted: Thing[] = [];
    const long = thing(1);
    await list.add(long);
    const slow = process({
      acted,
      async act(_host, item) {
        acted.push(item);
        await held.wait();
        await list.remove(item);
      },
    });
    const runner = runnerOf([slow], later);
    runner.start();
    let isEnded = false;
    const drained = runner.drain().finally(() => (isEnded = true));
    await eventually(() => acted.length === 1);
    await aMinutePasses();
    expect(isEnded).toBe(false);
    held.endAll();
    expect(await drained).toEqual({ processed: 1 });
  });
});

describe('work of a workspace that must be done as one item', () => {
  const due = (workspaceId: number) => thing(workspaceId, { dueAt: NOON });
  const parts = {
    toDo: timedToDo(things, {
      where: [{ kind: 'short' }],
      dueAt: 'dueAt',
      thenBy: 'name',
      isOneAWorkspace: true,
    }),
    key: ({ workspaceId }: Thing) => String(workspaceId),
  };
  beforeEach(() => house.setNow(NOON));

  it('is requested by its first item, however many are due', async () => {
    const begun: Thing[] = [];
    const { models, limits } = counted();
    const [first = due(1), ...more] = Array.from({ length: 1_000 }, () => due(1));
    await list.add(first, ...more);
    const act = async (_host: ProcessHost, item: Thing) => {
      begun.push(item);
      await held.wait();
    };
    runnerOf([process({ acted: begun, ...parts, act })], { host: processHostOf(house, models) }).start();
    await eventually(() => begun.length === 1);
    await list.add(due(2));
    await eventually(() => begun.length === 2);
    expect(begun.map(({ workspaceId, name }) => [workspaceId, name === first.name])).toEqual([
      [1, true],
      [2, false],
    ]);
    expect(Math.max(...limits)).toBe(1);
  });

  it('takes its further turns behind those of the others', async () => {
    const acted: number[] = [];
    const things1 = Array.from({ length: 3 }, () => due(1));
    await list.add(...things1, due(2), due(3));
    const act: Process<Thing>['act'] = async (_host, item) => {
      acted.push(item.workspaceId);
      await list.remove(item);
      return item.workspaceId === 1 && acted.length < 5 ? 'continues' : undefined;
    };
    const runner = runnerOf([process({ acted: [], ...parts, atOnce: 1, act })]);
    runner.start();
    // A continued item counts as done at its end.
    expect(await runner.drain()).toEqual({ processed: 3 });
    expect(acted).toEqual([1, 2, 3, 1, 1]);
  });
});
