import { Inject } from '@nestjs/common';
import { QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import type { ReadModels } from '#kernel/ports/read-store.port.js';
import { Endpoint, EndpointQuery } from '#http/endpoint.js';
import { page, PageOf } from '#http/paging.js';
import { READ_MODELS } from '../ports.js';
import { findLists, listsQuery } from './list-path.js';
import { listView, ListView, type ListAnswer } from './list.view.js';

@Endpoint({
  caller: 'apiKey',
  route: 'GET /api/v2/lists',
  summary: 'List the lists',
  description: 'Archived lists only on request.',
  query: listsQuery,
  response: PageOf(ListView),
})
export class ListLists extends EndpointQuery<PageOf<ListAnswer>, { query: typeof listsQuery }> {}

@QueryHandler(ListLists)
export class ListListsHandler implements IQueryHandler<ListLists> {
  constructor(@Inject(READ_MODELS) private readonly readModels: ReadModels) {}

  async execute({ request: { workspaceId, query: asked } }: ListLists) {
    const { rows, total } = await findLists(this.readModels, workspaceId, asked);
    return page(rows.map(listView), total, asked.page);
  }
}
