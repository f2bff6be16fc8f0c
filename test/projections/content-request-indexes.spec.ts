import { contentRequestPage } from '#apps/api/src/accounts/content-requests/list-content-requests.query.js';
import type { RequestFilters } from '#apps/api/src/accounts/content-requests/content-request-filters.js';
import type { Filter, Query, ReadModels } from '#kernel/ports/read-store.port.js';
import { companies } from '#projections/identities/companies/companies.projection.js';
import { contentRequests } from '#projections/accounts/content-requests/content-requests.projection.js';
import { countSql, findSql, type Sql } from '#read-store/sqlite/query-sql.js';
import { tableOf } from '#read-store/sqlite/tables.js';
import { plansOf } from '../contract/sqlite-read-store.fixture.js';

const nothing: RequestFilters = {
  page: { page: 2, pageSize: 25, skip: 25 },
  date_from: null,
  date_to: null,
  type: null,
  stage: null,
  company_id: null,
  company_network_handle: null,
  company_network_url: null,
  company_domain: null,
};
const MAPPING = ['account_mapping'] as const;
const INDEXED = /^SEARCH .* INDEX [\w-]+_v\d+_g1_(\w+) \((.*)\)/;
const HANDLES = { company_network_handle: ['acme', 'globex'] };

const NOT_COMPLETED = 'notCompleted workspaceId=? AND isCompleted=? AND createdAt>?';
const BY_TYPE = 'byType workspaceId=? AND type=? AND stage=? AND createdAt>?';
const COUNTED = 'countedByCompany workspaceId=? AND companyId=? AND stage=? AND type=? AND createdAt>?';
const BY_HANDLE = 'byHandle workspaceId=? AND networkHandle=?';
const BY_COMPANY = 'byCompany workspaceId=? AND companyId=? AND isCompleted=? AND createdAt>?';

/** The query plan shows what the list reads: no rows of the workspace beyond the filters. */
describe('the indexes of the content requests', () => {
  const planOf = plansOf(companies, contentRequests);

  /** The indexes that answer the queries of a request, with the fields that each search uses. */
  async function searches(filters: Partial<RequestFilters>): Promise<readonly string[]> {
    const asked: Sql[] = [];
    const known = ['acme', 'globex'].map((networkHandle, id) => ({ id, networkHandle, domain: null }));
    const tableFor = (view: typeof companies | typeof contentRequests) => tableOf({ view, generation: 1 });
    const recording = {
      find: async (view: typeof companies | typeof contentRequests, query: Query) => {
        asked.push(findSql(tableFor(view), query));
        return view.name === 'companies' ? known : [];
      },
      count: async (view: typeof contentRequests, filter: Filter) => {
        asked.push(countSql(tableFor(view), filter));
        return 0;
      },
      getMany: async () => new Map(),
    };
    const readModels = recording as unknown as ReadModels;
    const directory = { resolveCompanies: async () => [] };
    const period = { from: '2026-01-01', to: null };
    await contentRequestPage({ readModels, directory }, 7, { ...nothing, ...filters }, period);
    const plans = asked.map(planOf);
    // The few named companies are sorted; requests never are, and no table is scanned.
    expect(plans.slice(-2).flat().join()).not.toContain('TEMP B-TREE');
    expect(plans.flat().filter((step) => /^SCAN [\w-]+_v\d/.test(step))).toEqual([]);
    return [...new Set(plans.flat().flatMap((step) => INDEXED.exec(step)?.slice(1).join(' ') ?? []))];
  }

  for (const [what, filters, expected] of [
    ['nothing', {}, [NOT_COMPLETED]],
    ['a type', { type: MAPPING }, [BY_TYPE]],
    ['a stage', { stage: ['completed'] }, [BY_TYPE]],
    ['stages and a type', { stage: ['completed', 'account_mapping_failed'], type: MAPPING }, [BY_TYPE]],
    ['companies', HANDLES, [BY_HANDLE, BY_COMPANY]],
    [
      'a company, and to stages of both kinds',
      { company_network_handle: ['acme'], stage: ['completed', 'account_mapping_failed'] },
      [BY_HANDLE, 'allOfCompany workspaceId=? AND companyId=? AND createdAt>?'],
    ],
    [
      'companies, a stage and a type',
      { ...HANDLES, stage: ['completed'], type: MAPPING },
      [BY_HANDLE, BY_COMPANY, COUNTED],
    ],
  ] as const) {
    it(`reads and counts a page narrowed to ${what} without scanning others`, async () => {
      expect(await searches(filters)).toEqual(expected);
    });
  }
});
