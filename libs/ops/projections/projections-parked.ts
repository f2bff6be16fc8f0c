import { Type } from '#kernel/values/schema.js';
import { operatorCommand } from '../support/operator-command.js';
import { chosenProjections, OptionalProjectionName } from '../support/projection-host.js';

export const projectionsParked = operatorCommand({
  name: 'projections.parked',
  summary: 'List the parked workspaces and the halted read models, with the reason',
  input: Type.Object({ name: OptionalProjectionName }),
  output: Type.Object({
    parked: Type.Array(Type.Object({})),
    halted: Type.Array(Type.Object({})),
  }),
  async run(host, { name }) {
    const names = chosenProjections(host, name);
    const parked = [];
    for (const one of names) {
      for (const { workspaceId, events, reason, type, stream, revision } of await host.projections.parked(
        one,
      ))
        parked.push({ name: one, workspace_id: Number(workspaceId), events, reason, type, stream, revision });
    }
    const halted = (await host.projections.status(names)).flatMap(({ name: one, halted: halt }) => {
      if (halt === null) return [];
      const { reason, type, stream, revision } = halt;
      return [{ name: one, reason, type, stream, revision }];
    });
    return { parked, halted };
  },
});
