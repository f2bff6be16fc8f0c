import { Inject } from '@nestjs/common';
import { QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import type { ReadModels } from '#kernel/ports/read-store.port.js';
import { listNotFound } from '#lists/domain/lists/list.js';
import { Endpoint, EndpointQuery } from '#http/endpoint.js';
import { DataOf } from '#http/paging.js';
import { READ_MODELS } from '../ports.js';
import { findList, listPath } from './list-path.js';
import { listView, ListView, type ListAnswer } from './list.view.js';

@Endpoint({
  caller: 'apiKey',
  route: 'GET /api/v2/lists/:kind/:list_id',
  summary: 'Get a list',
  description: 'Archived ones as well. The kind must be that of the list.',
  params: listPath,
  response: DataOf(ListView),
  problems: [listNotFound],
})
export class GetList extends EndpointQuery<DataOf<ListAnswer>, { params: typeof listPath }> {}

@QueryHandler(GetList)
export class GetListHandler implements IQueryHandler<GetList> {
  constructor(@Inject(READ_MODELS) private readonly readModels: ReadModels) {}

  async execute({ request: { workspaceId, params } }: GetList): Promise<DataOf<ListAnswer>> {
    const { kind, list_id: listId } = params;
    return { data: listView(await findList(this.readModels, workspaceId, kind, listId)) };
  }
}
