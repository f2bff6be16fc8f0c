import { closeSync, openSync, readSync } from 'node:fs';
import type { DatabaseSyncInstance } from '@photostructure/sqlite';
import type { WriteTurns } from './write-turns.js';

/** Where the index of the log says how many pages the log holds, https://www.sqlite.org/walformat.html#walidxfmt */
const LENGTH_OFFSET = 16;

/** So many pages of 4 KiB are written before they are copied: the log is cut back by force at 64 MiB. */
const MOST_PAGES = 6_000;
/** So few are copied, and confirmed by the disk, while nobody else may write. */
const FEW_PAGES = 64;
const MOST_ROUNDS = 4;

export type ShortLog = {
  /** To be called between two transactions. */
  readonly keep: () => void;
  readonly close: () => void;
};

/**
 * Keeps the log of a file short while much is written to it, by the very thread that writes: while it copies it writes
 * nothing, so little is left for the moment in which nobody may, and the log begins again from its start. Where a
 * reader still needs what the log began with, the next try comes when as much was written again.
 */
export function shortLog(db: DatabaseSyncInstance, path: string, turns: WriteTurns): ShortLog {
  const copy = db.prepare('PRAGMA wal_checkpoint(PASSIVE)');
  let index: number | null = null;
  const length = new Uint32Array(1);
  let next = MOST_PAGES;

  const pages = (): number => {
    // It is there when something was written.
    index ??= openSync(`${path}-shm`, 'r');
    readSync(index, length, 0, length.byteLength, LENGTH_OFFSET);
    return length[0] ?? 0;
  };
  const left = (): number => {
    const { log, checkpointed } = copy.get();
    return log - checkpointed;
  };
  return {
    keep: () => {
      const written = pages();
      if (written < next) {
        // It began again, by this or by what others copied.
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
    close: () => {
      if (index !== null) closeSync(index);
    },
  };
}
