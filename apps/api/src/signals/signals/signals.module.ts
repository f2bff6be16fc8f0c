import { Module } from '@nestjs/common';
import { endpointsOf } from '../../endpoints-of.js';
import { CountSignals } from './count-signals.query.js';
import { GetSignal } from './get-signal.query.js';
import { ListLeadLocations } from './list-lead-locations.query.js';
import { QuerySignalsV3 } from './query-signals-v3.query.js';
import { QuerySignals } from './query-signals.query.js';

@Module(endpointsOf(QuerySignals, CountSignals, QuerySignalsV3, GetSignal, ListLeadLocations))
export class SignalsModule {}
