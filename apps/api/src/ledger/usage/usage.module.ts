import { Module } from '@nestjs/common';
import { endpointsOf } from '../../endpoints-of.js';
import { ListUsageHandler } from './list-usage.query.js';

@Module(endpointsOf(ListUsageHandler))
export class UsageModule {}
