import type { WebhookProgressEvents } from '#delivery/domain/webhooks/webhook.events.js';
import { workspaceIdOf } from '#kernel/events/workspace-scope.js';
import { projection } from '#kernel/projections/projection.js';

/** The event up to which everything is settled for an endpoint, from the log. */
export type WebhookProgressDocument = {
  readonly workspaceId: number;
  readonly endpointId: number;
  readonly throughId: string;
};

export const webhookProgressKey = (endpointId: number): string => String(endpointId);

export const webhookProgressViews = projection<WebhookProgressDocument, WebhookProgressEvents>()({
  name: 'webhook-progress',
  version: 1,
  indexes: { byEndpoint: ['endpointId'] },
  key: ({ data }) => webhookProgressKey(data.endpointId),
  on: {
    WebhookEventsSettled: (_known, event) => ({
      workspaceId: workspaceIdOf(event),
      endpointId: event.data.endpointId,
      throughId: event.data.throughId,
    }),
  },
});
