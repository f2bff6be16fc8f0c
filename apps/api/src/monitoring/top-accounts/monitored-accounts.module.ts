import { Module } from '@nestjs/common';
import {
  ListMonitoredAccountsEndpoint,
  ListMonitoredAccountsHandler,
} from './list-monitored-accounts.query.js';
import { PickAccountsEndpoint, PickAccountsHandler } from './pick-accounts.command.js';

@Module({
  controllers: [ListMonitoredAccountsEndpoint, PickAccountsEndpoint],
  providers: [ListMonitoredAccountsHandler, PickAccountsHandler],
})
export class MonitoredAccountsModule {}
