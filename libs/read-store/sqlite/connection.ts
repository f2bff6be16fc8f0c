import type { DatabaseSyncInstance, StatementSyncInstance } from '@photostructure/sqlite';
import { LRUCache } from 'lru-cache';
import { StoreUnavailable, StoreUnusable } from '#kernel/ports/event-store.port.js';
import { LOCK_PATIENCE_MS, retryWhileBusy } from '#sqlite/busy.js';
import { placeOf } from '#sqlite/file-place.js';
import { connect } from '#sqlite/open-database.js';
import { inWriteTransaction } from '#sqlite/transaction.js';
import { sharedTurns, turnsOfLoop, type WriteTurns } from './write-turns.js';

/** One connection to the read store's file: transactions that retry while the file is locked, cached statements. */
export type Connection = {
  /** The compiled statement of this text; valid until the next await. */
  readonly statement: (sql: string) => StatementSyncInstance;
  /** Runs synchronous reads on one snapshot of the file, whatever other processes write meanwhile. */
  readonly read: <Result>(work: () => Result) => Promise<Result>;
  /** Runs synchronous reads and writes as one short transaction that excludes every other writer. */
  readonly write: <Result>(work: () => Result) => Promise<Result>;
  /** Throws `StoreUnavailable` where the file was replaced or removed: nothing more is written then. */
  readonly requirePlace: () => void;
  /** Lets go of compiled statements, after a table went away. */
  readonly forgetStatements: () => void;
  readonly close: () => void;
};

/** Query shapes in use are some hundreds; the bounds are against shapes made of user input. */
const MAX_STATEMENTS = 500;
/** Of the texts together: a page of many ranges has one of 34 KB. */
const MAX_TEXT = 1 << 20;
/** What is compiled takes so many times the bytes of its text. */
const COMPILED_FACTOR = 20;
/** Texts of this length and more are made of many values. */
const LONG_TEXT = 4_096;

/**
 * Of what is compiled the collector of garbage sees a handle alone, and never comes for it; a buffer whose pages are
 * never used says what it weighs.
 */
type Kept = { readonly compiled: StatementSyncInstance; readonly weight: ArrayBuffer | null };

export function readStoreConnection(
  db: DatabaseSyncInstance,
  path: string,
  lockPatienceMs: number = LOCK_PATIENCE_MS,
  turns: WriteTurns = turnsOfLoop(sharedTurns()),
): Connection {
  const { statement, forgetStatements } = keptStatements(db);
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
    read: (work) => run(() => snapshot(work)),
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

/** That of a thread which writes much to a file whose log the loop of its process looks after. */
export function writingThreadConnection(path: string, cacheKib: number): Connection {
  const db = connect(path, false);
  db.exec('PRAGMA wal_autocheckpoint = 0');
  db.exec('PRAGMA synchronous = NORMAL');
  db.exec(`PRAGMA cache_size = -${cacheKib}`);
  return readStoreConnection(db, path);
}

/** Statements by their texts, so many as fit the bounds; those not used lately go first. */
function keptStatements(db: DatabaseSyncInstance): Pick<Connection, 'statement' | 'forgetStatements'> {
  const statements = new LRUCache<string, Kept>({
    max: MAX_STATEMENTS,
    maxSize: MAX_TEXT,
    sizeCalculation: (_, sql) => sql.length,
  });

  return {
    statement: (sql) => {
      const known = statements.get(sql);
      if (known !== undefined) return known.compiled;
      const compiled = db.prepare(sql);
      const { length } = sql;
      const weight = length < LONG_TEXT ? null : new ArrayBuffer(length * COMPILED_FACTOR);
      statements.set(sql, { compiled, weight });
      return compiled;
    },
    forgetStatements: () => statements.clear(),
  };
}

/** Tells the operator what may be done about a file that cannot be used: more than about the event store. */
export function sayRebuildable(error: unknown): unknown {
  if (!(error instanceof StoreUnusable)) return error;
  return new StoreUnusable(
    `${error.message}; if this file is the read store of this program it can be deleted, everything in it is rebuilt from the event store`,
    { cause: error },
  );
}
