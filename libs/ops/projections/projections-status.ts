import { fieldError } from '#kernel/values/refusal.js';
import { Type } from '#kernel/values/schema.js';
import { invalidInput } from '../support/amounts.js';
import { described } from '../support/inputs.js';
import { operatorCommand } from '../support/operator-command.js';

export const projectionsStatus = operatorCommand({
  name: 'projections.status',
  summary: 'Show the state of one read model or of all, with counts and parked workspaces',
  input: Type.Object({
    name: Type.Optional(described('name of one read model; default: all', Type.String())),
  }),
  output: Type.Object({ projections: Type.Array(Type.Object({})) }),
  async run(host, { name }) {
    const { names } = host.projections;
    if (name !== undefined && !names.includes(name))
      throw invalidInput({ errors: fieldError('name', `must be one of ${names.join(', ')}`) });
    const chosen = await host.projections.status(name === undefined ? names : [name]);
    return {
      projections: chosen.map((status) => ({
        name: status.name,
        version: status.version,
        group: status.group,
        generations: status.generations,
        live: status.live,
        checkpoint: status.checkpoint,
        head: status.head,
        lag_seconds: status.lagSeconds,
        scanned: status.scanned,
        applied: status.applied,
        ignored: status.ignored,
        parked: status.parked,
        parked_workspaces: status.parkedWorkspaces,
        halted: status.halted,
        rebuild: status.rebuild,
        rebuild_events: status.rebuildEvents,
        lease_holder: status.leaseHolder,
      })),
    };
  },
});
