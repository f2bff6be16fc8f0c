import { Module } from '@nestjs/common';
import { endpointsOf } from '../../endpoints-of.js';
import { ListContentRequestsEndpoint, ListContentRequestsHandler } from './list-content-requests.query.js';
import { QueryContentRequestsEndpoint } from './query-content-requests.query.js';

@Module(endpointsOf(ListContentRequestsEndpoint, ListContentRequestsHandler, QueryContentRequestsEndpoint))
export class ContentRequestsModule {}
