import { Module } from '@nestjs/common';
import { GetAccountMonitoring, GetAccountMonitoringHandler } from './get-account-monitoring.query.js';

@Module({ controllers: [GetAccountMonitoring], providers: [GetAccountMonitoringHandler] })
export class AccountMonitoringModule {}
