import type { DatabaseSyncInstance } from '@photostructure/sqlite';
import { loopTurn, type LoopTurn } from '#kernel/commands/loop-turn.js';
import {
  StoreUnavailable,
  type EventBatch,
  type EventStore,
  type Position,
  type ReadAll,
  type ReadStream,
  type StoredEvent,
  type StreamAppend,
  type Subscribe,
} from '#kernel/ports/event-store.port.js';
import { LOCK_PATIENCE_MS, retryWhileBusy } from '#sqlite/busy.js';
import { startCheckpointer, type Checkpointer } from '#sqlite/checkpointer.js';
import { closeWithEmptyLog } from '#sqlite/empty-log.js';
import { placeOf } from '#sqlite/file-place.js';
import { openDatabase } from '#sqlite/open-database.js';
import { sqliteCode } from '#sqlite/sqlite-errors.js';
import { batchLimit } from './batch-limit.js';
import { watchChanges, type Changes, type ChangesOptions } from './changes.js';
import { batchCommitter } from './commit-batch.js';
import { eventReader, type EventReader } from './event-reader.js';
import { groupCommit, type CommitBatch } from './group-commit.js';
import { isPosition, positionNumber, positionText } from './position-text.js';
import { recentEvents } from './recent-events.js';
import { freeSpaceOf } from './free-space.js';
import { EVENT_STORE_APPLICATION_ID, EVENT_STORE_SCHEMA_VERSION, migrateEventStore } from './schema.js';
import { serializeAppend } from './serialized-append.js';
import { sweeper } from './sweep.js';
import { watchLog } from './watch-log.js';

export type OpenSqliteEventStore = {
  readonly path: string;
  /** How long a call waits while another process holds the file locked. */
  readonly lockPatienceMs?: number;
  /** How often a waiting subscription looks for what other processes appended. */
  readonly pollMs?: number;
  /** Most pages of 4 KiB that the file may grow to; past it appends are refused as on a full disk. */
  readonly maxPages?: number;
  /** Called for each durable transaction with its duration in seconds. */
  readonly onCommitted?: (seconds: number) => void;
  /** The turn shared with the command path: commands decided in a turn are committed in the same turn. */
  readonly turn?: LoopTurn;
  /** Called with the reason when the log of the file cannot be checkpointed, and with null when it can again. */
  readonly onTrouble?: (reason: string | null) => void;
  /** Another connection of this process has the file open and checkpoints its log. */
  readonly isBeside?: boolean;
};

export type SqliteEventStore = EventStore & {
  /**
   * Writes many appends, of any streams, in this order and in one transaction: all of them or none. The caller
   * limits their size, because the transaction blocks the event loop. Rejects as `append` does.
   */
  readonly appendWhole: (appends: readonly StreamAppend[]) => Promise<void>;
};

/** The bytes that a caller who waits for each commit writes between two checkpoints. */
const KEPT_LOG_BYTES = 16 << 20;

/**
 * The event store in one SQLite file, which is created if it is missing. Any number of processes may open it. Rejects
 * with `StoreUnusable` (the file is damaged, newer or not of this product) or `StoreUnavailable` (no access, locked).
 */
