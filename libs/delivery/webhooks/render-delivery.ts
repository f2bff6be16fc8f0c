import type { FeedSource } from '../event-feed.js';
import type { FeedEntryDocument } from '#projections/delivery/event-feed/event-feed.projection.js';
import type { WebhookEndpointDocument } from '#projections/delivery/webhook-endpoints/webhook-endpoints.projection.js';
import { eventViews, type EventView } from '../answers/event.view.js';
import { slackMessage } from './slack-message.js';

/** Maximum size of a body: a larger one has a link instead of its data. */
const MOST_BYTES = 20_000;

/** An event as an endpoint receives it. `previous_id` is the previous event that this endpoint wanted. */
export type DeliveredEvent = EventView & { readonly previous_id: string | null };

/** The body of an attempt, rendered from the current read models (DLV-04). */
export async function renderDelivery(
  source: FeedSource,
  { workspaceId, format }: Pick<WebhookEndpointDocument, 'workspaceId' | 'format'>,
  entry: FeedEntryDocument,
  previousId: string | null,
): Promise<string> {
  const [event] = await eventViews(source, workspaceId, [entry]);
  if (event === undefined) throw new Error(`${entry.id} was not rendered`);
  return deliveryBody({ ...event, previous_id: previousId }, format);
}

/** The body of an event in a format. */
export function deliveryBody(
  event: Omit<DeliveredEvent, 'type'> & { readonly type: string },
  format: WebhookEndpointDocument['format'],
): string {
  if (format === 'slack') return JSON.stringify(slackMessage(event));
  const { data, ...head } = event;
  const body = JSON.stringify({ ...head, data });
  if (Buffer.byteLength(body) < MOST_BYTES) return body;
  return JSON.stringify({ ...head, data: { link: `/api/v3/events?event=${event.id}` } });
}
