import { Module } from '@nestjs/common';
import { GetCreditBalance, GetCreditBalanceHandler } from './get-credit-balance.query.js';
import { GetCreditForecast, GetCreditForecastHandler } from './get-credit-forecast.query.js';
import { GetMovement, GetMovementHandler } from './get-movement.query.js';
import { GetStatement, GetStatementHandler } from './get-statement.query.js';
import { GetThresholds, GetThresholdsHandler } from './get-thresholds.query.js';
import { ListMovements, ListMovementsHandler } from './list-movements.query.js';
import { SetThresholds, SetThresholdsHandler } from './set-thresholds.command.js';

@Module({
  controllers: [
    GetCreditBalance,
    GetCreditForecast,
    GetStatement,
    GetThresholds,
    SetThresholds,
    ListMovements,
    GetMovement,
  ],
  providers: [
    GetCreditBalanceHandler,
    GetCreditForecastHandler,
    GetStatementHandler,
    GetThresholdsHandler,
    SetThresholdsHandler,
    ListMovementsHandler,
    GetMovementHandler,
  ],
})
export class CreditsModule {}
