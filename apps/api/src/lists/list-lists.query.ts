import { Inject } from '@nestjs/common';
import { Query, QueryBus, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import type { ReadModels } from '#kernel/ports/read-store.port.js';
import { Endpoint, type EndpointRequest } from '#http/endpoint.js';
import { page, PageOf, type PageRequest } from '#http/paging.js';
import { READ_MODELS } from '../ports.js';
import { findLists, listsQuery } from './list-path.js';
import { listView, ListView, type ListAnswer } from './list.view.js';

type FoundLists = { readonly lists: readonly ListAnswer[]; readonly total: number };

export class ListLists extends Query<FoundLists> {
  constructor(
    readonly workspaceId: number,
    readonly includeArchived: boolean,
    readonly page: PageRequest,
  ) {
    super();
  }
}

@Endpoint({
  caller: 'apiKey',
  route: 'GET /api/v2/lists',
  summary: 'List the lists',
  description: 'Archived ones only when they are asked for.',
  query: listsQuery,
  response: PageOf(ListView),
})
export class ListListsEndpoint {
  constructor(private readonly queries: QueryBus) {}

  async handle({ workspaceId, query: asked }: EndpointRequest<undefined, typeof listsQuery>) {
    const { lists: found, total } = await this.queries.execute(
      new ListLists(workspaceId, asked.include_archived, asked.page),
    );
    return page(found, total, asked.page);
  }
}

@QueryHandler(ListLists)
export class ListListsHandler implements IQueryHandler<ListLists> {
  constructor(@Inject(READ_MODELS) private readonly readModels: ReadModels) {}

  async execute({ workspaceId, includeArchived, page: asked }: ListLists): Promise<FoundLists> {
    const { found, total } = await findLists(this.readModels, workspaceId, includeArchived, asked);
    return { lists: found.map(listView), total };
  }
}
