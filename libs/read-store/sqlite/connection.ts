import type { DatabaseSyncInstance, StatementSyncInstance } from '@photostructure/sqlite';
import { StoreUnavailable, StoreUnusable } from '#kernel/ports/event-store.port.js';
import { LOCK_PATIENCE_MS, retryWhileBusy } from '#sqlite/busy.js';
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
  /** Lets go of compiled statements, after a table went away. */
  readonly forgetStatements: () => void;
  readonly close: () => void;
};

/** Query shapes in use are some hundreds; the bound is against shapes made of user input. */
const MAX_STATEMENTS = 500;

export function readStoreConnection(
  db: DatabaseSyncInstance,
  path: string,
  lockPatienceMs: number = LOCK_PATIENCE_MS,
  turns: WriteTurns = turnsOfLoop(sharedTurns()),
): Connection {
  const statements = new Map<string, StatementSyncInstance>();
  let closed = false;

  const statement = (sql: string): StatementSyncInstance => {
    const known = statements.get(sql);
    if (known !== undefined) return known;
    const compiled = db.prepare(sql);
    statements.set(sql, compiled);
    if (statements.size > MAX_STATEMENTS) {
      const [oldest] = statements.keys();
      if (oldest !== undefined) statements.delete(oldest);
    }
    return compiled;
  };
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
    write: (work) => run(() => inTurn(() => inWriteTransaction(db, work))),
    forgetStatements: () => statements.clear(),
    close: () => {
      if (closed) return;
      closed = true;
      statements.clear();
      db.close();
    },
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
