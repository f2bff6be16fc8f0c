import { withoutInvisible } from '#kernel/values/blank-text.js';
import { decider } from '#kernel/commands/decider.js';
import type { EventOf } from '#kernel/events/event.js';
import { canonicalJson } from '#kernel/values/json.js';
import { fieldError, refusal } from '#kernel/values/refusal.js';
import { personasEvents, type PersonaFacts, type PersonasEvents } from './personas.events.js';

export type Persona = {
  readonly personaId: number;
  readonly facts: PersonaFacts;
  readonly archived: boolean;
  /** null while it is in use. */
  readonly archivedAt: string | null;
  readonly createdAt: string;
};

/** All personas of a workspace, archived ones included: one stream, because their tags are unique together. */
export type Personas = { readonly byId: Map<number, Persona> };

function amend(personas: Personas, id: number, change: (persona: Persona) => Persona): Personas {
  const persona = personas.byId.get(id);
  if (persona !== undefined) personas.byId.set(id, change(persona));
  return personas;
}

export const personas = decider<Personas>()({
  category: 'personas',
  scope: 'workspace',
  vocabulary: personasEvents,
  stops: (_state, events) => events.some(({ type }) => type === 'PersonaArchived'),
  strict: true,
  initial: () => ({ byId: new Map() }),
  on: {
    PersonaCreated: (state, { data }) => {
      state.byId.set(data.personaId, { ...data, archived: false, archivedAt: null });
      return state;
    },
    PersonaUpdated: (state, { data }) =>
      amend(state, data.personaId, (persona) => ({
        ...persona,
        facts: { ...persona.facts, ...data.changes },
      })),
    PersonaArchived: (state, { data }) =>
      amend(state, data.personaId, (persona) => ({
        ...persona,
        archived: true,
        archivedAt: data.archivedAt,
      })),
    PersonaUnarchived: (state, { data }) =>
      amend(state, data.personaId, (persona) => ({ ...persona, archived: false, archivedAt: null })),
  },
});

/** The personas that are not archived, oldest first. */
export const activePersonas = ({ byId }: Personas): readonly Persona[] =>
  [...byId.values()]
    .filter(({ archived }) => !archived)
    .sort((one, other) => one.createdAt.localeCompare(other.createdAt) || one.personaId - other.personaId);

type PersonaEvent = EventOf<PersonasEvents>;

export const personaNotFound = refusal({
  code: 'persona-not-found',
  kind: 'missing',
  detail: 'The workspace has no persona with this id.',
});

export const personaTagTaken = refusal({
  code: 'persona-tag-taken',
  kind: 'unprocessable',
  detail: 'The persona is not valid.',
});

/** The persona with this id, archived or not; throws `personaNotFound`. */
export function requirePersona(state: Personas, personaId: number): Persona {
  const persona = state.byId.get(personaId);
  if (persona === undefined) throw personaNotFound();
  return persona;
}

const EMPTY: PersonaFacts = {
  jobTitle: null,
  excludeJobTitle: null,
  location: null,
  headcount: null,
  industry: null,
  seniority: null,
  additionalInfo: null,
  tag: null,
};

export type CreatePersonaInput = {
  readonly personaId: number;
  readonly facts: Partial<PersonaFacts>;
  readonly now: string;
};

/** A new persona; missing fields are null. */
export const createPersona =
  ({ personaId, facts, now }: CreatePersonaInput) =>
  (state: Personas): PersonaEvent[] => {
    const complete = trimTag({ ...EMPTY, ...facts });
    refuseTakenTag(state, personaId, complete.tag);
    return [{ type: 'PersonaCreated', data: { personaId, facts: complete, createdAt: now } }];
  };

export type ChangePersonaInput = {
  readonly personaId: number;
  readonly changes: Partial<PersonaFacts>;
  readonly archived?: boolean | undefined;
  readonly now: string;
};

/** Changes the given facts and, if requested, archives or unarchives; unchanged facts are not recorded. */
export const changePersona =
  (change: ChangePersonaInput) =>
  (state: Personas): PersonaEvent[] => {
    const persona = requirePersona(state, change.personaId);
    const { personaId, now } = change;
    const changes = Object.fromEntries(
      Object.entries(trimTag(change.changes)).filter(
        ([fact, value]) => canonicalJson(Reflect.get(persona.facts, fact)) !== canonicalJson(value),
      ),
    );
    if (typeof changes['tag'] === 'string') refuseTakenTag(state, personaId, changes['tag']);
    const updated: PersonaEvent[] =
      Object.keys(changes).length === 0
        ? []
        : [{ type: 'PersonaUpdated', data: { personaId, changes, updatedAt: now } }];
    return [...updated, ...archiving(persona, change.archived, now)];
  };

function archiving(persona: Persona, archived: boolean | undefined, now: string): PersonaEvent[] {
  if (archived === undefined || archived === persona.archived) return [];
  const { personaId } = persona;
  return archived
    ? [{ type: 'PersonaArchived', data: { personaId, archivedAt: now } }]
    : [{ type: 'PersonaUnarchived', data: { personaId } }];
}

function trimTag<Facts extends Partial<PersonaFacts>>(facts: Facts): Facts {
  return typeof facts.tag === 'string' ? { ...facts, tag: facts.tag.trim() } : facts;
}

function refuseTakenTag(state: Personas, personaId: number, tag: string | null): void {
  if (tag === null) return;
  const taken = personaWithTag(state.byId.values(), tag);
  if (taken !== undefined && taken.personaId !== personaId) {
    const whose = taken.archived ? `persona ${taken.personaId}, which is archived` : 'another persona';
    throw personaTagTaken({ errors: fieldError('tag', `is already the tag of ${whose}`) });
  }
}

/** The persona with this tag, archived ones included; tags compare trimmed, without case and without invisible characters (OP-71). */
export function personaWithTag(candidates: Iterable<Persona>, tag: string): Persona | undefined {
  const wanted = foldTag(tag);
  return [...candidates].find(({ facts }) => facts.tag !== null && foldTag(facts.tag) === wanted);
}

function foldTag(tag: string): string {
  return withoutInvisible(tag).trim().normalize('NFC').toLowerCase();
}
