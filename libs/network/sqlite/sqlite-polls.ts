import type { DatabaseSyncInstance } from '@photostructure/sqlite';
import type { JsonObject } from '#kernel/values/json.js';
import { retryWhileBusy } from '#sqlite/busy.js';
import { inWriteTransaction } from '#sqlite/transaction.js';
import type { PollStore } from '../poll-store.port.js';

type PollRow = { readonly key: string; readonly memory: string | null };

/** The memories of polls in network.db. */
export function sqlitePolls(db: DatabaseSyncInstance, path: string): PollStore {
  const left = db.prepare(
    'SELECT key, memory FROM poll WHERE memory IS NOT NULL AND key IN (SELECT value FROM json_each(?))',
  );
  const begin = db.prepare('INSERT OR IGNORE INTO poll (key) VALUES (?)');
  const take = db.prepare(
    'UPDATE poll SET holder = ?, until = ? WHERE key = ? AND (until IS NULL OR until <= ?) RETURNING key, memory',
  );
  const extendUntil = db.prepare('UPDATE poll SET until = ? WHERE key = ? AND holder = ?');
  const keep = db.prepare('UPDATE poll SET memory = ? WHERE key = ? AND holder = ?');
  const giveBack = db.prepare(
    'UPDATE poll SET memory = ?, holder = NULL, until = NULL WHERE key = ? AND holder = ?',
  );
  const nextTurn = db.prepare('SELECT next_at FROM pace WHERE host = ?');
  const pace = db.prepare(
    'INSERT INTO pace (host, next_at) VALUES (?, ?) ON CONFLICT (host) DO UPDATE SET next_at = excluded.next_at',
  );
  const hold = db.prepare(
    `INSERT INTO pace (host, next_at) VALUES (?, ?)
     ON CONFLICT (host) DO UPDATE SET next_at = max(next_at, excluded.next_at)`,
  );
  const open = db.prepare(
    `SELECT ref FROM observation
     WHERE kind = 'job_posting' AND ref >= ?1 AND ref < ?2 AND closed_at IS NULL ORDER BY ref`,
  );
  const seen = db.prepare(
    'SELECT ref FROM observation WHERE kind = ? AND ref IN (SELECT value FROM json_each(?))',
  );
  const close = db.prepare(
    `UPDATE observation SET closed_at = ?, rev = ?, source_id = ?, read_at = ?
     WHERE kind = 'job_posting' AND ref = ? AND closed_at IS NULL AND rev < ?`,
  );
  const mark = db.prepare(
    `INSERT INTO reading (ref, read_at) VALUES (?, ?)
     ON CONFLICT (ref) DO UPDATE SET read_at = max(read_at, excluded.read_at)`,
  );
  const write = <Result>(work: () => Result): Promise<Result> =>
    retryWhileBusy(path, () => inWriteTransaction(db, work));

  return {
    memories: (keys) =>
      retryWhileBusy(path, () => {
        const rows = left.all(JSON.stringify(keys)) as readonly PollRow[];
        return new Map(rows.map(({ key, memory }) => [key, JSON.parse(memory ?? '{}') as JsonObject]));
      }),
    claim: (key, holder, nowMs, untilMs) =>
      write(() => {
        begin.run(key);
        const row = take.get(holder, untilMs, key, nowMs) as PollRow | undefined;
        if (row === undefined) return null;
        return { memory: row.memory === null ? null : (JSON.parse(row.memory) as JsonObject) };
      }),
    extend: (key, holder, untilMs) => write(() => void extendUntil.run(untilMs, key, holder)),
    keep: (key, holder, memory) => write(() => keep.run(JSON.stringify(memory), key, holder).changes > 0),
    settle: (key, holder, memory) => write(() => void giveBack.run(JSON.stringify(memory), key, holder)),
    requestTimeOf: (host, nowMs, paceMs, latestMs) =>
      write(() => {
        const row = nextTurn.get(host) as { readonly next_at: number } | undefined;
        const turnMs = Math.max(nowMs, row?.next_at ?? nowMs);
        if (turnMs <= latestMs) pace.run(host, turnMs + paceMs);
        return turnMs;
      }),
    holdBack: (host, untilMs) => write(() => void hold.run(host, untilMs)),
    markRead: (refs, readAtMs) => write(() => refs.forEach((ref) => mark.run(ref, readAtMs))),
    known: (kind, refs) =>
      retryWhileBusy(path, () => {
        const rows = seen.all(kind, JSON.stringify(refs)) as readonly { readonly ref: string }[];
        return new Set(rows.map(({ ref }) => ref));
      }),
    openPostings: (refPrefix) =>
      retryWhileBusy(path, () => {
        const rows = open.all(refPrefix, behindPrefix(refPrefix)) as readonly { readonly ref: string }[];
        return rows.map(({ ref }) => ref);
      }),
    closePostings: ({ refs, rev, reading: { sourceId, readAtMs } }) =>
      write(() =>
        refs.reduce(
          (closed, ref) => closed + Number(close.run(readAtMs, rev, sourceId, readAtMs, ref, rev).changes),
          0,
        ),
      ),
  };
}

/** The first text after all texts with this prefix, which ends with a colon. */
const behindPrefix = (prefix: string): string => `${prefix.slice(0, -1)};`;
