import { Module } from '@nestjs/common';
import { endpointsOf } from '../../endpoints-of.js';
import { ChangeSignalSetup } from './change-signal-setup.command.js';
import { CreateSignalSetup } from './create-signal-setup.command.js';
import { GetSignalSetup } from './get-signal-setup.query.js';
import { GetSignalSetupStats } from './get-signal-setup-stats.query.js';
import { ListSignalSetups } from './list-signal-setups.query.js';

@Module(
  endpointsOf(CreateSignalSetup, ListSignalSetups, GetSignalSetup, GetSignalSetupStats, ChangeSignalSetup),
)
export class SignalSetupsModule {}
