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
import { handle } from '../../handle.js';

@Endpoint({
  caller: 'apiKey',
  route: 'GET /api/v3/webhook-endpoints',
  summary: 'List the webhook endpoints',
  description: 'All endpoints of the workspace by id, at most 20.',
  response: DataOf(Type.Array(WebhookEndpointView)),
})
export class ListWebhookEndpoints extends EndpointQuery<DataOf<readonly WebhookEndpointAnswer[]>> {}

handle(ListWebhookEndpoints, async ({ workspaceId }, { readModels }) => {
  const found = await readModels.find(webhookEndpointViews, {
    where: { workspaceId },
    sort: [['id', 'asc']],
    limit: MOST_ENDPOINTS,
  });
  return { data: found.map(webhookEndpointView) };
});
