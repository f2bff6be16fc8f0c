import { Module } from '@nestjs/common';
import { endpointsOf } from '../../endpoints-of.js';
import { GetIngestionStatusHandler } from './get-ingestion-status.query.js';
import { ListNotFoundAccountsHandler } from './list-not-found-accounts.query.js';
import { ListTopAccountsHandler } from './list-top-accounts.query.js';
import { SubmitAccountsHandler } from './submit-accounts.command.js';

@Module(
  endpointsOf(
    SubmitAccountsHandler,
    ListTopAccountsHandler,
    GetIngestionStatusHandler,
    ListNotFoundAccountsHandler,
  ),
)
export class TopAccountsModule {}
