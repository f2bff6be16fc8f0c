import { Type } from 'class-transformer';
import {
  ArrayNotEmpty,
  IsArray,
  IsBoolean,
  IsIn,
  IsInt,
  IsOptional,
  IsString,
  Max,
  MaxLength,
  Min,
  ValidateNested,
} from 'class-validator';
import { workspaceScoped } from '#kernel/commands/decider.js';
import { isJsonObject, type JsonObject } from '#kernel/values/json.js';
import { admitAgent, droppedWithoutList, invalidAgent } from '#signals/domain/agents/agent-admission.js';
import type { AgentType } from '#catalogue/domain/prices/agent-prices.js';
import { AGENT_TYPES, MODES, TARGET_GROUPS } from '#signals/domain/agents/agent-types.js';
import { agent } from '#signals/domain/agents/agent.js';
import { createAgent } from '#signals/domain/agents/create-agent.js';
import type { TargetGroup } from '#signals/domain/agents/target-persona.js';
import { isAgentTypeDetected } from '#signals/detection/detectors.js';
import { IsDate, IsId, IsNotBlank, IsNullable } from '#http/body.js';
import { Endpoint, EndpointCommand } from '#http/endpoint.js';
import { DataOf } from '#http/paging.js';
import { handle } from '../../handle.js';
import type { ApiPorts } from '../../ports.js';
import { agentFacts } from '#signals/agent-facts.js';
import { pricesOfAgents } from '#signals/launching/price-of-one.js';
import { ScheduleBody, wantedSchedule } from '../schedule.body.js';
import { agentView, AgentView, type AgentAnswer } from './agent.view.js';

/** Texts that narrow the reports of an agent; an empty array does not narrow. */
const Narrows = (): PropertyDecorator => (target, property) => {
  for (const decorate of [IsOptional(), IsArray(), IsString({ each: true }), MaxLength(200, { each: true })])
    decorate(target, property);
};

export class InterestedByBody {
  @IsOptional()
  @IsBoolean()
  customers?: boolean;

  @IsOptional()
  @IsBoolean()
  prospects?: boolean;
}

export class AgentParametersBody {
  @IsOptional()
  @ArrayNotEmpty()
  @IsNotBlank({ each: true })
  @MaxLength(200, { each: true })
  tracking_keywords?: string[];

  @IsOptional()
  @IsNullable()
  @IsDate()
  start_date?: string | null;

  @IsOptional()
  @IsNullable()
  @IsInt()
  @Min(1)
  @Max(10_000)
  max_posts_to_scrape?: number | null;

  @IsOptional()
  @IsNullable()
  @IsIn(MODES)
  mode?: (typeof MODES)[number] | null;

  @IsOptional()
  @IsNullable()
  @IsIn(TARGET_GROUPS)
  target_group?: TargetGroup | null;

  @Narrows()
  job_titles?: string[];

  @Narrows()
  seniority_levels?: string[];

  @Narrows()
  company_domains_to_scrape?: string[];

  @Narrows()
  target_persona?: string[];

  @Narrows()
  target_persona_locations?: string[];

  @IsOptional()
  @ValidateNested()
  @Type(() => InterestedByBody)
  interested_by?: InterestedByBody;

  @Narrows()
  keywords_for_social_detection?: string[];

  @Narrows()
  author_roles?: string[];

  @Narrows()
  author_industries?: string[];

  @Narrows()
  target_network_profiles?: string[];
}

export class CreateAgentBody {
  @IsIn(AGENT_TYPES)
  type: AgentType;

  @IsOptional()
  @IsNullable()
  @IsNotBlank()
  @MaxLength(100)
  name?: string | null;

  @IsOptional()
  @IsNullable()
  @ValidateNested()
  @Type(() => AgentParametersBody)
  parameters?: AgentParametersBody | null;

  @IsOptional()
  @IsNullable()
  @IsIn(['company', 'profile'])
  watchlist_kind?: 'company' | 'profile' | null;

  @IsOptional()
  @IsNullable()
  @IsId()
  watchlist_id?: number | null;

  @IsOptional()
  @IsNullable()
  @ValidateNested()
  @Type(() => ScheduleBody)
  schedule?: ScheduleBody | null;
}

/** The parameters that the new agent drops because it has no list. */
function droppedParameters({ type, parameters, watchlist_id = null }: JsonObject): readonly string[] {
  if (watchlist_id !== null || typeof type !== 'string' || !isJsonObject(parameters)) return [];
  return droppedWithoutList(type, parameters).map((key) => `parameters.${key}`);
}

type Created = { readonly data: AgentAnswer };

@Endpoint({
  caller: 'apiKey',
  route: 'POST /api/v2/agents',
  summary: 'Create an agent',
  description:
    'Created enabled. A competitor, partner, customer, influencer or champion agent needs a list: without ' +
    '`watchlist_id` it is created as `unconfigured`, its parameters are dropped (`Ignored-Fields` names ' +
    'them), and a list gives it its type later. Types that this version does not detect are refused. A POST ' +
    'to `/api/v2/workspace/signal-runs` launches it; a schedule does every seven days from now on, and each ' +
    'of these launches spends at most its `max_credits`.',
  status: 201,
  body: CreateAgentBody,
  dropped: droppedParameters,
  response: DataOf(AgentView),
  problems: [invalidAgent],
})
export class CreateAgent extends EndpointCommand<Created, { body: CreateAgentBody }> {}

handle(CreateAgent, async ({ workspaceId, body, context }, ports) => {
  const agentId = await ports.ids.next('agent');
  const { answer } = await ports.commands.handle(
    agent,
    workspaceScoped(workspaceId, agentId),
    { prepare: () => creation(ports, workspaceId, agentId, body) },
    { context, answer: (state) => agentView(agentId, state) },
  );
  return { data: answer };
});

async function creation(ports: ApiPorts, workspaceId: number, agentId: number, body: CreateAgentBody) {
  const schedule = wantedSchedule(body.schedule);
  const facts = await agentFacts(ports, workspaceId, body.watchlist_id ?? null);
  const admitted = admitAgent({
    type: body.type,
    name: body.name ?? null,
    parameters: sentParameters(body.parameters),
    watchlistKind: body.watchlist_kind,
    watchlistId: body.watchlist_id,
    list: facts.list,
    schedule,
    priceOf: await pricesOfAgents(ports, workspaceId, schedule),
    isDetected: isAgentTypeDetected(body.type),
  });
  const anchorAt = ports.clock.now().toISOString();
  return createAgent({
    agentId,
    ...admitted,
    personaTitles: facts.personaTitles,
    schedule: schedule && { ...schedule, anchorAt },
  });
}

/** The parameters as sent: the class only validates them. */
function sentParameters(parameters: AgentParametersBody | null | undefined): JsonObject {
  const { interested_by, ...plain } = parameters ?? {};
  return interested_by === undefined ? plain : { ...plain, interested_by: { ...interested_by } };
}
