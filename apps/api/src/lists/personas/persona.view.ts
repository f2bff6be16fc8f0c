import { Id, Nullable, OneOf, Timestamp, Type, type Static } from '#kernel/values/schema.js';
import type { Immutable } from '#kernel/events/event.js';
import type { Persona } from '#lists/domain/personas/personas.js';
import { SENIORITIES } from '#kernel/values/seniorities.js';
import { HEADCOUNTS } from '#lists/domain/personas/personas.events.js';
import type { PersonaDocument } from '#projections/lists/personas/personas.projection.js';

const Texts = Nullable(Type.Array(Type.String()));

/** A persona as the API returns it. */
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
    /** Present while the persona is archived. */
    archived_at: Type.Optional(Timestamp),
  },
  { title: 'Persona' },
);

type ShownPersona = Pick<Persona, 'personaId' | 'facts' | 'archivedAt'>;
export type PersonaAnswer = Immutable<Static<typeof PersonaView>>;

export function personaView({ personaId, facts, archivedAt }: ShownPersona): PersonaAnswer {
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
    ...(archivedAt === null ? {} : { archived_at: archivedAt }),
  };
}

/** The answer of a stored persona, without the fields that are not part of the answer. */
export function storedPersonaView(persona: PersonaDocument): PersonaAnswer {
  const { workspaceId: _workspace, archived: _archived, archivedAt, createdAt: _created, ...view } = persona;
  return archivedAt === null ? view : { ...view, archived_at: archivedAt };
}
