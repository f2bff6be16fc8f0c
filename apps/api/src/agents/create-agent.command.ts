import { Inject } from '@nestjs/common';
import { Command, CommandBus, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { Type } from 'class-transformer';
import { ArrayNotEmpty, IsIn, IsInt, IsOptional, Max, MaxLength, Min, ValidateNested } from 'class-validator';
import type { Clock } from '#kernel/ports/clock.js';
import type { Commands } from '#kernel/commands/commands.js';
import { workspaceScoped, type CommandContext } from '#kernel/commands/decider.js';
import type { Ids } from '#kernel/commands/ids.js';
import { admitAgent, invalidAgent } from '#domain/agents/agent-admission.js';
import { AGENT_TYPES, type AgentType } from '#domain/agents/agent-types.js';
import { agent, createAgent } from '#domain/agents/agent.js';
import { isAgentTypeDetected } from '#detection/detectors.js';
import { IsDate, IsId, IsNotBlank, IsNullable } from '#http/body.js';
import { Endpoint, type EndpointRequest } from '#http/endpoint.js';
import { DataOf } from '#http/paging.js';
import { CLOCK, COMMANDS, IDS } from '../ports.js';
import { agentView, AgentView, type AgentAnswer } from './agent.view.js';

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
}

export class AgentScheduleBody {
  @IsIn(['weekly'])
  cadence: 'weekly';
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
  @Type(() => AgentScheduleBody)
  schedule?: AgentScheduleBody | null;
}

type Created = { readonly data: AgentAnswer };

export class CreateAgent extends Command<Created> {
  constructor(
    readonly workspaceId: number,
    readonly body: CreateAgentBody,
    readonly context: CommandContext,
  ) {
    super();
  }
}

@Endpoint({
  caller: 'apiKey',
  route: 'POST /api/v2/agents',
  summary: 'Create an agent',
  description:
    'Created enabled: one of the three keyword types, or `unconfigured` for an agent that gets its type from the ' +
    'list it is bound to. Other types are not detected by this version and refused. A schedule runs the agent ' +
    'every seven days from now on.',
  status: 201,
  body: CreateAgentBody,
  response: DataOf(AgentView),
  problems: [invalidAgent],
})
export class CreateAgentEndpoint {
  constructor(private readonly commands: CommandBus) {}

  handle({ workspaceId, body, context }: EndpointRequest<CreateAgentBody>): Promise<Created> {
    return this.commands.execute(new CreateAgent(workspaceId, body, context));
  }
}

@CommandHandler(CreateAgent)
export class CreateAgentHandler implements ICommandHandler<CreateAgent> {
  constructor(
    @Inject(COMMANDS) private readonly commands: Commands,
    @Inject(IDS) private readonly ids: Ids,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  async execute({ workspaceId, body, context }: CreateAgent): Promise<Created> {
    const admitted = admitAgent({
      type: body.type,
      name: body.name ?? null,
      parameters: { ...body.parameters },
      watchlistKind: body.watchlist_kind,
      watchlistId: body.watchlist_id,
      weekly: Boolean(body.schedule),
      isDetected: isAgentTypeDetected(body.type),
    });
    const agentId = await this.ids.next('agent');
    const scheduleAnchorAt = body.schedule ? this.clock.now().toISOString() : null;
    const { answer } = await this.commands.handle(
      agent,
      workspaceScoped(workspaceId, agentId),
      createAgent({ agentId, ...admitted, scheduleAnchorAt }),
      { context, answer: (state) => agentView(agentId, state) },
    );
    return { data: answer };
  }
}
