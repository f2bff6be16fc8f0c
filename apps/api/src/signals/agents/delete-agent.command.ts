import { workspaceScoped } from '#kernel/commands/decider.js';
import { agent, deleteAgent, unknownAgent } from '#signals/domain/agents/agent.js';
import { isSignalSetup } from '#signals/domain/agents/change-agent.js';
import { Endpoint, EndpointCommand } from '#http/endpoint.js';
import { idParam } from '#http/parameters.js';
import { handle } from '../../handle.js';
import { requireAgentId } from './find-agent.js';

const params = { agent_id: idParam(404) };

@Endpoint({
  caller: 'apiKey',
  route: 'DELETE /api/v2/agents/:agent_id',
  summary: 'Delete an agent',
  description:
    'Its runs in progress stop before their next batch and end as `completed_partial`. Its signals and charges stay.',
  status: 204,
  params,
  problems: [unknownAgent, isSignalSetup],
})
export class DeleteAgent extends EndpointCommand<void, { params: typeof params }> {}

handle(DeleteAgent, async ({ workspaceId, params, context }, { commands }) => {
  const { agent_id: agentId } = params;
  const prepare = async () => {
    await requireAgentId(commands, workspaceId, agentId);
    return deleteAgent(agentId);
  };
  const options = { context };
  await commands.handle(agent, workspaceScoped(workspaceId, agentId), { prepare }, options);
});
