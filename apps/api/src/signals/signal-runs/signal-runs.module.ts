import { Module } from '@nestjs/common';
import { endpointsOf } from '../../endpoints-of.js';
import { CancelSignalRun } from './cancel-signal-run.command.js';
import { GetSignalRun } from './get-signal-run.query.js';
import { LaunchSignalRun } from './launch-signal-run.command.js';
import { ListSignalRuns } from './list-signal-runs.query.js';
import { QuoteSignalRun } from './quote-signal-run.query.js';

@Module(endpointsOf(QuoteSignalRun, LaunchSignalRun, ListSignalRuns, GetSignalRun, CancelSignalRun))
export class SignalRunsModule {}
