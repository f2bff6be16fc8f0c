import { fieldError } from '#kernel/values/refusal.js';
import { given } from '#kernel/testing/scenario.js';
import { samplePersonaFacts } from '#projections/testing/sample-events.js';
import { personaForSetup, requireCompletePersona } from './persona-choice.js';
import { changePersona, createPersona, personaNotFound, personas, personaTagTaken } from './personas.js';
import type { PersonaFacts } from './personas.events.js';

const now = '2026-01-05T10:00:00.000Z';
const created = (personaId: number, facts: Partial<PersonaFacts> = {}) =>
  ({
    type: 'PersonaCreated',
    data: { personaId, facts: samplePersonaFacts(facts), createdAt: now },
  }) as const;
const archived = (personaId: number) =>
  ({ type: 'PersonaArchived', data: { personaId, archivedAt: now } }) as const;

describe('creating a persona (OP-49)', () => {
  it('stores null for missing fields and trims the tag', () => {
    given(personas, [])
      .when(createPersona({ personaId: 4, facts: { jobTitle: [], tag: ' DACH ' }, now }))
      .then([created(4, { jobTitle: [], tag: 'DACH' })]);
  });

  it('PER-07 refuses the tag of another persona in any spelling, also of an archived persona', () => {
    given(personas, [created(1, { tag: 'Équipe' }), archived(1)])
      .when(createPersona({ personaId: 4, facts: { tag: ' e\u0301QUIPE ' }, now }))
      .then(
        personaTagTaken({ errors: fieldError('tag', 'is already the tag of persona 1, which is archived') }),
      );
  });

  it('PER-07 CONV-12 ignores invisible characters when it compares tags', () => {
    given(personas, [created(1, { tag: 'DACH' })])
      .when(createPersona({ personaId: 4, facts: { tag: 'DA\u200bCH\u202c' }, now }))
      .then(personaTagTaken({ errors: fieldError('tag', 'is already the tag of another persona') }));
  });

  it('PER-09 accepts any number without a tag', () => {
    given(personas, [created(1)])
      .when(createPersona({ personaId: 4, facts: {}, now }))
      .then([created(4)]);
  });
});

describe('changing a persona (OP-49)', () => {
  it('PER-12 records only sent fields with a new value', () => {
    given(personas, [created(4, { jobTitle: ['CTO'], tag: 'a' })])
      .when(
        changePersona({ personaId: 4, changes: { jobTitle: ['CTO'], location: ['France'], tag: null }, now }),
      )
      .then([
        {
          type: 'PersonaUpdated',
          data: { personaId: 4, changes: { location: ['France'], tag: null }, updatedAt: now },
        },
      ]);
  });

  it('keeps its own tag and refuses the tag of another persona', () => {
    const past = [created(1, { tag: 'one' }), created(4, { tag: 'four' })];
    given(personas, past)
      .when(changePersona({ personaId: 4, changes: { tag: 'FOUR' }, now }))
      .then([{ type: 'PersonaUpdated', data: { personaId: 4, changes: { tag: 'FOUR' }, updatedAt: now } }]);
    given(personas, past)
      .when(changePersona({ personaId: 4, changes: { tag: 'One' }, now }))
      .then(personaTagTaken());
  });

  it('archives, also the last persona, and unarchives; both are idempotent', () => {
    const change = (wanted: boolean) => changePersona({ personaId: 4, changes: {}, archived: wanted, now });
    given(personas, [created(4)])
      .when(change(true))
      .then([archived(4)]);
    given(personas, [created(4), archived(4)])
      .when(change(true))
      .then([]);
    given(personas, [created(4), archived(4)])
      .when(change(false))
      .then([{ type: 'PersonaUnarchived', data: { personaId: 4 } }]);
  });

  it('PER-11 refuses an unknown persona', () => {
    given(personas, [])
      .when(changePersona({ personaId: 4, changes: {}, now }))
      .then(personaNotFound());
  });
});

describe('the persona of a setup (OP-15)', () => {
  const persona = (personaId: number, jobTitle: string[] | null, location: string[] | null) => ({
    personaId,
    facts: { jobTitle, location },
  });

  it('is the oldest complete persona, else the oldest, else none', () => {
    const bare = persona(1, null, null);
    const complete = persona(2, ['CTO'], ['France']);
    expect(personaForSetup([bare, complete, persona(3, ['CEO'], ['Spain'])])).toBe(complete);
    expect(personaForSetup([bare, persona(3, ['CEO'], [])])).toBe(bare);
    const half = [persona(3, ['CEO'], []), persona(4, [], ['Spain']), persona(5, null, ['Spain'])];
    expect(personaForSetup([bare, ...half, complete])).toBe(complete);
    expect(personaForSetup([])).toBeNull();
  });

  it('SETUP-29 names the missing fields of an incomplete persona', () => {
    const detailOf =
      (...facts: Parameters<typeof requireCompletePersona>) =>
      () =>
        requireCompletePersona(...facts);
    expect(detailOf(null)).toThrow('The workspace has no persona: add a persona with');
    expect(detailOf(persona(1, ['CTO'], []))).toThrow(/^The persona has no location\.$/);
    expect(detailOf(persona(1, null, ['France']))).toThrow(/^The persona has no job title\.$/);
    expect(detailOf(persona(1, [], null))).toThrow(
      'The persona has no job title. The persona has no location.',
    );
    expect(detailOf(persona(1, ['CTO'], ['France']))).not.toThrow();
  });
});
