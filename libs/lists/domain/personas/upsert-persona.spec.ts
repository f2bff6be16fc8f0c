import { given } from '#kernel/testing/scenario.js';
import { samplePersonaFacts } from '#projections/testing/sample-events.js';
import { personaNotFound, personas, personaTagTaken } from './personas.js';
import type { PersonaFacts } from './personas.events.js';
import { upsertPersona, type WantedPersona } from './upsert-persona.js';

const now = '2026-01-05T10:00:00.000Z';
const created = (personaId: number, facts: Partial<PersonaFacts> = {}, createdAt = now) =>
  ({ type: 'PersonaCreated', data: { personaId, facts: samplePersonaFacts(facts), createdAt } }) as const;
const archived = (personaId: number) =>
  ({ type: 'PersonaArchived', data: { personaId, archivedAt: now } }) as const;
const updated = <Changes extends object>(personaId: number, changes: Changes) =>
  ({ type: 'PersonaUpdated', data: { personaId, changes, updatedAt: now } }) as const;
const upsert = (wanted: WantedPersona, facts: Partial<PersonaFacts>) =>
  upsertPersona({ wanted, newPersonaId: 9, facts, now });

describe('the upsert of a persona (OP-50, OP-51)', () => {
  it('changes the persona with the id and keeps missing fields', () => {
    given(personas, [created(1), created(2, { jobTitle: ['CTO'] })])
      .when(upsert({ personaId: 2 }, { location: ['France'] }))
      .then([updated(2, { location: ['France'] })]);
  });

  it('refuses an unknown id, and the tag of another persona', () => {
    given(personas, [created(1, { tag: 'one' }), created(2)])
      .when(upsert({ personaId: 5 }, {}))
      .then(personaNotFound());
    given(personas, [created(1, { tag: 'one' }), created(2)])
      .when(upsert({ personaId: 2 }, { tag: 'ONE' }))
      .then(personaTagTaken());
  });

  it('finds the persona with the tag, trimmed and without case, and leaves an archived persona archived', () => {
    given(personas, [created(1, { tag: 'DACH' }), archived(1), created(2)])
      .when(upsert({ tag: ' dach ' }, { tag: ' dach ', location: ['Austria'] }))
      .then([updated(1, { tag: 'dach', location: ['Austria'] })]);
  });

  it('creates a persona if the tag is new', () => {
    given(personas, [created(1, { tag: 'DACH' })])
      .when(upsert({ tag: 'Nordics' }, { tag: 'Nordics' }))
      .then([created(9, { tag: 'Nordics' })]);
  });

  it('changes the active persona with the earliest creation time, independent of its id, and skips archived ones', () => {
    const past = [
      created(1, {}, '2026-01-01T00:00:00.000Z'),
      archived(1),
      created(2, {}, '2026-01-03T00:00:00.000Z'),
      created(7, {}, '2026-01-02T00:00:00.000Z'),
    ];
    given(personas, past)
      .when(upsert({ oldest: true }, { jobTitle: ['CEO'] }))
      .then([updated(7, { jobTitle: ['CEO'] })]);
  });

  it('PER-13 changes the persona with the lower id if two were created at the same time', () => {
    given(personas, [created(8), created(3)])
      .when(upsert({ oldest: true }, { jobTitle: ['CEO'] }))
      .then([updated(3, { jobTitle: ['CEO'] })]);
  });

  it('creates a persona if none is active', () => {
    given(personas, [created(1), archived(1)])
      .when(upsert({ oldest: true }, {}))
      .then([created(9)]);
  });

  it('records nothing if nothing changes', () => {
    given(personas, [created(1, { jobTitle: ['CTO'] })])
      .when(upsert({ oldest: true }, { jobTitle: ['CTO'] }))
      .then([]);
  });
});
