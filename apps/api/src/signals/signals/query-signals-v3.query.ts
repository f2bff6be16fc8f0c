import { cursorRefused } from '#http/cursors.js';
import { Endpoint, EndpointQuery } from '#http/endpoint.js';
import { cursorPageV3, CursorPageV3Of } from '#http/paging.js';
import { eachPage, ROW_TYPES, rowStream } from '#http/row-stream.js';
import type { TextAnswer } from '#http/text-answer.js';
import type { DetectionDocument } from '#projections/signals/detections/detections.projection.js';
import { SignalView, signalViews } from '#signals/answers/signal.view.js';
import { signalSetups } from '#projections/signals/signal-setups/signal-setups.projection.js';
import { handle } from '../../handle.js';
import type { ApiPorts } from '../../ports.js';
import { companyProblems, requireCompany } from '#identities/companies-named.js';
import { launchOfRun } from './launch-of-run.js';
import { QuerySignalsV3Body } from './signal-filter.body.js';
import type { SignalFilter } from './signal-filter.js';
import { querySignals, streamSignals, type SignalQuery } from './signal-page.js';
import { signalWindowV3, type SignalWindow } from './signal-window.js';

type SignalsPage = ReturnType<typeof cursorPageV3<SignalView>> | TextAnswer;

@Endpoint({
  caller: 'apiKey',
  route: 'POST /api/v3/signals/query',
  summary: 'Query the top-priority signals of the workspace',
  description:
    'Most recently detected first. Without dates: detections of the last 90 days, the same set as in the ' +
    'stats of a setup; of a run, however old it is. A cursor is valid for the filters it was issued for. ' +
    'With `Accept: application/x-ndjson` or `text/csv` the rows are streamed, at most 100,000; ' +
    '`Next-Cursor` is the cursor of the next request.',
  body: QuerySignalsV3Body,
  invalidBody: 400,
  readsOnly: true,
  response: CursorPageV3Of(SignalView),
  otherTypes: ROW_TYPES,
  problems: [cursorRefused, ...companyProblems],
})
export class QuerySignalsV3 extends EndpointQuery<SignalsPage, { body: QuerySignalsV3Body }> {}

handle(QuerySignalsV3, async ({ workspaceId, body, mediaType }, ports) => {
  const query: SignalQuery<QuerySignalsV3Body> = {
    endpoint: 'signals-v3',
    workspaceId,
    body,
    windowOf: async () =>
      signalWindowV3(
        body,
        ports.clock.now(),
        await launchOfRun(ports.readModels, workspaceId, body.signal_run_id),
      ),
    filterOf: (window) => filterOf(ports, workspaceId, body, window),
  };
  const viewed = (rows: readonly DetectionDocument[]) => signalViews(ports.readModels, workspaceId, rows);
  if (mediaType !== null) {
    const { pages, next } = await streamSignals(ports.readModels, ports.cursors, query);
    return rowStream(mediaType, SignalView, eachPage(pages, viewed), next);
  }
  const { rows, next } = await querySignals(ports.readModels, ports.cursors, query);
  return cursorPageV3(await viewed(rows), next);
});

async function filterOf(
  ports: ApiPorts,
  workspaceId: number,
  body: QuerySignalsV3Body,
  window: SignalWindow,
): Promise<SignalFilter> {
  if (body.company_id !== undefined) await requireCompany(ports.readModels, workspaceId, body.company_id);
  return {
    workspaceId,
    window,
    priority: 1,
    sourceId: null,
    setupIds: await setupsOf(ports, workspaceId, body),
    runId: body.signal_run_id ?? null,
    leadId: body.lead_id ?? null,
    companyIds: body.company_id === undefined ? null : [body.company_id],
    types: body.type ?? null,
    countries: body.countries ?? null,
    cities: body.cities ?? null,
  };
}

async function setupsOf(
  { readModels }: ApiPorts,
  workspaceId: number,
  body: QuerySignalsV3Body,
): Promise<readonly number[] | null> {
  const { signal_setup_id, signal_template_key } = body;
  if (signal_template_key === undefined) return signal_setup_id === undefined ? null : [signal_setup_id];
  const setups = await readModels.find(signalSetups, {
    where: { workspaceId, templateKey: { in: signal_template_key } },
  });
  const ids = setups.map(({ id }) => id);
  return signal_setup_id === undefined ? ids : ids.filter((id) => id === signal_setup_id);
}
