import { Module } from '@nestjs/common';
import { CancelSignalRunEndpoint, CancelSignalRunHandler } from './cancel-signal-run.command.js';
import { GetSignalRunEndpoint, GetSignalRunHandler } from './get-signal-run.query.js';
import { LaunchSignalRunEndpoint, LaunchSignalRunHandler } from './launch-signal-run.command.js';
import { ListSignalRunsEndpoint, ListSignalRunsHandler } from './list-signal-runs.query.js';

@Module({
  controllers: [
    LaunchSignalRunEndpoint,
    ListSignalRunsEndpoint,
    GetSignalRunEndpoint,
    CancelSignalRunEndpoint,
  ],
  providers: [LaunchSignalRunHandler, ListSignalRunsHandler, GetSignalRunHandler, CancelSignalRunHandler],
})
export class SignalRunsModule {}
