import { Endpoint, EndpointQuery } from '#http/endpoint.js';
import { page, PageOf } from '#http/paging.js';
import { offsetPage } from '#http/parameters.js';
import { agents } from '#projections/signals/agents/agents.projection.js';
import { handle } from '../../handle.js';
import { findPage } from '../../find-page.js';
import { AgentView, storedAgentView, type AgentAnswer } from './agent.view.js';

const query = { page: offsetPage({ size: 10, maximum: 25, invalid: 422 }) };

@Endpoint({
  caller: 'apiKey',
  route: 'GET /api/v2/agents',
  summary: 'List the agents',
  description:
    'Enabled and disabled ones, by id. Deleted agents and the signal setups of v3 are not among them.',
  query,
  response: PageOf(AgentView),
})
export class ListAgents extends EndpointQuery<PageOf<AgentAnswer>, { query: typeof query }> {}

handle(ListAgents, async ({ workspaceId, query }, { readModels }) => {
  const { rows, total } = await findPage(readModels, agents, { where: { workspaceId } }, query.page);
  return page(rows.map(storedAgentView), total, query.page);
});
