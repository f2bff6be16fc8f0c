import { Module } from '@nestjs/common';
import { endpointsOf } from '../endpoints-of.js';
import { GetCreditBalance } from './get-credit-balance.query.js';
import { GetCreditForecast } from './get-credit-forecast.query.js';
import { GetMovement } from './get-movement.query.js';
import { GetStatement } from './get-statement.query.js';
import { GetThresholds } from './get-thresholds.query.js';
import { ListMovements } from './list-movements.query.js';
import { SetThresholds } from './set-thresholds.command.js';

@Module(
  endpointsOf(
    GetCreditBalance,
    GetCreditForecast,
    GetStatement,
    GetThresholds,
    SetThresholds,
    ListMovements,
    GetMovement,
  ),
)
export class CreditsModule {}
