import { Module } from '@nestjs/common';
import { endpointsOf } from '../endpoints-of.js';
import { GetAccountMonitoringHandler } from './get-account-monitoring.query.js';

@Module(endpointsOf(GetAccountMonitoringHandler))
export class AccountMonitoringModule {}
