import { contextOfStep, workspaceScoped } from '#kernel/commands/decider.js';
import { inPieces, inPiecesOfBytes } from '#kernel/values/pieces.js';
import { Id, Type } from '#kernel/values/schema.js';
import { MAX_PROFILES_AT_ONCE, MAX_PROFILES_BYTES } from '#accounts/domain/mappings/mapping.events.js';
import {
  mapping,
  refreshProfiles,
  rematerialize,
  requireComplete,
  type MappingDecision,
} from '#accounts/domain/mappings/mapping.js';
import { mappedProfile } from '#accounts/mappings/mapped-profile.js';
import { described, WorkspaceId } from '#ops/support/inputs.js';
import { operatorCommand } from '#ops/support/operator-command.js';

const PEOPLE_AT_ONCE = 500;

export const mappingRematerialize = operatorCommand({
  name: 'mapping.rematerialize',
  summary: 'Update the people of a complete mapping: newer facts in a new version, no new people, no charge',
  input: Type.Object({
    workspace_id: WorkspaceId,
    mapping_id: described('id of the mapping', Id),
  }),
  output: Type.Object({ mapping_id: Id, version: Type.Integer({ minimum: 1 }) }),
  async run(host, { workspace_id: workspaceId, mapping_id: mappingId }, context) {
    const stream = workspaceScoped(workspaceId, mappingId);
    const known = await host.commands.load(mapping, stream, (state) => ({
      from: requireComplete(state).version,
      people: [...state.profiles.values()],
    }));
    const send = (decision: MappingDecision, step: string) =>
      host.commands.handle(mapping, stream, decision, {
        context: contextOfStep(context, step),
        answer: ({ version }) => version,
      });
    for (const piece of inPieces(known.people, PEOPLE_AT_ONCE)) {
      const seen = await host.network.directory.people(piece.map(({ personRef }) => personRef));
      const profiles = piece.flatMap(({ personRef, leadId, movementId }) => {
        const person = seen.get(personRef);
        return person === undefined ? [] : [mappedProfile(person, leadId, movementId)];
      });
      for (const bounded of inPiecesOfBytes(profiles, MAX_PROFILES_AT_ONCE, MAX_PROFILES_BYTES))
        await send(refreshProfiles(bounded), `profiles:${bounded[0]?.leadId}`);
    }
    const { answer: version } = await send(rematerialize(known.from), 'version');
    return { mapping_id: mappingId, version: version ?? known.from };
  },
});
