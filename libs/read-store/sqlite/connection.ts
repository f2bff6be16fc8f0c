import type { DatabaseSyncInstance, StatementSyncInstance } from '@photostructure/sqlite';
import { LRUCache } from 'lru-cache';
import { StoreUnavailable, StoreUnusable } from '#kernel/ports/event-store.port.js';
import { LOCK_PATIENCE_MS, retryWhileBusy } from '#sqlite/busy.js';
import { placeOf } from '#sqlite/file-place.js';
import { connect, ForeignDatabase } from '#sqlite/open-database.js';
import { inWriteTransaction } from '#sqlite/transaction.js';
import { sharedWriteOrder, writeOrderOfLoop, type WriteOrder } from './write-order.js';

/** One connection to the read store's file: transactions that retry while the file is locked, cached statements. */
export type Connection = {
  /** The compiled statement of this text; valid until the next await. */
  readonly statement: (sql: string) => StatementSyncInstance;
  /** The same, which answers each row as an array of its columns. */
  readonly rows: (sql: string) => StatementSyncInstance;
  /** Runs synchronous reads on one snapshot of the file; writes of other processes are not visible. */
  readonly read: <Result>(work: () => Result) => Promise<Result>;
  /** Runs one statement that reads. It is a snapshot by itself, so it needs no transaction. */
  readonly readAtOnce: <Result>(work: () => Result) => Promise<Result>;
  /** Runs synchronous reads and writes as one short transaction that excludes every other writer. */
  readonly write: <Result>(work: () => Result) => Promise<Result>;
  /** Throws `StoreUnavailable` if the file was replaced or removed: nothing more is written then. */
  readonly requirePlace: () => void;
  /** Drops compiled statements after a table was removed. */
  readonly forgetStatements: () => void;
  readonly close: () => void;
};

/** The limits protect against query shapes from user input; some hundreds are in use. */
const MAX_STATEMENTS = 500;
/** The bound of all texts together: a page of many ranges has a text of 34 KB. */
const MAX_TEXT = 1 << 20;
/** A compiled statement takes so many times the bytes of its text. */
const COMPILED_FACTOR = 20;
/** Texts of this length and more consist of many values. */
const LONG_TEXT = 4_096;

/**
 * The garbage collector sees only a handle of a compiled statement, and does not collect it in time; an unused buffer
 * gives it the size.
 */
type Kept = { readonly compiled: StatementSyncInstance; readonly weight: ArrayBuffer | null };

export function readStoreConnection(
  db: DatabaseSyncInstance,
  path: string,
  lockPatienceMs: number = LOCK_PATIENCE_MS,
  turns: WriteOrder = writeOrderOfLoop(sharedWriteOrder()),
): Connection {
  const { statement, rows, forgetStatements } = keptStatements(db);
  const place = placeOf(path);
  let closed = false;

  const snapshot = <Result>(work: () => Result): Result => {
    statement('BEGIN').run();
    try {
      return work();
    } finally {
      if (db.isTransaction) statement('COMMIT').run();
    }
  };
  const inTurn = <Result>(work: () => Result): Result => {
    turns.take();
    try {
      return work();
    } finally {
      turns.giveBack();
    }
  };
  const run = <Result>(attempt: () => Result): Promise<Result> =>
    retryWhileBusy(
      path,
      () => {
        if (closed) throw new StoreUnavailable(`${path} is closed`);
        return attempt();
      },
      lockPatienceMs,
    ).catch((error: unknown) => {
      throw sayRebuildable(error);
    });

  return {
    statement,
    rows,
    read: (work) => run(() => snapshot(work)),
    readAtOnce: run,
    write: (work) =>
      run(() => {
        place.require();
        return inTurn(() => inWriteTransaction(db, work));
      }),
    requirePlace: place.require,
    forgetStatements,
    close: () => {
      if (closed) return;
      closed = true;
      forgetStatements();
      db.close();
    },
  };
}

/** The log of a thread that writes much to a file whose log the event loop of its process checkpoints. */
export function writingThreadConnection(path: string, cacheKib: number): Connection {
  const db = connect(path, false);
  db.exec('PRAGMA wal_autocheckpoint = 0');
  db.exec('PRAGMA synchronous = NORMAL');
  db.exec(`PRAGMA cache_size = -${cacheKib}`);
  return readStoreConnection(db, path);
}

/**
 * Statements by their texts, as many as the bounds allow; the least recently used are removed first. Measured alternately: a short
 * statement takes 7.6 us to compile and run, 0.35 us once it is compiled.
 */
function keptStatements(
  db: DatabaseSyncInstance,
): Pick<Connection, 'statement' | 'rows' | 'forgetStatements'> {
  const statements = new LRUCache<string, Kept>({
    max: MAX_STATEMENTS,
    maxSize: MAX_TEXT,
    sizeCalculation: (_, sql) => sql.length,
  });

  function compiled(sql: string, returnArrays: boolean): StatementSyncInstance {
    // No statement begins with a bracket.
    const key = returnArrays ? `[${sql}` : sql;
    const known = statements.get(key);
    if (known !== undefined) return known.compiled;
    const made = db.prepare(sql, { returnArrays });
    const { length } = sql;
    const weight = length < LONG_TEXT ? null : new ArrayBuffer(length * COMPILED_FACTOR);
    statements.set(key, { compiled: made, weight });
    return made;
  }
  return {
    statement: (sql) => compiled(sql, false),
    rows: (sql) => compiled(sql, true),
    forgetStatements: () => statements.clear(),
  };
}

/** Adds that an unusable file can be deleted; not for a foreign one, which may be the event store. */
export function sayRebuildable(error: unknown): unknown {
  if (!(error instanceof StoreUnusable) || error instanceof ForeignDatabase) return error;
  return new StoreUnusable(
    `${error.message}; if this file is the read store of this program it can be deleted, everything in it is rebuilt from the event store`,
    { cause: error },
  );
}
