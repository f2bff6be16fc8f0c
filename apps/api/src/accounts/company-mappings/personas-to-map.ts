import type { Commands } from '#kernel/commands/commands.js';
import type { ReadModels } from '#kernel/ports/read-store.port.js';
import { fieldError, refusal } from '#kernel/values/refusal.js';
import { personas } from '#lists/domain/personas/personas.js';
import { listsInUse, type ListedCompany } from '#lists/lists-in-use.js';

/** The facts about an active persona that mapping needs. */
export type MappablePersona = {
  readonly personaId: number;
  readonly skipped: 'skipped_no_location' | 'skipped_no_job_titles' | null;
};

export const unknownPersonas = refusal({
  code: 'unknown-personas',
  kind: 'unprocessable',
  detail: 'The request names a persona that is not active in this workspace.',
});

/** Every active persona of the workspace by id, and why it cannot be mapped: without a place, or without titles. */
export function mappablePersonas(
  commands: Commands,
  workspaceId: number,
): Promise<readonly MappablePersona[]> {
  return commands.load(personas, String(workspaceId), ({ byId }) =>
    [...byId.values()]
      .filter(({ archived }) => !archived)
      .map(({ personaId, facts }) => ({ personaId, skipped: skipOf(facts) }))
      .sort((left, right) => left.personaId - right.personaId),
  );
}

type Targeting = { readonly location: readonly string[] | null; readonly jobTitle: readonly string[] | null };

function skipOf({ location, jobTitle }: Targeting): MappablePersona['skipped'] {
  if (location === null || location.length === 0) return 'skipped_no_location';
  return jobTitle === null || jobTitle.length === 0 ? 'skipped_no_job_titles' : null;
}

/**
 * The named personas, in the order of the request, without duplicates. Throws `unknownPersonas` for one that is not
 * active.
 */
export function namedPersonas(
  active: readonly MappablePersona[],
  personaIds: readonly number[],
): readonly MappablePersona[] {
  const byId = new Map(active.map((persona) => [persona.personaId, persona]));
  const unknown = personaIds.filter((personaId) => !byId.has(personaId));
  if (unknown.length > 0)
    throw unknownPersonas({
      errors: fieldError('persona_ids', `${unknown.join(', ')}: no active persona of this workspace`),
    });
  return [...new Set(personaIds)].flatMap((personaId) => byId.get(personaId) ?? []);
}

/**
 * The personas of the active lists with a company (OP-56): every active one if it is on none, or on a list without
 * personas.
 */
export async function personasOfLists(
  readModels: ReadModels,
  workspaceId: number,
  active: readonly MappablePersona[],
  company: ListedCompany,
): Promise<readonly MappablePersona[]> {
  const [inUse = []] = await listsInUse(readModels, workspaceId, [company]);
  if (inUse.length === 0 || inUse.some(({ persona_ids }) => persona_ids.length === 0)) return active;
  const wanted = new Set(inUse.flatMap(({ persona_ids }) => persona_ids));
  return active.filter(({ personaId }) => wanted.has(personaId));
}
