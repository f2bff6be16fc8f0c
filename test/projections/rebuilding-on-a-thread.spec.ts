import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { once } from 'node:events';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';
import { StoreUnavailable, StoreUnusable } from '#kernel/ports/event-store.port.js';
import type { ReadStore } from '#kernel/ports/read-store.port.js';
import type { FillElsewhere } from '#projection-engine/fill-elsewhere.js';
import { RebuildRefused, type RebuildOptions } from '#projection-engine/rebuild-work.js';
import type { RebuildOutcome } from '#projection-engine/swap-in.js';
import { creditMovements } from '#projections/ledger/credit-movements/credit-movements.projection.js';
import { projections } from '#projections/index.js';
import { openThreadReadStore } from '#read-store/sqlite/open-thread-read-store.js';
import {
  sharedWriteOrder,
  writeOrderOfLoop,
  writeOrderOfThread,
  type SharedWriteOrder,
  type WriteOrder,
} from '#read-store/sqlite/write-order.js';
import { fillThread, type FillThread } from '#runtime/fill-thread.js';
import { appendAll, movementEvents } from '../bench/rebuild-history.js';
import { embeddedStores, openSignalHouse, type SignalHouse } from '../support/signal-house.js';
import { deposits, documentsOf } from './engine-fixture.js';
import { freeLease } from '#test/support/free-lease.js';

const CHARGES = 2_000;
const VIEW = creditMovements;
/** Indexes of the shared words for the turns. */
const [IS_WANTED, IS_TAKEN] = [0, 1];
const LEASE = `rebuild:${VIEW.name}@${VIEW.version}`;

