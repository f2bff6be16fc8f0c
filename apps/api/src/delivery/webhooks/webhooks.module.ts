import { Module } from '@nestjs/common';
import { endpointsOf } from '../../endpoints-of.js';
import { ChangeWebhookEndpointHandler } from './change-endpoint.command.js';
import { CreateWebhookEndpointHandler } from './create-endpoint.command.js';
import { DeleteWebhookEndpointHandler } from './delete-endpoint.command.js';
import { GetWebhookEndpointHandler } from './get-endpoint.query.js';
import { ListWebhookDeliveriesHandler } from './list-deliveries.query.js';
import { ListWebhookEndpointsHandler } from './list-endpoints.query.js';
import { ReplayWebhookDeliveriesHandler } from './replay-deliveries.command.js';
import { RotateWebhookSecretHandler } from './rotate-secret.command.js';
import { TestWebhookEndpointHandler } from './test-endpoint.command.js';

@Module(
  endpointsOf(
    ListWebhookEndpointsHandler,
    CreateWebhookEndpointHandler,
    GetWebhookEndpointHandler,
    ChangeWebhookEndpointHandler,
    DeleteWebhookEndpointHandler,
    RotateWebhookSecretHandler,
    ListWebhookDeliveriesHandler,
    TestWebhookEndpointHandler,
    ReplayWebhookDeliveriesHandler,
  ),
)
export class WebhooksModule {}
