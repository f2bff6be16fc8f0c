import { Inject } from '@nestjs/common';
import { Query, QueryBus, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import type { ReadModels } from '#kernel/ports/read-store.port.js';
import { unknownTemplate } from '#catalogue/domain/templates/template-facts.js';
import { Endpoint, type EndpointRequest, type NoParameters } from '#http/endpoint.js';
import { DataOf } from '#http/paging.js';
import { idParam } from '#http/parameters.js';
import { signalTemplates } from '#projections/catalogue/signal-templates/signal-templates.projection.js';
import { READ_MODELS } from '../../ports.js';
import { shownPrices } from '../workspace-prices.js';
import { signalTemplateView, SignalTemplateView, type SignalTemplateAnswer } from './signal-template.view.js';

type Found = { readonly data: SignalTemplateAnswer };

export class GetSignalTemplate extends Query<Found> {
  constructor(
    readonly workspaceId: number,
    readonly templateId: number,
  ) {
    super();
  }
}

const params = { id: idParam(400) };

@Endpoint({
  caller: 'apiKey',
  route: 'GET /api/v3/signal-templates/:id',
  summary: 'Get a signal template',
  description: 'Also those that are coming soon and those that are retired.',
  params,
  response: DataOf(SignalTemplateView),
  problems: [unknownTemplate],
})
export class GetSignalTemplateEndpoint {
  constructor(private readonly queries: QueryBus) {}

  handle(request: EndpointRequest<undefined, NoParameters, typeof params>): Promise<Found> {
    return this.queries.execute(new GetSignalTemplate(request.workspaceId, request.params.id));
  }
}

@QueryHandler(GetSignalTemplate)
export class GetSignalTemplateHandler implements IQueryHandler<GetSignalTemplate> {
  constructor(@Inject(READ_MODELS) private readonly readModels: ReadModels) {}

  async execute({ workspaceId, templateId }: GetSignalTemplate): Promise<Found> {
    const [template, priceOf] = await Promise.all([
      this.readModels.get(signalTemplates, String(templateId)),
      shownPrices(this.readModels, workspaceId),
    ]);
    if (template === null) throw unknownTemplate();
    return { data: signalTemplateView(template, priceOf) };
  }
}
