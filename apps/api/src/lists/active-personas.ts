import type { Commands } from '#kernel/commands/commands.js';
import { fieldError } from '#kernel/values/refusal.js';
import { invalidList } from '#lists/domain/lists/list.js';
import { personas } from '#lists/domain/personas/personas.js';

/** Most personas that a list can be attached to. */
export const MAX_PERSONAS = 1_000;

/** Refuses personas that the workspace does not have or has archived, by their stream: a read model may be late. */
export async function requireActivePersonas(
  commands: Pick<Commands, 'load'>,
  workspaceId: number,
  personaIds: readonly number[],
): Promise<void> {
  if (personaIds.length === 0) return;
  const unknown = await commands.load(personas, String(workspaceId), ({ byId }) =>
    personaIds.filter((personaId) => byId.get(personaId)?.archived !== false),
  );
  if (unknown.length === 0) return;
  throw invalidList({
    errors: fieldError('persona_ids', `${unknown.join(', ')}: no active persona of this workspace`),
  });
}