export async function openSqliteEventStore(options: OpenSqliteEventStore): Promise<SqliteEventStore> {
  const { path, lockPatienceMs = LOCK_PATIENCE_MS, pollMs = 25, maxPages, isBeside = false } = options;
  const { onTrouble } = options;
  const db = await openFile(path, lockPatienceMs, maxPages, isBeside);
  const place = placeOf(path);
  const recent = recentEvents();
  const reader = eventReader(db, path, recent);
  const changes = watchChanges({ ...othersWrites(db, path, pollMs), onOthersWrite: recent.forget });
  const freeSpace = freeSpaceOf(db, path, place);
  const checkpointer = isBeside ? null : startCheckpointer({ path, keptBytes: KEPT_LOG_BYTES, onTrouble });
  const onCommit = commitListener(changes, checkpointer);
  const committer = batchCommitter({ db, path, place, lockPatienceMs, freeSpace, recent, onCommit });
  const appends = groupCommit(timed(committer.commit, options.onCommitted), options.turn ?? loopTurn());
  const sweep = sweeper(db, place);
  let closing: Promise<void> | null = null;
  const close = async (): Promise<void> => {
    await appends.idle();
    changes.close();
    await checkpointer?.close();
    // The driver keeps the log next to the file: with an empty log, a copy of the file alone is a complete backup.
    if (isBeside) db.close();
    else closeWithEmptyLog(db, path);
  };

  const refuseWhenClosed = (): void => {
    if (closing !== null) throw new StoreUnavailable(`the event store ${path} is closed`);
  };
  const read = <Result>(attempt: () => Result): Promise<Result> =>
    retryWhileBusy(
      path,
      () => {
        refuseWhenClosed();
        return attempt();
      },
      lockPatienceMs,
    );

  async function* readStream(
    stream: string,
    wanted: ReadStream = {},
  ): AsyncGenerator<readonly StoredEvent[]> {
    const { direction = 'forwards', from, maxCount = Infinity } = wanted;
    const backwards = direction === 'backwards';
    const limit = batchLimit();
    let next = from === undefined ? (backwards ? Number.MAX_SAFE_INTEGER : 0) : Number(from);
    let left = maxCount;
    while (left > 0 && next >= 0) {
      const count = Math.min(limit.next(), left);
      const { events, bytes } = await read(() =>
        backwards ? reader.backwards(stream, next, count) : reader.forwards(stream, next, count),
      );
      const last = events.at(-1);
      if (last === undefined) return;
      yield events;
      if (events.length < count) return;
      limit.learn(events.length, bytes);
      left -= events.length;
      next = Number(last.revision) + (backwards ? -1 : 1);
      await nextTurn();
    }
  }

  async function* readAll(wanted: ReadAll = {}): AsyncGenerator<EventBatch> {
    const limit = batchLimit(wanted.batchSize);
    let after = positionNumber(wanted.after ?? '');
    for (;;) {
      const part = await read(() => reader.ordered(after, wanted.types ?? null, limit.next()));
      after = part.end;
      limit.learn(part.events.length, part.bytes);
      yield { events: part.events, position: part.position, caughtUp: part.caughtUp };
      if (part.caughtUp) return;
      await nextTurn();
    }
  }

  async function* subscribe(wanted: Subscribe): AsyncGenerator<EventBatch> {
    const { signal } = wanted;
    const limit = batchLimit(wanted.batchSize).next();
    const types = wanted.types ?? null;
    let after = wanted.after ?? '';
    let reported: string | null = null;
    while (!signal.aborted) {
      const seen = changes.count();
      const own = reader.recent(positionNumber(after), types, limit);
      for await (const batch of own === null ? readAll({ ...wanted, after }) : [own]) {
        if (signal.aborted) return;
        after = batch.position;
        if (batch.events.length === 0 && batch.position === reported) continue;
        reported = batch.position;
        yield batch;
        if (signal.aborted) return;
      }
      if (own === null || own.caughtUp) await changes.after(seen, signal);
      else await nextTurn();
    }
  }

  // A damaged file is detected now and not at the first request.
  await read(reader.head).catch(async (error: unknown) => {
    await close();
    throw error;
  });
  return {
    append: async (stream, expected, events) => {
      refuseWhenClosed();
      return appends.append(serializeAppend(stream, expected, events));
    },
    appendWhole: async (whole) => {
      refuseWhenClosed();
      await committer.commitWhole(
        whole.map(({ stream, expected, events }) => serializeAppend(stream, expected, events)),
      );
    },
    readStream,
    ends: (streams) => read(() => reader.ends(streams)),
    readWhole: (streams) => read(() => reader.whole(streams)),
    readAll,
    subscribe,
    head: async () => positionText(await read(reader.head)),
    requireSpace: async () => await read(freeSpace.require),
    lastEvent: (upTo, which = 'any') =>
      read(() => {
        const head = reader.head();
        const from = upTo === undefined ? head : isPosition(upTo) ? positionNumber(upTo) : Infinity;
        if (from > head) return null;
        return reader.lastUpTo(which === 'lasting' ? reader.lastLasting(from) : from);
      }),
    readBack: (before, maxCount) => read(() => readBack(reader, before, maxCount)),
    sweep: (before) => read(() => sweep(before, reader.lastLasting(reader.head()))),
    close: () => {
      closing ??= close();
      return closing;
    },
  };
}

function readBack(reader: EventReader, before: Position | null, maxCount: number): readonly StoredEvent[] {
  const end = reader.head() + 1;
  if (before === null) return reader.back(end, maxCount);
  if (!isPosition(before) || positionNumber(before) > end) return [];
  return reader.back(positionNumber(before), maxCount);
}

function openFile(
  path: string,
  lockPatienceMs: number,
  maxPages: number | undefined,
  isOpenHere: boolean,
): Promise<DatabaseSyncInstance> {
  return openDatabase({
    path,
    isOpenHere,
    applicationId: EVENT_STORE_APPLICATION_ID,
    schemaVersion: EVENT_STORE_SCHEMA_VERSION,
    migrate: migrateEventStore,
    synchronous: 'FULL',
    pragmas: maxPages === undefined ? [] : [`max_page_count = ${maxPages}`],
    lockPatienceMs,
  });
}

function commitListener(changes: Changes, checkpointer: Checkpointer | null): (logBytes: number) => void {
  return (logBytes) => {
    changes.announce();
    void checkpointer?.committed(logBytes);
  };
}

function timed(commit: CommitBatch, onCommitted: OpenSqliteEventStore['onCommitted']): CommitBatch {
  if (onCommitted === undefined) return commit;
  return async (appends) => {
    const startedAt = performance.now();
    const outcomes = await commit(appends);
    onCommitted((performance.now() - startedAt) / 1_000);
    return outcomes;
  };
}

function nextTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

function othersWrites(
  db: DatabaseSyncInstance,
  path: string,
  pollMs: number,
): Omit<ChangesOptions, 'onOthersWrite'> {
  const dataVersion = db.prepare('PRAGMA data_version', { returnArrays: true });
  return {
    othersVersion: () => versionOrNull(() => dataVersion.get()[0]),
    pollMs,
    watchWrites: watchLog(path),
  };
}

/** A failed check counts as a change: the notified reader gets the error and reports it. */
function versionOrNull(look: () => number): number | null {
  try {
    return look();
  } catch (error) {
    if (sqliteCode(error) === null) throw error;
    return null;
  }
}
