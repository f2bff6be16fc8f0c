import { Module } from '@nestjs/common';
import { ChangeListEndpoint, ChangeListHandler } from './change-list.command.js';
import { CreateListEndpoint, CreateListHandler } from './create-list.command.js';
import { DeleteListEndpoint, DeleteListHandler } from './delete-list.command.js';
import { GetListEndpoint, GetListHandler } from './get-list.query.js';
import { ListListsEndpoint, ListListsHandler } from './list-lists.query.js';
import { RestoreListEndpoint, RestoreListHandler } from './restore-list.command.js';

@Module({
  controllers: [
    CreateListEndpoint,
    ListListsEndpoint,
    GetListEndpoint,
    ChangeListEndpoint,
    DeleteListEndpoint,
    RestoreListEndpoint,
  ],
  providers: [
    CreateListHandler,
    ListListsHandler,
    GetListHandler,
    ChangeListHandler,
    DeleteListHandler,
    RestoreListHandler,
  ],
})
export class ListsModule {}
