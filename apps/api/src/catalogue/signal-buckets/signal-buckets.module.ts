import { Module } from '@nestjs/common';
import { ListSignalBucketsEndpoint, ListSignalBucketsHandler } from './list-signal-buckets.query.js';

@Module({ controllers: [ListSignalBucketsEndpoint], providers: [ListSignalBucketsHandler] })
export class SignalBucketsModule {}
