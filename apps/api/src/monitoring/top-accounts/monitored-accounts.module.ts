import { Module } from '@nestjs/common';
import { endpointsOf } from '../../endpoints-of.js';
import { ListMonitoredAccountsHandler } from './list-monitored-accounts.query.js';
import { PickAccountsHandler } from './pick-accounts.command.js';

@Module(endpointsOf(ListMonitoredAccountsHandler, PickAccountsHandler))
export class MonitoredAccountsModule {}
