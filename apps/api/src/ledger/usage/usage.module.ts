import { Module } from '@nestjs/common';
import { ListUsage, ListUsageHandler } from './list-usage.query.js';

@Module({ controllers: [ListUsage], providers: [ListUsageHandler] })
export class UsageModule {}
