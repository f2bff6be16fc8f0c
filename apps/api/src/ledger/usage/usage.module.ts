import { Module } from '@nestjs/common';
import { ListUsageEndpoint, ListUsageHandler } from './list-usage.query.js';

@Module({ controllers: [ListUsageEndpoint], providers: [ListUsageHandler] })
export class UsageModule {}
