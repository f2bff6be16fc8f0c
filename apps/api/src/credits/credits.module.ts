import { Module } from '@nestjs/common';
import { CqrsModule } from '@nestjs/cqrs';
import { GetCreditBalanceEndpoint, GetCreditBalanceHandler } from './get-credit-balance.query.js';

@Module({
  imports: [CqrsModule],
  controllers: [GetCreditBalanceEndpoint],
  providers: [GetCreditBalanceHandler],
})
export class CreditsModule {}
