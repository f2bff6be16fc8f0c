import { Endpoint, EndpointQuery } from '#http/endpoint.js';
import { DataOf } from '#http/paging.js';
import { idParam } from '#http/parameters.js';
import { detectionKey, detections } from '#projections/signals/detections/detections.projection.js';
import { SignalView, signalViews } from '#signals/answers/signal.view.js';
import { unknownSignal } from '#signals/answers/unknown-signal.js';
import { ownDocument } from '../../own-document.js';
import { handle } from '../../handle.js';

const params = { id: idParam(400) };

@Endpoint({
  caller: 'apiKey',
  route: 'GET /api/v3/signals/:id',
  summary: 'Get a signal',
  description:
    'Of any priority and age, as the query answers it. `details` has the match, `credits` and `movement_id` ' +
    'the cost, `source_url` and `provenance` the sources. `GET /api/v3/credits/movements/{id}` says why it ' +
    'was charged.',
  params,
  response: DataOf(SignalView),
  problems: [unknownSignal],
})
export class GetSignal extends EndpointQuery<DataOf<SignalView>, { params: typeof params }> {}

handle(GetSignal, async ({ workspaceId, params: asked }, { readModels }) => {
  const detection = await ownDocument(readModels, workspaceId, {
    view: detections,
    key: detectionKey(asked.id),
    unknown: unknownSignal,
  });
  const [signal] = await signalViews(readModels, workspaceId, [detection]);
  if (signal === undefined) throw unknownSignal();
  return { data: signal };
});
