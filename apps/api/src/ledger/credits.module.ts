import { Module } from '@nestjs/common';
import { endpointsOf } from '../endpoints-of.js';
import { GetCreditBalanceHandler } from './get-credit-balance.query.js';
import { GetCreditForecastHandler } from './get-credit-forecast.query.js';
import { GetMovementHandler } from './get-movement.query.js';
import { GetStatementHandler } from './get-statement.query.js';
import { GetThresholdsHandler } from './get-thresholds.query.js';
import { ListMovementsHandler } from './list-movements.query.js';
import { SetThresholdsHandler } from './set-thresholds.command.js';

@Module(
  endpointsOf(
    GetCreditBalanceHandler,
    GetCreditForecastHandler,
    GetStatementHandler,
    GetThresholdsHandler,
    SetThresholdsHandler,
    ListMovementsHandler,
    GetMovementHandler,
  ),
)
export class CreditsModule {}
