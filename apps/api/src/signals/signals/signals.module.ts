import { Module } from '@nestjs/common';
import { endpointsOf } from '../../endpoints-of.js';
import { CountSignalsHandler } from './count-signals.query.js';
import { GetSignalHandler } from './get-signal.query.js';
import { ListLeadLocationsHandler } from './list-lead-locations.query.js';
import { QuerySignalsV3Handler } from './query-signals-v3.query.js';
import { QuerySignalsHandler } from './query-signals.query.js';

@Module(
  endpointsOf(
    QuerySignalsHandler,
    CountSignalsHandler,
    QuerySignalsV3Handler,
    GetSignalHandler,
    ListLeadLocationsHandler,
  ),
)
export class SignalsModule {}
