import { Id, OneOf, Type, type Static } from '#kernel/values/schema.js';
import { runHasEnded, unknownSignalRun } from '#signals/domain/runs/cancel-run.js';
import { cancelRun } from '#signals/launching/cancel-run.js';
import { Endpoint, EndpointCommand } from '#http/endpoint.js';
import { idParam } from '#http/parameters.js';
import { handle } from '../../handle.js';

const CancelledRun = Type.Object(
  { signal_request_id: Id, stage: OneOf('running') },
  { title: 'CancelledRun' },
);
type CancelledRun = Readonly<Static<typeof CancelledRun>>;

const params = { id: idParam(400) };

@Endpoint({
  caller: 'apiKey',
  route: 'POST /api/v2/workspace/signal-runs/:id/cancel',
  summary: 'Cancel a signal run',
  description:
    'The run finishes its current batch and stops before the next one. Its signals are kept and paid, other ' +
    'holds are released, and it ends as `completed_partial`. Poll `GET /api/v2/workspace/signal-runs/{id}` ' +
    'until the stage is no longer `running`. Repeating the request changes nothing. The other direction of ' +
    'its launch is a separate run.',
  status: 202,
  params,
  response: CancelledRun,
  problems: [unknownSignalRun, runHasEnded],
})
export class CancelSignalRun extends EndpointCommand<CancelledRun, { params: typeof params }> {}

handle(CancelSignalRun, async ({ workspaceId, params, context }, ports): Promise<CancelledRun> => {
  await cancelRun(ports, workspaceId, { runId: params.id, reason: null }, context);
  return { signal_request_id: params.id, stage: 'running' };
});
