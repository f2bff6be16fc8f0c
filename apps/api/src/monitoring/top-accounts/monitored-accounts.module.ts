import { Module } from '@nestjs/common';
import { ListMonitoredAccounts, ListMonitoredAccountsHandler } from './list-monitored-accounts.query.js';
import { PickAccounts, PickAccountsHandler } from './pick-accounts.command.js';

@Module({
  controllers: [ListMonitoredAccounts, PickAccounts],
  providers: [ListMonitoredAccountsHandler, PickAccountsHandler],
})
export class MonitoredAccountsModule {}
