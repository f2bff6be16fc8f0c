import { Module } from '@nestjs/common';
import { EventStreams } from './event-streams.js';
import { WebhooksModule } from './webhooks/webhooks.module.js';
import { ListEventsEndpoint, ListEventsHandler } from './list-events.query.js';

@Module({
  imports: [WebhooksModule],
  controllers: [ListEventsEndpoint],
  providers: [ListEventsHandler, EventStreams],
})
export class DeliveryModule {}
