import { Module } from '@nestjs/common';
import { endpointsOf } from '../../endpoints-of.js';
import { ListContentRequests } from './list-content-requests.query.js';
import { QueryContentRequests } from './query-content-requests.query.js';

@Module(endpointsOf(ListContentRequests, QueryContentRequests))
export class ContentRequestsModule {}
