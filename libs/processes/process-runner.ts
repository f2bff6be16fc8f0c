import { StoreUnavailable } from '#kernel/event-store.port.js';
import { LeaseLost } from '#kernel/read-store.port.js';
import { backoffMs, pause, type RetryPolicy } from '#kernel/retry.js';
import { holdLease, type HeldLease, type LeaseStore } from '#projection-engine/held-lease.js';
import type { Process, ProcessHost } from './process.js';

export type ProcessRunnerSettings = {
  readonly host: ProcessHost;
  readonly processes: readonly Process[];
  readonly leases: LeaseStore;
  /** Names this process among those that could hold the lease. */
  readonly holder: string;
  /** True when the read models have seen everything that is in the event store now; false when they are too late. */
  readonly readModelsSettled: () => Promise<boolean>;
  readonly onError: (process: string, key: string, error: unknown) => void;
  /** Real time in milliseconds; tests bring their own. */
  readonly nowMs?: () => number;
};

/** Works off what is due, here or in another process: whoever holds the lease acts. */
export type ProcessRunner = {
  readonly start: () => void;
  /** Looks for due work now instead of at the next poll. */
  readonly wake: () => void;
  /** Stops taking work, tells what runs to stop at its next step, and gives the lease back. */
  readonly stop: () => Promise<void>;
  /**
   * Resolves when no due work is left anywhere but what waits; counts the items that this process finished
   * meanwhile. Rejects with `StoreUnavailable` when the read models, which know what is due, stay behind.
   */
  readonly drain: () => Promise<{ readonly processed: number }>;
};

const LEASE = 'processes';
const POLL_MS = 100;
const ITEMS_AT_ONCE = 8;
/** How long an item that waits is left alone before it is looked at again. */
const LOOK_AGAIN_MS = 1_000;
/** An item that was not asked for so long after its time is not due any more: somebody else did it, or it is gone. */
const FORGET_AFTER_MS = 60_000;
const RETRY: RetryPolicy = { tries: Infinity, firstDelayMs: 100, longestDelayMs: 30_000 };

export function createProcessRunner(settings: ProcessRunnerSettings): ProcessRunner {
  const { host, processes, leases, holder, nowMs = Date.now } = settings;
  const running = new Map<string, Promise<void>>();
  /** Items that failed or wait: when, in real time, they may be tried again. */
  const waiting = new Map<string, { readonly failures: number; readonly retryAtMs: number }>();
  const stopping = new AbortController();
  let loop: Promise<void> | null = null;
  let lease: HeldLease | null = null;
  let finished = 0;
  let stopped: Promise<void> | null = null;
  let wakeUp = (): void => undefined;

  async function holdsLease(): Promise<boolean> {
    try {
      lease?.fence();
    } catch (error) {
      if (!(error instanceof LeaseLost)) throw error;
      await lease?.release();
      lease = null;
    }
    lease ??= await holdLease(leases, LEASE, holder);
    return lease !== null;
  }

  async function runItem(process: Process, item: unknown, id: string): Promise<void> {
    try {
      await process.act(host, item, stopping.signal);
      waiting.delete(id);
      finished += 1;
    } catch (error) {
      if (stopping.signal.aborted) return;
      const failures = (waiting.get(id)?.failures ?? 0) + 1;
      waiting.set(id, { failures, retryAtMs: nowMs() + backoffMs(RETRY, failures) });
      settings.onError(process.name, process.key(item), error);
      await process.failed?.(host, item, error).catch((second: unknown) => {
        settings.onError(process.name, process.key(item), second);
      });
    } finally {
      running.delete(id);
      wakeUp();
    }
  }

  /** Starts what is due and may run now. */
  async function startDue(): Promise<void> {
    for (const [id, { retryAtMs }] of waiting)
      if (!running.has(id) && retryAtMs + FORGET_AFTER_MS < nowMs()) waiting.delete(id);
    for (const process of processes) {
      const room = ITEMS_AT_ONCE - running.size;
      if (room <= 0) return;
      // Items in work stand in the to-do model until their event is projected: ask for as many more.
      const items = await process.due(host, host.clock.now(), ITEMS_AT_ONCE + running.size + waiting.size);
      for (const item of items) {
        const id = `${process.name}:${process.key(item)}`;
        const mayRetry = (waiting.get(id)?.retryAtMs ?? 0) <= nowMs();
        if (running.has(id) || !mayRetry || running.size >= ITEMS_AT_ONCE) continue;
        if (await process.waits?.(host, item)) {
          const failures = waiting.get(id)?.failures ?? 0;
          waiting.set(id, { failures, retryAtMs: nowMs() + LOOK_AGAIN_MS });
          continue;
        }
        running.set(id, runItem(process, item, id));
      }
    }
  }

  async function run(): Promise<void> {
    while (!stopping.signal.aborted) {
      try {
        if (await holdsLease()) await startDue();
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
    await Promise.allSettled(running.values());
    await lease?.release();
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
        wakeUp();
        await Promise.race([...running.values(), pause(POLL_MS / 4)]);
      }
      return { processed: finished - before };
    },
  };
}
