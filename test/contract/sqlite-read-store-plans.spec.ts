import { countSql, findSql, groupsSql } from '#read-store/sqlite/query-sql.js';
import { tableOf } from '#read-store/sqlite/tables.js';
import type { Condition, Filter, Query, ViewShape } from '#kernel/ports/read-store.port.js';
import { plansOf } from './sqlite-read-store.fixture.js';

const movements: ViewShape = {
  name: 'movements',
  version: 3,
  indexes: {
    listed: ['workspaceId', 'createdAt', 'id'],
    ofSetup: ['workspaceId', 'setupId', 'createdAt', 'id'],
    byState: ['workspaceId', 'state', 'product'],
    due: ['dueAt', 'id'],
    window: ['workspaceId', 'settledAt'],
    perCompany: ['setupId', 'createdAt', 'companyId', 'credits'],
    ofRun: ['workspaceId', 'runId', 'createdAt', 'id'],
    heldForRun: ['workspaceId', 'runId', 'createdAt', 'credits'],
  },
  onlyWith: { ofRun: 'runId', heldForRun: 'runId' },
};
const table = tableOf({ view: movements, generation: 1 });
const newestFirst: Query = {
  sort: [
    ['createdAt', 'desc'],
    ['id', 'desc'],
  ],
};
const behind: Query = { ...newestFirst, after: ['2025-01-01', 17], limit: 25 };

