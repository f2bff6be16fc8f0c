import { Module } from '@nestjs/common';
import { endpointsOf } from '../../endpoints-of.js';
import { GetIngestionStatus } from './get-ingestion-status.query.js';
import { ListNotFoundAccounts } from './list-not-found-accounts.query.js';
import { ListTopAccounts } from './list-top-accounts.query.js';
import { SubmitAccounts } from './submit-accounts.command.js';

@Module(endpointsOf(SubmitAccounts, ListTopAccounts, GetIngestionStatus, ListNotFoundAccounts))
export class TopAccountsModule {}
