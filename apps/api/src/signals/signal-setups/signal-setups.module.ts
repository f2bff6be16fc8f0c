import { Module } from '@nestjs/common';
import { ChangeSignalSetup, ChangeSignalSetupHandler } from './change-signal-setup.command.js';
import { CreateSignalSetup, CreateSignalSetupHandler } from './create-signal-setup.command.js';
import { GetSignalSetup, GetSignalSetupHandler } from './get-signal-setup.query.js';
import { GetSignalSetupStats, GetSignalSetupStatsHandler } from './get-signal-setup-stats.query.js';
import { ListSignalSetups, ListSignalSetupsHandler } from './list-signal-setups.query.js';

@Module({
  controllers: [CreateSignalSetup, ListSignalSetups, GetSignalSetup, GetSignalSetupStats, ChangeSignalSetup],
  providers: [
    CreateSignalSetupHandler,
    ListSignalSetupsHandler,
    GetSignalSetupHandler,
    GetSignalSetupStatsHandler,
    ChangeSignalSetupHandler,
  ],
})
export class SignalSetupsModule {}
