import { Module } from '@nestjs/common';
import { endpointsOf } from '../../endpoints-of.js';
import { ChangeSignalSetupHandler } from './change-signal-setup.command.js';
import { CreateSignalSetupHandler } from './create-signal-setup.command.js';
import { GetSignalSetupHandler } from './get-signal-setup.query.js';
import { GetSignalSetupStatsHandler } from './get-signal-setup-stats.query.js';
import { ListSignalSetupsHandler } from './list-signal-setups.query.js';

@Module(
  endpointsOf(
    CreateSignalSetupHandler,
    ListSignalSetupsHandler,
    GetSignalSetupHandler,
    GetSignalSetupStatsHandler,
    ChangeSignalSetupHandler,
  ),
)
export class SignalSetupsModule {}
