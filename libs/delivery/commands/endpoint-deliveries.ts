import { OneOf, Type } from '#kernel/values/schema.js';
import { DELIVERY_STATUSES, DeliveryView, deliveryView } from '#delivery/answers/delivery.view.js';
import { recentDeliveries } from '#delivery/webhooks/recent-deliveries.js';
import { described, WorkspaceId } from '#ops/support/inputs.js';
import { operatorCommand } from '#ops/support/operator-command.js';
import { EndpointId, oneEndpoint } from './one-endpoint.js';

const MOST_ROWS = 100;

export const endpointDeliveries = operatorCommand({
  name: 'endpoint.deliveries',
  forFinance: true,
  summary: 'List the deliveries to a webhook endpoint with their attempts, newest event first',
  input: Type.Object({
    workspace_id: WorkspaceId,
    endpoint_id: EndpointId,
    status: Type.Optional(described('only those of this status', OneOf(...DELIVERY_STATUSES))),
    limit: Type.Optional(described('most rows', Type.Integer({ minimum: 1, maximum: MOST_ROWS }))),
  }),
  output: Type.Object({ deliveries: Type.Array(DeliveryView), has_more: Type.Boolean() }),
  async run(host, { workspace_id: workspaceId, endpoint_id: endpointId, status = null, limit = MOST_ROWS }) {
    await oneEndpoint(host.readModels, workspaceId, endpointId);
    const wanted = { status, limit, after: null };
    const { rows, hasMore } = await recentDeliveries(host.webhooks.records, endpointId, wanted);
    return { deliveries: rows.map(deliveryView), has_more: hasMore };
  },
});
