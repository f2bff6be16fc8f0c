import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { DatabaseSyncInstance } from '@photostructure/sqlite';
import type { KeyOrder } from '#network/key-reads.js';
import { openNetworkDatabase } from '#network/sqlite/network-schema.js';
import { keysSql } from '#network/sqlite/sqlite-keys.js';

let folder = '';
let db: DatabaseSyncInstance;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'network-plans-'));
  db = await openNetworkDatabase(join(folder, 'network.db'), () => {});
});
afterAll(async () => {
  db.close();
  await rm(folder, { recursive: true });
});

/** The steps of SQLite through tables. */
function stepsOf(sql: string): readonly string[] {
  const rows = db.prepare(`EXPLAIN QUERY PLAN ${sql}`).all() as readonly { readonly detail: string }[];
  return rows.map(({ detail }) => detail).filter((detail) => /done|worker/.test(detail));
}

const INTERACTIONS: readonly KeyOrder[] = [
  { of: 'comment', by: 'actor' },
  { of: 'comment', by: 'host' },
  { of: 'reaction', by: 'actor' },
  { of: 'reaction', by: 'host' },
];
const MOVES: readonly KeyOrder[] = [
  { of: 'move', by: 'person' },
  { of: 'move', by: 'to' },
  { of: 'move', by: 'from' },
];
const SERIES: readonly KeyOrder[] = [
  { of: 'headcount', by: 'company' },
  { of: 'company_event', by: 'company' },
];

describe('plans of the observed network on SQLite', () => {
  for (const lane of INTERACTIONS) {
    it(`read a ${lane.of} by its ${lane.by} from the index alone, from the member and the time on`, () => {
      const column = lane.by === 'actor' ? 'subject' : 'host';
      expect(stepsOf(keysSql(lane, 'members'))).toEqual([
        `SEARCH done USING COVERING INDEX observation_by_${column} ` +
          `(kind=? AND ${column}=? AND (at,ref)>(?,?) AND at<?)`,
      ]);
    });
  }

  it('read the interactions of the people of companies from the indexes alone, company by company and person by person', () => {
    expect(stepsOf(keysSql({ of: 'comment', by: 'host' }, 'workers'))).toEqual([
      'SEARCH worker USING COVERING INDEX observation_by_subject (kind=? AND subject=?)',
      'SEARCH done USING COVERING INDEX observation_by_host (kind=? AND host=? AND (at,ref)>(?,?) AND at<?)',
    ]);
  });

  for (const lane of MOVES) {
    it(`read moves by ${lane.by} from the index alone, from the member and the time on`, () => {
      const column = lane.by === 'person' ? 'person' : `${lane.by}_company`;
      expect(stepsOf(keysSql(lane, 'members'))).toEqual([
        `SEARCH done USING COVERING INDEX move_by_${lane.by} (${column}=? AND ${lane.by === 'person' ? 'at>?' : '(at,person,rev)>(?,?,?)'} AND at<?)`,
      ]);
    });
  }

  it('read the moves of everybody in the order of the index, without sorting', () => {
    const sql = keysSql({ of: 'move', by: 'person' }, 'everybody');
    expect(stepsOf(sql)).toEqual(['SEARCH done USING INDEX move_by_time ((at,person,rev)>(?,?,?) AND at<?)']);
    expect(isSorted(sql)).toBe(false);
  });

  for (const lane of SERIES) {
    it(`read the ${lane.of} of everybody in the order of the index, and of companies from each company's part`, () => {
      const all = keysSql(lane, 'everybody');
      expect(stepsOf(all)).toEqual([expect.stringContaining('INDEX observation_by_time (kind=? AND ')]);
      expect(isSorted(all)).toBe(false);
      expect(stepsOf(keysSql(lane, 'members'))).toEqual([
        expect.stringContaining('INDEX observation_by_subject (kind=? AND subject=? AND (at,ref)>'),
      ]);
    });
  }

  function isSorted(sql: string): boolean {
    const rows = db.prepare(`EXPLAIN QUERY PLAN ${sql}`).all() as readonly { readonly detail: string }[];
    return rows.some(({ detail }) => detail.includes('TEMP B-TREE'));
  }
});
