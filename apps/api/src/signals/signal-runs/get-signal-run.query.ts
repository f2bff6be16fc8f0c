import { unknownSignalRun } from '#signals/domain/runs/cancel-run.js';
import { Endpoint, EndpointQuery } from '#http/endpoint.js';
import { idParam } from '#http/parameters.js';
import { signalRunKey, signalRuns } from '#projections/signals/signal-runs/signal-runs.projection.js';
import { ownDocument } from '../../own-document.js';
import { budgetsLeft } from '#signals/launching/budgets-left.js';
import { handle } from '../../handle.js';
import { SignalRunView, signalRunView } from '#signals/answers/signal-run.view.js';

const params = { id: idParam(400) };

@Endpoint({
  caller: 'apiKey',
  route: 'GET /api/v2/workspace/signal-runs/:id',
  summary: 'Poll a signal run',
  description:
    'When the stage is no longer `running`, all signals and charges of the run can be read and the stage ' +
    'never changes. `matches_dropped` counts matches that could not be paid.',
  params,
  response: SignalRunView,
  isRunning: ({ stage }) => stage === 'running',
  problems: [unknownSignalRun],
})
export class GetSignalRun extends EndpointQuery<SignalRunView, { params: typeof params }> {}

handle(GetSignalRun, async ({ workspaceId, params }, { readModels, commands }) => {
  const wanted = { view: signalRuns, key: signalRunKey(params.id), unknown: unknownSignalRun };
  const run = await ownDocument(readModels, workspaceId, wanted);
  const left = await budgetsLeft(commands, workspaceId, [run]);
  return signalRunView(run, left.get(run.launchId));
});
