import { Inject } from '@nestjs/common';
import { Query, QueryBus, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import type { ReadModels } from '#kernel/ports/read-store.port.js';
import { personaNotFound } from '#lists/domain/personas/personas.js';
import { Endpoint, type EndpointRequest } from '#http/endpoint.js';
import { page, PageOf, type PageRequest } from '#http/paging.js';
import { idQuery, offsetPage } from '#http/parameters.js';
import { topAccounts } from '#projections/accounts/top-accounts/top-accounts.projection.js';
import { READ_MODELS } from '../../ports.js';
import {
  accountsOf,
  knowsPersona,
  topAccountViews,
  type TopAccountAnswer,
} from '#accounts/answers/top-account-views.js';
import { TopAccountView } from '#accounts/answers/top-account.view.js';

type TopAccountsFound = { readonly accounts: readonly TopAccountAnswer[]; readonly total: number };

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

@QueryHandler(ListTopAccounts)
export class ListTopAccountsHandler implements IQueryHandler<ListTopAccounts> {
  constructor(@Inject(READ_MODELS) private readonly readModels: ReadModels) {}

  async execute({ workspaceId, personaId, page: asked }: ListTopAccounts): Promise<TopAccountsFound | null> {
    if (personaId !== null && !(await knowsPersona(this.readModels, workspaceId, personaId))) return null;
    const wanted = accountsOf(workspaceId, personaId);
    const [found, total] = await Promise.all([
      this.readModels.find(topAccounts, {
        ...wanted,
        sort: [['id', 'asc']],
        skip: asked.skip,
        limit: asked.pageSize,
      }),
      this.readModels.count(topAccounts, wanted),
    ]);
    return { accounts: await topAccountViews(this.readModels, workspaceId, found), total };
  }
}
