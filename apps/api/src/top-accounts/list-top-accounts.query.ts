import { Inject } from '@nestjs/common';
import { Query, QueryBus, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import type { Filter, ReadModels } from '#kernel/ports/read-store.port.js';
import type { Static } from '#kernel/values/schema.js';
import { fieldError, refusal } from '#kernel/values/refusal.js';
import { personaNotFound } from '#domain/personas/personas.js';
import { Endpoint, type EndpointRequest } from '#http/endpoint.js';
import { page, PageOf, type PageRequest } from '#http/paging.js';
import { idQuery, offsetPage, someOfQuery } from '#http/parameters.js';
import { companies, companyKey, type CompanyDocument } from '#projections/companies/companies.projection.js';
import { personaKey, personas, type PersonaDocument } from '#projections/personas/personas.projection.js';
import { topAccounts, type TopAccountDocument } from '#projections/top-accounts/top-accounts.projection.js';
import { READ_MODELS } from '../ports.js';
import { effectiveTiers } from './effective-tiers.js';
import { MonitoredAccountView, MONITORING_STATUSES, TopAccountView } from './top-account.view.js';

type TopAccountAnswer = Static<typeof TopAccountView>;
type TopAccountsFound = { readonly accounts: readonly TopAccountAnswer[]; readonly total: number };

const unknownBusinessUnit = refusal({
  code: 'unknown-business-unit',
  kind: 'unprocessable',
  detail: 'The workspace has no business unit with this id.',
});

export class ListTopAccounts extends Query<TopAccountsFound | null> {
  constructor(
    readonly workspaceId: number,
    /** Accounts of this persona and those of nobody; null: all. */
    readonly personaId: number | null,
    readonly page: PageRequest,
  ) {
    super();
  }
}

const query = { persona_id: idQuery(400), page: offsetPage({ invalid: 400 }) };

@Endpoint({
  caller: 'apiKey',
  route: 'GET /api/v2/top-account-list/accounts',
  summary: 'List the top accounts',
  description: 'Those that were found. `persona_id`: the accounts of that persona and those of nobody.',
  query,
  response: PageOf(TopAccountView),
  problems: [personaNotFound],
})
export class ListTopAccountsEndpoint {
  constructor(private readonly queries: QueryBus) {}

  async handle({ workspaceId, query: asked }: EndpointRequest<undefined, typeof query>) {
    const found = await this.queries.execute(new ListTopAccounts(workspaceId, asked.persona_id, asked.page));
    if (found === null) throw personaNotFound();
    return page(found.accounts, found.total, asked.page);
  }
}

const queryV3 = { ...query, monitoring_status: someOfQuery(MONITORING_STATUSES, 400) };

@Endpoint({
  caller: 'apiKey',
  route: 'GET /api/v3/top-account-list/accounts',
  summary: 'List the top accounts and whether they are monitored',
  description: '`persona_id`: the accounts of that business unit and those of nobody.',
  query: queryV3,
  response: PageOf(MonitoredAccountView),
  problems: [unknownBusinessUnit],
})
export class ListMonitoredAccountsEndpoint {
  constructor(private readonly queries: QueryBus) {}

  async handle({ workspaceId, query: asked }: EndpointRequest<undefined, typeof queryV3>) {
    const found = await this.queries.execute(new ListTopAccounts(workspaceId, asked.persona_id, asked.page));
    if (found === null)
      throw unknownBusinessUnit({ errors: fieldError('persona_id', 'is no persona of this workspace') });
    // No account can be monitored by the month in this version.
    if (asked.monitoring_status?.includes('not_monitored') === false) return page([], 0, asked.page);
    const monitoring = { status: 'not_monitored', covered_until: null, not_covered_since: null } as const;
    return page(
      found.accounts.map((account) => ({ ...account, monitoring })),
      found.total,
      asked.page,
    );
  }
}

@QueryHandler(ListTopAccounts)
export class ListTopAccountsHandler implements IQueryHandler<ListTopAccounts> {
  constructor(@Inject(READ_MODELS) private readonly readModels: ReadModels) {}

  async execute({ workspaceId, personaId, page: asked }: ListTopAccounts): Promise<TopAccountsFound | null> {
    if (personaId !== null && !(await this.knowsPersona(workspaceId, personaId))) return null;
    const wanted: Filter = {
      where: { workspaceId, ...(personaId === null ? {} : { personaId: { in: [null, personaId] } }) },
    };
    const [found, total] = await Promise.all([
      this.readModels.find<TopAccountDocument>(topAccounts, {
        ...wanted,
        sort: [['id', 'asc']],
        skip: asked.skip,
        limit: asked.pageSize,
      }),
      this.readModels.count(topAccounts, wanted),
    ]);
    return { accounts: await this.viewsOf(workspaceId, found), total };
  }

  private async knowsPersona(workspaceId: number, personaId: number): Promise<boolean> {
    const known = await this.readModels.get<PersonaDocument>(personas, personaKey(workspaceId, personaId));
    return known !== null;
  }

  private async viewsOf(
    workspaceId: number,
    accounts: readonly TopAccountDocument[],
  ): Promise<readonly TopAccountAnswer[]> {
    const keys = accounts.map(({ companyId }) => companyKey(companyId));
    const known = await this.readModels.getMany<CompanyDocument>(companies, keys);
    const untiered = accounts.filter(({ tier }) => tier === null).map(({ companyId }) => companyId);
    const tiers = await effectiveTiers(
      this.readModels,
      workspaceId,
      untiered.flatMap((companyId) => known.get(companyKey(companyId)) ?? []),
    );
    return accounts.map(({ id, companyId, tier, importedAt }) => {
      const facts = known.get(companyKey(companyId))?.facts;
      return {
        id,
        company_id: companyId,
        company: {
          name: facts?.name ?? null,
          domain: facts?.domain ?? null,
          network_url: facts?.network_url ?? null,
          network_handle: facts?.network_handle ?? null,
          logo_url: facts?.logo_url ?? null,
          status: 'found',
        },
        tier: tier ?? tiers.get(companyId) ?? null,
        imported_at: importedAt,
      };
    });
  }
}
