import { Type } from '#kernel/values/schema.js';
import { operatorCommand } from '../support/operator-command.js';
import { chosenProjection, orRefused, ProjectionName } from '../support/projection-host.js';

export const projectionsRetry = operatorCommand({
  name: 'projections.retry',
  summary: 'Retry parked events in order, and restart a halted read model',
  input: Type.Object({
    name: ProjectionName,
    workspace_id: Type.Optional(
      Type.Integer({ description: 'id of one workspace; default: every parked workspace' }),
    ),
  }),
  output: Type.Object({
    ok: Type.Boolean(),
    name: Type.String(),
    events: Type.Integer(),
    still_parked: Type.Array(Type.Object({ workspace_id: Type.Integer(), reason: Type.String() })),
    halted: Type.Union([Type.String(), Type.Null()]),
  }),
  async run(host, input) {
    const name = chosenProjection(host, input.name);
    const { events, stillParked, halted } = await orRefused(host.projections.retry(name, input.workspace_id));
    return {
      ok: stillParked.length === 0 && halted === null,
      name,
      events,
      still_parked: stillParked.map((still) => ({
        workspace_id: Number(still.workspaceId),
        reason: still.reason,
      })),
      halted,
    };
  },
});
