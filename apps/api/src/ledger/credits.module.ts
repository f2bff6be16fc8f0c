import { Module } from '@nestjs/common';
import { GetCreditBalance, GetCreditBalanceHandler } from './get-credit-balance.query.js';
import { GetCreditForecast, GetCreditForecastHandler } from './get-credit-forecast.query.js';
import { GetMovement, GetMovementHandler } from './get-movement.query.js';
import { GetStatement, GetStatementHandler } from './get-statement.query.js';
import { ListMovements, ListMovementsHandler } from './list-movements.query.js';

@Module({
  controllers: [GetCreditBalance, GetCreditForecast, GetStatement, ListMovements, GetMovement],
  providers: [
    GetCreditBalanceHandler,
    GetCreditForecastHandler,
    GetStatementHandler,
    ListMovementsHandler,
    GetMovementHandler,
  ],
})
export class CreditsModule {}
