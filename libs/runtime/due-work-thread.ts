import type { Drained } from '#process-engine/drain-work.js';
import { Worker } from 'node:worker_threads';
import { StoreUnavailable } from '#kernel/ports/event-store.port.js';
import { backoffMs, type RetryPolicy } from '#kernel/commands/retry.js';
import { endOfWork } from '#process-engine/all-done.js';
import type { ProjectionEngine } from '#projection-engine/projection-engine.js';
import { arrived } from '#read-store/sqlite/fill-messages.js';
import { giveBackOfThread } from '#read-store/sqlite/write-order.js';
import type { TroubleLog } from './background-work.js';
import type { DueWorkOrder, FromDueWork, ToDueWork } from './due-work-messages.js';
import { callMeter } from './metrics/sent-meter.js';
import type { Meter } from './metrics/service-meter.js';
import type { DeliveryLog } from './tracing/logged-delivery.js';

/** Where the reports of the thread go. */
export type ThreadReports = {
  /** Takes one line of the log including its line break. */
  readonly log: (line: string) => void;
  readonly collector: DeliveryLog;
};

export type DueWorkThreadParts = {
  readonly shared: DueWorkOrder;
  /** The projections of this process, of which the thread asks. */
  readonly engine: Pick<ProjectionEngine, 'reached' | 'watch'>;
  readonly meter: Meter | null;
  readonly reports: ThreadReports;
  readonly onTrouble: TroubleLog;
};

/** A thread that does the due work of this process. */
export type DueWorkThread = {
  /** Starts the thread, and starts another one whenever it ends by itself. */
  readonly start: () => void;
  /** As `drain` of a process runner. Rejects with `StoreUnavailable` while there is no thread, or if it ends. */
  readonly drain: () => Promise<Drained>;
  /** A line while the thread has ended and no other one works yet. */
  readonly degraded: () => readonly string[];
  /** Resolves when the thread has finished its steps, released its leases and ended. */
  readonly stop: () => Promise<void>;
};

type Drain = {
  readonly resolve: (drained: Drained) => void;
  readonly reject: (error: Error) => void;
};

const RESTART: RetryPolicy = { tries: Infinity, firstDelayMs: 500, longestDelayMs: 10_000 };
/** A thread that worked this long had no trouble with its start. */
const LIVED_MS = 60_000;

/**
 * Does the due work of a process with embedded stores on a thread with its own connections, so that requests do not
 * wait for it. Measured: a balance beside a round takes 2.5 ms at p50 and 21 ms at p99, 16 and 85 ms if the event loop
 * does the due work (docs/adr/0144).
 */
export function dueWorkThread(parts: DueWorkThreadParts): DueWorkThread {
  const { shared, engine, meter, reports, onTrouble } = parts;
  const drains = new Map<number, Drain>();
  let drainId = 0;
  let worker: Worker | null = null;
  /** Null as long as the thread works or was not started yet. */
  let trouble: string | null = null;
  let isReady = false;
  let isStopping = false;
  let attempt = 0;
  let restart: NodeJS.Timeout | null = null;
  let ended: Promise<void> = Promise.resolve();
  let stopped: Promise<void> | null = null;

  const endDrains = (settle: (drain: Drain) => void): void => {
    for (const drain of drains.values()) settle(drain);
    drains.clear();
  };

  function startAgain(reason: string, cause: Error | undefined, livedMs: number): void {
    trouble = `background work: its thread ended (${reason}); it is started again`;
    const unavailable = new StoreUnavailable(trouble);
    endDrains(({ reject }) => reject(unavailable));
    onTrouble('thread of background work', new Error(trouble, { cause }));
    if (livedMs >= LIVED_MS) attempt = 0;
    restart = setTimeout(begin, backoffMs(RESTART, attempt)).unref();
    attempt += 1;
  }

  function begin(): void {
    restart = null;
    try {
      follow(new Worker(new URL('./due-work-thread.worker.js', import.meta.url), { workerData: shared }));
    } catch (error) {
      // The system refuses another thread.
      const cause = error instanceof Error ? error : new Error(String(error));
      startAgain(cause.message, cause, 0);
    }
  }

  function follow(thread: Worker): void {
    const startedAt = performance.now();
    let reason: string | null = 'it ended by itself';
    let cause: Error | undefined;
    let unwatch = (): void => undefined;
    const send = (message: ToDueWork): void => thread.postMessage(message);

    const take = (message: FromDueWork): void => {
      switch (message.kind) {
        case 'started':
          isReady = true;
          trouble = null;
          for (const id of drains.keys()) send({ kind: 'drain', id });
          break;
        case 'ending':
          reason = message.reason;
          break;
        case 'watch':
          unwatch();
          unwatch = watchFor(engine, message.views, send);
          break;
        case 'reach':
          void engine
            .reached(message.written, message.timeoutMs)
            .then((reached) => send({ kind: 'reached', id: message.id, reached }));
          break;
        case 'drained':
          drains.get(message.id)?.resolve(message.drained);
          drains.delete(message.id);
          break;
        case 'not drained':
          drains.get(message.id)?.reject(arrived(message.error));
          drains.delete(message.id);
          break;
        case 'log':
          reports.log(message.line);
          break;
        case 'metered':
          if (meter !== null) for (const call of message.calls) callMeter(meter, call);
          break;
        case 'collector':
          if (message.lost === null) reports.collector.back();
          else reports.collector.lost(message.lost);
          break;
      }
    };

    const end = (): void => {
      worker = null;
      isReady = false;
      unwatch();
      giveBackOfThread(shared.turns);
      if (isStopping) {
        if (reason !== null) onTrouble('stop of the thread of background work', new Error(reason, { cause }));
        return;
      }
      startAgain(reason ?? 'without a reason', cause, performance.now() - startedAt);
    };

    worker = thread;
    thread.on('message', take);
    thread.on('error', (error: Error) => {
      cause = error;
      reason = error.message;
    });
    ended = new Promise((resolve) => {
      thread.once('exit', () => {
        end();
        resolve();
      });
    });
  }

  async function stop(): Promise<void> {
    isStopping = true;
    if (restart !== null) clearTimeout(restart);
    worker?.postMessage({ kind: 'stop' } satisfies ToDueWork);
    await ended;
    endDrains(({ reject }) => reject(endOfWork()));
  }

  return {
    start() {
      if (worker === null && restart === null && !isStopping) begin();
    },
    drain: () =>
      new Promise((resolve, reject) => {
        if (isStopping) return reject(endOfWork());
        if (trouble !== null) return reject(new StoreUnavailable(trouble));
        drainId += 1;
        drains.set(drainId, { resolve, reject });
        if (isReady) worker?.postMessage({ kind: 'drain', id: drainId } satisfies ToDueWork);
      }),
    degraded: () => (trouble === null ? [] : [trouble]),
    stop: () => (stopped ??= stop()),
  };
}

/** Tells the thread which of these views have moved, once for all that move together. */
function watchFor(
  engine: Pick<ProjectionEngine, 'watch'>,
  views: readonly string[],
  send: (message: ToDueWork) => void,
): () => void {
  const moved = new Set<string>();
  return engine.watch(views, (view) => {
    if (moved.size === 0)
      queueMicrotask(() => {
        send({ kind: 'moved', views: [...moved] });
        moved.clear();
      });
    moved.add(view);
  });
}
