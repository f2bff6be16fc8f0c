import type { EventOf } from '#kernel/events/event.js';
import type { PersonaFacts, PersonasEvents } from './personas.events.js';
import { changePersona, createPersona, personaWithTag, type Persona, type Personas } from './personas.js';

/** The persona that an upsert changes: the one with the id, the one with the tag, or the oldest active one. */
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
 * The persona that an upsert changes (OP-50, OP-51); undefined if it creates one. An archived persona is found by
 * its id or tag and stays archived. On the state after the upsert this returns the changed or created persona.
 */
export function wantedPersona({ byId }: Personas, wanted: WantedPersona): Persona | undefined {
  if ('personaId' in wanted) return byId.get(wanted.personaId);
  return 'tag' in wanted ? personaWithTag(byId.values(), wanted.tag) : oldestActive(byId.values());
}

export type UpsertPersonaInput = {
  readonly wanted: WantedPersona;
  /** The id of the persona if the upsert creates one. */
  readonly newPersonaId: number;
  readonly facts: Partial<PersonaFacts>;
  readonly now: string;
};

/**
 * Changes the wanted persona and keeps missing fields, or creates a persona if none is found. Throws
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
