import { Endpoint, EndpointQuery } from '#http/endpoint.js';
import { page, PageOf, totalAtEnd } from '#http/paging.js';
import { idQuery, offsetPage, oneOfQuery, someOfQuery } from '#http/parameters.js';
import { filterOfRuns, newestRunsFirst, runStages } from '#projections/signals/signal-runs/run-filter.js';
import { signalRuns } from '#projections/signals/signal-runs/signal-runs.projection.js';
import { budgetsLeft } from '#signals/launching/budgets-left.js';
import { RUN_TRIGGERS } from '#signals/domain/launches/launch.events.js';
import { handle } from '../../handle.js';
import { SignalRunView, signalRunView } from '#signals/answers/signal-run.view.js';

const query = {
  page: offsetPage({ invalid: 400 }),
  agent_id: idQuery(400),
  stage: someOfQuery(runStages, 400),
  trigger: oneOfQuery({ values: RUN_TRIGGERS, otherwise: null, invalid: 400 }),
};

@Endpoint({
  caller: 'apiKey',
  route: 'GET /api/v2/workspace/signal-runs',
  summary: 'List the signal runs',
  description:
    'Newest first, each as it is polled. `agent_id` takes the id of an agent or of a signal setup; without a ' +
    '`stage` runs of every stage are listed.',
  query,
  response: PageOf(SignalRunView),
})
export class ListSignalRuns extends EndpointQuery<PageOf<SignalRunView>, { query: typeof query }> {}

handle(ListSignalRuns, async ({ workspaceId, query: asked }, { readModels, commands }) => {
  const wanted = filterOfRuns(workspaceId, {
    sourceId: asked.agent_id,
    stages: asked.stage,
    trigger: asked.trigger,
  });
  const rows = await readModels.find(signalRuns, {
    ...wanted,
    sort: newestRunsFirst,
    skip: asked.page.skip,
    limit: asked.page.pageSize,
  });
  const total = totalAtEnd(rows.length, asked.page) ?? (await readModels.count(signalRuns, wanted));
  const left = await budgetsLeft(commands, workspaceId, rows);
  const shown = rows.map((run) => signalRunView(run, left.get(run.launchId)));
  return page(shown, total, asked.page);
});
