import { Inject } from '@nestjs/common';
import { Command, CommandBus, CommandHandler, QueryBus, type ICommandHandler } from '@nestjs/cqrs';
import { Type } from 'class-transformer';
import { MaxLength, ValidateNested } from 'class-validator';
import type { Commands } from '#kernel/commands/commands.js';
import { workspaceScoped, type CommandContext } from '#kernel/commands/decider.js';
import { company, configurePipelines, unknownCompany } from '#identities/domain/companies/company.js';
import { IsNotBlank } from '#http/body.js';
import { Endpoint, type EndpointRequest, type NoParameters } from '#http/endpoint.js';
import { idParam } from '#http/parameters.js';
import { COMMANDS } from '../../ports.js';
import { CompanyView } from './company.view.js';
import { GetCompany } from './get-company.query.js';

export class PipelineConfigBody {
  /** `account_mapping`, `top_account_content`, `signal_detection`; open. */
  @IsNotBlank()
  @MaxLength(100)
  pipeline_type: string;

  @IsNotBlank()
  @MaxLength(255)
  configuration: string;
}

export class ConfigurePipelinesBody {
  @ValidateNested({ each: true })
  @Type(() => PipelineConfigBody)
  pipeline_configs: PipelineConfigBody[];
}

export class ConfigurePipelines extends Command<CompanyView> {
  constructor(
    readonly workspaceId: number,
    readonly companyId: number,
    readonly configurations: ReadonlyMap<string, string>,
    readonly context: CommandContext,
  ) {
    super();
  }
}

const params = { id: idParam(404) };

@Endpoint({
  caller: 'apiKey',
  route: 'PUT /api/v2/companies/:id/pipeline-configs',
  summary: 'Configure the background pipelines of a company',
  description: 'Replaces the named pipeline types only; the configuration `disabled` stops a pipeline.',
  params,
  body: ConfigurePipelinesBody,
  response: CompanyView,
  problems: [unknownCompany],
})
export class ConfigurePipelinesEndpoint {
  constructor(private readonly commands: CommandBus) {}

  handle(
    request: EndpointRequest<ConfigurePipelinesBody, NoParameters, typeof params>,
  ): Promise<CompanyView> {
    const { workspaceId, body, context } = request;
    const configurations = new Map(
      body.pipeline_configs.map((config) => [config.pipeline_type, config.configuration]),
    );
    return this.commands.execute(
      new ConfigurePipelines(workspaceId, request.params.id, configurations, context),
    );
  }
}

@CommandHandler(ConfigurePipelines)
export class ConfigurePipelinesHandler implements ICommandHandler<ConfigurePipelines> {
  constructor(
    @Inject(COMMANDS) private readonly commands: Commands,
    private readonly queries: QueryBus,
  ) {}

  async execute(command: ConfigurePipelines): Promise<CompanyView> {
    const { workspaceId, companyId, configurations, context } = command;
    const prepare = async () => {
      // The stream of an unknown company would be an empty one, not a refusal.
      await this.queries.execute(new GetCompany(workspaceId, companyId));
      return configurePipelines(companyId, configurations);
    };
    const options = { context, answer: () => null };
    await this.commands.handle(company, workspaceScoped(workspaceId, companyId), { prepare }, options);
    return this.queries.execute(new GetCompany(workspaceId, companyId));
  }
}
