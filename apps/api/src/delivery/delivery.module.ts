import { Module } from '@nestjs/common';
import { EventStreams } from './event-streams.js';
import { ListEventsEndpoint, ListEventsHandler } from './list-events.query.js';

@Module({ controllers: [ListEventsEndpoint], providers: [ListEventsHandler, EventStreams] })
export class DeliveryModule {}
