import { Inject } from '@nestjs/common';
import { Query, QueryBus, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import type { Filter, ReadModels } from '#kernel/ports/read-store.port.js';
import { Endpoint, type EndpointRequest } from '#http/endpoint.js';
import { page, PageOf, type PageRequest } from '#http/paging.js';
import { booleanQuery, offsetPage } from '#http/parameters.js';
import { lists, type ListDocument } from '#projections/lists/lists.projection.js';
import { READ_MODELS } from '../ports.js';
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

const query = { include_archived: booleanQuery(400), page: offsetPage({ invalid: 400 }) };

@Endpoint({
  caller: 'apiKey',
  route: 'GET /api/v2/lists',
  summary: 'List the lists',
  description: 'Archived ones only when they are asked for.',
  query,
  response: PageOf(ListView),
})
export class ListListsEndpoint {
  constructor(private readonly queries: QueryBus) {}

  async handle({ workspaceId, query: asked }: EndpointRequest<undefined, typeof query>) {
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
    const inView: Filter = {
      where: { workspaceId, deleted: false, ...(includeArchived ? {} : { archived: false }) },
    };
    const [found, total] = await Promise.all([
      this.readModels.find<ListDocument>(lists, {
        ...inView,
        sort: [['id', 'asc']],
        skip: asked.skip,
        limit: asked.pageSize,
      }),
      this.readModels.count(lists, inView),
    ]);
    return { lists: found.map(listView), total };
  }
}
