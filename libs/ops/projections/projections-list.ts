import { Type } from '#kernel/values/schema.js';
import { operatorCommand } from '../support/operator-command.js';

export const projectionsList = operatorCommand({
  name: 'projections.list',
  summary: 'List the read models with version, lag and parked workspaces',
  input: Type.Object({}),
  output: Type.Object({ projections: Type.Array(Type.Object({})) }),
  async run(host) {
    const all = await host.projections.status();
    return {
      projections: all.map((status) => ({
        name: status.name,
        version: status.version,
        live: status.live,
        lag_seconds: status.lagSeconds,
        parked: status.parked,
        halted: status.halted?.reason ?? null,
      })),
    };
  },
});
