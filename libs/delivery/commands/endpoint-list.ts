import { Type } from '#kernel/values/schema.js';
import { WebhookEndpointView, webhookEndpointView } from '#delivery/answers/webhook-endpoint.view.js';
import { MOST_ENDPOINTS } from '#delivery/domain/webhooks/webhook-endpoints.js';
import { WorkspaceId } from '#ops/support/inputs.js';
import { operatorCommand } from '#ops/support/operator-command.js';
import { webhookEndpointViews } from '#projections/delivery/webhook-endpoints/webhook-endpoints.projection.js';

export const endpointList = operatorCommand({
  name: 'endpoint.list',
  forFinance: true,
  summary: 'List the webhook endpoints of a workspace, by id',
  input: Type.Object({ workspace_id: WorkspaceId }),
  output: Type.Object({ endpoints: Type.Array(WebhookEndpointView) }),
  async run(host, { workspace_id: workspaceId }) {
    await host.requireWorkspace(workspaceId);
    const found = await host.readModels.find(webhookEndpointViews, {
      where: { workspaceId },
      sort: [['id', 'asc']],
      limit: MOST_ENDPOINTS,
    });
    return { endpoints: found.map(webhookEndpointView) };
  },
});
