import { Module } from '@nestjs/common';
import { GetIngestionStatusEndpoint, GetIngestionStatusHandler } from './get-ingestion-status.query.js';
import { ListNotFoundAccounts, ListNotFoundAccountsHandler } from './list-not-found-accounts.query.js';
import { ListTopAccountsEndpoint, ListTopAccountsHandler } from './list-top-accounts.query.js';
import { SubmitAccountsEndpoint, SubmitAccountsHandler } from './submit-accounts.command.js';

@Module({
  controllers: [
    SubmitAccountsEndpoint,
    ListTopAccountsEndpoint,
    GetIngestionStatusEndpoint,
    ListNotFoundAccounts,
  ],
  providers: [
    SubmitAccountsHandler,
    ListTopAccountsHandler,
    GetIngestionStatusHandler,
    ListNotFoundAccountsHandler,
  ],
})
export class TopAccountsModule {}
