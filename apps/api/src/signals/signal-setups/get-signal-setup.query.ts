import { setupNotFound } from '#signals/domain/setups/signal-setup.js';
import { Endpoint, EndpointQuery } from '#http/endpoint.js';
import { DataOf } from '#http/paging.js';
import { idParam } from '#http/parameters.js';
import { signalSetupKey, signalSetups } from '#projections/signals/signal-setups/signal-setups.projection.js';
import { ownDocument } from '../../own-document.js';
import { handle } from '../../handle.js';
import { SignalSetupView, storedSetupView, type SignalSetupAnswer } from './signal-setup.view.js';

const params = { id: idParam(400) };

@Endpoint({
  caller: 'apiKey',
  route: 'GET /api/v3/signal-setups/:id',
  summary: 'Get a signal setup',
  description:
    'Its parameters are those of its template, as they are validated. The id of an agent is not found here: ' +
    'use `GET /api/v2/agents/{agent_id}`.',
  params,
  response: DataOf(SignalSetupView),
  problems: [setupNotFound],
})
export class GetSignalSetup extends EndpointQuery<DataOf<SignalSetupAnswer>, { params: typeof params }> {}

handle(GetSignalSetup, async ({ workspaceId, params }, { readModels }) => {
  const wanted = {
    view: signalSetups,
    key: signalSetupKey(workspaceId, params.id),
    unknown: setupNotFound,
  };
  return {
    data: storedSetupView(await ownDocument(readModels, workspaceId, wanted)),
  };
});
