import { StoreUnavailable } from '#kernel/ports/event-store.port.js';
import { backoffMs, pause, type RetryPolicy } from '#kernel/commands/retry.js';
import type { LeaseStore } from '#projection-engine/held-lease.js';
import { fencedCommands } from './fenced-commands.js';
import { LANES } from './lanes.js';
import {
  PARTITIONS,
  partitionOf,
  partitions,
  unstaffedPartitions,
  type HeldPartition,
} from './partitions.js';
import { isWaiting, type Process, type ProcessHost } from './process.js';
import { dueItems, type DueItem } from './to-do.js';
import { workQueue, type WorkQueue } from './work-queue.js';

export type ProcessRunnerSettings = {
  readonly host: ProcessHost;
  readonly processes: readonly Process[];
  readonly leases: LeaseStore;
  /** Names this process among those that could hold a lease. */
  readonly holder: string;
  /** Calls back whenever one of these views has moved, whoever projects it; the function it gives ends that. */
  readonly watch: (views: readonly string[], moved: (view: string) => void) => () => void;
  /** True when the read models have seen everything that is in the event store now; false when they are too late. */
  readonly readModelsSettled: () => Promise<boolean>;
  readonly onError: (process: string, key: string, error: unknown) => void;
  /** Real time in milliseconds; tests bring their own. */
  readonly nowMs?: () => number;
};

/** Works off what is due, here or in another process: whoever holds the lease of an item's part acts. */
export type ProcessRunner = {
  readonly start: () => void;
  /** Looks for due work now, as after the clock was set. */
  readonly wake: () => void;
  /** Stops taking work, tells what runs to stop at its next step, and gives the leases back. */
  readonly stop: () => Promise<void>;
  /**
   * Resolves when no due work is left anywhere but what waits; counts the items that this process finished
   * meanwhile. Rejects with `StoreUnavailable` when the read models, which know what is due, stay behind, and
   * when there is work but no worker.
   */
  readonly drain: () => Promise<{ readonly processed: number }>;
};

/** How often leases are looked after: that runs on real time, whatever clock the work goes by. */
const LEASES_EVERY_MS = 1_000;
const DRAIN_POLL_MS = 25;
const DRAIN_PAGE = 8;
/** An item that was not asked for so long after its time is not due any more: somebody else did it, or it is gone. */
const FORGET_AFTER_MS = 60_000;
const RETRY: RetryPolicy = { tries: Infinity, firstDelayMs: 100, longestDelayMs: 30_000 };

type Running = {
  readonly process: Process;
  readonly workspaceId: number;
  readonly partition: number;
  readonly done: Promise<void>;
};

