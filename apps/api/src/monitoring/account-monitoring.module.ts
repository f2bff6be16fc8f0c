import { Module } from '@nestjs/common';
import { endpointsOf } from '../endpoints-of.js';
import { GetAccountMonitoring } from './get-account-monitoring.query.js';

@Module(endpointsOf(GetAccountMonitoring))
export class AccountMonitoringModule {}
