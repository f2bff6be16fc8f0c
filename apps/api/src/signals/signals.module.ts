import { Module } from '@nestjs/common';
import { CountSignalsEndpoint, CountSignalsHandler } from './count-signals.query.js';
import { QuerySignalsV3Endpoint, QuerySignalsV3Handler } from './query-signals-v3.query.js';
import { QuerySignalsEndpoint, QuerySignalsHandler } from './query-signals.query.js';

@Module({
  controllers: [QuerySignalsEndpoint, CountSignalsEndpoint, QuerySignalsV3Endpoint],
  providers: [QuerySignalsHandler, CountSignalsHandler, QuerySignalsV3Handler],
})
export class SignalsModule {}
