import { once } from 'node:events';
import { statSync } from 'node:fs';
import { Worker } from 'node:worker_threads';
import { everyBeat } from '#kernel/commands/beat.js';
import type { CheckpointReport, LogWork } from './checkpointer.worker.js';

export type Checkpointer = {
  readonly stats: () => { readonly checkpoints: number; readonly lastError: string | null };
  /** Looks at the log now; resolves when a checkpoint that was due has ended. */
  readonly check: () => Promise<void>;
  /**
   * About so many bytes were committed; resolves when the log, where it was to be made larger or copied for that, has
   * become so.
   */
  readonly committed: (bytes: number) => Promise<void>;
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
  /**
   * A log that has begun to grow is made this large ahead of its writers, step by step, and is then written over from
   * its start: for files whose commits wait for the disk. Once half of it was written the next look is taken at once.
   * Absent: it grows as it is written.
   */
  readonly keptBytes?: number;
};

/** So many commits show that a log is being written to, and are few enough to make it larger in time. */
const COMMITS_BETWEEN_LOOKS = 64;
const GROWTH = 4;
/**
 * How soon a log is looked at again that was just copied: whoever writes waits for the disk while what was copied is
 * confirmed, so one that is much written to is copied in small parts.
 */
const AGAIN_MS = 100;
/**
 * A copied log is written over from its start and stays as large as it was. Where one part in so many of what is worth
 * a copy stood in it, twice as many looks pass before the next one: a log that is hardly written to would be copied, and
 * the disk waited for, at every look.
 */
const FEW_SHARE = 8;
const MOST_PASSED = 32;

/**
 * Keeps the write-ahead log of a file short, on a worker thread with a connection of its own, because a
 * checkpoint waits for the disk. The thread is started when the log first grows; neither it nor the timer
 * keeps the process alive.
 */
export function startCheckpointer(options: StartCheckpointer): Checkpointer {
  const { path, intervalMs = 1_000, checkpointAtBytes = 4 << 20, truncateAtBytes = 64 << 20 } = options;
  const { keptBytes = 0 } = options;
  let worker: Worker | null = null;
  let running: Promise<void> | null = null;
  let seen: Log = NO_LOG;
  /** So many looks at a log that has not grown are passed over. */
  let passes = 0;
  let passed = 0;
  let checkpoints = 0;
  let lastError: string | null = null;

  let commits = 0;
  let bytesSinceLook = 0;
  let extendedTo = 0;

  let again: NodeJS.Timeout | null = null;
  let isClosing = false;
  const lookAgain = (): void => {
    again = null;
    void check();
  };

  const ask = async (work: LogWork): Promise<CheckpointReport> => {
    worker ??= startWorker(path, (ended) => {
      if (worker === ended) worker = null;
    });
    const asked = worker;
    asked.ref();
    asked.postMessage(work);
    const report = await nextReport(asked);
    asked.unref();
    lastError = report.error;
    return report;
  };
  const isHalfWritten = (): boolean => keptBytes > 0 && bytesSinceLook >= keptBytes / 2;
  const isToPassOver = (log: Log): boolean => {
    passed += 1;
    return log.size === seen.size && passed <= passes && !isHalfWritten();
  };
  const look = async (): Promise<void> => {
    const log = logOf(path);
    const isToCopy =
      log.size >= checkpointAtBytes && (log.size !== seen.size || log.mtimeMs !== seen.mtimeMs);
    if (isToCopy && isToPassOver(log)) return;
    bytesSinceLook = 0;
    if (!isToCopy) return;
    const reused = keptBytes > 0 ? 'RESTART' : 'PASSIVE';
    const { error, logBytes } = await ask({ checkpoint: log.size < truncateAtBytes ? reused : 'TRUNCATE' });
    if (error === null) checkpoints += 1;
    seen = log;
    passed = 0;
    const isMuch = error !== null || logBytes * FEW_SHARE >= checkpointAtBytes;
    passes = isMuch ? 0 : Math.min(MOST_PASSED, Math.max(1, passes * 2));
    if (keptBytes === 0 && isMuch && !isClosing) again ??= setTimeout(lookAgain, AGAIN_MS).unref();
  };
  /** Only a log that has outgrown what it was made is made larger, or every short-lived file would be. */
  const extend = async (): Promise<void> => {
    const { size } = logOf(path);
    if (size === 0 || size === extendedTo || size >= keptBytes) return;
    extendedTo = Math.min(keptBytes, size * GROWTH);
    await ask({ extendToBytes: extendedTo });
  };
  const alone = (work: () => Promise<void>): Promise<void> => {
    running ??= work().finally(() => {
      running = null;
    });
    return running;
  };
  const check = (): Promise<void> => alone(look);
  const stopLooking = everyBeat(intervalMs, () => void check());

  return {
    stats: () => ({ checkpoints, lastError }),
    check,
    committed: async (bytes) => {
      if (keptBytes === 0) return;
      commits += 1;
      bytesSinceLook += bytes;
      if (commits % COMMITS_BETWEEN_LOOKS === 0) await alone(extend);
      else if (isHalfWritten()) await check();
    },
    close: async () => {
      isClosing = true;
      stopLooking();
      if (again !== null) clearTimeout(again);
      await running;
      if (worker === null) return;
      const ended = once(worker, 'exit');
      worker.ref();
      worker.postMessage('CLOSE');
      await ended;
    },
  };
}

type Log = { readonly size: number; readonly mtimeMs: number };
const NO_LOG: Log = { size: 0, mtimeMs: 0 };

// Not through a thread of the pool: waking one takes several times as long as asking the system.
function logOf(path: string): Log {
  return statSync(`${path}-wal`, { throwIfNoEntry: false }) ?? NO_LOG;
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
    const onError = (error: Error): void => settle({ error: error.message, logBytes: 0 });
    const onExit = (): void => settle({ error: 'the checkpoint thread ended', logBytes: 0 });
    worker.on('message', settle).on('error', onError).on('exit', onExit);
  });
}
