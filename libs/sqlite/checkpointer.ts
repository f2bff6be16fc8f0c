import { statSync } from 'node:fs';
import { Worker } from 'node:worker_threads';
import { everyBeat } from '#kernel/commands/beat.js';
import { placeOf } from './file-place.js';
import type { CheckpointReport, LogWork } from './checkpointer.worker.js';

export type Checkpointer = {
  /** How often this process has copied the log into the file. */
  readonly copies: () => number;
  /** Checks the log now; resolves when a due checkpoint has ended, or when the check has failed. */
  readonly check: () => Promise<void>;
  /**
   * Notes that about so many bytes were committed; resolves when a due enlargement or copy of the log is done, or has
   * failed.
   */
  readonly committed: (bytes: number) => Promise<void>;
  /** Ends the worker thread. Close this process's own connection to the file afterwards. */
  readonly close: () => Promise<void>;
};

export type StartCheckpointer = {
  readonly path: string;
  readonly intervalMs?: number;
  /** The log is copied into the file once it is this large. */
  readonly checkpointAtBytes?: number;
  /** The log is also truncated once it is this large, for which writers wait a moment. */
  readonly truncateAtBytes?: number;
  /**
   * A growing log is enlarged to this size ahead of its writers, step by step, and is then overwritten from its
   * start: for files whose commits wait for the disk. Once half of it was written the next check follows immediately.
   * Absent: the log grows with the writes. Measured: one append takes 0.14 ms, in a growing log 0.22 ms (docs/adr/0030).
   */
  readonly keptBytes?: number;
  /**
   * Called with the reason when checks of the log begin to fail, and with null when a check succeeds again. A failed
   * check is repeated at the next beat. A lock of another process is no failure.
   */
  readonly onTrouble?: (reason: string | null) => void;
};

/** So many commits show that a log is in use, and are few enough to enlarge it in time. */
const COMMITS_BETWEEN_LOOKS = 64;
const GROWTH = 4;
/**
 * How soon a just copied log is checked again: writers wait for the disk while the copy is confirmed, so a log with
 * many writes is copied in small parts.
 */
const AGAIN_MS = 100;
/**
 * A copied log is overwritten from its start and keeps its size. If it contained less than this part of the size
 * worth a copy, twice as many checks are skipped before the next copy: otherwise a log with few writes would be
 * copied, with a wait for the disk, at every check. Measured with the beat and the shared leases: an idle service takes
 * 0.27 % of a core instead of 3 % (docs/adr/0042).
 */
const FEW_SHARE = 8;
const MOST_PASSED = 32;

/**
 * Keeps the write-ahead log of a file short, on a worker thread with its own connection, because a
 * checkpoint waits for the disk. The thread is started when the log first grows; neither it nor the timer
 * keeps the process alive.
 */
export function startCheckpointer(options: StartCheckpointer): Checkpointer {
  const { path, intervalMs = 1_000, checkpointAtBytes = 4 << 20, truncateAtBytes = 64 << 20 } = options;
  const { keptBytes = 0, onTrouble = () => {} } = options;
  const place = placeOf(path);
  let worker: Worker | null = null;
  let running: Promise<void> | null = null;
  let seen: Log = NO_LOG;
  /** So many checks of a log that has not grown are skipped. */
  let passes = 0;
  let passed = 0;
  let copies = 0;
  let isFailing = false;
  let isExtensionDue = false;

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
    // The thread opens the file by its name.
    if (!place.isKept()) return { error: 'the file was replaced or removed', isBusy: false, logBytes: 0 };
    worker ??= startWorker(path, (ended) => {
      if (worker === ended) worker = null;
    });
    const asked = worker;
    asked.ref();
    asked.postMessage(work);
    const report = await nextReport(asked);
    asked.unref();
    if (report.error !== null && !report.isBusy) throw new Error(report.error);
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
    if (error === null) copies += 1;
    seen = log;
    passed = 0;
    const isMuch = error !== null || logBytes * FEW_SHARE >= checkpointAtBytes;
    passes = isMuch ? 0 : Math.min(MOST_PASSED, Math.max(1, passes * 2));
    if (keptBytes === 0 && isMuch && !isClosing) again ??= setTimeout(lookAgain, AGAIN_MS).unref();
  };
  /** Only a log that has outgrown its first size is enlarged, or every short-lived file would be. */
  const extend = async (): Promise<void> => {
    isExtensionDue = false;
    const { size } = logOf(path);
    if (size === 0 || size === extendedTo || size >= keptBytes) return;
    isExtensionDue = true;
    extendedTo = Math.min(keptBytes, size * GROWTH);
    await ask({ extendToBytes: extendedTo });
    isExtensionDue = false;
  };
  const lookAndExtend = async (): Promise<void> => {
    await look();
    if (isExtensionDue) await extend();
  };
  // Most checks have no waiting caller: a rejection would end the process.
  const attempt = async (work: () => Promise<void>): Promise<void> => {
    let reason: string | null = null;
    try {
      await work();
    } catch (error) {
      reason = error instanceof Error ? error.message : String(error);
      passes = 0;
    }
    if (isFailing === (reason !== null)) return;
    isFailing = reason !== null;
    onTrouble(reason);
  };
  const alone = (work: () => Promise<void>): Promise<void> => {
    running ??= attempt(work).finally(() => {
      running = null;
    });
    return running;
  };
  const check = (): Promise<void> => alone(lookAndExtend);
  const stopLooking = everyBeat(intervalMs, () => void check());

  return {
    copies: () => copies,
    check,
    committed: async (bytes) => {
      if (keptBytes === 0 || isFailing) return;
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
      const closing = worker;
      // Not `once`, which rejects when the thread ends with an error.
      const ended = new Promise((resolve) => closing.once('exit', resolve));
      closing.ref();
      closing.postMessage('CLOSE');
      await ended;
    },
  };
}

type Log = { readonly size: number; readonly mtimeMs: number };
const NO_LOG: Log = { size: 0, mtimeMs: 0 };

// Synchronous: a thread of the pool would take several times as long as the system call.
function logOf(path: string): Log {
  return statSync(`${path}-wal`, { throwIfNoEntry: false }) ?? NO_LOG;
}

function startWorker(path: string, onEnd: (worker: Worker) => void): Worker {
  const worker = new Worker(new URL('./checkpointer.worker.js', import.meta.url), { workerData: { path } });
  worker.unref();
  worker.on('exit', () => onEnd(worker));
  // `nextReport` reports an error; without a listener here an error between two reports would end the process.
  worker.on('error', () => onEnd(worker));
  return worker;
}

/** The worker's answer; a worker that dies instead is replaced at the next check. */
function nextReport(worker: Worker): Promise<CheckpointReport> {
  return new Promise((resolve) => {
    const settle = (report: CheckpointReport): void => {
      worker.off('message', settle).off('error', onError).off('exit', onExit);
      resolve(report);
    };
    const died = (error: string): void => settle({ error, isBusy: false, logBytes: 0 });
    const onError = (error: Error): void => died(error.message);
    const onExit = (): void => died('the checkpoint thread ended');
    worker.on('message', settle).on('error', onError).on('exit', onExit);
  });
}
