import { Inject } from '@nestjs/common';
import { Query, QueryBus, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import type { Filter, ReadModels } from '#kernel/ports/read-store.port.js';
import { Endpoint, type EndpointRequest } from '#http/endpoint.js';
import { page, PageOf, type OffsetPage, type PageRequest } from '#http/paging.js';
import { offsetPage } from '#http/parameters.js';
import type { Reply } from '#http/reply.js';
import { signalSetups } from '#projections/signals/signal-setups/signal-setups.projection.js';
import { READ_MODELS } from '../../ports.js';
import { SignalSetupView, storedSetupView, type SignalSetupAnswer } from './signal-setup.view.js';

type Page = Reply<OffsetPage<SignalSetupAnswer>>;

export class ListSignalSetups extends Query<Page> {
  constructor(
    readonly workspaceId: number,
    readonly page: PageRequest,
  ) {
    super();
  }
}

const query = { page: offsetPage({ invalid: 400 }) };

@Endpoint({
  caller: 'apiKey',
  route: 'GET /api/v3/signal-setups',
  summary: 'List the signal setups',
  description: 'Enabled and disabled ones.',
  query,
  response: PageOf(SignalSetupView),
})
export class ListSignalSetupsEndpoint {
  constructor(private readonly queries: QueryBus) {}

  handle({ workspaceId, query: asked }: EndpointRequest<undefined, typeof query>): Promise<Page> {
    return this.queries.execute(new ListSignalSetups(workspaceId, asked.page));
  }
}

@QueryHandler(ListSignalSetups)
export class ListSignalSetupsHandler implements IQueryHandler<ListSignalSetups> {
  constructor(@Inject(READ_MODELS) private readonly readModels: ReadModels) {}

  async execute({ workspaceId, page: asked }: ListSignalSetups): Promise<Page> {
    const own: Filter = { where: { workspaceId } };
    const [setups, total] = await Promise.all([
      this.readModels.find(signalSetups, {
        ...own,
        sort: [['id', 'asc']],
        skip: asked.skip,
        limit: asked.pageSize,
      }),
      this.readModels.count(signalSetups, own),
    ]);
    return page(setups.map(storedSetupView), total, asked);
  }
}
