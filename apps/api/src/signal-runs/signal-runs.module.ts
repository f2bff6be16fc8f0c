import { Module } from '@nestjs/common';
import { LaunchSignalRunEndpoint, LaunchSignalRunHandler } from './launch-signal-run.command.js';

@Module({
  controllers: [LaunchSignalRunEndpoint],
  providers: [LaunchSignalRunHandler],
})
export class SignalRunsModule {}
