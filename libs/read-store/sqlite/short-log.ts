import { closeSync, fstatSync, openSync, readSync, realpathSync } from 'node:fs';
import type { DatabaseSyncInstance } from '@photostructure/sqlite';
import type { WriteOrder } from './write-order.js';

/** The layout of the log: https://www.sqlite.org/fileformat2.html#the_write_ahead_log */
const HEADER_BYTES = 32;
const PAGE_SIZE_OFFSET = 8;
const FRAME_HEADER_BYTES = 24;
/** The offset of the salts of this round in the header of the log, and in each page. */
const SALTS_OFFSET = { ofHeader: 16, ofFrame: 8 };
const SALTS_BYTES = 8;

/** So many pages of 4 KiB are written before they are copied: the log is truncated by force at 64 MiB. */
const MOST_PAGES = 6_000;
/** So few pages are copied, and confirmed by the disk, while no other connection may write. */
const FEW_PAGES = 64;
const MOST_ROUNDS = 4;

/**
 * Keeps the log of a file short during many writes, by the writing thread itself: while it copies it writes nothing,
 * so little is left for the moment in which no connection may write, and the log restarts from its beginning. If a
 * reader still needs the beginning, the next attempt follows after as many writes again.
 */
export function shortLog(db: DatabaseSyncInstance, path: string, turns: WriteOrder) {
  const copy = db.prepare('PRAGMA wal_checkpoint(PASSIVE)');
  let file: number | null = null;
  let next = MOST_PAGES;

  /** The pages of this round are before the rest of earlier rounds. */
  const pages = (): number => {
    // The log file exists after a write. Its index would give the length at once but must not be opened: closing it
    // would release the locks of this process.
    file ??= openSync(`${realpathSync(path)}-wal`, 'r');
    const header = readAt(file, 0, HEADER_BYTES);
    const salts = header.subarray(SALTS_OFFSET.ofHeader, SALTS_OFFSET.ofHeader + SALTS_BYTES);
    const frameBytes = FRAME_HEADER_BYTES + header.readUInt32BE(PAGE_SIZE_OFFSET);
    let [first, behind] = [0, Math.floor((fstatSync(file).size - HEADER_BYTES) / frameBytes)];
    while (first < behind) {
      const middle = (first + behind) >>> 1;
      const saltsAt = HEADER_BYTES + middle * frameBytes + SALTS_OFFSET.ofFrame;
      if (readAt(file, saltsAt, SALTS_BYTES).equals(salts)) first = middle + 1;
      else behind = middle;
    }
    return first;
  };
  const left = (): number => {
    const { log, checkpointed } = copy.get();
    return log - checkpointed;
  };
  return {
    /** Must be called between two transactions. */
    keep: (): void => {
      const written = pages();
      if (written < next) {
        // The log restarted, after this copy or another one.
        if (written < next - MOST_PAGES) next = MOST_PAGES;
        return;
      }
      for (let round = 1; round < MOST_ROUNDS && left() > FEW_PAGES;) round += 1;
      turns.take();
      try {
        next = left() === 0 ? MOST_PAGES : written + MOST_PAGES;
      } finally {
        turns.giveBack();
      }
    },
    close: (): void => {
      if (file !== null) closeSync(file);
    },
  };
}

function readAt(file: number, offset: number, bytes: number): Buffer {
  const read = Buffer.alloc(bytes);
  readSync(file, read, 0, bytes, offset);
  return read;
}
