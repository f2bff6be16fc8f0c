import { Module } from '@nestjs/common';
import { CancelSignalRun, CancelSignalRunHandler } from './cancel-signal-run.command.js';
import { GetSignalRun, GetSignalRunHandler } from './get-signal-run.query.js';
import { LaunchSignalRun, LaunchSignalRunHandler } from './launch-signal-run.command.js';
import { ListSignalRuns, ListSignalRunsHandler } from './list-signal-runs.query.js';

@Module({
  controllers: [LaunchSignalRun, ListSignalRuns, GetSignalRun, CancelSignalRun],
  providers: [LaunchSignalRunHandler, ListSignalRunsHandler, GetSignalRunHandler, CancelSignalRunHandler],
})
export class SignalRunsModule {}
