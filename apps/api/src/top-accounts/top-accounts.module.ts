import { Module } from '@nestjs/common';
import { GetIngestionStatusEndpoint, GetIngestionStatusHandler } from './get-ingestion-status.query.js';
import {
  ListNotFoundAccountsEndpoint,
  ListNotFoundAccountsHandler,
} from './list-not-found-accounts.query.js';
import {
  ListMonitoredAccountsEndpoint,
  ListMonitoredAccountsHandler,
} from './list-monitored-accounts.query.js';
import { ListTopAccountsEndpoint, ListTopAccountsHandler } from './list-top-accounts.query.js';
import { PickAccountsEndpoint, PickAccountsHandler } from './pick-accounts.command.js';
import { SubmitAccountsEndpoint, SubmitAccountsHandler } from './submit-accounts.command.js';

@Module({
  controllers: [
    SubmitAccountsEndpoint,
    ListTopAccountsEndpoint,
    ListMonitoredAccountsEndpoint,
    PickAccountsEndpoint,
    GetIngestionStatusEndpoint,
    ListNotFoundAccountsEndpoint,
  ],
  providers: [
    SubmitAccountsHandler,
    ListTopAccountsHandler,
    ListMonitoredAccountsHandler,
    PickAccountsHandler,
    GetIngestionStatusHandler,
    ListNotFoundAccountsHandler,
  ],
})
export class TopAccountsModule {}
