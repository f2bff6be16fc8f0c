import { Module } from '@nestjs/common';
import { GetSignalRunEndpoint, GetSignalRunHandler } from './get-signal-run.query.js';
import { LaunchSignalRunEndpoint, LaunchSignalRunHandler } from './launch-signal-run.command.js';

@Module({
  controllers: [LaunchSignalRunEndpoint, GetSignalRunEndpoint],
  providers: [LaunchSignalRunHandler, GetSignalRunHandler],
})
export class SignalRunsModule {}