describe('a rebuild on a thread of its own', () => {
  let house: SignalHouse;
  let reads: ReadStore;
  let thread: FillThread;
  let elsewhere: FillElsewhere;
  /** The generations to which the loop wrote documents. */
  let written: Set<number>;
  let turns: SharedWriteOrder;
  /** While it is taken the thread begins no transaction. */
  let gate: WriteOrder;
  let newThread: () => FillThread;

  beforeEach(async () => {
    const stores = await embeddedStores();
    turns = sharedWriteOrder();
    gate = writeOrderOfLoop(turns);
    newThread = () => fillThread({ ...stores.files, turns });
    thread = newThread();
    elsewhere = thread.fill;
    written = new Set();
    const write: ReadStore['write'] = async (writes, fence) => {
      for (const { generation, documents } of writes)
        if (documents.length > 0) written.add(generation.generation);
      await stores.reads.write(writes, fence);
    };
    reads = { ...stores.reads, write };
    house = await openSignalHouse(async () => ({
      ...stores,
      reads,
      elsewhere: (...work) => elsewhere(...work),
    }));
    await appendAll(house.events, 'credits-1', CHARGES, movementEvents);
    await house.caughtUp();
  });
  afterEach(async () => {
    gate.giveBack();
    await thread.close();
    await house.close();
  });

  const rebuild = (options: RebuildOptions = {}): Promise<RebuildOutcome> =>
    house.operator.projections.rebuild(VIEW.name, options);
  const standing = async (): Promise<number> =>
    (await reads.checkpoint({ view: VIEW, generation: 2 }))?.applied ?? 0;
  /** Starts a rebuild and stops it halfway, where it writes nothing until the gate is released. */
  async function halfway(signal?: AbortSignal): Promise<readonly Promise<RebuildOutcome>[]> {
    gate.take();
    const rebuilding = rebuild(signal === undefined ? {} : { signal });
    let isOver = false;
    const over = (): void => void (isOver = true);
    rebuilding.then(over, over);
    while ((await standing()) === 0 && !isOver) {
      gate.giveBack();
      await new Promise((resolve) => setImmediate(resolve));
      gate.take();
    }
    // It ended too early: its own error says why.
    if (isOver) await rebuilding;
    expect(await standing()).toBeLessThan(2 * CHARGES);
    return [rebuilding];
  }

  async function halfwayOnItsThread(): Promise<
    readonly [Promise<RebuildOutcome> | undefined, Worker | undefined]
  > {
    let filling: Worker | undefined;
    elsewhere = (...work) => {
      // Other threads may start at any time, such as those that copy logs.
      const noticed = (message: unknown): void => {
        filling = (message as { readonly worker: Worker }).worker;
      };
      subscribe('worker_threads', noticed);
      const filled = thread.fill(...work);
      unsubscribe('worker_threads', noticed);
      return filled;
    };
    const [rebuilding] = await halfway();
    return [rebuilding, filling];
  }

  it('leaves nothing to the loop, and each read model becomes the same again', async () => {
    const before = await Promise.all(projections.map(async (view) => [...(await documentsOf(reads, view))]));
    written.clear();
    const together = house.operator.projections.rebuildTogether(projections.length);
    const eventsOf = new Map<string, number>();
    const outcomes = await Promise.all(
      projections.map(({ name }) =>
        together(name, { onProgress: ({ events }) => void eventsOf.set(name, events) }),
      ),
    );
    expect(outcomes).toEqual(projections.map(() => ({ outcome: 'live', generation: 2, previous: 1 })));
    expect([...written]).toEqual([]);
    expect(eventsOf.get(VIEW.name)).toBe(2 * CHARGES);
    const after = await Promise.all(projections.map(async (view) => [...(await documentsOf(reads, view))]));
    expect(after).toEqual(before);
  });

  it('contains everything written meanwhile, and each writer finds its write', async () => {
    const workspaceId = await house.workspace({ mode: 'self' }, 1);
    const rebuilding = rebuild();
    for (let grants = 0; grants < 20; grants += 1) await house.grant(workspaceId, 1);
    expect(await rebuilding).toMatchObject({ outcome: 'live' });
    await house.caughtUp();
    expect(await house.operator.projections.verify(VIEW.name)).toMatchObject({ ok: true });
  });

  it('stops with the service between two slices, and continues from its position', async () => {
    const [rebuilding] = await halfway();
    const reached = await standing();
    const closing = thread.close();
    gate.giveBack();
    await expect(rebuilding).rejects.toBeInstanceOf(StoreUnavailable);
    await closing;
    await expect(rebuild()).rejects.toBeInstanceOf(StoreUnavailable);
    expect(await standing()).toBeGreaterThanOrEqual(reached);

    thread = newThread();
    elsewhere = thread.fill;
    let first: number | null = null;
    const onProgress = ({ events }: { readonly events: number }): void => void (first ??= events);
    const next = await rebuild({ onProgress });
    expect(next).toMatchObject({ outcome: 'live', generation: 2 });
    expect(first).toBeGreaterThanOrEqual(reached);
    expect(await house.operator.projections.verify(VIEW.name)).toMatchObject({ ok: true });
  });

  it('stops on request, and continues from its position', async () => {
    const asking = new AbortController();
    const [rebuilding] = await halfway(asking.signal);
    const reached = await standing();
    asking.abort();
    gate.giveBack();
    expect(await rebuilding).toEqual({ outcome: 'cancelled', generation: 2 });
    expect(await standing()).toBeGreaterThanOrEqual(reached);
    expect(await standing()).toBeLessThan(2 * CHARGES);
    expect(await rebuild()).toMatchObject({ outcome: 'live', generation: 2 });
  });

  it('is visible to a cancel in the same process, and stays the only one', async () => {
    const [rebuilding] = await halfway();
    await expect(rebuild()).rejects.toBeInstanceOf(RebuildRefused);
    await house.operator.projections.cancel(VIEW.name);
    gate.giveBack();
    // The thread checks for a cancel request four times a second; it may be done by then.
    expect(['cancelled', 'live']).toContain((await rebuilding)?.outcome);
  });

  it('has at least 192 MB for new objects, whatever another thread has, and as much as that for old ones', async () => {
    const plain = new Worker(`require('node:worker_threads').parentPort.once('message', () => undefined)`, {
      eval: true,
    });
    await once(plain, 'online');
    const usual = plain.resourceLimits;
    plain.postMessage('END');
    await once(plain, 'exit');
    const [rebuilding, worker] = await halfwayOnItsThread();
    const limits = worker?.resourceLimits;
    gate.giveBack();
    await rebuilding;
    // What another thread has depends on the version of Node.js: 48 MB in 20, 192 MB in 24.
    expect(limits?.maxYoungGenerationSizeMb).toBeGreaterThanOrEqual(192);
    expect(limits?.maxOldGenerationSizeMb).toBe(usual?.maxOldGenerationSizeMb);
  });

  it('ends with an error when its thread dies, and does not keep others from writing or continuing', async () => {
    const [rebuilding, worker] = await halfwayOnItsThread();
    // While the thread waits for the gate it is in no call of the driver, which would crash the process.
    const over = rebuilding?.then(
      () => true,
      () => true,
    );
    const tick = (): Promise<boolean> => new Promise((resolve) => setImmediate(() => resolve(false)));
    while (Atomics.notify(new Int32Array(turns), IS_WANTED) === 0)
      expect(await Promise.race([over, tick()])).toBe(false);
    const failure = expect(rebuilding).rejects.toThrow('the thread that fills read models ended');
    // The thread could also have died while holding the turn.
    Atomics.store(new Int32Array(turns), IS_TAKEN, 1);
    await worker?.terminate();
    await failure;
    gate.giveBack();
    expect(Atomics.load(new Int32Array(turns), IS_TAKEN)).toBe(0);
    await house.grant(await house.workspace({ mode: 'self' }, 1), 1);
    expect(await rebuild()).toMatchObject({ outcome: 'live', generation: 2 });
    expect(await house.operator.projections.verify(VIEW.name)).toMatchObject({ ok: true });
  });

  it('writes nothing under a lease that another process has taken', async () => {
    const [rebuilding] = await halfway();
    const reached = await standing();
    await freeLease(reads, LEASE);
    expect(await reads.acquireLease(LEASE, 'elsewhere:1:other', 60_000)).not.toBeNull();
    gate.giveBack();
    await expect(rebuilding).rejects.toBeInstanceOf(RebuildRefused);
    expect(await standing()).toBe(reached);
  });

  it('reports faults of the files in the same way as the loop', async () => {
    const files = { eventsPath: fileURLToPath(import.meta.url), readsPath: '', turns: sharedWriteOrder() };
    const broken = fillThread(files);
    const work = { views: [], bounds: { maxDocuments: 1, maxBytes: 1 } };
    const never = new AbortController().signal;
    await expect(broken.fill(work, never, () => undefined)).rejects.toBeInstanceOf(StoreUnusable);
  });
});

