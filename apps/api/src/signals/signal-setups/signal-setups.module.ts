import { Module } from '@nestjs/common';
import { ChangeSignalSetupEndpoint, ChangeSignalSetupHandler } from './change-signal-setup.command.js';
import { CreateSignalSetupEndpoint, CreateSignalSetupHandler } from './create-signal-setup.command.js';
import { GetSignalSetupEndpoint, GetSignalSetupHandler } from './get-signal-setup.query.js';
import { GetSignalSetupStatsEndpoint, GetSignalSetupStatsHandler } from './get-signal-setup-stats.query.js';
import { ListSignalSetupsEndpoint, ListSignalSetupsHandler } from './list-signal-setups.query.js';

@Module({
  controllers: [
    CreateSignalSetupEndpoint,
    ListSignalSetupsEndpoint,
    GetSignalSetupEndpoint,
    GetSignalSetupStatsEndpoint,
    ChangeSignalSetupEndpoint,
  ],
  providers: [
    CreateSignalSetupHandler,
    ListSignalSetupsHandler,
    GetSignalSetupHandler,
    GetSignalSetupStatsHandler,
    ChangeSignalSetupHandler,
  ],
})
export class SignalSetupsModule {}
