import { Inject } from '@nestjs/common';
import { Query, QueryBus, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import { fromStored, toJsonNumber } from '#kernel/values/credits.js';
import type { ReadModels } from '#kernel/ports/read-store.port.js';
import { refusal } from '#kernel/values/refusal.js';
import { Id, Nullable, OneOf, Timestamp, Type, type Static } from '#kernel/values/schema.js';
import { Endpoint, type EndpointRequest, type NoParameters } from '#http/endpoint.js';
import { idParam } from '#http/parameters.js';
import {
  signalRunKey,
  signalRuns,
  type SignalRunDocument,
} from '#projections/signal-runs/signal-runs.projection.js';
import { ownDocument } from '../own-document.js';
import { READ_MODELS } from '../ports.js';

const unknownSignalRun = refusal({
  code: 'unknown-signal-run',
  kind: 'missing',
  detail: 'There is no signal run with this id in the workspace.',
});

const SignalRunView = Type.Object({
  signal_request_id: Id,
  stage: OneOf('running', 'completed', 'completed_partial', 'failed'),
  /** The agent or signal setup that was launched. */
  agent_id: Id,
  direction: OneOf('single', 'inbound', 'outbound'),
  trigger: OneOf('manual', 'schedule', 'monitoring'),
  lookback_days: Type.Integer(),
  matches_found: Type.Integer(),
  matches_dropped: Type.Integer(),
  credits_spent: Type.Number(),
  created_at: Timestamp,
  completed_at: Nullable(Timestamp),
});
type SignalRunView = Readonly<Static<typeof SignalRunView>>;

export class GetSignalRun extends Query<SignalRunView> {
  constructor(
    readonly workspaceId: number,
    readonly runId: number,
  ) {
    super();
  }
}

const params = { id: idParam(400) };

@Endpoint({
  caller: 'apiKey',
  route: 'GET /api/v2/workspace/signal-runs/:id',
  summary: 'Poll a signal run',
  description:
    'The stage leaves `running` once everything the run found and charged is there to be read, and never ' +
    'changes afterwards. `matches_dropped` is what was found and could not be paid for.',
  params,
  response: SignalRunView,
  problems: [unknownSignalRun],
})
export class GetSignalRunEndpoint {
  constructor(private readonly queries: QueryBus) {}

  handle(request: EndpointRequest<undefined, NoParameters, typeof params>): Promise<SignalRunView> {
    return this.queries.execute(new GetSignalRun(request.workspaceId, request.params.id));
  }
}

@QueryHandler(GetSignalRun)
export class GetSignalRunHandler implements IQueryHandler<GetSignalRun> {
  constructor(@Inject(READ_MODELS) private readonly readModels: ReadModels) {}

  async execute({ workspaceId, runId }: GetSignalRun): Promise<SignalRunView> {
    const wanted = { view: signalRuns, key: signalRunKey(runId), unknown: unknownSignalRun };
    const run = await ownDocument<SignalRunDocument>(this.readModels, workspaceId, wanted);
    return {
      signal_request_id: run.id,
      stage: run.stage,
      agent_id: run.sourceId,
      direction: run.direction,
      trigger: run.trigger,
      lookback_days: run.lookbackDays,
      matches_found: run.matchesFound,
      matches_dropped: run.matchesDropped,
      credits_spent: toJsonNumber(fromStored(run.creditsSpent)),
      created_at: run.createdAt,
      completed_at: run.completedAt,
    };
  }
}
