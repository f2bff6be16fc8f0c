import { personaNotFound } from '#lists/domain/personas/personas.js';
import { Endpoint, EndpointQuery } from '#http/endpoint.js';
import { page, PageOf } from '#http/paging.js';
import { idQuery, offsetPage } from '#http/parameters.js';
import { topAccounts } from '#projections/accounts/top-accounts/top-accounts.projection.js';
import { handle } from '../../handle.js';
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

handle(ListTopAccounts, async ({ workspaceId, query: asked }, { readModels, directory }) => {
  const personaId = asked.persona_id;
  if (personaId !== null && !(await knowsPersona(readModels, workspaceId, personaId))) {
    throw personaNotFound();
  }
  const wanted = accountsOf(workspaceId, personaId);
  const { rows, total } = await findPage(readModels, topAccounts, wanted, asked.page);
  return page(await topAccountViews(readModels, directory, workspaceId, rows), total, asked.page);
});
