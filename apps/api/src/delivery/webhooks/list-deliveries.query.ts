import { unknownEndpoint } from '#delivery/domain/webhooks/webhook-endpoints.js';
import { feedEntry, unknownCursor } from '#delivery/event-feed.js';
import { rowKey } from '#delivery/webhooks/delivery-records.js';
import { Type } from '#kernel/values/schema.js';
import type { FeedEntryDocument } from '#projections/delivery/event-feed/event-feed.projection.js';
import { recentDeliveries } from '#delivery/webhooks/recent-deliveries.js';
import { Endpoint, EndpointQuery } from '#http/endpoint.js';
import { limitQuery, oneOfQuery, textQuery } from '#http/parameters.js';
import { handle } from '../../handle.js';
import type { ApiPorts } from '../../ports.js';
import {
  DELIVERY_STATUSES,
  DeliveryView,
  deliveryView,
  type DeliveryAnswer,
} from '#delivery/answers/delivery.view.js';
import { findEndpoint } from './find-endpoint.js';
import { endpointPath } from './webhook-endpoint.body.js';

const query = {
  status: oneOfQuery({ values: DELIVERY_STATUSES, otherwise: null, invalid: 400 }),
  before: textQuery({ maximum: 100, invalid: 400 }),
  limit: limitQuery(),
};
const DeliveryPage = Type.Object(
  {
    data: Type.Array(DeliveryView),
    meta: Type.Object({ has_more: Type.Boolean() }, { title: 'WebhookDeliveryPageMeta' }),
  },
  { title: 'WebhookDeliveryPage' },
);
type Page = { readonly data: readonly DeliveryAnswer[]; readonly meta: { readonly has_more: boolean } };

@Endpoint({
  caller: 'apiKey',
  route: 'GET /api/v3/webhook-endpoints/:endpoint_id/deliveries',
  summary: 'List the deliveries to a webhook endpoint',
  description:
    'Newest event first: the last 20 deliveries that succeeded at the first attempt, and for 30 days every delivery with a ' +
    'failed attempt or a replay, with each attempt. `answer` shows the first 200 characters of an unsuccessful response; it ' +
    'is null if only the operator of this service allows the address. The list is no part of the events: after a loss of the ' +
    'read models it begins again, while deliveries go on and the feed has every event.',
  params: endpointPath,
  query,
  response: DeliveryPage,
  problems: [unknownEndpoint, unknownCursor],
})
export class ListWebhookDeliveries extends EndpointQuery<
  Page,
  { query: typeof query; params: typeof endpointPath }
> {}

handle(ListWebhookDeliveries, async ({ workspaceId, params, query: asked }, ports): Promise<Page> => {
  const { id } = await findEndpoint(ports.readModels, workspaceId, params.endpoint_id);
  const { status, limit, before } = asked;
  const { rows, hasMore } = await recentDeliveries(ports.webhooks.records, id, {
    status,
    limit,
    after: before === null ? null : rowKey(id, await eventOf(ports, workspaceId, before)),
  });
  return { data: rows.map(deliveryView), meta: { has_more: hasMore } };
});

async function eventOf(
  { eventFeed: source }: ApiPorts,
  workspaceId: number,
  id: string,
): Promise<FeedEntryDocument> {
  const known = await feedEntry(source, workspaceId, id);
  if (known === null) throw unknownCursor();
  return known;
}
