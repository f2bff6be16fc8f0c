import { Module } from '@nestjs/common';
import { endpointsOf } from '../../endpoints-of.js';
import { ListSignalBucketsHandler } from './list-signal-buckets.query.js';

@Module(endpointsOf(ListSignalBucketsHandler))
export class SignalBucketsModule {}
