import type { DatabaseSyncInstance } from '@photostructure/sqlite';
import { inPieces } from '#kernel/values/pieces.js';
import type { Key, KeyStore, Lane, LaneRange, StoredBody } from '../key-reads.js';
import type { RecordedMove } from '../moves.js';
import type { Reader } from './reader.js';

/** People of one answer to who works at some companies. */
const WORKERS_AT_ONCE = 256;

/** Rows of one question by their names: read within a few milliseconds. */
const ROWS_AT_ONCE = 100;

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
  // As one text, which costs less than as many rows.
  const workers = db.prepare(
    `SELECT json_group_array(ref) AS refs FROM (
       SELECT ref FROM observation INDEXED BY observation_by_subject
       WHERE kind = 'person' AND subject = ? AND at IS NULL AND ref > ? ORDER BY ref LIMIT ${WORKERS_AT_ONCE}
     )`,
  );
  const workerCount = db.prepare(
    `SELECT count(*) AS number FROM observation INDEXED BY observation_by_subject
     WHERE kind = 'person' AND subject = ?`,
  );
  const employer = db.prepare(`SELECT subject FROM observation WHERE kind = 'person' AND ref = ?`);
  const stored = db.prepare(
    `SELECT ref, body, target, host FROM observation
     WHERE kind = ? AND ref IN (SELECT value FROM json_each(?))`,
  );
  const moves = db.prepare(
    `SELECT move.body FROM json_each(?) AS one
     CROSS JOIN move ON move.person = one.value ->> 0 AND move.rev = one.value ->> 1 ORDER BY one.key`,
  );

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
          const { refs } = await reader.once(
            () => workers.get(companyRef, behind) as { readonly refs: string },
          );
          const page = JSON.parse(refs) as readonly string[];
          some.push(...page);
          if (some.length >= WORKERS_AT_ONCE) {
            yield some;
            some = [];
          }
          last = page.length < WORKERS_AT_ONCE ? undefined : page.at(-1);
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
      const pieces = await reader.each(
        inPieces([...new Set(refs)], ROWS_AT_ONCE),
        (some) =>
          stored.all(kind, JSON.stringify(some)) as readonly (StoredBody & { readonly ref: string })[],
      );
      return new Map(pieces.flat().map((row) => [row.ref, row]));
    },
    moves: async (page) => {
      const pieces = await reader.each(inPieces(page, ROWS_AT_ONCE), (some) => {
        const names = some.map(({ ref, tie }) => [ref, tie]);
        return moves.all(JSON.stringify(names)) as readonly { readonly body: string }[];
      });
      return pieces.flat().map(({ body }) => JSON.parse(body) as RecordedMove);
    },
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
