import { secretIsLost, unknownEndpoint } from '#delivery/domain/webhooks/webhook-endpoints.js';
import type { DeliveryAttempt } from '#delivery/webhooks/delivery-records.js';
import { Endpoint, EndpointCommand } from '#http/endpoint.js';
import { DataOf } from '#http/paging.js';
import { tooManyRequests } from '#http/problem.js';
import { handle } from '../../handle.js';
import { AttemptView } from '#delivery/answers/delivery.view.js';
import { findEndpoint } from './find-endpoint.js';
import { endpointPath } from './webhook-endpoint.body.js';

const RETRY_AFTER_S = 1;

type Tested = { readonly data: DeliveryAttempt };

@Endpoint({
  caller: 'apiKey',
  route: 'POST /api/v3/webhook-endpoints/:endpoint_id/test',
  summary: 'Send a test event to a webhook endpoint',
  description:
    'Sends one signed event of type `endpoint.test` now, also to a disabled endpoint, and returns the result. The ' +
    'event is in no feed, is not retried, and does not affect the health of the endpoint. While a test of the endpoint ' +
    'is in flight, another one is 429.',
  params: endpointPath,
  response: DataOf(AttemptView),
  problems: [unknownEndpoint, secretIsLost],
})
export class TestWebhookEndpoint extends EndpointCommand<Tested, { params: typeof endpointPath }> {}

handle(TestWebhookEndpoint, async ({ workspaceId, params }, { readModels, webhooks, clock }) => {
  const endpoint = await findEndpoint(readModels, workspaceId, params.endpoint_id);
  const attempt = await webhooks.test(endpoint, clock.now());
  if (attempt === 'busy') throw tooManyRequests(RETRY_AFTER_S);
  if (attempt === null) throw secretIsLost();
  return { data: attempt };
});
