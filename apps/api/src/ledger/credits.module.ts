import { Module } from '@nestjs/common';
import { GetCreditBalanceEndpoint, GetCreditBalanceHandler } from './get-credit-balance.query.js';
import { GetMovementEndpoint, GetMovementHandler } from './get-movement.query.js';
import { GetStatementEndpoint, GetStatementHandler } from './get-statement.query.js';
import { ListMovementsEndpoint, ListMovementsHandler } from './list-movements.query.js';

@Module({
  controllers: [GetCreditBalanceEndpoint, GetStatementEndpoint, ListMovementsEndpoint, GetMovementEndpoint],
  providers: [GetCreditBalanceHandler, GetStatementHandler, ListMovementsHandler, GetMovementHandler],
})
export class CreditsModule {}
