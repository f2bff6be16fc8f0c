import { IsOptional } from 'class-validator';
import { workspaceScoped } from '#kernel/commands/decider.js';
import { invalidAgent } from '#signals/domain/agents/agent-admission.js';
import { agent, unknownAgent } from '#signals/domain/agents/agent.js';
import { changeAgent, isSignalSetup } from '#signals/domain/agents/change-agent.js';
import { IsAnyJson, NeedsSomeField } from '#http/body.js';
import { readLater } from '#http/body-reader.js';
import { Endpoint, EndpointCommand } from '#http/endpoint.js';
import { DataOf } from '#http/paging.js';
import { idParam } from '#http/parameters.js';
import { handle } from '../../handle.js';
import { agentFacts } from '#signals/agent-facts.js';
import { pricesOfAgents } from '#signals/launching/price-of-one.js';
import { AGENT_PATCH_FIELDS, readAgentPatch, type SentAgentPatch } from './agent-patch.js';
import { agentView, AgentView, type AgentAnswer } from './agent.view.js';
import { requireAgentId } from './find-agent.js';

/** Checked by `readAgentPatch` after the agent is looked up, so that an unknown id is refused first (OP-01). */
@NeedsSomeField('Send at least one of name, enabled, parameters, watchlist_id, watchlist_kind and schedule.')
export class ChangeAgentBody implements SentAgentPatch {
  @IsOptional()
  @IsAnyJson(AGENT_PATCH_FIELDS.name)
  name?: unknown;

  @IsOptional()
  @IsAnyJson(AGENT_PATCH_FIELDS.enabled)
  enabled?: unknown;

  @IsOptional()
  @IsAnyJson(AGENT_PATCH_FIELDS.parameters)
  parameters?: unknown;

  @IsOptional()
  @IsAnyJson(AGENT_PATCH_FIELDS.watchlist_id)
  watchlist_id?: unknown;

  @IsOptional()
  @IsAnyJson(AGENT_PATCH_FIELDS.watchlist_kind)
  watchlist_kind?: unknown;

  @IsOptional()
  @IsAnyJson(AGENT_PATCH_FIELDS.schedule)
  schedule?: unknown;
}

const params = { agent_id: idParam(404) };

@Endpoint({
  caller: 'apiKey',
  route: 'PUT /api/v2/agents/:agent_id',
  summary: 'Change an agent',
  description:
    'Any of `name`, `enabled`, `parameters`, `watchlist_id` with `watchlist_kind`, and `schedule`. ' +
    'Parameters are merged key by key. A schedule without `max_credits` keeps its limit, null removes it. A ' +
    'list gives an unconfigured agent its type; without its list such an agent is unconfigured again. All ' +
    'faults are named at once, and a refused request changes nothing.',
  params,
  body: readLater(ChangeAgentBody),
  response: DataOf(AgentView),
  problems: [unknownAgent, isSignalSetup, invalidAgent],
})
export class ChangeAgent extends EndpointCommand<
  DataOf<AgentAnswer>,
  { body: () => ChangeAgentBody; params: typeof params }
> {}

handle(ChangeAgent, async ({ workspaceId, params, body: sent, context }, ports) => {
  const { agent_id: agentId } = params;
  const prepare = async () => {
    await requireAgentId(ports.commands, workspaceId, agentId);
    const { patch, shapeFaults } = readAgentPatch(sent());
    const facts = await agentFacts(ports, workspaceId, patch.watchlistId ?? null);
    const priceOf = await pricesOfAgents(ports, workspaceId, patch.schedule ?? null);
    const now = ports.clock.now().toISOString();
    return changeAgent({ agentId, patch, shapeFaults, ...facts, priceOf, now });
  };
  const { answer } = await ports.commands.handle(
    agent,
    workspaceScoped(workspaceId, agentId),
    { prepare },
    { context, answer: (state) => agentView(agentId, state) },
  );
  return { data: answer };
});