describe('turns of two threads', () => {
  it('let the loop go first, and the thread after it', async () => {
    const turns = sharedWriteOrder();
    const order = new Int32Array(new SharedArrayBuffer(4));
    const loop = writeOrderOfLoop(turns);
    loop.take();
    const worker = new Worker(
      `const { parentPort, workerData } = require('node:worker_threads');
      import(workerData.module).then(({ writeOrderOfThread }) => {
        const thread = writeOrderOfThread(workerData.turns);
        parentPort.postMessage('asks');
        thread.take();
        parentPort.postMessage(Atomics.add(workerData.order, 0, 1));
        thread.giveBack();
      });`,
      {
        eval: true,
        workerData: { turns, order, module: import.meta.resolve('#read-store/sqlite/write-order.js') },
      },
    );
    expect(await once(worker, 'message')).toEqual(['asks']);
    const place = once(worker, 'message');
    expect(Atomics.add(order, 0, 1)).toBe(0);
    loop.giveBack();
    expect(await place).toEqual([1]);
    await once(worker, 'exit');
    loop.take();
    loop.giveBack();
  });

  it('report the longest turn, once', () => {
    const thread = writeOrderOfThread(sharedWriteOrder());
    thread.take();
    for (const startedAt = performance.now(); performance.now() === startedAt;);
    thread.giveBack();
    expect(thread.heldMs()).toBeGreaterThan(0);
    expect(thread.heldMs()).toBe(0);
  });
});

