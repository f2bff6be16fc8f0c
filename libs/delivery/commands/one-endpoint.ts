import type { ReadModels } from '#kernel/ports/read-store.port.js';
import { ownedBy } from '#kernel/values/owned-by.js';
import { Id } from '#kernel/values/schema.js';
import { unknownEndpoint } from '#delivery/domain/webhooks/webhook-endpoints.js';
import { described } from '#ops/support/inputs.js';
import {
  webhookEndpointKey,
  webhookEndpointViews,
  type WebhookEndpointDocument,
} from '#projections/delivery/webhook-endpoints/webhook-endpoints.projection.js';

export const EndpointId = described('id of the webhook endpoint', Id);

/** The endpoint of the workspace with this id. Throws `unknownEndpoint`. */
export async function oneEndpoint(
  readModels: ReadModels,
  workspaceId: number,
  endpointId: number,
): Promise<WebhookEndpointDocument> {
  const found = ownedBy(
    workspaceId,
    await readModels.get(webhookEndpointViews, webhookEndpointKey(endpointId)),
  );
  if (found === null) throw unknownEndpoint();
  return found;
}
