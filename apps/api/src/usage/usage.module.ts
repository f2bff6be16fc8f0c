import { Module } from '@nestjs/common';
import { CqrsModule } from '@nestjs/cqrs';
import { ListUsageEndpoint, ListUsageHandler } from './list-usage.query.js';

@Module({ imports: [CqrsModule], controllers: [ListUsageEndpoint], providers: [ListUsageHandler] })
export class UsageModule {}
