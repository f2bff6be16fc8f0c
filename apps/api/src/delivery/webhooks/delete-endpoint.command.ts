import {
  deleteEndpoint,
  unknownEndpoint,
  webhookEndpoints,
} from '#delivery/domain/webhooks/webhook-endpoints.js';
import { Endpoint, EndpointCommand } from '#http/endpoint.js';
import { handle } from '../../handle.js';
import { findEndpoint } from './find-endpoint.js';
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

handle(DeleteWebhookEndpoint, async (request, { readModels, clock, commands, webhooks }) => {
  const { workspaceId, params, context } = request;
  const endpointId = params.endpoint_id;
  const { secretId, previousSecretId } = await findEndpoint(readModels, workspaceId, endpointId);
  const decision = deleteEndpoint(endpointId, clock.now().toISOString());
  const options = { context };
  await commands.handle(webhookEndpoints, String(workspaceId), decision, options);
  await webhooks.forgetSecrets([secretId, ...(previousSecretId === null ? [] : [previousSecretId])]);
  await webhooks.records.forget(endpointId);
});
