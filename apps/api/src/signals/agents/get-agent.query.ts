import { unknownAgent } from '#signals/domain/agents/agent.js';
import { Endpoint, EndpointQuery } from '#http/endpoint.js';
import { DataOf } from '#http/paging.js';
import { idParam } from '#http/parameters.js';
import { agentKey, agents } from '#projections/signals/agents/agents.projection.js';
import { ownDocument } from '../../own-document.js';
import { handle } from '../../handle.js';
import { AgentView, storedAgentView, type AgentAnswer } from './agent.view.js';

const params = { agent_id: idParam(404) };

@Endpoint({
  caller: 'apiKey',
  route: 'GET /api/v2/agents/:agent_id',
  summary: 'Get an agent',
  description:
    'The parameters depend on the `type`. The id of a signal setup is not found here: use `GET ' +
    '/api/v3/signal-setups/{id}`.',
  params,
  response: DataOf(AgentView),
  problems: [unknownAgent],
})
export class GetAgent extends EndpointQuery<DataOf<AgentAnswer>, { params: typeof params }> {}

handle(GetAgent, async ({ workspaceId, params }, { readModels }) => {
  const wanted = { view: agents, key: agentKey(workspaceId, params.agent_id), unknown: unknownAgent };
  return { data: storedAgentView(await ownDocument(readModels, workspaceId, wanted)) };
});