/** The cost of a page is visible in the plan: a SEARCH that starts at the page and no sorting after it. */
describe('query plans of the SQLite read store', () => {
  const plan = plansOf(movements);
  const searchOf = (index: string, terms: string): readonly string[] => [
    `SEARCH movements_v3_g1 USING INDEX movements_v3_g1_${index} (${terms})`,
  ];

  it('starts the first page at the newest row of the workspace', () => {
    expect(plan(findSql(table, { ...newestFirst, where: { workspaceId: 7 }, limit: 25 }))).toEqual(
      searchOf('listed', 'workspaceId=?'),
    );
  });

  it('starts every later page after the last row seen', () => {
    expect(plan(findSql(table, { ...behind, where: { workspaceId: 7 } }))).toEqual(
      searchOf('listed', 'workspaceId=? AND (createdAt,id)<(?,?)'),
    );
  });

  it('starts a numbered page at the landmark before it', () => {
    const from = { where: { workspaceId: 7, setupId: 5, createdAt: '2025-01-01', id: { gte: 17 } } };
    expect(plan(findSql(table, { ...from, sort: [['id', 'asc']], skip: 3, limit: 25 }))).toEqual(
      searchOf('ofSetup', 'workspaceId=? AND setupId=? AND createdAt=? AND id>?'),
    );
  });

  it('takes the index with the most equality fields', () => {
    expect(plan(findSql(table, { ...behind, where: { workspaceId: 7, setupId: 5 } }))).toEqual(
      searchOf('ofSetup', 'workspaceId=? AND setupId=? AND (createdAt,id)<(?,?)'),
    );
    expect(plan(findSql(table, { ...behind, where: { workspaceId: { in: [7] }, setupId: null } }))).toEqual(
      searchOf('ofSetup', 'workspaceId=? AND setupId=? AND (createdAt,id)<(?,?)'),
    );
  });

  it('keeps the order of the page for a filter that another index covers better', () => {
    for (const state of [{ in: ['held', 'captured'] }, 'held', { ne: 'released' }] as const) {
      expect(plan(findSql(table, { ...behind, where: { workspaceId: 7, state } }))).toEqual(
        searchOf('listed', 'workspaceId=? AND (createdAt,id)<(?,?)'),
      );
      const where = { workspaceId: 7, state, product: 'account_monitoring' };
      expect(plan(findSql(table, { ...newestFirst, where }))).toEqual(searchOf('listed', 'workspaceId=?'));
    }
  });

  it('merges the ranges of several values in the order of the page, without sorting', () => {
    const of = (index: string, field: string, more = ''): string =>
      `SEARCH movements_v3_g1 USING COVERING INDEX movements_v3_g1_${index} (workspaceId=? AND ${field}=?${more})`;
    const merged = (...ranges: readonly string[]) => [
      'CO-ROUTINE (subquery-merged)',
      ...ranges,
      'SCAN (subquery-merged)',
      'SEARCH movements_v3_g1 USING INTEGER PRIMARY KEY (rowid=?)',
    ];
    const named = (query: Query) =>
      plan(findSql(table, query))
        .map((step) => step.replace(/subquery-\d+/, 'subquery-merged'))
        .filter((step) => !/^(MERGE \(UNION\)|LEFT|RIGHT)$/.test(step));
    const deeper = ' AND (createdAt,id)<(?,?)';
    expect(named({ ...newestFirst, where: { workspaceId: 7, setupId: { in: [5, 6] } }, limit: 25 })).toEqual(
      merged(of('ofSetup', 'setupId'), of('ofSetup', 'setupId')),
    );
    expect(named({ ...behind, where: { workspaceId: 7, runId: { in: [5, 6, 7] } } })).toEqual(
      merged(...Array.from({ length: 3 }, () => of('ofRun', 'runId', deeper))),
    );
    const anyOf: readonly Filter[] = [{ where: { setupId: 5 } }, { where: { runId: 6 } }];
    expect(named({ ...behind, where: { workspaceId: 7 }, anyOf })).toEqual(
      merged(of('ofSetup', 'setupId', deeper), of('ofRun', 'runId', deeper)),
    );
  });

  it('has few statements: numbers of values share one text up to a limit', () => {
    const textFor = (count: number): string =>
      findSql(table, {
        ...newestFirst,
        where: { workspaceId: 7, setupId: { in: Array.from({ length: count }, (_, setup) => setup) } },
      }).text;
    expect(textFor(6)).toBe(textFor(8));
    expect(textFor(8)).not.toBe(textFor(9));
  });

  it('keeps the order of the page with alternatives and with a time window', () => {
    const where = { workspaceId: 7, createdAt: { gte: '2024-10-01' } };
    expect(plan(findSql(table, { ...newestFirst, where }))).toEqual(
      searchOf('listed', 'workspaceId=? AND createdAt>?'),
    );
    const anyOf: readonly Filter[] = [{ where: { state: 'held' } }, { where: { setupId: 5 } }];
    expect(plan(findSql(table, { ...behind, where: { workspaceId: 7 }, anyOf }))).toEqual(
      searchOf('listed', 'workspaceId=? AND (createdAt,id)<(?,?)'),
    );
  });

  it('does not sort a whole window of another field to give one page', () => {
    const settledAt = { gte: '2024-10-01', lt: '2025-01-01' };
    for (const workspaceId of [7, { in: [7] }]) {
      expect(plan(findSql(table, { ...newestFirst, where: { workspaceId, settledAt }, limit: 25 }))).toEqual(
        searchOf('listed', 'workspaceId=?'),
      );
    }
  });

  it('finds due work without reading other rows', () => {
    const sort = [['dueAt', 'asc'] as const, ['id', 'asc'] as const];
    expect(plan(findSql(table, { where: { dueAt: { lte: '2025' } }, sort, limit: 50 }))).toEqual(
      searchOf('due', 'dueAt<?'),
    );
  });

  it('starts at the right position with mixed directions, and sorts only rows equal in the first field', () => {
    const sort = [['createdAt', 'desc'] as const, ['id', 'asc'] as const];
    const mixed = { where: { workspaceId: 7 }, sort, after: ['2025-01-01', 17], limit: 25 };
    expect(plan(findSql(table, mixed))).toEqual([
      ...searchOf('listed', 'workspaceId=? AND createdAt<?'),
      'USE TEMP B-TREE FOR LAST 2 TERMS OF ORDER BY',
    ]);
  });

  it('uses a partial index only if the excluded documents are not requested', () => {
    const inRun = (runId: Condition): Query => ({
      ...newestFirst,
      where: { workspaceId: 7, runId },
      limit: 25,
    });
    for (const runId of [5, { in: [5] }] as const) {
      expect(plan(findSql(table, inRun(runId)))).toEqual(searchOf('ofRun', 'workspaceId=? AND runId=?'));
    }
    for (const runId of [null, { in: [null] }, { in: [5, null] }, { in: [] }, { ne: 5 }, { ne: null }]) {
      expect(plan(findSql(table, inRun(runId)))).toEqual(searchOf('listed', 'workspaceId=?'));
    }
    expect(
      plan(groupsSql(table, { where: { workspaceId: 7, runId: 5 } }, { by: [], sum: 'credits' })),
    ).toEqual([
      'SEARCH movements_v3_g1 USING COVERING INDEX movements_v3_g1_heldForRun (workspaceId=? AND runId=?)',
    ]);
    expect(plan(countSql(table, { where: { workspaceId: 7, runId: null } })).join()).not.toMatch(/Run/);
  });

  it('counts and sums a window from the index alone', () => {
    expect(plan(countSql(table, { where: { workspaceId: 7, state: 'held' } }))).toEqual([
      'SEARCH movements_v3_g1 USING COVERING INDEX movements_v3_g1_byState (workspaceId=? AND state=?)',
    ]);
    const window = { where: { setupId: 5, createdAt: { gte: '2024-10-01', lt: '2025-01-01' } } };
    expect(plan(groupsSql(table, window, { by: [], sum: 'credits' }))).toEqual([
      'SEARCH movements_v3_g1 USING COVERING INDEX movements_v3_g1_perCompany (setupId=? AND createdAt>? AND createdAt<?)',
    ]);
    expect(plan(groupsSql(table, window, { by: ['companyId'] }))[0]).toBe(
      'SEARCH movements_v3_g1 USING COVERING INDEX movements_v3_g1_perCompany (setupId=? AND createdAt>? AND createdAt<?)',
    );
  });
});
