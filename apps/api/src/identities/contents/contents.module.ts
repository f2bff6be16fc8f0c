import { Module } from '@nestjs/common';
import { GetContent, GetContentHandler } from './get-content.query.js';
import { ListContents, ListContentsHandler } from './list-contents.query.js';

@Module({
  controllers: [ListContents, GetContent],
  providers: [ListContentsHandler, GetContentHandler],
})
export class ContentsModule {}
