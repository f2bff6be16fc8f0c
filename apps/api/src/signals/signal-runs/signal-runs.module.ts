import { Module } from '@nestjs/common';
import { CancelSignalRun, CancelSignalRunHandler } from './cancel-signal-run.command.js';
import { GetSignalRun, GetSignalRunHandler } from './get-signal-run.query.js';
import { LaunchSignalRun, LaunchSignalRunHandler } from './launch-signal-run.command.js';
import { ListSignalRuns, ListSignalRunsHandler } from './list-signal-runs.query.js';
import { QuoteSignalRun, QuoteSignalRunHandler } from './quote-signal-run.query.js';
import { QuotesUnderWay } from './quotes-under-way.js';

@Module({
  controllers: [QuoteSignalRun, LaunchSignalRun, ListSignalRuns, GetSignalRun, CancelSignalRun],
  providers: [
    QuotesUnderWay,
    QuoteSignalRunHandler,
    LaunchSignalRunHandler,
    ListSignalRunsHandler,
    GetSignalRunHandler,
    CancelSignalRunHandler,
  ],
})
export class SignalRunsModule {}
