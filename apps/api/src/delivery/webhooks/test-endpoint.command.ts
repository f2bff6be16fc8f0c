import { Inject } from '@nestjs/common';
import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { Clock } from '#kernel/ports/clock.js';
import type { ReadModels } from '#kernel/ports/read-store.port.js';
import { secretIsLost, unknownEndpoint } from '#delivery/domain/webhooks/webhook-endpoints.js';
import type { DeliveryAttempt } from '#delivery/webhooks/delivery-records.js';
import type { WebhookDesk } from '#delivery/webhooks/webhook-desk.js';
import { Endpoint, EndpointCommand } from '#http/endpoint.js';
import { DataOf } from '#http/paging.js';
import { CLOCK, READ_MODELS, WEBHOOKS } from '../../ports.js';
import { AttemptView } from '#delivery/answers/delivery.view.js';
import { findEndpoint } from './find-endpoint.js';
import { endpointPath } from './webhook-endpoint.body.js';

type Tested = { readonly data: DeliveryAttempt };

@Endpoint({
  caller: 'apiKey',
  route: 'POST /api/v3/webhook-endpoints/:endpoint_id/test',
  summary: 'Send a test event to a webhook endpoint',
  description:
    'Sends one signed event of type `endpoint.test` now, also to a disabled endpoint, and returns the result. The ' +
    'event is in no feed, is not retried, and does not affect the health of the endpoint.',
  params: endpointPath,
  response: DataOf(AttemptView),
  problems: [unknownEndpoint, secretIsLost],
})
export class TestWebhookEndpoint extends EndpointCommand<Tested, { params: typeof endpointPath }> {}

@CommandHandler(TestWebhookEndpoint)
export class TestWebhookEndpointHandler implements ICommandHandler<TestWebhookEndpoint> {
  constructor(
    @Inject(READ_MODELS) private readonly readModels: ReadModels,
    @Inject(CLOCK) private readonly clock: Clock,
    @Inject(WEBHOOKS) private readonly webhooks: WebhookDesk,
  ) {}

  async execute({ request: { workspaceId, params } }: TestWebhookEndpoint): Promise<Tested> {
    const endpoint = await findEndpoint(this.readModels, workspaceId, params.endpoint_id);
    const attempt = await this.webhooks.test(endpoint, this.clock.now());
    if (attempt === null) throw secretIsLost();
    return { data: attempt };
  }
}
