import { Inject } from '@nestjs/common';
import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { Commands } from '#kernel/commands/commands.js';
import type { ReadModels } from '#kernel/ports/read-store.port.js';
import { Id, OneOf, Type, type Static } from '#kernel/values/schema.js';
import { runHasEnded, unknownSignalRun } from '#signals/domain/runs/cancel-run.js';
import { cancelRun } from '#signals/launching/cancel-run.js';
import { Endpoint, EndpointCommand } from '#http/endpoint.js';
import { idParam } from '#http/parameters.js';
import { COMMANDS, READ_MODELS } from '../../ports.js';

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

@CommandHandler(CancelSignalRun)
export class CancelSignalRunHandler implements ICommandHandler<CancelSignalRun> {
  constructor(
    @Inject(COMMANDS) readonly commands: Commands,
    @Inject(READ_MODELS) readonly readModels: ReadModels,
  ) {}

  async execute({ request: { workspaceId, params, context } }: CancelSignalRun): Promise<CancelledRun> {
    await cancelRun(this, workspaceId, { runId: params.id, reason: null }, context);
    return { signal_request_id: params.id, stage: 'running' };
  }
}
