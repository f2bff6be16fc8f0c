import type { PersonaFacts, PersonasEvents } from '#lists/domain/personas/personas.events.js';
import { workspaceScoped } from '#kernel/commands/decider.js';
import { projection } from '#kernel/projections/projection.js';
import { workspaceIdOf } from '#kernel/events/workspace-scope.js';

/** A persona as the API returns it (snake_case), with internal fields. */
export type PersonaDocument = {
  readonly id: number;
  readonly job_title: readonly string[] | null;
  readonly exclude_job_title: readonly string[] | null;
  readonly location: readonly string[] | null;
  readonly headcount: PersonaFacts['headcount'];
  readonly industry: readonly string[] | null;
  readonly seniority: PersonaFacts['seniority'];
  readonly additional_info: string | null;
  readonly tag: string | null;
  readonly workspaceId: number;
  readonly archived: boolean;
  /** null while it is in use. */
  readonly archivedAt: string | null;
  readonly createdAt: string;
};

export const personaKey = workspaceScoped;

type Shown = Omit<PersonaDocument, 'id' | 'workspaceId' | 'archived' | 'archivedAt' | 'createdAt'>;

function shown(facts: PersonaFacts): Shown {
  return {
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

/** The changed fields under the names of the response; unchanged fields are left out. */
function shownChanges(changes: Partial<PersonaFacts>): Partial<Shown> {
  return {
    ...(changes.jobTitle !== undefined && { job_title: changes.jobTitle }),
    ...(changes.excludeJobTitle !== undefined && { exclude_job_title: changes.excludeJobTitle }),
    ...(changes.location !== undefined && { location: changes.location }),
    ...(changes.headcount !== undefined && { headcount: changes.headcount }),
    ...(changes.industry !== undefined && { industry: changes.industry }),
    ...(changes.seniority !== undefined && { seniority: changes.seniority }),
    ...(changes.additionalInfo !== undefined && { additional_info: changes.additionalInfo }),
    ...(changes.tag !== undefined && { tag: changes.tag }),
  };
}

/** Archived personas are kept: lists omit them, history needs them. */
export const personas = projection<PersonaDocument, PersonasEvents>()({
  name: 'personas',
  version: 2,
  indexes: {
    byWorkspace: ['workspaceId', 'archived', 'id'],
    oldestFirst: ['workspaceId', 'archived', 'createdAt', 'id'],
  },
  key: (event) => personaKey(workspaceIdOf(event), event.data.personaId),
  on: {
    PersonaCreated: (_, event) => ({
      id: event.data.personaId,
      ...shown(event.data.facts),
      workspaceId: workspaceIdOf(event),
      archived: false,
      archivedAt: null,
      createdAt: event.data.createdAt,
    }),
    PersonaUpdated: (persona, { data }) => persona && { ...persona, ...shownChanges(data.changes) },
    PersonaArchived: (persona, { data: { archivedAt } }) =>
      persona && { ...persona, archived: true, archivedAt },
    PersonaUnarchived: (persona) => persona && { ...persona, archived: false, archivedAt: null },
  },
});
