import { closeSync, fdatasyncSync, fstatSync, openSync, writeSync } from 'node:fs';
import { parentPort, workerData } from 'node:worker_threads';
import { connect } from './open-database.js';
import { isBusy } from './sqlite-errors.js';

export type CheckpointMode = 'PASSIVE' | 'RESTART' | 'TRUNCATE';
export type LogWork = { readonly checkpoint: CheckpointMode } | { readonly extendToBytes: number };
/** `isBusy`: another connection held the lock. `logBytes`: what a checkpoint found in the log. */
export type CheckpointReport = {
  readonly error: string | null;
  readonly isBusy: boolean;
  readonly logBytes: number;
};

const { path } = workerData as { readonly path: string };
const db = connect(path, false);
const { copy, pageBytes } = prepared();

/** So many pages of the log are copied in a moment. */
const FEW_PAGES = 256;
/** A log that grows faster than it is copied is truncated anyway. */
const MOST_ROUNDS = 10;

/** The bytes written in one piece: writers wait meanwhile. */
const PIECE = Buffer.alloc(1 << 20);

parentPort?.on('message', (message: LogWork | 'CLOSE') => {
  if (message === 'CLOSE') {
    db.close();
    parentPort?.close();
    return;
  }
  let logBytes = 0;
  const work = (): void => {
    if ('checkpoint' in message) logBytes = checkpoint(message.checkpoint) * pageBytes;
    else extend(message.extendToBytes);
  };
  const failure = errorOf(work);
  const error = failure?.message ?? null;
  parentPort?.postMessage({ error, isBusy: isBusy(failure), logBytes } satisfies CheckpointReport);
});

/** If the file is no database it is closed before the error is reported: closing it may remove its log. */
function prepared() {
  try {
    db.exec('PRAGMA wal_autocheckpoint = 0');
    // Only this thread waits: between two commits of a busy writer the lock is free for a moment.
    db.exec('PRAGMA busy_timeout = 200');
    const copied = db.prepare('PRAGMA wal_checkpoint(PASSIVE)');
    return { copy: copied, pageBytes: Number(db.prepare('PRAGMA page_size').get().page_size) };
  } catch (error) {
    db.close();
    throw error;
  }
}

/** Returns the number of pages in the log. */
function checkpoint(mode: CheckpointMode): number {
  // The copy waits for the disk and needs no lock that stops writers; only the following step does.
  for (let before = 0, round = 1; ; round += 1) {
    const { log, checkpointed } = copy.get();
    // A reader uses the beginning of the log: writers would wait for that reader, too.
    if (mode === 'PASSIVE' || checkpointed < log) return log;
    // Pages written meanwhile are copied while writers wait.
    if (log - before <= FEW_PAGES || round === MOST_ROUNDS) {
      db.exec(`PRAGMA wal_checkpoint(${mode})`);
      return log;
    }
    before = log;
  }
}

/**
 * Appends zeros to the log: SQLite treats them as its end, and the disk confirms writes over them faster than
 * writes that extend a file. No other connection writes to the log while this one holds the write lock.
 */
function extend(toBytes: number): void {
  const log = openSync(`${path}-wal`, 'r+');
  try {
    for (let size = 0; size < toBytes;) {
      db.exec('BEGIN IMMEDIATE');
      try {
        size = fstatSync(log).size;
        if (size < toBytes) size += writeSync(log, PIECE, 0, Math.min(PIECE.length, toBytes - size), size);
      } finally {
        db.exec('ROLLBACK');
      }
      fdatasyncSync(log);
    }
  } finally {
    closeSync(log);
  }
}

function errorOf(work: () => void): Error | null {
  try {
    work();
    return null;
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error));
  }
}
