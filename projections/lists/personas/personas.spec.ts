import { foldAll } from '#kernel/testing/project.js';
import { personaKey, personas } from './personas.projection.js';

const now = '2026-01-05T10:00:00.000Z';
const created = {
  type: 'PersonaCreated',
  data: {
    personaId: 4,
    facts: {
      jobTitle: ['Head of Sales'],
      excludeJobTitle: ['Assistant'],
      location: ['France'],
      headcount: ['51-200'],
      industry: ['Software'],
      seniority: ['head'],
      additionalInfo: 'speaks French',
      tag: 'FR mid-market',
    },
    createdAt: now,
  },
};
const after = (...events: { type: string; data: object }[]) =>
  foldAll(personas, [created, ...events]).get(personaKey(1, 4));

describe('the personas read model', () => {
  it('PER-04 shows the eight fields', () => {
    expect(after()).toEqual({
      id: 4,
      job_title: ['Head of Sales'],
      exclude_job_title: ['Assistant'],
      location: ['France'],
      headcount: ['51-200'],
      industry: ['Software'],
      seniority: ['head'],
      additional_info: 'speaks French',
      tag: 'FR mid-market',
      workspaceId: 1,
      archived: false,
      archivedAt: null,
      createdAt: now,
    });
  });

  for (const [fact, field] of [
    ['jobTitle', 'job_title'],
    ['excludeJobTitle', 'exclude_job_title'],
    ['location', 'location'],
    ['headcount', 'headcount'],
    ['industry', 'industry'],
    ['seniority', 'seniority'],
    ['additionalInfo', 'additional_info'],
    ['tag', 'tag'],
  ] as const) {
    it(`PER-12 changes only ${field}, also to null`, () => {
      const updated = { type: 'PersonaUpdated', data: { personaId: 4, changes: { [fact]: null } } };
      expect(after(updated)).toEqual({ ...after(), [field]: null });
    });
  }

  it('marks archived personas', () => {
    const archived = { type: 'PersonaArchived', data: { personaId: 4, archivedAt: now } };
    const unarchived = { type: 'PersonaUnarchived', data: { personaId: 4 } };
    expect(after(archived)).toMatchObject({ archived: true, archivedAt: now });
    expect(after(archived, unarchived)?.archived).toBe(false);
  });
});
