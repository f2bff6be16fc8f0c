import { event, type Immutable, type PayloadsOf } from '#kernel/events/event.js';
import { Id, Nullable, OneOf, Timestamp, Type, type Static } from '#kernel/values/schema.js';
import { SENIORITIES } from '#kernel/values/seniorities.js';

export const HEADCOUNTS = [
  '1-10',
  '11-50',
  '51-200',
  '201-500',
  '501-1,000',
  '1,001-5,000',
  '5,001-10,000',
  '10,001+',
] as const;

const Texts = Nullable(Type.Array(Type.String()));

export const PersonaFacts = Type.Object({
  jobTitle: Texts,
  excludeJobTitle: Texts,
  location: Texts,
  headcount: Nullable(Type.Array(OneOf(...HEADCOUNTS))),
  industry: Texts,
  seniority: Nullable(Type.Array(OneOf(...SENIORITIES))),
  additionalInfo: Nullable(Type.String()),
  tag: Nullable(Type.String()),
});
export type PersonaFacts = Immutable<Static<typeof PersonaFacts>>;

export const personasEvents = {
  PersonaCreated: event(Type.Object({ personaId: Id, facts: PersonaFacts, createdAt: Timestamp })),
  PersonaUpdated: event(
    Type.Object({ personaId: Id, changes: Type.Partial(PersonaFacts), updatedAt: Timestamp }),
  ),
  PersonaArchived: event(Type.Object({ personaId: Id, archivedAt: Timestamp })),
  PersonaUnarchived: event(Type.Object({ personaId: Id })),
};
export type PersonasEvents = PayloadsOf<typeof personasEvents>;
