import { Endpoint, EndpointQuery } from '#http/endpoint.js';
import { page, PageOf } from '#http/paging.js';
import { offsetPage } from '#http/parameters.js';
import { signalSetups } from '#projections/signals/signal-setups/signal-setups.projection.js';
import { handle } from '../../handle.js';
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

handle(ListSignalSetups, async ({ workspaceId, query: { page: asked } }, { readModels }) => {
  const { rows, total } = await findPage(readModels, signalSetups, { where: { workspaceId } }, asked);
  return page(rows.map(storedSetupView), total, asked);
});
