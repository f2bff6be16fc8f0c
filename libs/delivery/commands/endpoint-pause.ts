import { OneOf, Type, Id } from '#kernel/values/schema.js';
import {
  changeEndpoint,
  disableEndpoint,
  webhookEndpoints,
} from '#delivery/domain/webhooks/webhook-endpoints.js';
import { WorkspaceId } from '#ops/support/inputs.js';
import { operatorCommand } from '#ops/support/operator-command.js';
import { EndpointId, oneEndpoint } from './one-endpoint.js';

const input = Type.Object({ workspace_id: WorkspaceId, endpoint_id: EndpointId });
const output = Type.Object({ endpoint_id: Id, status: OneOf('enabled', 'disabled') });

export const endpointPause = operatorCommand({
  name: 'endpoint.pause',
  summary: 'Disable a webhook endpoint: it gets no event until it is resumed, and then all of them',
  input,
  output,
  async run(host, { workspace_id: workspaceId, endpoint_id: endpointId }, context) {
    await oneEndpoint(host.readModels, workspaceId, endpointId);
    const decision = disableEndpoint(endpointId, 'operator', host.clock.now().toISOString());
    await host.commands.handle(webhookEndpoints, String(workspaceId), decision, { context });
    return { endpoint_id: endpointId, status: 'disabled' };
  },
});

export const endpointResume = operatorCommand({
  name: 'endpoint.resume',
  summary: 'Enable a disabled webhook endpoint: it continues after the last event that it received',
  input,
  output,
  async run(host, { workspace_id: workspaceId, endpoint_id: endpointId }, context) {
    await oneEndpoint(host.readModels, workspaceId, endpointId);
    const now = host.clock.now().toISOString();
    const decision = changeEndpoint({ endpointId, changes: {}, enabled: true, now });
    await host.commands.handle(webhookEndpoints, String(workspaceId), decision, { context });
    return { endpoint_id: endpointId, status: 'enabled' };
  },
});
