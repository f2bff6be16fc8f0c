import { Inject } from '@nestjs/common';
import { QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import type { ReadModels } from '#kernel/ports/read-store.port.js';
import { Type } from '#kernel/values/schema.js';
import {
  WebhookEndpointView,
  webhookEndpointView,
  type WebhookEndpointAnswer,
} from '#delivery/answers/webhook-endpoint.view.js';
import { MOST_ENDPOINTS } from '#delivery/domain/webhooks/webhook-endpoints.js';
import { Endpoint, EndpointQuery } from '#http/endpoint.js';
import { DataOf } from '#http/paging.js';
import { webhookEndpointViews } from '#projections/delivery/webhook-endpoints/webhook-endpoints.projection.js';
import { READ_MODELS } from '../../ports.js';

@Endpoint({
  caller: 'apiKey',
  route: 'GET /api/v3/webhook-endpoints',
  summary: 'List the webhook endpoints',
  description: 'All endpoints of the workspace by id, at most 20.',
  response: DataOf(Type.Array(WebhookEndpointView)),
})
export class ListWebhookEndpoints extends EndpointQuery<DataOf<readonly WebhookEndpointAnswer[]>> {}

@QueryHandler(ListWebhookEndpoints)
export class ListWebhookEndpointsHandler implements IQueryHandler<ListWebhookEndpoints> {
  constructor(@Inject(READ_MODELS) private readonly readModels: ReadModels) {}

  async execute({
    request: { workspaceId },
  }: ListWebhookEndpoints): Promise<DataOf<readonly WebhookEndpointAnswer[]>> {
    const found = await this.readModels.find(webhookEndpointViews, {
      where: { workspaceId },
      sort: [['id', 'asc']],
      limit: MOST_ENDPOINTS,
    });
    return { data: found.map(webhookEndpointView) };
  }
}
