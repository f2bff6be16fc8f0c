import { Module } from '@nestjs/common';
import { endpointsOf } from '../../endpoints-of.js';
import { ListSignalBuckets } from './list-signal-buckets.query.js';

@Module(endpointsOf(ListSignalBuckets))
export class SignalBucketsModule {}
