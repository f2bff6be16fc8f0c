import { Module } from '@nestjs/common';
import { GetAccountMonitoringEndpoint, GetAccountMonitoringHandler } from './get-account-monitoring.query.js';

@Module({ controllers: [GetAccountMonitoringEndpoint], providers: [GetAccountMonitoringHandler] })
export class AccountMonitoringModule {}
