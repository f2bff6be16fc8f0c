import { Module } from '@nestjs/common';
import { GetIngestionStatus, GetIngestionStatusHandler } from './get-ingestion-status.query.js';
import { ListNotFoundAccounts, ListNotFoundAccountsHandler } from './list-not-found-accounts.query.js';
import { ListTopAccounts, ListTopAccountsHandler } from './list-top-accounts.query.js';
import { SubmitAccounts, SubmitAccountsHandler } from './submit-accounts.command.js';

@Module({
  controllers: [SubmitAccounts, ListTopAccounts, GetIngestionStatus, ListNotFoundAccounts],
  providers: [
    SubmitAccountsHandler,
    ListTopAccountsHandler,
    GetIngestionStatusHandler,
    ListNotFoundAccountsHandler,
  ],
})
export class TopAccountsModule {}
