import { Module } from '@nestjs/common';
import { ListSignalBuckets, ListSignalBucketsHandler } from './list-signal-buckets.query.js';

@Module({ controllers: [ListSignalBuckets], providers: [ListSignalBucketsHandler] })
export class SignalBucketsModule {}
