import type { ReadModels } from '#kernel/ports/read-store.port.js';
import { fieldError } from '#kernel/values/refusal.js';
import { invalidList } from '#lists/domain/lists/list.js';
import { personaKey, personas } from '#projections/lists/personas/personas.projection.js';

/** Most personas that a list can be attached to. */
export const MAX_PERSONAS = 1_000;

/** Refuses personas that the workspace does not have or has archived. */
export async function requireActivePersonas(
  readModels: ReadModels,
  workspaceId: number,
  personaIds: readonly number[],
): Promise<void> {
  // A list without personas needs no read model, so it can be created while the read store is away.
  if (personaIds.length === 0) return;
  const keyOf = (personaId: number) => personaKey(workspaceId, personaId);
  const found = await readModels.getMany(personas, personaIds.map(keyOf));
  const unknown = personaIds.filter((personaId) => found.get(keyOf(personaId))?.archived !== false);
  if (unknown.length === 0) return;
  throw invalidList({
    errors: fieldError('persona_ids', `${unknown.join(', ')}: no active persona of this workspace`),
  });
}
