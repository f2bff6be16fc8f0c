import { Module } from '@nestjs/common';
import { CountSignals, CountSignalsHandler } from './count-signals.query.js';
import { GetSignal, GetSignalHandler } from './get-signal.query.js';
import { ListLeadLocations, ListLeadLocationsHandler } from './list-lead-locations.query.js';
import { QuerySignalsV3, QuerySignalsV3Handler } from './query-signals-v3.query.js';
import { QuerySignals, QuerySignalsHandler } from './query-signals.query.js';

@Module({
  controllers: [QuerySignals, CountSignals, QuerySignalsV3, GetSignal, ListLeadLocations],
  providers: [
    QuerySignalsHandler,
    CountSignalsHandler,
    QuerySignalsV3Handler,
    GetSignalHandler,
    ListLeadLocationsHandler,
  ],
})
export class SignalsModule {}
