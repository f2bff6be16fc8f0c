import { Inject } from '@nestjs/common';
import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { Clock } from '#kernel/ports/clock.js';
import type { Commands } from '#kernel/commands/commands.js';
import type { ReadModels } from '#kernel/ports/read-store.port.js';
import {
  deleteEndpoint,
  unknownEndpoint,
  webhookEndpoints,
} from '#delivery/domain/webhooks/webhook-endpoints.js';
import type { WebhookDesk } from '#delivery/webhooks/webhook-desk.js';
import { Endpoint, EndpointCommand } from '#http/endpoint.js';
import { CLOCK, COMMANDS, READ_MODELS, WEBHOOKS } from '../../ports.js';
import { findEndpoint } from './find-endpoint.js';
import { endpointPath } from './webhook-endpoint.body.js';

@Endpoint({
  caller: 'apiKey',
  route: 'DELETE /api/v3/webhook-endpoints/:endpoint_id',
  summary: 'Delete a webhook endpoint',
  description: 'Nothing more is sent to it; its secret and its deliveries are deleted.',
  status: 204,
  params: endpointPath,
  problems: [unknownEndpoint],
})
export class DeleteWebhookEndpoint extends EndpointCommand<void, { params: typeof endpointPath }> {}

@CommandHandler(DeleteWebhookEndpoint)
export class DeleteWebhookEndpointHandler implements ICommandHandler<DeleteWebhookEndpoint> {
  constructor(
    @Inject(COMMANDS) private readonly commands: Commands,
    @Inject(READ_MODELS) private readonly readModels: ReadModels,
    @Inject(CLOCK) private readonly clock: Clock,
    @Inject(WEBHOOKS) private readonly webhooks: WebhookDesk,
  ) {}

  async execute({ request: { workspaceId, params, context } }: DeleteWebhookEndpoint): Promise<void> {
    const endpointId = params.endpoint_id;
    const { secretId, previousSecretId } = await findEndpoint(this.readModels, workspaceId, endpointId);
    const decision = deleteEndpoint(endpointId, this.clock.now().toISOString());
    const options = { context, answer: () => null };
    await this.commands.handle(webhookEndpoints, String(workspaceId), decision, options);
    await this.webhooks.forgetSecrets([secretId, ...(previousSecretId === null ? [] : [previousSecretId])]);
    await this.webhooks.records.forget(endpointId);
  }
}
