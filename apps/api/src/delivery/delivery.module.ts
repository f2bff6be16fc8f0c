import { Module } from '@nestjs/common';
import { endpointsOf } from '../endpoints-of.js';
import { EventStreams } from './event-streams.js';
import { WebhooksModule } from './webhooks/webhooks.module.js';
import { ListEventsEndpoint } from './list-events.query.js';

@Module({ imports: [WebhooksModule], ...endpointsOf(ListEventsEndpoint, EventStreams) })
export class DeliveryModule {}
