import {
  WebhookEndpointView,
  webhookEndpointView,
  type WebhookEndpointAnswer,
} from '#delivery/answers/webhook-endpoint.view.js';
import { unknownEndpoint } from '#delivery/domain/webhooks/webhook-endpoints.js';
import { Endpoint, EndpointQuery } from '#http/endpoint.js';
import { DataOf } from '#http/paging.js';
import { handle } from '../../handle.js';
import { findEndpoint } from './find-endpoint.js';
import { endpointPath } from './webhook-endpoint.body.js';

type Found = { readonly data: WebhookEndpointAnswer };

@Endpoint({
  caller: 'apiKey',
  route: 'GET /api/v3/webhook-endpoints/:endpoint_id',
  summary: 'Get a webhook endpoint',
  description: 'Its configuration, and why it is disabled where it is. The secret is not shown again.',
  params: endpointPath,
  response: DataOf(WebhookEndpointView),
  problems: [unknownEndpoint],
})
export class GetWebhookEndpoint extends EndpointQuery<Found, { params: typeof endpointPath }> {}

handle(GetWebhookEndpoint, async ({ workspaceId, params }, { readModels }) => ({
  data: webhookEndpointView(await findEndpoint(readModels, workspaceId, params.endpoint_id)),
}));
