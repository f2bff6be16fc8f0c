import { once } from 'node:events';
import { stat } from 'node:fs/promises';
import { Worker } from 'node:worker_threads';
import type { CheckpointMode, CheckpointReport } from './checkpointer.worker.js';

export type Checkpointer = {
  readonly stats: () => { readonly checkpoints: number; readonly lastError: string | null };
  /** Looks at the log now; resolves when a checkpoint that was due has ended. */
  readonly check: () => Promise<void>;
  /** Ends the worker thread. Close the own connection to the file after this. */
  readonly close: () => Promise<void>;
};

export type StartCheckpointer = {
  readonly path: string;
  readonly intervalMs?: number;
  /** The log is copied into the file once it is this large. */
  readonly checkpointAtBytes?: number;
  /** The log is also cut back once it is this large, for which writers wait a moment. */
  readonly truncateAtBytes?: number;
};

/**
 * Keeps the write-ahead log of a file short, on a worker thread with a connection of its own, because a
 * checkpoint waits for the disk. The thread is started when the log first grows; neither it nor the timer
 * keeps the process alive.
 */
export function startCheckpointer(options: StartCheckpointer): Checkpointer {
  const { path, intervalMs = 1_000, checkpointAtBytes = 4 << 20, truncateAtBytes = 64 << 20 } = options;
  let worker: Worker | null = null;
  let running: Promise<void> | null = null;
  let seen = '';
  let checkpoints = 0;
  let lastError: string | null = null;

  const checkpoint = async (mode: CheckpointMode): Promise<void> => {
    worker ??= startWorker(path, (ended) => {
      if (worker === ended) worker = null;
    });
    const asked = worker;
    asked.ref();
    asked.postMessage(mode);
    const report = await nextReport(asked);
    asked.unref();
    lastError = report.error;
    if (report.error === null) checkpoints += 1;
  };
  const look = async (): Promise<void> => {
    const log = await stat(`${path}-wal`).catch(() => null);
    const state = log === null ? '' : `${log.size} ${log.mtimeMs}`;
    if (log === null || log.size < checkpointAtBytes || state === seen) return;
    await checkpoint(log.size < truncateAtBytes ? 'PASSIVE' : 'TRUNCATE');
    seen = state;
  };
  const check = (): Promise<void> => {
    running ??= look().finally(() => {
      running = null;
    });
    return running;
  };
  const timer = setInterval(() => void check(), intervalMs).unref();

  return {
    stats: () => ({ checkpoints, lastError }),
    check,
    close: async () => {
      clearInterval(timer);
      await running;
      if (worker === null) return;
      const ended = once(worker, 'exit');
      worker.ref();
      worker.postMessage('CLOSE');
      await ended;
    },
  };
}

function startWorker(path: string, onEnd: (worker: Worker) => void): Worker {
  const worker = new Worker(new URL('./checkpointer.worker.js', import.meta.url), { workerData: { path } });
  worker.unref();
  worker.on('exit', () => onEnd(worker));
  // An error is told by `nextReport`; without a listener here one that comes between two reports ends the process.
  worker.on('error', () => onEnd(worker));
  return worker;
}

/** The worker's answer; a worker that dies instead is replaced at the next look. */
function nextReport(worker: Worker): Promise<CheckpointReport> {
  return new Promise((resolve) => {
    const settle = (report: CheckpointReport): void => {
      worker.off('message', settle).off('error', onError).off('exit', onExit);
      resolve(report);
    };
    const onError = (error: Error): void => settle({ error: error.message });
    const onExit = (): void => settle({ error: 'the checkpoint thread ended' });
    worker.on('message', settle).on('error', onError).on('exit', onExit);
  });
}
