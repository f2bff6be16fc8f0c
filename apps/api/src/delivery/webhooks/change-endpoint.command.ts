import {
  statedEndpointView,
  WebhookEndpointView,
  type WebhookEndpointAnswer,
} from '#delivery/answers/webhook-endpoint.view.js';
import {
  changeEndpoint,
  requireEndpoint,
  secretIsLost,
  unknownEndpoint,
  webhookEndpoints,
} from '#delivery/domain/webhooks/webhook-endpoints.js';
import { Endpoint, EndpointCommand } from '#http/endpoint.js';
import { DataOf } from '#http/paging.js';
import { handle } from '../../handle.js';
import {
  configurationOf,
  EndpointChangeBody,
  endpointPath,
  invalidEndpoint,
} from './webhook-endpoint.body.js';

@Endpoint({
  caller: 'apiKey',
  route: 'PATCH /api/v3/webhook-endpoints/:endpoint_id',
  summary: 'Change a webhook endpoint',
  description:
    'Only the fields that are sent change; null clears one. `types` and filters apply to events that the endpoint has not ' +
    'reached yet. `enabled` false disables the endpoint. `enabled` true enables it again, also if the service disabled it: ' +
    'it continues after the last event that it received.',
  params: endpointPath,
  body: EndpointChangeBody,
  response: DataOf(WebhookEndpointView),
  problems: [unknownEndpoint, invalidEndpoint, secretIsLost],
})
export class ChangeWebhookEndpoint extends EndpointCommand<
  DataOf<WebhookEndpointAnswer>,
  { body: EndpointChangeBody; params: typeof endpointPath }
> {}

handle(ChangeWebhookEndpoint, async ({ workspaceId, params, body, context }, ports) => {
  const { commands } = ports;
  const endpointId = params.endpoint_id;
  const prepare = async () => {
    const { format } = await commands.load(webhookEndpoints, String(workspaceId), (state) =>
      requireEndpoint(state, endpointId),
    );
    const changes = await configurationOf(ports, workspaceId, body, format);
    const now = ports.clock.now().toISOString();
    return changeEndpoint({ endpointId, changes, enabled: body.enabled, now });
  };
  const { answer } = await commands.handle(
    webhookEndpoints,
    String(workspaceId),
    { prepare },
    { context, answer: (state) => statedEndpointView(requireEndpoint(state, endpointId)) },
  );
  return { data: answer };
});
