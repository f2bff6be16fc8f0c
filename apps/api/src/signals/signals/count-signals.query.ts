import { fieldError } from '#kernel/values/refusal.js';
import { Type } from '#kernel/values/schema.js';
import { Endpoint, EndpointQuery } from '#http/endpoint.js';
import { DataOf } from '#http/paging.js';
import { invalidRequest } from '#http/problem.js';
import { detections } from '#projections/signals/detections/detections.projection.js';
import { countSignals, type SignalPeriod } from '../detection-counts.js';
import { handle } from '../../handle.js';
import { companyFilterProblems } from './filtered-companies.js';
import { CountSignalsBody } from './signal-filter.body.js';
import { detectionsFilter, type SignalFilter } from './signal-filter.js';
import { filterOfV2, windowOfV2 } from './v2-filter.js';

type SignalCount = { readonly data: { readonly count: number } };

@Endpoint({
  caller: 'apiKey',
  route: 'POST /api/v2/workspace/signals/count',
  summary: 'Count the signal detections that a query would return',
  description: 'The filters of the query; `type` is not supported, `cursor` and `limit` are ignored.',
  body: CountSignalsBody,
  invalidBody: 400,
  readsOnly: true,
  withoutEffect: ['cursor', 'limit'],
  response: DataOf(Type.Object({ count: Type.Integer({ minimum: 0 }) }, { title: 'SignalCount' })),
  problems: companyFilterProblems,
})
export class CountSignals extends EndpointQuery<SignalCount, { body: CountSignalsBody }> {}

handle(CountSignals, async ({ workspaceId, body }, ports) => {
  const { readModels, clock } = ports;
  if (body.type !== undefined) {
    throw invalidRequest('body', 400, fieldError('type', 'is not supported by the count endpoint'));
  }
  const window = await windowOfV2(readModels, workspaceId, body, clock.now());
  const filter = await filterOfV2(ports, workspaceId, body, window);
  const period = rolledUp(filter);
  const count =
    period === null
      ? await readModels.count(detections, detectionsFilter(filter))
      : await countSignals(readModels, period);
  return { data: { count } };
});

/** The period, if the roll-up of days can count it: all signals, or those of one agent or setup; null otherwise. */
function rolledUp({ window, workspaceId, sourceId, ...others }: SignalFilter): SignalPeriod | null {
  const { signalFrom, signalTo, detectedFrom, detectedTo } = window;
  if (signalFrom === null || detectedFrom !== null || detectedTo !== null) return null;
  if (Object.values(others).some((filter) => filter !== null)) return null;
  return { workspaceId, sourceId, from: signalFrom, to: signalTo };
}
