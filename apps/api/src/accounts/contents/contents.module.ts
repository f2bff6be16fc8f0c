import { Module } from '@nestjs/common';
import { GetContentEndpoint, GetContentHandler } from './get-content.query.js';
import { ListContentsEndpoint, ListContentsHandler } from './list-contents.query.js';

@Module({
  controllers: [ListContentsEndpoint, GetContentEndpoint],
  providers: [ListContentsHandler, GetContentHandler],
})
export class ContentsModule {}
