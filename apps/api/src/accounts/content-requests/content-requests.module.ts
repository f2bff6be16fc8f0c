import { Module } from '@nestjs/common';
import { ListContentRequestsEndpoint, ListContentRequestsHandler } from './list-content-requests.query.js';
import { QueryContentRequestsEndpoint } from './query-content-requests.query.js';

@Module({
  controllers: [ListContentRequestsEndpoint, QueryContentRequestsEndpoint],
  providers: [ListContentRequestsHandler],
})
export class ContentRequestsModule {}
