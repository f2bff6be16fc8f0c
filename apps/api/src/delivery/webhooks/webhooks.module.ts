import { Module } from '@nestjs/common';
import { endpointsOf } from '../../endpoints-of.js';
import { ChangeWebhookEndpoint } from './change-endpoint.command.js';
import { CreateWebhookEndpoint } from './create-endpoint.command.js';
import { DeleteWebhookEndpoint } from './delete-endpoint.command.js';
import { GetWebhookEndpoint } from './get-endpoint.query.js';
import { ListWebhookDeliveries } from './list-deliveries.query.js';
import { ListWebhookEndpoints } from './list-endpoints.query.js';
import { ReplayWebhookDeliveries } from './replay-deliveries.command.js';
import { RotateWebhookSecret } from './rotate-secret.command.js';
import { TestWebhookEndpoint } from './test-endpoint.command.js';

@Module(
  endpointsOf(
    ListWebhookEndpoints,
    CreateWebhookEndpoint,
    GetWebhookEndpoint,
    ChangeWebhookEndpoint,
    DeleteWebhookEndpoint,
    RotateWebhookSecret,
    ListWebhookDeliveries,
    TestWebhookEndpoint,
    ReplayWebhookDeliveries,
  ),
)
export class WebhooksModule {}
