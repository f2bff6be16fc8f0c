import type { DatabaseSyncInstance } from '@photostructure/sqlite';
import { inPieces } from '#kernel/values/pieces.js';
import type { Key, KeyStore, KeyOrder, LaneRange, Members, StoredBody } from '../key-reads.js';
import type { RecordedMove } from '../moves.js';
import type { Reader } from './reader.js';
import { READING, readingIn, type ReadingColumns } from './reading-columns.js';

/** Companies in one query for employees: some hundred people, some milliseconds. */
const COMPANIES_AT_ONCE = 10;

/** Rows of one query by name: read within a few milliseconds. */
const ROWS_AT_ONCE = 100;

type StoredRow = Omit<StoredBody, 'reading'> & ReadingColumns & { readonly ref: string };

/** Reads of network.db in the order of time, without a keyword search. */
export function sqliteKeys(
  db: DatabaseSyncInstance,
  reader: Reader,
  facts: Pick<KeyStore, 'companies' | 'people'>,
): KeyStore {
  const prepared = new Map<string, ReturnType<DatabaseSyncInstance['prepare']>>();
  const statementFor = (lane: AskedLane, who: Who): ReturnType<DatabaseSyncInstance['prepare']> => {
    const sql = keysSql(lane, who);
    const statement = prepared.get(sql) ?? db.prepare(sql);
    prepared.set(sql, statement);
    return statement;
  };
  const workerCount = db.prepare(
    `SELECT count(*) AS number FROM observation INDEXED BY observation_by_subject
     WHERE kind = 'person' AND subject = ?`,
  );
  const employer = db.prepare(`SELECT subject FROM observation WHERE kind = 'person' AND ref = ?`);
  const stored = db.prepare(
    `SELECT ref, body, at, target, host, ${READING} FROM observation
     WHERE kind = ? AND ref IN (SELECT value FROM json_each(?))`,
  );
  const moves = db.prepare(
    `SELECT move.body FROM json_each(?) AS one
     CROSS JOIN move ON move.person = one.value ->> 0 AND move.rev = one.value ->> 1 ORDER BY one.key`,
  );

  const keys = (lane: KeyOrder, members: Members | null, range: LaneRange): Promise<readonly Key[]> =>
    reader.once(() => {
      const { from, lastMs, limit } = range;
      const after = [from.at, from.ref, tieOf(lane, from.tie)] as const;
      const titled = range.withTitle === true ? { withTitle: true } : {};
      const rows = (who: Who, ...list: readonly string[]) =>
        statementFor({ ...lane, ...titled }, who).all(...after, lastMs, limit, ...list) as readonly (Key & {
          readonly body?: string;
        })[];
      if (members === null && lane.of === 'move' && range.withTitle !== true)
        return rows('everybody').map(withMove);
      if (members === null) return rows('everybody');
      if ('refs' in members) return rows('members', JSON.stringify(members.refs));
      return rows('workers', JSON.stringify(members.workersOf));
    });

  return {
    ...facts,
    keys,
    async *workers(companyRefs) {
      for (const some of inPieces([...new Set(companyRefs)], COMPANIES_AT_ONCE)) yield { workersOf: some };
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
        (some) => stored.all(kind, JSON.stringify(some)) as readonly StoredRow[],
      );
      return new Map(
        pieces
          .flat()
          .map(({ ref, body, at, target, host, ...row }) => [
            ref,
            { body, at, target, host, reading: readingIn(row) },
          ]),
      );
    },
    moves: async (page) => {
      const whole = page.flatMap(({ move }) => move ?? []);
      if (whole.length === page.length) return whole;
      const pieces = await reader.each(inPieces(page, ROWS_AT_ONCE), (some) => {
        const names = some.map(({ ref, tie }) => [ref, tie]);
        return moves.all(JSON.stringify(names)) as readonly { readonly body: string }[];
      });
      return pieces.flat().map(({ body }) => JSON.parse(body) as RecordedMove);
    },
  };
}

/** Nearly every move read for everybody is also shown, so it is read together with its key. */
const withMove = ({ at, ref, tie, body }: Key & { readonly body?: string }): Key => ({
  at,
  ref,
  tie,
  actor: null,
  host: null,
  ...(body !== undefined && { move: JSON.parse(body) as RecordedMove }),
});

/** Sorts before the first item of a moment: no revision is negative, no kind is empty. */
function tieOf({ of }: KeyOrder, tie: string | number): string | number {
  return of === 'move' && typeof tie !== 'number' ? -1 : tie;
}

type AskedLane = KeyOrder & { readonly withTitle?: boolean };

/** The people in a query of keys: all, some by ref, or the employees of some companies. */
type Who = 'everybody' | 'members' | 'workers';

/**
 * Parameters: at, ref and tie of the position, the last moment, the limit, and the refs of members or companies
 * unless it is about everybody.
 */
export function keysSql(lane: AskedLane, who: Who): string {
  const isMember = (column: string): string =>
    ({
      everybody: '',
      members: `done.${column} IN (SELECT value FROM json_each(?6)) AND`,
      workers: `done.${column} = worker.ref AND`,
    })[who];
  // The order of the joins is that of the indexes.
  const workers =
    who === 'workers'
      ? `json_each(?6) AS company CROSS JOIN observation AS worker INDEXED BY observation_by_subject
         ON worker.kind = 'person' AND worker.subject = company.value CROSS JOIN`
      : '';
  if (lane.of === 'move') {
    const column = { person: 'person', to: 'to_company', from: 'from_company' }[lane.by];
    const whole = lane.withTitle === true ? ', done.to_title AS title' : ', done.body';
    const body = who === 'everybody' ? whole : '';
    return `SELECT done.at, done.person AS ref, done.rev AS tie, NULL AS actor, NULL AS host${body}
      FROM ${workers} move AS done INDEXED BY ${who === 'everybody' ? 'move_by_time' : `move_by_${lane.by}`}
      WHERE ${isMember(column)} (done.at, done.person, done.rev) > (?1, ?2, ?3) AND done.at <= ?4
      ORDER BY done.at, done.person, done.rev LIMIT ?5`;
  }
  const isInteraction = lane.by !== 'company';
  const column = lane.by === 'host' ? 'host' : 'subject';
  const tie = isInteraction ? `'${lane.of}'` : `''`;
  // The first comparison of positions narrows the index; the second excludes the item at the position itself.
  return `SELECT done.at, done.ref, ${tie} AS tie, ${isInteraction ? 'done.subject' : 'NULL'} AS actor, done.host
    FROM ${workers} observation AS done
      INDEXED BY ${who === 'everybody' ? 'observation_by_time' : `observation_by_${column}`}
    WHERE done.kind = '${lane.of}' AND ${isMember(column)} (done.at, done.ref) >= (?1, ?2)
      AND (done.at, done.ref, ${tie}) > (?1, ?2, ?3) AND done.at <= ?4
      ${isInteraction ? 'AND done.host IS NOT NULL AND done.subject IS NOT NULL' : ''}
    ORDER BY done.at, done.ref LIMIT ?5`;
}
