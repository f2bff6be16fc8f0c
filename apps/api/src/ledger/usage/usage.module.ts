import { Module } from '@nestjs/common';
import { endpointsOf } from '../../endpoints-of.js';
import { ListUsage } from './list-usage.query.js';

@Module(endpointsOf(ListUsage))
export class UsageModule {}
