import type { ReadModels } from '#kernel/ports/read-store.port.js';
import { fieldError } from '#kernel/values/refusal.js';
import { OneOf, Type } from '#kernel/values/schema.js';
import { DELIVERY_STATUSES, DeliveryView, deliveryView } from '#delivery/answers/delivery.view.js';
import { shownEntry } from '#delivery/event-feed.js';
import { rowKey } from '#delivery/webhooks/delivery-records.js';
import { recentDeliveries } from '#delivery/webhooks/recent-deliveries.js';
import { invalidInput } from '#ops/support/amounts.js';
import { described, WorkspaceId } from '#ops/support/inputs.js';
import { operatorCommand } from '#ops/support/operator-command.js';
import { EndpointId, oneEndpoint } from './one-endpoint.js';
import type { FeedEntryDocument } from '#projections/delivery/event-feed/event-feed.projection.js';

const MOST_ROWS = 100;

export const endpointDeliveries = operatorCommand({
  name: 'endpoint.deliveries',
  forFinance: true,
  summary: 'List the deliveries to a webhook endpoint with their attempts, newest event first',
  input: Type.Object({
    workspace_id: WorkspaceId,
    endpoint_id: EndpointId,
    status: Type.Optional(described('only those of this status', OneOf(...DELIVERY_STATUSES))),
    before: Type.Optional(
      described(
        'id of an event: only deliveries of earlier ones',
        Type.String({ minLength: 1, maxLength: 100 }),
      ),
    ),
    limit: Type.Optional(described('most rows', Type.Integer({ minimum: 1, maximum: MOST_ROWS }))),
  }),
  output: Type.Object({ deliveries: Type.Array(DeliveryView), has_more: Type.Boolean() }),
  async run(
    host,
    { workspace_id: workspaceId, endpoint_id: endpointId, before, status = null, limit = MOST_ROWS },
  ) {
    await oneEndpoint(host.readModels, workspaceId, endpointId);
    const after =
      before === undefined
        ? null
        : rowKey(endpointId, await eventNamed(host.readModels, workspaceId, before));
    const wanted = { status, limit, after };
    const { rows, hasMore } = await recentDeliveries(host.webhooks.records, endpointId, wanted);
    return { deliveries: rows.map(deliveryView), has_more: hasMore };
  },
});

async function eventNamed(
  readModels: ReadModels,
  workspaceId: number,
  id: string,
): Promise<FeedEntryDocument> {
  const known = await shownEntry(readModels, workspaceId, id);
  if (known === null)
    throw invalidInput({ errors: fieldError('before', 'must be the id of an event of the workspace') });
  return known;
}
