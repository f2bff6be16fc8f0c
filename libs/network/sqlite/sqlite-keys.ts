import type { DatabaseSyncInstance } from '@photostructure/sqlite';
import type { Key, KeyStore, Lane, LaneRange, StoredBody } from '../key-reads.js';
import type { RecordedMove } from '../moves.js';
import type { Reader } from './reader.js';

/** People of one answer to who works at some companies. */
const WORKERS_AT_ONCE = 256;

type WorkerRow = { readonly ref: string };

/** What is read of network.db by the order of time, without a search for words. */
export function sqliteKeys(
  db: DatabaseSyncInstance,
  reader: Reader,
  facts: Pick<KeyStore, 'companies' | 'people'>,
): KeyStore {
  const prepared = new Map<string, ReturnType<DatabaseSyncInstance['prepare']>>();
  const statementFor = (lane: Lane, ofEverybody: boolean): ReturnType<DatabaseSyncInstance['prepare']> => {
    const sql = keysSql(lane, ofEverybody);
    const statement = prepared.get(sql) ?? db.prepare(sql);
    prepared.set(sql, statement);
    return statement;
  };
  const workers = db.prepare(
    `SELECT ref FROM observation INDEXED BY observation_by_subject
     WHERE kind = 'person' AND subject = ? AND at IS NULL AND ref > ? ORDER BY ref LIMIT ${WORKERS_AT_ONCE}`,
  );
  const workerCount = db.prepare(
    `SELECT count(*) AS number FROM observation INDEXED BY observation_by_subject
     WHERE kind = 'person' AND subject = ?`,
  );
  const employer = db.prepare(`SELECT subject FROM observation WHERE kind = 'person' AND ref = ?`);
  const stored = db.prepare('SELECT body, target, host FROM observation WHERE kind = ? AND ref = ?');
  const move = db.prepare('SELECT body FROM move WHERE person = ? AND rev = ?');

  const keys = (lane: Lane, members: readonly string[] | null, range: LaneRange): Promise<readonly Key[]> =>
    reader.once(() => {
      const { from, lastMs, limit } = range;
      const statement = statementFor(lane, members === null);
      const list = members === null ? [] : [JSON.stringify(members)];
      const tie = tieOf(lane, from.tie);
      return statement.all(from.at, from.ref, tie, lastMs, limit, ...list) as readonly Key[];
    });

  return {
    ...facts,
    keys,
    async *workers(companyRefs) {
      let some: string[] = [];
      for (const companyRef of new Set(companyRefs)) {
        for (let last: string | undefined = ''; last !== undefined;) {
          const behind: string = last;
          const rows = await reader.once(() => workers.all(companyRef, behind) as readonly WorkerRow[]);
          some.push(...rows.map(({ ref }) => ref));
          if (some.length >= WORKERS_AT_ONCE) {
            yield some;
            some = [];
          }
          last = rows.length < WORKERS_AT_ONCE ? undefined : rows.at(-1)?.ref;
        }
      }
      if (some.length > 0) yield some;
    },
    workerCount: async (companyRefs) => {
      const counts = await reader.each([...new Set(companyRefs)], (ref) =>
        Number(workerCount.get(ref).number),
      );
      return counts.reduce((sum, count) => sum + count, 0);
    },
    workingAt: async (companyRefs, personRefs) => {
      const employers = await reader.each(
        personRefs,
        (ref) => employer.get(ref) as { readonly subject: string | null } | undefined,
      );
      return new Set(personRefs.filter((_, index) => companyRefs.has(employers[index]?.subject ?? '')));
    },
    bodies: async (kind, refs) => {
      const rows = await reader.each(
        [...new Set(refs)],
        (ref) => [ref, stored.get(kind, ref) as StoredBody | undefined] as const,
      );
      return new Map(rows.flatMap(([ref, row]) => (row === undefined ? [] : [[ref, row] as const])));
    },
    moves: (page) =>
      reader.each(page, ({ ref, tie }) => {
        const row = move.get(ref, tie) as { readonly body: string };
        return JSON.parse(row.body) as RecordedMove;
      }),
  };
}

/** Before the first thing of a moment: no revision is negative, no kind is empty. */
function tieOf({ of }: Lane, tie: string | number): string | number {
  return of === 'move' && typeof tie !== 'number' ? -1 : tie;
}

/** Parameters: at, ref and tie of the place, the last moment, the limit, and the members where there are any. */
export function keysSql(lane: Lane, ofEverybody: boolean): string {
  const members = (column: string): string =>
    ofEverybody ? '' : `${column} IN (SELECT value FROM json_each(?6)) AND`;
  if (lane.of === 'move') {
    const column = { person: 'person', to: 'to_company', from: 'from_company' }[lane.by];
    return `SELECT at, person AS ref, rev AS tie, NULL AS actor, NULL AS host
      FROM move INDEXED BY ${ofEverybody ? 'move_by_time' : `move_by_${lane.by}`}
      WHERE ${members(column)} (at, person, rev) > (?1, ?2, ?3) AND at <= ?4
      ORDER BY at, person, rev LIMIT ?5`;
  }
  const isInteraction = lane.by !== 'company';
  const column = lane.by === 'host' ? 'host' : 'subject';
  const tie = isInteraction ? `'${lane.of}'` : `''`;
  // The second comparison narrows the index; the third leaves out what stands at the place itself.
  return `SELECT at, ref, ${tie} AS tie, ${isInteraction ? 'subject' : 'NULL'} AS actor, host
    FROM observation INDEXED BY ${ofEverybody ? 'observation_by_time' : `observation_by_${column}`}
    WHERE kind = '${lane.of}' AND ${members(column)} (at, ref) >= (?1, ?2) AND (at, ref, ${tie}) > (?1, ?2, ?3)
      AND at <= ?4 ${isInteraction ? 'AND host IS NOT NULL AND subject IS NOT NULL' : ''}
    ORDER BY at, ref LIMIT ?5`;
}
