import type { ReadModels } from '#kernel/ports/read-store.port.js';
import type { Process, ProcessHost } from '#process-engine/process.js';
import { timedToDo, toDo } from '#process-engine/to-do.js';
import { workQueue, type WorkQueue, type WorkQueueSettings } from '#process-engine/work-queue.js';
import { openLedgerHost, type LedgerHost } from '../ops/ledger-host.js';
import { processHostOf } from '../support/process-host.js';
import { openThings, things, type Thing, type ThingsToDo } from '../support/things-to-do.js';

const NOON = '2026-01-05T12:00:00.000Z';

let house: LedgerHost;
let list: ThingsToDo;
/** Real time in milliseconds. */
let nowMs: number;
let names: number;
beforeEach(async () => {
  house = await openLedgerHost();
  house.setNow(NOON);
  list = await openThings(house.readStore);
  nowMs = 1_000_000;
  names = 0;
});
afterEach(() => house.close());

const ofWorkspace = (workspaceId: number, parts: Partial<Thing> = {}): Thing => {
  const at = (names += 1);
  return {
    workspaceId,
    name: `thing-${String(at).padStart(6, '0')}`,
    kind: 'short',
    at,
    dueAt: null,
    ...parts,
  };
};
const many = (count: number, ofOne: (index: number) => Thing): readonly Thing[] =>
  Array.from({ length: count }, (_, index) => ofOne(index));

const oldestFirst = toDo(things, { where: [{ kind: 'short' }], oldestFirst: ['at', 'name'] });
const oneAWorkspace = timedToDo(things, {
  where: [{ kind: 'short' }],
  dueAt: 'dueAt',
  thenBy: 'name',
  isOneAWorkspace: true,
});
const processOf = (parts: Partial<Process<Thing>>): Process<Thing> => ({
  name: 'things',
  lane: 'timers',
  atOnce: 6,
  toDo: oldestFirst,
  key: ({ name }) => name,
  waitsFor: [],
  act: async () => undefined,
  ...parts,
});

function queueOf(
  parts: Partial<Process<Thing>> = {},
  settings: Partial<WorkQueueSettings> = {},
  host: Partial<ProcessHost> = {},
): WorkQueue {
  const process = processOf(parts);
  return workQueue({
    host: { ...processHostOf(house), ...host },
    process,
    idOf: (item) => process.key(item as Thing),
    isOwn: () => true,
    share: () => 1,
    isFree: () => true,
    notFree: () => 0,
    nowMs: () => nowMs,
    ...settings,
  });
}

/** Takes all that the queue knows; each workspace has a free slot. */
function takeAll(queue: WorkQueue): readonly Thing[] {
  const taken: Thing[] = [];
  for (;;) {
    const item = queue.take(() => 0, 1);
    if (item === null) return taken;
    taken.push(item as Thing);
  }
}

/** The read models of the house, and the limit of each query for items. */
function readModelsAskedFor(): { readonly models: ReadModels; readonly limits: number[] } {
  const limits: number[] = [];
  const models: ReadModels = {
    ...house.readModels,
    find: (view, query) => (limits.push(query.limit ?? 0), house.readModels.find(view, query)),
  };
  return { models, limits };
}

const countOf = (taken: readonly Thing[], workspaceId: number): number =>
  taken.filter((item) => item.workspaceId === workspaceId).length;

