import { Module } from '@nestjs/common';
import { CreateListEndpoint, CreateListHandler } from './create-list.command.js';
import { GetListEndpoint, GetListHandler } from './get-list.query.js';
import { ListListsEndpoint, ListListsHandler } from './list-lists.query.js';

@Module({
  controllers: [CreateListEndpoint, ListListsEndpoint, GetListEndpoint],
  providers: [CreateListHandler, ListListsHandler, GetListHandler],
})
export class ListsModule {}