export function createProcessRunner(settings: ProcessRunnerSettings): ProcessRunner {
  const { host, processes, leases, holder, nowMs = Date.now } = settings;
  const running = new Map<string, Running>();
  /** Items that failed: when, in real time, they may be tried again. */
  const failed = new Map<string, { readonly failures: number; readonly retryAtMs: number }>();
  const stopping = new AbortController();
  const parts = partitions(leases, holder);
  let loop: Promise<void> | null = null;
  let lookedAtMs = Number.NEGATIVE_INFINITY;
  let finished = 0;
  let stopped: Promise<void> | null = null;
  /** Something has happened since the last nap. */
  let isWoken = false;
  let rouse = (): void => undefined;
  const wakeUp = (): void => {
    isWoken = true;
    rouse();
  };

  const idOf = (process: Process, item: DueItem): string => `${process.name}:${process.key(item)}`;
  const partOf = (process: Process, item: DueItem): HeldPartition | undefined =>
    parts.held().get(partitionOf(process.name, process.key(item)));
  const ofProcess = (ids: Iterable<string>, process: Process): number =>
    [...ids].filter((id) => id.startsWith(`${process.name}:`)).length;

  const queues = processes.map((process) =>
    workQueue({
      host,
      process,
      idOf: (item) => idOf(process, item),
      isFree(item) {
        const id = idOf(process, item);
        return (
          partOf(process, item) !== undefined &&
          !running.has(id) &&
          (failed.get(id)?.retryAtMs ?? Number.NEGATIVE_INFINITY) <= nowMs()
        );
      },
      notFree: () => ofProcess([...running.keys(), ...failed.keys()], process),
      nowMs,
    }),
  );

  /** How many items, of a workspace or of all, are in work in a lane or for one of its processes. */
  const inWork = (belongs: (item: Running) => boolean): number =>
    [...running.values()].filter(belongs).length;

  const hasRoom = ({ process }: WorkQueue): boolean =>
    inWork((item) => item.process === process) < process.atOnce &&
    inWork((item) => item.process.lane === process.lane) < LANES[process.lane].slots;

  async function lookAfterParts(): Promise<void> {
    const isIdlePart = (partition: number): boolean => inWork((item) => item.partition === partition) === 0;
    await parts.settle(isIdlePart);
    if (performance.now() - lookedAtMs < LEASES_EVERY_MS) return;
    const before = [...parts.held().keys()].join();
    await parts.look();
    await parts.settle(isIdlePart);
    lookedAtMs = performance.now();
    if ([...parts.held().keys()].join() !== before) for (const queue of queues) queue.forget();
  }

  async function runItem(queue: WorkQueue, item: DueItem, id: string, part: HeldPartition): Promise<void> {
    const { process } = queue;
    const fenced = { ...host, commands: fencedCommands(host.commands, part.fence) };
    const ending = AbortSignal.any([stopping.signal, part.signal]);
    try {
      await process.act(fenced, item, ending);
      failed.delete(id);
      queue.done(id);
      finished += 1;
    } catch (error) {
      // Stopped, or the part is another worker's now: that is no failure of the item.
      if (ending.aborted) return;
      const failures = (failed.get(id)?.failures ?? 0) + 1;
      const retryAtMs = nowMs() + backoffMs(RETRY, failures);
      failed.set(id, { failures, retryAtMs });
      queue.againAt(retryAtMs);
      settings.onError(process.name, process.key(item), error);
      await process.failed?.(fenced, item, error).catch((second: unknown) => {
        settings.onError(process.name, process.key(item), second);
      });
    } finally {
      running.delete(id);
      wakeUp();
    }
  }

  /** Starts the next item of a process, if there is one and a slot is free for its workspace. */
  function startNext(queue: WorkQueue): boolean {
    if (!hasRoom(queue)) return false;
    const { process } = queue;
    const { ofOneWorkspace } = LANES[process.lane];
    const item = queue.take(
      (workspaceId) =>
        inWork((other) => other.process.lane === process.lane && other.workspaceId === workspaceId),
      ofOneWorkspace,
    );
    if (item === null) return false;
    const part = partOf(process, item);
    if (part === undefined || part.signal.aborted) return false;
    const id = idOf(process, item);
    const { workspaceId } = item;
    running.set(id, {
      process,
      workspaceId,
      partition: part.number,
      done: runItem(queue, item, id, part),
    });
    return true;
  }

  /** Whoever has the fewest slots of a lane gets the next one. */
  const fewestFirst = (): readonly WorkQueue[] =>
    queues.toSorted(
      (left, right) => ofProcess(running.keys(), left.process) - ofProcess(running.keys(), right.process),
    );

  const toLook = (): readonly WorkQueue[] => queues.filter((queue) => hasRoom(queue) && queue.isToLook());

  const lookAt = (queue: WorkQueue): Promise<void> =>
    queue.look().catch((error: unknown) => settings.onError(queue.process.name, 'look', error));

  /** Looks where there may be something to do, and starts what is due and may run now: each process in turn. */
  async function startDue(): Promise<void> {
    for (const [id, { retryAtMs }] of failed)
      if (!running.has(id) && retryAtMs + FORGET_AFTER_MS < nowMs()) failed.delete(id);
    // A slot may get free during a look: whoever has not been looked at since then is looked at before it is given.
    for (let queued = toLook(); queued.length > 0; queued = toLook()) await Promise.all(queued.map(lookAt));
    while (fewestFirst().some(startNext));
  }

  async function run(): Promise<void> {
    const views = [...new Set(processes.map(({ toDo }) => toDo.view.name))];
    const unwatch = settings.watch(views, (view) => {
      for (const queue of queues) if (queue.process.toDo.view.name === view) queue.moved();
      wakeUp();
    });
    while (!stopping.signal.aborted) {
      try {
        await lookAfterParts();
        if (parts.held().size > 0) await startDue();
      } catch (error) {
        settings.onError('processes', 'leases', error);
      }
      if (!stopping.signal.aborted) await nap();
    }
    unwatch();
  }

  function nap(): Promise<void> {
    const isAtWork = parts.held().size > 0;
    const idleMs = isAtWork ? queues.filter(hasRoom).map((queue) => queue.idleMs()) : [];
    const ms = isWoken ? 0 : Math.min(LEASES_EVERY_MS, ...idleMs);
    isWoken = false;
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, ms);
      rouse = () => {
        clearTimeout(timer);
        // Not at once: where a store answers without waiting, work would never give others their turn.
        setImmediate(resolve);
      };
    });
  }

  function wake(): void {
    for (const queue of queues) queue.forget();
    wakeUp();
  }

  async function isIdle(): Promise<boolean> {
    if (!(await settings.readModelsSettled()))
      throw new StoreUnavailable('the read models are behind, and with them the knowledge of what is due');
    if (running.size > 0) return false;
    for (const process of processes) if (await hasWork(process)) return false;
    return true;
  }

  /** Whether anything is due that does not wait; more items are asked for while all of them do. */
  async function hasWork(process: Process): Promise<boolean> {
    const waiting = new Set<number>();
    for (let limit = DRAIN_PAGE; ; limit *= 2) {
      const items = await dueItems(host.readModels, process.toDo, host.clock.now(), limit);
      for (const { workspaceId } of items) {
        if (waiting.has(workspaceId)) continue;
        if (!(await isWaiting(host, process, workspaceId))) return true;
        waiting.add(workspaceId);
      }
      if (items.length < limit) return false;
    }
  }

  async function stop(): Promise<void> {
    stopping.abort();
    wakeUp();
    await loop;
    await Promise.allSettled([...running.values()].map(({ done }) => done));
    await parts.release();
  }

  return {
    start() {
      loop ??= run();
    },
    wake,
    stop: () => (stopped ??= stop()),
    async drain() {
      const before = finished;
      while (!stopping.signal.aborted && !(await isIdle())) {
        if (loop === null && (await unstaffedPartitions(leases)) === PARTITIONS)
          throw new StoreUnavailable('no worker does what falls due');
        wake();
        await Promise.race([...[...running.values()].map(({ done }) => done), pause(DRAIN_POLL_MS)]);
      }
      return { processed: finished - before };
    },
  };
}