describe('a rebuild of an empty log', () => {
  it('starts no thread, and one with the first event does', async () => {
    const stores = await embeddedStores();
    const asked: number[] = [];
    const house = await openSignalHouse(async () => ({
      ...stores,
      elsewhere: (work, ...rest) => {
        asked.push(work.views.length);
        return stores.elsewhere?.(work, ...rest) ?? Promise.resolve();
      },
    }));
    try {
      await house.caughtUp();
      expect(await house.events.lastEvent()).toBeNull();
      const { rebuild } = house.operator.projections;
      expect(await rebuild(VIEW.name, {})).toMatchObject({ outcome: 'live' });
      expect(asked).toEqual([]);
      await appendAll(house.events, 'credits-1', 1, movementEvents);
      await house.caughtUp();
      expect(await rebuild(VIEW.name, {})).toMatchObject({ outcome: 'live' });
      expect(asked).toEqual([1]);
    } finally {
      await house.close();
    }
  });
});

describe('the log of a file that a thread writes much to', () => {
  it('restarts from the beginning of its file', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'thread-'));
    const path = join(folder, 'views.db');
    const store = await openThreadReadStore(path, sharedWriteOrder());
    try {
      const view = deposits();
      const generation = { view, generation: 1 };
      await store.createGeneration(generation);
      const lease = await store.acquireLease('a', 'b', 60_000);
      const fence = { lease: 'a', epoch: lease?.epoch ?? 0 };
      const document = { amount: 1, text: 'x'.repeat(100_000) };
      const checkpoint = { applied: 1, ignored: 0, parked: 0 };
      for (let number = 1; number <= 600; number += 1) {
        const position = String(number).padStart(16, '0');
        const documents = [{ key: String(number), position, document }];
        await store.write([{ generation, documents, checkpoint: { ...checkpoint, position } }], fence);
      }
      expect(statSync(`${path}-wal`).size).toBeLessThan(30 << 20);
      expect(await store.scan(generation, null, 1_000)).toHaveLength(600);
    } finally {
      await store.close();
      await rm(folder, { recursive: true, force: true });
    }
  });
});

/**
 * The positions of the shared lock, and of the lock of each process with an open log, in
 * https://www.sqlite.org/src/file/src/os_unix.c.
 */
const SHARED_BYTE = String(0x40000000 + 2);
const IN_USE_BYTE = '128';
/** Other systems do not say which process holds a lock. */
const itOnLinux = existsSync('/proc/locks') ? it : it.skip;

describe('a thread with connections of its own to files that are open', () => {
  /**
   * The locks that show other processes that a file is in use: SQLite's lock on the file, and on the index of its
   * log.
   */
  const lasting = (path: string): readonly string[] => {
    const held = readFileSync('/proc/locks', 'utf8').split('\n');
    const isHeld = (file: string, byte: string): boolean =>
      held.some(
        (line) => line.includes(` ${process.pid} `) && line.includes(`:${statSync(file).ino} ${byte} `),
      );
    return [
      isHeld(path, SHARED_BYTE) ? path : [],
      isHeld(`${path}-shm`, IN_USE_BYTE) ? `${path}-shm` : [],
    ].flat();
  };

  itOnLinux('leaves its process the locks on them when it ends', async () => {
    const stores = await embeddedStores();
    const house = await openSignalHouse(async () => stores);
    const { eventsPath, readsPath } = stores.files;
    const thread = fillThread({ ...stores.files, turns: sharedWriteOrder() });
    try {
      await appendAll(house.events, 'credits-1', 20, movementEvents);
      await house.caughtUp();
      const generation = { view: VIEW, generation: 2 };
      await stores.reads.createGeneration(generation);
      const lease = await stores.reads.acquireLease(LEASE, 'spec', 60_000);
      const view = {
        name: VIEW.name,
        generation: 2,
        isEmpty: true,
        fence: { lease: LEASE, epoch: lease?.epoch ?? 0 },
      };
      const bounds = { maxDocuments: 1_000, maxBytes: 1_000_000 };
      await thread.fill({ views: [view], bounds }, new AbortController().signal, () => undefined);
      expect(await stores.reads.scan(generation, null, 100)).toHaveLength(20);
      for (const path of [eventsPath, readsPath]) expect(lasting(path)).toEqual([path, `${path}-shm`]);
    } finally {
      await thread.close();
      await house.close();
    }
  });
});
