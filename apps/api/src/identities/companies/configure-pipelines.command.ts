import { Type } from 'class-transformer';
import { MaxLength, ValidateNested } from 'class-validator';
import { workspaceScoped } from '#kernel/commands/decider.js';
import { company, configurePipelines, unknownCompany } from '#identities/domain/companies/company.js';
import { IsNotBlank } from '#http/body.js';
import { Endpoint, EndpointCommand } from '#http/endpoint.js';
import { idParam } from '#http/parameters.js';
import { handle } from '../../handle.js';
import { CompanyView } from './company.view.js';
import { getCompany } from './get-company.query.js';

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
export class ConfigurePipelines extends EndpointCommand<
  CompanyView,
  { body: ConfigurePipelinesBody; params: typeof params }
> {}

handle(ConfigurePipelines, async (request, ports) => {
  const { workspaceId, params: asked, body, context } = request;
  const configurations = new Map(
    body.pipeline_configs.map((config) => [config.pipeline_type, config.configuration]),
  );
  const configured = { ...request, body: undefined };
  const prepare = async () => {
    // The stream of an unknown company would be an empty one, not a refusal.
    await getCompany(configured, ports);
    return configurePipelines(asked.id, configurations);
  };
  const options = { context };
  await ports.commands.handle(company, workspaceScoped(workspaceId, asked.id), { prepare }, options);
  return getCompany(configured, ports);
});
