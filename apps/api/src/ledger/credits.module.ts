import { Module } from '@nestjs/common';
import { GetCreditBalance, GetCreditBalanceHandler } from './get-credit-balance.query.js';
import { GetMovement, GetMovementHandler } from './get-movement.query.js';
import { GetStatement, GetStatementHandler } from './get-statement.query.js';
import { ListMovements, ListMovementsHandler } from './list-movements.query.js';

@Module({
  controllers: [GetCreditBalance, GetStatement, ListMovements, GetMovement],
  providers: [GetCreditBalanceHandler, GetStatementHandler, ListMovementsHandler, GetMovementHandler],
})
export class CreditsModule {}
