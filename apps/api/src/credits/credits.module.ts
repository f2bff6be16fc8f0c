import { Module } from '@nestjs/common';
import { GetCreditBalanceEndpoint, GetCreditBalanceHandler } from './get-credit-balance.query.js';

@Module({
  controllers: [GetCreditBalanceEndpoint],
  providers: [GetCreditBalanceHandler],
})
export class CreditsModule {}
