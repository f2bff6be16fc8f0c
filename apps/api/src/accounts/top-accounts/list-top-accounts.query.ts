import { Inject } from '@nestjs/common';
import { QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import type { NetworkDirectory } from '#network/network-directory.port.js';
import type { ReadModels } from '#kernel/ports/read-store.port.js';
import { personaNotFound } from '#lists/domain/personas/personas.js';
import { Endpoint, EndpointQuery } from '#http/endpoint.js';
import { page, PageOf } from '#http/paging.js';
import { idQuery, offsetPage } from '#http/parameters.js';
import { topAccounts } from '#projections/accounts/top-accounts/top-accounts.projection.js';
import { NETWORK_DIRECTORY, READ_MODELS } from '../../ports.js';
import { findPage } from '../../find-page.js';
import {
  accountsOf,
  knowsPersona,
  topAccountViews,
  type TopAccountAnswer,
} from '#accounts/answers/top-account-views.js';
import { TopAccountView } from '#accounts/answers/top-account.view.js';

/** `persona_id`: accounts of this persona and those without a persona; null: all. */
const query = { persona_id: idQuery(400), page: offsetPage({ invalid: 400 }) };

@Endpoint({
  caller: 'apiKey',
  route: 'GET /api/v2/top-account-list/accounts',
  summary: 'List the top accounts',
  description: 'Those that were found. `persona_id`: the accounts of that persona and the unassigned ones.',
  query,
  response: PageOf(TopAccountView),
  problems: [personaNotFound],
})
export class ListTopAccounts extends EndpointQuery<PageOf<TopAccountAnswer>, { query: typeof query }> {}

@QueryHandler(ListTopAccounts)
export class ListTopAccountsHandler implements IQueryHandler<ListTopAccounts> {
  constructor(
    @Inject(READ_MODELS) private readonly readModels: ReadModels,
    @Inject(NETWORK_DIRECTORY) private readonly directory: NetworkDirectory,
  ) {}

  async execute({ request: { workspaceId, query: asked } }: ListTopAccounts) {
    const personaId = asked.persona_id;
    if (personaId !== null && !(await knowsPersona(this.readModels, workspaceId, personaId))) {
      throw personaNotFound();
    }
    const wanted = accountsOf(workspaceId, personaId);
    const { rows, total } = await findPage(this.readModels, topAccounts, wanted, asked.page);
    return page(await topAccountViews(this.readModels, this.directory, workspaceId, rows), total, asked.page);
  }
}
