import type { DatabaseSyncInstance } from '@photostructure/sqlite';
import { WrongExpectedRevision } from '#kernel/ports/event-store.port.js';
import { retryWhileBusy } from '#sqlite/busy.js';
import type { FilePlace } from '#sqlite/file-place.js';
import { isBusy, sqliteCode, storeError } from '#sqlite/sqlite-errors.js';
import { inWriteTransaction } from '#sqlite/transaction.js';
import { eventWriter } from './event-writer.js';
import type { AppendOutcome, CommitBatch } from './group-commit.js';
import type { RecentEvents } from './recent-events.js';
import type { FreeSpace } from './free-space.js';
import type { SerializedAppend } from './serialized-append.js';
import { INDEXED_TOGETHER } from './stream-index.js';

/** An I/O error; if COMMIT fails with it, the outcome after a restart is unknown. */
const IO_ERROR = 10;

/** A page of the log. */
const PAGE_BYTES = 4_096;
/** Pages that a commit writes besides its events and their index: the ends of the trees. */
const PAGES_PER_COMMIT = 2;
/** With 16 bytes for a place. */
const PAGES_OF_RECENT_INDEX = (INDEXED_TOGETHER * 16) / PAGE_BYTES;

/** Commits batches of appends through one connection, each batch in one transaction. */
export function batchCommitter(options: {
  readonly db: DatabaseSyncInstance;
  readonly path: string;
  readonly place: FilePlace;
  readonly lockPatienceMs: number;
  /** Called with the approximate number of bytes that a commit has added to the log. */
  readonly onCommit: (logBytes: number) => void;
  readonly freeSpace: Pick<FreeSpace, 'refused'>;
  readonly recent: Pick<RecentEvents, 'keep'>;
}): {
  readonly commit: CommitBatch;
  /** As `commit`, but all of the appends or none: rejects with the first `WrongExpectedRevision`. */
  readonly commitWhole: (appends: readonly SerializedAppend[]) => Promise<void>;
} {
  const { db, path, place, lockPatienceMs, freeSpace, recent, onCommit } = options;
  const writer = eventWriter(db);

  const writeOrThrow = (append: SerializedAppend): AppendOutcome => {
    const outcome = writer.write(append);
    if (outcome instanceof WrongExpectedRevision) throw outcome;
    return outcome;
  };

  const attempt = (
    appends: readonly SerializedAppend[],
    write: (append: SerializedAppend) => AppendOutcome,
  ): readonly AppendOutcome[] => {
    let writing = true;
    place.require();
    try {
      const outcomes = inWriteTransaction(db, () => {
        writer.begin();
        const written = appends.map(write);
        writer.end();
        writing = false;
        return written;
      });
      recent.keep(writer.takeWritten());
      return outcomes;
    } catch (error) {
      writer.forget();
      if (isBusy(error)) throw error;
      freeSpace.refused(error);
      const unknown = !writing && sqliteCode(error) === IO_ERROR;
      throw storeError(error, path, unknown ? 'unknown' : 'nothing-written');
    }
  };

  const commit = async (
    appends: readonly SerializedAppend[],
    write: (append: SerializedAppend) => AppendOutcome,
  ): Promise<readonly AppendOutcome[]> => {
    const outcomes = await retryWhileBusy(path, () => attempt(appends, write), lockPatienceMs);
    onCommit(logBytes(appends.filter((_, index) => !(outcomes[index] instanceof Error))));
    return outcomes;
  };

  return {
    commit: (appends) => commit(appends, writer.write),
    commitWhole: async (appends) => void (await commit(appends, writeOrThrow)),
  };
}

/** The approximate bytes that these appends have added to the log: their text, and pages of the index of recent events. */
function logBytes(appends: readonly SerializedAppend[]): number {
  const pages = PAGES_PER_COMMIT + Math.min(appends.length, PAGES_OF_RECENT_INDEX);
  return appends.reduce((sum, { bytes }) => sum + bytes, pages * PAGE_BYTES);
}
