import {
  deleteEndpoint,
  requireEndpoint,
  secretIdsOf,
  unknownEndpoint,
  webhookEndpoints,
  type WebhookEndpoints,
} from '#delivery/domain/webhooks/webhook-endpoints.js';
import { Endpoint, EndpointCommand } from '#http/endpoint.js';
import { handle } from '../../handle.js';
import { endpointPath } from './webhook-endpoint.body.js';

@Endpoint({
  caller: 'apiKey',
  route: 'DELETE /api/v3/webhook-endpoints/:endpoint_id',
  summary: 'Delete a webhook endpoint',
  description: 'Nothing more is sent to it; its secret and its deliveries are deleted.',
  status: 204,
  params: endpointPath,
  problems: [unknownEndpoint],
})
export class DeleteWebhookEndpoint extends EndpointCommand<void, { params: typeof endpointPath }> {}

handle(DeleteWebhookEndpoint, async (request, { clock, commands, webhooks }) => {
  const { workspaceId, params, context } = request;
  const endpointId = params.endpoint_id;
  const deletion = deleteEndpoint(endpointId, clock.now().toISOString());
  let secretIds: readonly string[] = [];
  // The state after the deletion names no secret, and a rotation may precede it.
  const decision = (state: WebhookEndpoints) => {
    secretIds = secretIdsOf(requireEndpoint(state, endpointId));
    return deletion(state);
  };
  const options = { context };
  await commands.handle(webhookEndpoints, String(workspaceId), decision, options);
  await webhooks.forgetSecrets(secretIds);
  await webhooks.records.forget(endpointId);
});
