import { eachPage } from '#kernel/projections/each-page.js';
import { Endpoint, EndpointQuery } from '#http/endpoint.js';
import { page, PageOf, type PageRequest } from '#http/paging.js';
import { idQuery, offsetPage, someOfQuery } from '#http/parameters.js';
import {
  accountStatuses,
  MONITORING_STATUSES,
  NEVER_MONITORED,
  type MonitoringStatus,
} from '#monitoring/account-statuses.js';
import {
  topAccounts,
  type TopAccountDocument,
} from '#projections/accounts/top-accounts/top-accounts.projection.js';
import { personaKey, personas } from '#projections/lists/personas/personas.projection.js';
import { handle } from '../../handle.js';
import type { ApiPorts } from '../../ports.js';
import { findPage } from '../../find-page.js';
import {
  monitoredAccountViews,
  type MonitoredAccountAnswer,
} from '#monitoring/answers/monitored-account-views.js';
import { accountsOf } from '#accounts/answers/top-account-views.js';
import { MonitoredAccountView } from '#monitoring/answers/monitored-account.view.js';
import { noActivePersona, unknownBusinessUnit } from '../unknown-business-unit.js';

const ACCOUNTS_AT_ONCE = 500;

const query = {
  /**
   * Accounts of this persona and those without one, with the status for it; null: all accounts, with the status for
   * all.
   */
  persona_id: idQuery(400),
  page: offsetPage({ invalid: 400 }),
  /** Accounts with one of these statuses; null: any status. */
  monitoring_status: someOfQuery(MONITORING_STATUSES, 400),
};

@Endpoint({
  caller: 'apiKey',
  route: 'GET /api/v3/top-account-list/accounts',
  summary: 'List the top accounts and whether they are monitored',
  description:
    '`persona_id`: the accounts of that business unit and the unassigned ones, with their status for it. ' +
    'Without it the status is the first of not_covered, monitored and not_monitored that one of the ' +
    'business units gives.',
  query,
  response: PageOf(MonitoredAccountView),
  problems: [unknownBusinessUnit],
})
export class ListMonitoredAccounts extends EndpointQuery<
  PageOf<MonitoredAccountAnswer>,
  { query: typeof query }
> {}

/** The listed accounts, and the business unit whose view of them is returned. */
type Seen = { readonly workspaceId: number; readonly personaId: number | null };

handle(ListMonitoredAccounts, async ({ workspaceId, query: asked }, ports) => {
  const { persona_id: personaId, monitoring_status: statuses } = asked;
  if (personaId !== null) {
    const persona = await ports.readModels.get(personas, personaKey(workspaceId, personaId));
    if (persona === null || persona.archived) throw noActivePersona();
  }
  const own = { workspaceId, personaId };
  const { rows, total } =
    statuses === null
      ? await findPage(ports.readModels, topAccounts, accountsOf(workspaceId, personaId), asked.page)
      : await pageOfStatuses(ports, own, statuses, asked.page);
  const accounts = await monitoredAccountViews(
    ports.readModels,
    ports.directory,
    workspaceId,
    personaId,
    rows,
  );
  return page(accounts, total, asked.page);
});

/** A status is not stored: it is derived from the units of an account, so all accounts are read, in pieces. */
async function pageOfStatuses(
  { readModels }: ApiPorts,
  { workspaceId, personaId }: Seen,
  statuses: readonly MonitoringStatus[],
  { skip, pageSize }: PageRequest,
) {
  const rows: TopAccountDocument[] = [];
  let total = 0;
  const pages = eachPage(readModels, topAccounts, {
    ...accountsOf(workspaceId, personaId),
    sort: [['id', 'asc']],
    limit: ACCOUNTS_AT_ONCE,
  });
  for await (const accounts of pages) {
    const companyIds = accounts.map(({ companyId }) => companyId);
    const known = await accountStatuses(readModels, workspaceId, personaId, companyIds);
    for (const account of accounts) {
      if (!statuses.includes((known.get(account.companyId) ?? NEVER_MONITORED).status)) continue;
      if (total >= skip && rows.length < pageSize) rows.push(account);
      total += 1;
    }
    // Other requests use the event loop between two pieces.
    await new Promise((resolve) => setImmediate(resolve));
  }
  return { rows, total };
}
