import { Id, Nullable, OneOf, Type } from '#kernel/values/schema.js';
import { HEADCOUNTS, SENIORITIES, type PersonaFacts } from '#lists/domain/personas/personas.events.js';
import type { PersonaDocument } from '#projections/lists/personas/personas.projection.js';

const Texts = Nullable(Type.Array(Type.String()));

/** A persona as it is answered. */
export const PersonaView = Type.Object(
  {
    id: Id,
    job_title: Texts,
    exclude_job_title: Texts,
    location: Texts,
    headcount: Nullable(Type.Array(OneOf(...HEADCOUNTS))),
    industry: Texts,
    seniority: Nullable(Type.Array(OneOf(...SENIORITIES))),
    additional_info: Nullable(Type.String()),
    tag: Nullable(Type.String()),
  },
  { title: 'Persona' },
);

export function personaView(personaId: number, facts: PersonaFacts) {
  return {
    id: personaId,
    job_title: facts.jobTitle,
    exclude_job_title: facts.excludeJobTitle,
    location: facts.location,
    headcount: facts.headcount,
    industry: facts.industry,
    seniority: facts.seniority,
    additional_info: facts.additionalInfo,
    tag: facts.tag,
  };
}

export type PersonaAnswer = ReturnType<typeof personaView>;

/** The same of a stored document: what the product notes beside the answer is left out. */
export function storedPersonaView(persona: PersonaDocument): PersonaAnswer {
  const { workspaceId: _workspace, archived: _archived, createdAt: _created, ...view } = persona;
  return view;
}
