import type { ReadModels } from '#kernel/ports/read-store.port.js';
import { unknownEndpoint } from '#delivery/domain/webhooks/webhook-endpoints.js';
import {
  webhookEndpointKey,
  webhookEndpointViews,
  type WebhookEndpointDocument,
} from '#projections/delivery/webhook-endpoints/webhook-endpoints.projection.js';
import { ownDocument } from '../../own-document.js';

/** The endpoint with this id; throws `unknownEndpoint`, also for an endpoint of another workspace. */
export const findEndpoint = (
  readModels: ReadModels,
  workspaceId: number,
  endpointId: number,
): Promise<WebhookEndpointDocument> =>
  ownDocument(readModels, workspaceId, {
    view: webhookEndpointViews,
    key: webhookEndpointKey(endpointId),
    unknown: unknownEndpoint,
  });
