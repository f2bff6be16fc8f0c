import { Module } from '@nestjs/common';
import { endpointsOf } from '../../endpoints-of.js';
import { CancelSignalRunHandler } from './cancel-signal-run.command.js';
import { GetSignalRunHandler } from './get-signal-run.query.js';
import { LaunchSignalRunHandler } from './launch-signal-run.command.js';
import { ListSignalRunsHandler } from './list-signal-runs.query.js';
import { QuoteSignalRunHandler } from './quote-signal-run.query.js';
import { QuotesUnderWay } from './quotes-under-way.js';

@Module(
  endpointsOf(
    QuoteSignalRunHandler,
    LaunchSignalRunHandler,
    ListSignalRunsHandler,
    GetSignalRunHandler,
    CancelSignalRunHandler,
    QuotesUnderWay,
  ),
)
export class SignalRunsModule {}
