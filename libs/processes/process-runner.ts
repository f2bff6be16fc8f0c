import { StoreUnavailable } from '#kernel/ports/event-store.port.js';
import { backoffMs, pause, type RetryPolicy } from '#kernel/commands/retry.js';
import type { LeaseStore } from '#projection-engine/held-lease.js';
import { fencedCommands } from './fenced-commands.js';
import {
  PARTITIONS,
  partitionOf,
  partitions,
  unstaffedPartitions,
  type HeldPartition,
} from './partitions.js';
import type { Process, ProcessHost } from './process.js';

export type ProcessRunnerSettings = {
  readonly host: ProcessHost;
  readonly processes: readonly Process[];
  readonly leases: LeaseStore;
  /** Names this process among those that could hold a lease. */
  readonly holder: string;
  /** True when the read models have seen everything that is in the event store now; false when they are too late. */
  readonly readModelsSettled: () => Promise<boolean>;
  readonly onError: (process: string, key: string, error: unknown) => void;
  /** Real time in milliseconds; tests bring their own. */
  readonly nowMs?: () => number;
};

/** Works off what is due, here or in another process: whoever holds the lease of an item's part acts. */
export type ProcessRunner = {
  readonly start: () => void;
  /** Looks for due work now instead of at the next poll. */
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

const POLL_MS = 100;
const LOOK_EVERY_MS = 1_000;
const ITEMS_AT_ONCE = 8;
/** How long an item that waits is left alone before it is looked at again. */
const LOOK_AGAIN_MS = 1_000;
/** An item that was not asked for so long after its time is not due any more: somebody else did it, or it is gone. */
const FORGET_AFTER_MS = 60_000;
const RETRY: RetryPolicy = { tries: Infinity, firstDelayMs: 100, longestDelayMs: 30_000 };

export function createProcessRunner(settings: ProcessRunnerSettings): ProcessRunner {
  const { host, processes, leases, holder, nowMs = Date.now } = settings;
  const running = new Map<string, { readonly partition: number; readonly done: Promise<void> }>();
  /** Items that failed or wait: when, in real time, they may be tried again. */
  const waiting = new Map<string, { readonly failures: number; readonly retryAtMs: number }>();
  const stopping = new AbortController();
  let loop: Promise<void> | null = null;
  const parts = partitions(leases, holder);
  let lookedAtMs = Number.NEGATIVE_INFINITY;
  let finished = 0;
  let stopped: Promise<void> | null = null;
  let wakeUp = (): void => undefined;

  const isIdlePart = (partition: number): boolean =>
    [...running.values()].every((item) => item.partition !== partition);

  /** Leases run on real time, whatever clock the work goes by. */
  async function lookAfterParts(): Promise<void> {
    await parts.settle(isIdlePart);
    if (performance.now() - lookedAtMs < LOOK_EVERY_MS) return;
    await parts.look();
    await parts.settle(isIdlePart);
    lookedAtMs = performance.now();
  }

  async function runItem(process: Process, item: unknown, id: string, part: HeldPartition): Promise<void> {
    const fenced = { ...host, commands: fencedCommands(host.commands, part.fence) };
    const ending = AbortSignal.any([stopping.signal, part.signal]);
    try {
      await process.act(fenced, item, ending);
      waiting.delete(id);
      finished += 1;
    } catch (error) {
      // Stopped, or the part is another worker's now: that is no failure of the item.
      if (ending.aborted) return;
      const failures = (waiting.get(id)?.failures ?? 0) + 1;
      waiting.set(id, { failures, retryAtMs: nowMs() + backoffMs(RETRY, failures) });
      settings.onError(process.name, process.key(item), error);
      await process.failed?.(fenced, item, error).catch((second: unknown) => {
        settings.onError(process.name, process.key(item), second);
      });
    } finally {
      running.delete(id);
      wakeUp();
    }
  }

  /** Items of the parts that this process holds; more are asked for where others' stand before them. */
  async function ownItems(process: Process): Promise<readonly unknown[]> {
    // Items in work stand in the to-do model until their event is projected: ask for as many more.
    const wanted = ITEMS_AT_ONCE + running.size + waiting.size;
    for (let limit = wanted; ; limit *= 2) {
      const items = await process.due(host, host.clock.now(), limit);
      if (parts.held().size === PARTITIONS) return items;
      const own = items.filter((item) => parts.held().has(partitionOf(process.name, process.key(item))));
      if (own.length >= wanted || items.length < limit) return own;
    }
  }

  /** Starts what is due and may run now. */
  async function startDue(): Promise<void> {
    for (const [id, { retryAtMs }] of waiting)
      if (!running.has(id) && retryAtMs + FORGET_AFTER_MS < nowMs()) waiting.delete(id);
    for (const process of processes) {
      const room = ITEMS_AT_ONCE - running.size;
      if (room <= 0) return;
      for (const item of await ownItems(process)) {
        const key = process.key(item);
        const id = `${process.name}:${key}`;
        const mayRetry = (waiting.get(id)?.retryAtMs ?? 0) <= nowMs();
        if (running.has(id) || !mayRetry || running.size >= ITEMS_AT_ONCE) continue;
        if (await process.waits?.(host, item)) {
          const failures = waiting.get(id)?.failures ?? 0;
          waiting.set(id, { failures, retryAtMs: nowMs() + LOOK_AGAIN_MS });
          continue;
        }
        const part = parts.held().get(partitionOf(process.name, key));
        if (part === undefined || part.signal.aborted) continue;
        running.set(id, { partition: part.number, done: runItem(process, item, id, part) });
      }
    }
  }

  async function run(): Promise<void> {
    while (!stopping.signal.aborted) {
      try {
        await lookAfterParts();
        if (parts.held().size > 0) await startDue();
      } catch (error) {
        settings.onError('processes', 'poll', error);
      }
      if (!stopping.signal.aborted) await nap();
    }
  }

  function nap(): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, POLL_MS);
      wakeUp = () => {
        clearTimeout(timer);
        resolve();
      };
    });
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
    for (let limit = ITEMS_AT_ONCE; ; limit *= 2) {
      const items = await process.due(host, host.clock.now(), limit);
      for (const item of items) if (!(await process.waits?.(host, item))) return true;
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
    wake: () => wakeUp(),
    stop: () => (stopped ??= stop()),
    async drain() {
      const before = finished;
      while (!stopping.signal.aborted && !(await isIdle())) {
        if (loop === null && (await unstaffedPartitions(leases)) === PARTITIONS)
          throw new StoreUnavailable('no worker does what falls due');
        wakeUp();
        await Promise.race([...[...running.values()].map(({ done }) => done), pause(POLL_MS / 4)]);
      }
      return { processed: finished - before };
    },
  };
}
