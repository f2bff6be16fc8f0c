import { Inject } from '@nestjs/common';
import { QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import type { ReadModels } from '#kernel/ports/read-store.port.js';
import { Endpoint, EndpointQuery } from '#http/endpoint.js';
import { page, PageOf } from '#http/paging.js';
import { offsetPage } from '#http/parameters.js';
import { signalSetups } from '#projections/signals/signal-setups/signal-setups.projection.js';
import { READ_MODELS } from '../../ports.js';
import { findPage } from '../../find-page.js';
import { SignalSetupView, storedSetupView, type SignalSetupAnswer } from './signal-setup.view.js';

const query = { page: offsetPage({ invalid: 400 }) };

@Endpoint({
  caller: 'apiKey',
  route: 'GET /api/v3/signal-setups',
  summary: 'List the signal setups',
  description: 'Enabled and disabled ones.',
  query,
  response: PageOf(SignalSetupView),
})
export class ListSignalSetups extends EndpointQuery<PageOf<SignalSetupAnswer>, { query: typeof query }> {}

@QueryHandler(ListSignalSetups)
export class ListSignalSetupsHandler implements IQueryHandler<ListSignalSetups> {
  constructor(@Inject(READ_MODELS) private readonly readModels: ReadModels) {}

  async execute({
    request: {
      workspaceId,
      query: { page: asked },
    },
  }: ListSignalSetups): Promise<PageOf<SignalSetupAnswer>> {
    const { rows, total } = await findPage(this.readModels, signalSetups, { where: { workspaceId } }, asked);
    return page(rows.map(storedSetupView), total, asked);
  }
}
