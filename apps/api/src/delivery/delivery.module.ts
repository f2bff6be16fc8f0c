import { Module } from '@nestjs/common';
import { ListEventsEndpoint, ListEventsHandler } from './list-events.query.js';

@Module({ controllers: [ListEventsEndpoint], providers: [ListEventsHandler] })
export class DeliveryModule {}
