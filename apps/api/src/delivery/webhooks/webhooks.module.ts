import { Module } from '@nestjs/common';
import { ChangeWebhookEndpoint, ChangeWebhookEndpointHandler } from './change-endpoint.command.js';
import { CreateWebhookEndpoint, CreateWebhookEndpointHandler } from './create-endpoint.command.js';
import { DeleteWebhookEndpoint, DeleteWebhookEndpointHandler } from './delete-endpoint.command.js';
import { GetWebhookEndpoint, GetWebhookEndpointHandler } from './get-endpoint.query.js';
import { ListWebhookDeliveries, ListWebhookDeliveriesHandler } from './list-deliveries.query.js';
import { ListWebhookEndpoints, ListWebhookEndpointsHandler } from './list-endpoints.query.js';
import { ReplayWebhookDeliveries, ReplayWebhookDeliveriesHandler } from './replay-deliveries.command.js';
import { RotateWebhookSecret, RotateWebhookSecretHandler } from './rotate-secret.command.js';
import { TestWebhookEndpoint, TestWebhookEndpointHandler } from './test-endpoint.command.js';

@Module({
  controllers: [
    ListWebhookEndpoints,
    CreateWebhookEndpoint,
    GetWebhookEndpoint,
    ChangeWebhookEndpoint,
    DeleteWebhookEndpoint,
    RotateWebhookSecret,
    ListWebhookDeliveries,
    TestWebhookEndpoint,
    ReplayWebhookDeliveries,
  ],
  providers: [
    ListWebhookEndpointsHandler,
    CreateWebhookEndpointHandler,
    GetWebhookEndpointHandler,
    ChangeWebhookEndpointHandler,
    DeleteWebhookEndpointHandler,
    RotateWebhookSecretHandler,
    ListWebhookDeliveriesHandler,
    TestWebhookEndpointHandler,
    ReplayWebhookDeliveriesHandler,
  ],
})
export class WebhooksModule {}