describe('the queue of known work', () => {
  it('knows all work that fits into one read, and reads nothing else until there is news', async () => {
    await list.add(...many(31, () => ofWorkspace(1)));
    const queue = queueOf();
    await queue.look();
    expect(takeAll(queue)).toHaveLength(31);
    expect(queue.isToLook()).toBe(false);
    expect(queue.idleMs()).toBeGreaterThan(0);
  });

  it('takes sixteen items of each workspace if there are more, and reads again at once', async () => {
    await list.add(...many(40, () => ofWorkspace(1)), ...many(20, () => ofWorkspace(2)));
    const queue = queueOf();
    await queue.look();
    expect(queue.isToLook()).toBe(false);
    const taken = takeAll(queue);
    expect([countOf(taken, 1), countOf(taken, 2)]).toEqual([16, 16]);
    expect(taken.slice(0, 4).map(({ workspaceId }) => workspaceId)).toEqual([1, 2, 1, 2]);
    expect(queue.isToLook()).toBe(true);
    expect(queue.idleMs()).toBe(0);
  });

  it('keeps at most 256 items, and begins the next read with the workspaces that had no turn', async () => {
    await list.add(...many(300, (index) => ofWorkspace(index + 1)));
    const queue = queueOf();
    await queue.look();
    const taken = takeAll(queue);
    expect(taken.map(({ workspaceId }) => workspaceId)).toEqual(
      many(256, (id) => ofWorkspace(id + 1)).map(({ workspaceId }) => workspaceId),
    );
    await queue.look();
    const next = takeAll(queue).slice(0, 44);
    expect(next.map(({ workspaceId }) => workspaceId)).toEqual(
      Array.from({ length: 44 }, (_, id) => id + 257),
    );
  });

  it('divides the 256 items among the workspaces', async () => {
    await list.add(...many(64 * 5, (index) => ofWorkspace((index % 64) + 1)));
    const queue = queueOf();
    await queue.look();
    const taken = takeAll(queue);
    expect([taken.length, countOf(taken, 1), countOf(taken, 64)]).toEqual([256, 4, 4]);
  });

  it('divides them among its own workspaces, and reads no more of each than it takes', async () => {
    await list.add(...many(40, () => ofWorkspace(1)), ...many(64, (index) => ofWorkspace(index + 2)));
    const { models, limits } = readModelsAskedFor();
    const queue = queueOf({}, { isOwn: (id) => id === 1, notFree: () => 1 }, { readModels: models });
    await queue.look();
    // One item more than wanted may be running.
    expect(limits).toEqual([33, 17]);
    expect(countOf(takeAll(queue), 1)).toBe(16);
  });

  it('finds items behind any number of others with the key of an item that runs', async () => {
    const running = many(200, () => ofWorkspace(1, { dueAt: 'the same' }));
    const free = ofWorkspace(1);
    await list.add(...running, free);
    const queue = queueOf(
      { key: ({ name, dueAt }) => dueAt ?? name },
      { isFree: (item) => (item as Thing).dueAt === null, notFree: () => 1 },
    );
    await queue.look();
    expect(takeAll(queue)).toEqual([free]);
  });

  it('finds items behind a full page of items that run', async () => {
    const running = many(40, () => ofWorkspace(1));
    const free = ofWorkspace(2);
    await list.add(...running, free);
    const ids = new Set(running.map(({ name }) => name));
    const queue = queueOf({}, { isFree: (item) => !ids.has((item as Thing).name), notFree: () => 40 });
    await queue.look();
    expect(takeAll(queue)).toEqual([free]);
    // One read told it all.
    expect(queue.isToLook()).toBe(false);
  });

  it('does not take an item again that is done, until it has been in the view for a second', async () => {
    const item = ofWorkspace(1);
    await list.add(item);
    const queue = queueOf();
    await queue.look();
    expect(takeAll(queue)).toEqual([item]);
    queue.done(item.name);
    await queue.look();
    expect(takeAll(queue)).toEqual([]);
    nowMs += 999;
    expect(queue.isToLook()).toBe(false);
    await queue.look();
    expect(takeAll(queue)).toEqual([]);
    nowMs += 1;
    await queue.look();
    expect(takeAll(queue)).toEqual([item]);
  });

  it('takes no item whose partition another worker got after the read', async () => {
    await list.add(ofWorkspace(1), ofWorkspace(2));
    let own = [1, 2];
    const queue = queueOf({}, { isOwn: (id) => own.includes(id) });
    await queue.look();
    own = [2];
    expect(takeAll(queue).map(({ workspaceId }) => workspaceId)).toEqual([2]);
  });

  it('reads again after a second while an item of its own is due, beside those of others', async () => {
    await list.add(ofWorkspace(1), ofWorkspace(2));
    const queue = queueOf({}, { isOwn: (id) => id === 2 });
    await queue.look();
    takeAll(queue);
    expect(queue.idleMs()).toBe(1_000);
    nowMs += 1_000;
    expect(queue.isToLook()).toBe(true);
    const ofOthers = queueOf({}, { isOwn: () => false });
    await ofOthers.look();
    expect(ofOthers.idleMs()).toBe(Infinity);
    nowMs += 1_000;
    expect(ofOthers.isToLook()).toBe(false);
  });

  it('reads again when a failed item may start again', async () => {
    await list.add(ofWorkspace(1));
    const queue = queueOf();
    await queue.look();
    takeAll(queue);
    queue.againAt(nowMs + 200);
    queue.againAt(nowMs + 500);
    expect(queue.idleMs()).toBe(200);
    nowMs += 199;
    expect(queue.isToLook()).toBe(false);
    nowMs += 1;
    expect(queue.isToLook()).toBe(true);
  });
});

