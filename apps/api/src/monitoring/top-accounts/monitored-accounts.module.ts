import { Module } from '@nestjs/common';
import { endpointsOf } from '../../endpoints-of.js';
import { ListMonitoredAccounts } from './list-monitored-accounts.query.js';
import { PickAccounts } from './pick-accounts.command.js';

@Module(endpointsOf(ListMonitoredAccounts, PickAccounts))
export class MonitoredAccountsModule {}
