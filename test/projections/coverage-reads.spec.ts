import { foldAll, type HappenedEvent } from '#kernel/testing/project.js';
import type { Projection } from '#kernel/projections/projection.js';
import type { Query, ReadModels, ViewOf } from '#kernel/ports/read-store.port.js';
import type { JsonValue } from '#kernel/values/json.js';
import type { Resolution } from '#network/network-directory.port.js';
import { monitoredCoverage } from '#monitoring/coverage.js';
import { companies } from '#projections/identities/companies/companies.projection.js';
import { monitoredUnits } from '#projections/monitoring/monitored-units/monitored-units.projection.js';
import { workspaces } from '#projections/access/workspaces/workspaces.projection.js';
import { sampleCompanyFacts } from '#projections/testing/sample-events.js';
import { findSql } from '#read-store/sqlite/query-sql.js';
import { tableOf } from '#read-store/sqlite/tables.js';
import { placePerCase, publish } from '../contract/read-store-fixture.js';
import { makeSqlitePlace, plansOf } from '../contract/sqlite-read-store.fixture.js';

const PERSONA = 4;
const at = (day: string): string => `${day}T10:00:00.000Z`;
const source = { kind: 'list', listId: 12, memberId: 31 };

const company = (companyId: number): HappenedEvent => ({
  type: 'CompanyRegistered',
  data: {
    companyId,
    identity: '',
    rev: 1,
    facts: sampleCompanyFacts({ network_handle: `company-${companyId}`, domain: null }),
  },
});
const wanted = (companyId: number, day: string): HappenedEvent => ({
  type: 'MonitoringWanted',
  stream: `monitoring-1_${companyId}`,
  data: { personaId: PERSONA, source, wantedAt: at(day) },
});
const unwanted = (companyId: number, day: string): HappenedEvent => ({
  type: 'MonitoringUnwanted',
  stream: `monitoring-1_${companyId}`,
  data: { personaId: PERSONA, source, unwantedAt: at(day) },
});
const month = (companyId: number, from: string, until: string): HappenedEvent => ({
  type: 'MonitoringMonthFree',
  stream: `monitoring-1_${companyId}`,
  data: { personaId: PERSONA, from: at(from), until: at(until), anchorDay: 1 },
});
const refused = (companyId: number, since: string, triedAt: string): HappenedEvent => ({
  type: 'MonthsRefused',
  data: {
    units: [{ companyId, personaId: PERSONA, since: at(since) }],
    reason: 'credits',
    triedAt: at(triedAt),
  },
});

const EVENTS = [
  // Covered at the first of March: paid; due and not tried; stopped within its month; refused after that day.
  wanted(1, '2026-02-10'),
  month(1, '2026-02-10', '2026-03-10'),
  wanted(2, '2026-02-28'),
  wanted(3, '2026-02-10'),
  month(3, '2026-02-10', '2026-03-10'),
  unwanted(3, '2026-02-11'),
  wanted(4, '2026-02-28'),
  refused(4, '2026-02-28', '2026-03-02'),
  // Not covered then: stopped in January, refused before, begun later.
  ...[5, 6, 7].flatMap((id) => [
    wanted(id, '2026-01-01'),
    month(id, '2026-01-01', '2026-02-01'),
    unwanted(id, '2026-01-02'),
  ]),
  wanted(8, '2026-02-20'),
  refused(8, '2026-02-20', '2026-02-20'),
  wanted(9, '2026-03-02'),
];

describe('the covered accounts of a persona', () => {
  const { store } = placePerCase(makeSqlitePlace);
  const plan = plansOf(monitoredUnits);

  it('D-16 are found without reading the units whose cover has ended', async () => {
    const ids = [1, 2, 3, 4, 5, 6, 7, 8, 9];
    const events = [...ids.map(company), ...EVENTS];
    const views: readonly Projection[] = [companies, monitoredUnits];
    for (const view of views)
      await publish(
        store,
        { view, generation: 1 },
        [...foldAll(view, events)].map(([key, document]) => ({ key, document: document as JsonValue })),
      );
    await publish(store, { view: workspaces, generation: 1 }, []);
    const read: unknown[] = [];
    const plans: string[] = [];
    const readModels: ReadModels = {
      ...store,
      async find<Document>(view: ViewOf<Document>, query: Query) {
        const found = await store.find(view, query);
        read.push(...found);
        plans.push(...plan(findSql(tableOf({ view, generation: 1 }), query)));
        return found;
      },
    };
    const directory = {
      resolveCompanies: async (asked: readonly unknown[]) =>
        asked.map((one) => ({ outcome: 'found', facts: factsOf(one) }) as unknown as Resolution<never>),
      companies: async () => new Map(),
    };
    const coverage = monitoredCoverage({ readModels, directory: directory as never });
    const question = { workspaceId: 1, personaId: PERSONA };
    const refs = await coverage.coveredAccounts({ ...question, at: new Date(at('2026-03-01')) });
    expect(refs).toEqual(['company-1', 'company-2', 'company-3', 'company-4']);
    const companyIds = read.map((unit) => (unit as { companyId: number }).companyId);
    // The unit that begins later is requested now, and is read; it is not covered yet.
    expect(companyIds.sort()).toEqual([1, 2, 3, 4, 9]);
    expect(plans).toContainEqual(
      expect.stringMatching(
        /^SEARCH .*_coveredOfPersona \(workspaceId=\? AND personaId=\? AND coveredTo>\?\)$/,
      ),
    );
    expect(plans).toContainEqual(
      expect.stringMatching(/^SEARCH .*_byPersona \(workspaceId=\? AND status=\? AND personaId=\?\)$/),
    );
    // The answer for a moment that has passed stays the same.
    expect(await coverage.coveredAccounts({ ...question, at: new Date(at('2026-01-15')) })).toEqual([
      'company-5',
      'company-6',
      'company-7',
    ]);
  });
});

const factsOf = (asked: unknown) => ({ ref: (asked as { handle: string }).handle, domains: [] });
