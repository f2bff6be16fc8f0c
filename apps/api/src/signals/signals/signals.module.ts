import { Module } from '@nestjs/common';
import { CountSignalsEndpoint, CountSignalsHandler } from './count-signals.query.js';
import { ListLeadLocationsEndpoint, ListLeadLocationsHandler } from './list-lead-locations.query.js';
import { QuerySignalsV3Endpoint, QuerySignalsV3Handler } from './query-signals-v3.query.js';
import { QuerySignalsEndpoint, QuerySignalsHandler } from './query-signals.query.js';

@Module({
  controllers: [
    QuerySignalsEndpoint,
    CountSignalsEndpoint,
    QuerySignalsV3Endpoint,
    ListLeadLocationsEndpoint,
  ],
  providers: [QuerySignalsHandler, CountSignalsHandler, QuerySignalsV3Handler, ListLeadLocationsHandler],
})
export class SignalsModule {}
