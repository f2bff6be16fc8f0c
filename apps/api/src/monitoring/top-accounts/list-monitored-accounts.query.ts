import { eachPage } from '#kernel/projections/each-page.js';
import { Inject } from '@nestjs/common';
import { Query, QueryBus, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import type { ReadModels } from '#kernel/ports/read-store.port.js';
import { fieldError, refusal } from '#kernel/values/refusal.js';
import { Endpoint, type EndpointRequest } from '#http/endpoint.js';
import { page, PageOf, type PageRequest } from '#http/paging.js';
import { idQuery, offsetPage, someOfQuery } from '#http/parameters.js';
import {
  accountStatuses,
  MONITORING_STATUSES,
  neverMonitored,
  type MonitoringStatus,
} from '#monitoring/account-statuses.js';
import {
  topAccounts,
  type TopAccountDocument,
} from '#projections/accounts/top-accounts/top-accounts.projection.js';
import { READ_MODELS } from '../../ports.js';
import {
  monitoredAccountViews,
  type MonitoredAccountAnswer,
} from '#monitoring/answers/monitored-account-views.js';
import { accountsOf, knowsPersona } from '#accounts/answers/top-account-views.js';
import { MonitoredAccountView } from '#monitoring/answers/monitored-account.view.js';

const ACCOUNTS_AT_ONCE = 500;

type AccountsFound = { readonly accounts: readonly MonitoredAccountAnswer[]; readonly total: number };

const unknownBusinessUnit = refusal({
  code: 'unknown-business-unit',
  kind: 'unprocessable',
  detail: 'The workspace has no business unit with this id.',
});

export class ListMonitoredAccounts extends Query<AccountsFound> {
  constructor(
    readonly workspaceId: number,
    /** Accounts of this persona and those of nobody, as it sees them; null: all, seen from all. */
    readonly personaId: number | null,
    /** Accounts with one of these statuses; null: whatever theirs is. */
    readonly statuses: readonly MonitoringStatus[] | null,
    readonly page: PageRequest,
  ) {
    super();
  }
}

const query = {
  persona_id: idQuery(400),
  page: offsetPage({ invalid: 400 }),
  monitoring_status: someOfQuery(MONITORING_STATUSES, 400),
};

@Endpoint({
  caller: 'apiKey',
  route: 'GET /api/v3/top-account-list/accounts',
  summary: 'List the top accounts and whether they are monitored',
  description:
    '`persona_id`: the accounts of that business unit and those of nobody, with their status for it. Without it ' +
    'the status is the first of not_covered, monitored and not_monitored that one of the business units gives.',
  query,
  response: PageOf(MonitoredAccountView),
  problems: [unknownBusinessUnit],
})
export class ListMonitoredAccountsEndpoint {
  constructor(private readonly queries: QueryBus) {}

  async handle({ workspaceId, query: asked }: EndpointRequest<undefined, typeof query>) {
    const { accounts, total } = await this.queries.execute(
      new ListMonitoredAccounts(workspaceId, asked.persona_id, asked.monitoring_status, asked.page),
    );
    return page(accounts, total, asked.page);
  }
}

@QueryHandler(ListMonitoredAccounts)
export class ListMonitoredAccountsHandler implements IQueryHandler<ListMonitoredAccounts> {
  constructor(@Inject(READ_MODELS) private readonly readModels: ReadModels) {}

  async execute(asked: ListMonitoredAccounts): Promise<AccountsFound> {
    const { workspaceId, personaId, statuses } = asked;
    if (personaId !== null && !(await knowsPersona(this.readModels, workspaceId, personaId))) {
      throw unknownBusinessUnit({ errors: fieldError('persona_id', 'is no persona of this workspace') });
    }
    const { found, total } =
      statuses === null ? await this.pageOfAll(asked) : await this.pageOfStatuses(asked, statuses);
    const accounts = await monitoredAccountViews(this.readModels, workspaceId, personaId, found);
    return { accounts, total };
  }

  private async pageOfAll({ workspaceId, personaId, page: { skip, pageSize } }: ListMonitoredAccounts) {
    const wanted = accountsOf(workspaceId, personaId);
    const [found, total] = await Promise.all([
      this.readModels.find(topAccounts, {
        ...wanted,
        sort: [['id', 'asc']],
        skip,
        limit: pageSize,
      }),
      this.readModels.count(topAccounts, wanted),
    ]);
    return { found, total };
  }

  /** A status is nobody's own: it follows from the units of an account, so all of them are looked at, in pieces. */
  private async pageOfStatuses(
    { workspaceId, personaId, page: { skip, pageSize } }: ListMonitoredAccounts,
    statuses: readonly MonitoringStatus[],
  ) {
    const found: TopAccountDocument[] = [];
    let total = 0;
    const pages = eachPage(this.readModels, topAccounts, {
      ...accountsOf(workspaceId, personaId),
      sort: [['id', 'asc']],
      limit: ACCOUNTS_AT_ONCE,
    });
    for await (const accounts of pages) {
      const companyIds = accounts.map(({ companyId }) => companyId);
      const known = await accountStatuses(this.readModels, workspaceId, personaId, companyIds);
      for (const account of accounts) {
        if (!statuses.includes((known.get(account.companyId) ?? neverMonitored).status)) continue;
        if (total >= skip && found.length < pageSize) found.push(account);
        total += 1;
      }
      // The loop belongs to others between two pieces.
      await new Promise((resolve) => setImmediate(resolve));
    }
    return { found, total };
  }
}
