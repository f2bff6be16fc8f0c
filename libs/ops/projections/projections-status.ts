import { Type } from '#kernel/values/schema.js';
import { operatorCommand } from '../support/operator-command.js';
import { chosenProjections, OptionalProjectionName } from '../support/projection-host.js';

export const projectionsStatus = operatorCommand({
  name: 'projections.status',
  summary: 'Show the state of one read model or of all, with counts and parked workspaces',
  input: Type.Object({ name: OptionalProjectionName }),
  output: Type.Object({ projections: Type.Array(Type.Object({})) }),
  async run(host, { name }) {
    const chosen = await host.projections.status(chosenProjections(host, name));
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
