import type { EventOf } from '#kernel/events/event.js';
import type { PersonaFacts, PersonasEvents } from './personas.events.js';
import { changePersona, createPersona, personaWithTag, type Persona, type Personas } from './personas.js';

/** Which persona an upsert is about: the one with an id, the one with a tag, or the oldest active one. */
export type WantedPersona =
  { readonly personaId: number } | { readonly tag: string } | { readonly oldest: true };

/** The oldest persona that is not archived; ids of several processes are not in order of creation. */
function oldestActive(candidates: Iterable<Persona>): Persona | undefined {
  return [...candidates]
    .filter(({ archived }) => !archived)
    .sort((left, right) =>
      left.createdAt === right.createdAt
        ? left.personaId - right.personaId
        : left.createdAt < right.createdAt
          ? -1
          : 1,
    )[0];
}

/**
 * The persona that an upsert finds (OP-50, OP-51); undefined where it makes one. One that is archived is found by
 * its id or tag and stays archived. After the upsert it finds the persona that was changed or made.
 */
export function wantedPersona({ byId }: Personas, wanted: WantedPersona): Persona | undefined {
  if ('personaId' in wanted) return byId.get(wanted.personaId);
  return 'tag' in wanted ? personaWithTag(byId.values(), wanted.tag) : oldestActive(byId.values());
}

export type UpsertPersonaInput = {
  readonly wanted: WantedPersona;
  /** Becomes the id of the persona where none is found. */
  readonly newPersonaId: number;
  readonly facts: Partial<PersonaFacts>;
  readonly now: string;
};

/**
 * Changes the wanted persona, keeping what is not given, or creates one where there is none. Throws
 * `personaNotFound` for an unknown id and `personaTagTaken` for the tag of another persona.
 */
export const upsertPersona =
  ({ wanted, newPersonaId, facts, now }: UpsertPersonaInput) =>
  (state: Personas): EventOf<PersonasEvents>[] => {
    const personaId = 'personaId' in wanted ? wanted.personaId : wantedPersona(state, wanted)?.personaId;
    return personaId === undefined
      ? createPersona({ personaId: newPersonaId, facts, now })(state)
      : changePersona({ personaId, changes: facts, now })(state);
  };
