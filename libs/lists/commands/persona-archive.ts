import { Id, Type } from '#kernel/values/schema.js';
import { changePersona, personas } from '#lists/domain/personas/personas.js';
import { described, WorkspaceId } from '#ops/support/inputs.js';
import { operatorCommand } from '#ops/support/operator-command.js';

export const personaArchive = operatorCommand({
  name: 'persona.archive',
  summary: 'Archive a persona of a workspace, or restore it',
  input: Type.Object({
    workspace_id: WorkspaceId,
    persona_id: described('id of the persona', Id),
    archived: described('true: archive, false: restore', Type.Boolean()),
  }),
  output: Type.Object({ persona_id: Id, archived: Type.Boolean() }),
  async run(host, { workspace_id, persona_id, archived }, context) {
    const now = host.clock.now().toISOString();
    const decision = changePersona({ personaId: persona_id, changes: {}, archived, now });
    await host.commands.handle(personas, String(workspace_id), decision, { context });
    return { persona_id, archived };
  },
});
