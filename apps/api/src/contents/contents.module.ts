import { Module } from '@nestjs/common';
import { CqrsModule } from '@nestjs/cqrs';
import { GetContentEndpoint, GetContentHandler } from './get-content.query.js';
import { ListContentsEndpoint, ListContentsHandler } from './list-contents.query.js';

@Module({
  imports: [CqrsModule],
  controllers: [ListContentsEndpoint, GetContentEndpoint],
  providers: [ListContentsHandler, GetContentHandler],
})
export class ContentsModule {}