describe('when the queue is read again', () => {
  const timed = (isUnhurried: boolean) =>
    timedToDo(things, { where: [{ kind: 'short' }], dueAt: 'dueAt', thenBy: 'name', isUnhurried });

  it.each([
    [false, 25],
    [true, 1_000],
  ])('is soon after its view has moved (unhurried: %s: after %i ms)', async (isUnhurried, gapMs) => {
    const queue = queueOf({ toDo: timed(isUnhurried) });
    expect(queue.isToLook()).toBe(true);
    await queue.look();
    expect([queue.isToLook(), queue.idleMs()]).toEqual([false, Infinity]);
    expect([queue.moved(), queue.moved()]).toEqual([true, false]);
    expect([queue.isToLook(), queue.idleMs()]).toEqual([false, gapMs]);
    nowMs += gapMs - 1;
    expect([queue.isToLook(), queue.idleMs()]).toEqual([false, 1]);
    nowMs += 1;
    expect([queue.isToLook(), queue.idleMs()]).toEqual([true, 0]);
    await queue.look();
    expect(queue.isToLook()).toBe(false);
  });

  it('is at the next due time', async () => {
    const item = ofWorkspace(1, { dueAt: '2026-01-05T12:00:07.000Z' });
    await list.add(item);
    const queue = queueOf({ toDo: timed(true) });
    await queue.look();
    expect([takeAll(queue), queue.idleMs()]).toEqual([[], 7_000]);
    nowMs += 6_999;
    house.setNow('2026-01-05T12:00:06.999Z');
    expect([queue.isToLook(), queue.idleMs()]).toEqual([false, 1]);
    nowMs += 1;
    house.setNow('2026-01-05T12:00:07.000Z');
    expect([queue.isToLook(), queue.idleMs()]).toEqual([true, 0]);
    await queue.look();
    expect(takeAll(queue)).toEqual([item]);
  });

  it.each(['moved', 'forget'] as const)('takes a done item again after `%s`', async (told) => {
    const item = ofWorkspace(1);
    await list.add(item);
    const queue = queueOf();
    await queue.look();
    takeAll(queue);
    queue.done(item.name);
    queue[told]();
    expect(queue.isToLook()).toBe(told === 'forget');
    await queue.look();
    expect(takeAll(queue)).toEqual([item]);
  });
});

describe('the queue of workspaces that are one item each', () => {
  const due = (workspaceId: number): Thing => ofWorkspace(workspaceId, { dueAt: NOON });

  it('knows one item of each, and that there are no more', async () => {
    await list.add(...many(3, () => due(1)), due(2));
    const queue = queueOf({ toDo: oneAWorkspace });
    await queue.look();
    expect(takeAll(queue).map(({ workspaceId }) => workspaceId)).toEqual([1, 2]);
    expect(queue.isToLook()).toBe(false);
  });

  it('has more than it knows if 256 workspaces do not hold them all', async () => {
    await list.add(...many(257, (index) => due(index + 1)));
    const queue = queueOf({ toDo: oneAWorkspace });
    await queue.look();
    expect(takeAll(queue)).toHaveLength(256);
    expect(queue.isToLook()).toBe(true);
  });
});
