import { detectionsFilter, type SignalFilter } from '#apps/api/src/signals/signals/signal-filter.js';
import type { Query } from '#kernel/ports/read-store.port.js';
import { detections } from '#projections/signals/detections/detections.projection.js';
import { findSql, groupsSql, type Sql } from '#read-store/sqlite/query-sql.js';
import { tableOf } from '#read-store/sqlite/tables.js';
import { unfiltered } from '../support/sample-signal-filter.js';
import { plansOf } from '../contract/sqlite-read-store.fixture.js';

const table = tableOf({ view: detections, generation: 1 });
const newestFirst: Query['sort'] = [
  ['detectedAt', 'desc'],
  ['id', 'desc'],
];
const window = {
  signalFrom: '2026-03-03T10:00:00.000Z',
  signalTo: null,
  detectedFrom: null,
  detectedTo: null,
};
const anything = unfiltered({ workspaceId: 7, window });
const paris = { name: 'Paris', country: 'France' };

/** The query plan shows what a page reads: one index in the order of the answer, from the start of the window. */
describe('the indexes of the detections', () => {
  const plan = plansOf(detections);
  const planned = (query: Sql): string => plan(query).join('; ');

  const planOf = (filter: SignalFilter, behind?: readonly [string, number]): string =>
    planned(
      findSql(table, {
        ...detectionsFilter(filter),
        sort: newestFirst,
        ...(behind === undefined ? {} : { after: behind }),
        limit: 26,
      }),
    );
  const search = (index: string, bound: string): string =>
    `SEARCH detections_v\\d+_g1 USING INDEX detections_v\\d+_g1_${index} \\([^;]*${bound}[^;]*\\)`;
  const DEEP = 'detectedAt>\\? AND \\(detectedAt,id\\)<\\(\\?,\\?\\)';

  it('finds the paid detection of a charge without reading anything else', () => {
    const where = { workspaceId: 1, movementId: 1 };
    expect(planned(findSql(table, { where, sort: newestFirst, limit: 1 }))).toMatch(
      /^SEARCH detections_v\d+_g1 USING INDEX detections_v\d+_g1_byMovement \(workspaceId=\? AND movementId=\?\)$/,
    );
  });

  it('OP-70 reads the subjects of an agent or setup from their index alone', () => {
    for (const subjects of [['post:1'], ['post:1', 'post:2']]) {
      const where = { workspaceId: 1, sourceId: 2, subject: { in: subjects } };
      expect(planned(groupsSql(table, { where }, { by: ['subject'] }))).toMatch(
        /^SEARCH detections_v\d+_g1 USING COVERING INDEX detections_v\d+_g1_bySubject \(workspaceId=\? AND sourceId=\? AND subject=\?\)$/,
      );
    }
  });

  for (const [what, filter, index] of [
    ['nothing', {}, 'newestFirst'],
    ['an agent or setup', { sourceId: 1 }, 'bySource'],
    ['a run', { runId: 1 }, 'byRun'],
    ['a lead', { leadId: 1 }, 'byLead'],
    ['a company', { companyIds: [1] }, 'byCompany'],
    ['one signal type', { types: ['newJob'] }, 'byType'],
    ['a country', { countries: ['France'] }, 'byCountry'],
    ['a city', { cities: [paris] }, 'byCity'],
    ['top priority', { priority: 1 }, 'byPriority'],
    ['a setup in v3', { priority: 1, setupIds: [1] }, 'bySetup'],
  ] as const) {
    it(`reads a page narrowed to ${what} from ${index}, within the window and without sorting`, () => {
      const whole = (bound: string): RegExp => new RegExp(`^${search(index, bound)}$`);
      expect(planOf({ ...anything, ...filter })).toMatch(whole('detectedAt>\\?'));
      const behind = planOf({ ...anything, ...filter }, ['2026-05-01T00:00:00.000Z', 9]);
      expect(behind).toMatch(whole(DEEP));
    });
  }

  for (const [what, filter, one, other] of [
    ['several signal types', { types: ['newJob', 'jobPosting'] }, 'byType', 'byType'],
    ['several companies', { companyIds: [1, 2] }, 'byCompany', 'byCompany'],
    ['several countries', { countries: ['France', 'Spain'] }, 'byCountry', 'byCountry'],
    ['several setups in v3', { priority: 1, setupIds: [1, 2] }, 'bySetup', 'bySetup'],
    ['a country or a city', { countries: ['France'], cities: [paris] }, 'byCountry', 'byCity'],
    [
      'a country or a city in v3',
      { priority: 1, countries: ['France'], cities: [paris] },
      'byCountry',
      'byCity',
    ],
    [
      'a country or a city, and signal types',
      { types: ['newJob', 'jobPosting'], countries: ['France'], cities: [paris] },
      'byCountry',
      'byCity',
    ],
  ] as const) {
    it(`merges a page narrowed to ${what} while reading, within the window and without sorting`, () => {
      const merged = (bound: string): RegExp =>
        new RegExp(
          '^CO-ROUTINE [^;]*; MERGE \\(UNION\\); LEFT; ' +
            `${search(one, bound)}; RIGHT; ${search(other, bound)}; SCAN [^;]*; ` +
            'SEARCH detections_v\\d+_g1 USING INTEGER PRIMARY KEY \\(rowid=\\?\\)$',
        );
      expect(planOf({ ...anything, ...filter })).toMatch(merged('detectedAt>\\?'));
      const behind = planOf({ ...anything, ...filter }, ['2026-05-01T00:00:00.000Z', 9]);
      expect(behind).toMatch(merged(DEEP));
    });
  }
});
