import { fieldError } from '#kernel/values/refusal.js';
import { given } from '#kernel/testing/scenario.js';
import { personaForSetup, requireCompletePersona } from './persona-choice.js';
import { changePersona, createPersona, personaNotFound, personas, personaTagTaken } from './personas.js';
import type { PersonaFacts } from './personas.events.js';

const now = '2026-01-05T10:00:00.000Z';
const nothing: PersonaFacts = {
  jobTitle: null,
  excludeJobTitle: null,
  location: null,
  headcount: null,
  industry: null,
  seniority: null,
  additionalInfo: null,
  tag: null,
};
const created = (personaId: number, facts: Partial<PersonaFacts> = {}) =>
  ({ type: 'PersonaCreated', data: { personaId, facts: { ...nothing, ...facts }, createdAt: now } }) as const;
const archived = (personaId: number) =>
  ({ type: 'PersonaArchived', data: { personaId, archivedAt: now } }) as const;

describe('creating a persona (OP-49)', () => {
  it('makes null of what is not given and trims the tag', () => {
    given(personas, [])
      .when(createPersona({ personaId: 4, facts: { jobTitle: [], tag: ' DACH ' }, now }))
      .then([created(4, { jobTitle: [], tag: 'DACH' })]);
  });

  it('PER-07 refuses the tag of another persona, however it is written, also of an archived one', () => {
    given(personas, [created(1, { tag: 'Équipe' }), archived(1)])
      .when(createPersona({ personaId: 4, facts: { tag: ' e\u0301QUIPE ' }, now }))
      .then(
        personaTagTaken({ errors: fieldError('tag', 'is already the tag of persona 1, which is archived') }),
      );
  });

  it('PER-07 CONV-12 compares tags without what nobody sees', () => {
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
  it('PER-12 records only what is sent and differs', () => {
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

  it('keeps its own tag and refuses another’s', () => {
    const past = [created(1, { tag: 'one' }), created(4, { tag: 'four' })];
    given(personas, past)
      .when(changePersona({ personaId: 4, changes: { tag: 'FOUR' }, now }))
      .then([{ type: 'PersonaUpdated', data: { personaId: 4, changes: { tag: 'FOUR' }, updatedAt: now } }]);
    given(personas, past)
      .when(changePersona({ personaId: 4, changes: { tag: 'One' }, now }))
      .then(personaTagTaken());
  });

  it('archives, also the last one, and brings back; the same again is nothing', () => {
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

  it('PER-11 refuses a persona that is not there', () => {
    given(personas, [])
      .when(changePersona({ personaId: 4, changes: {}, now }))
      .then(personaNotFound());
  });
});

describe('the persona of a setup (OP-15)', () => {
  const persona = (id: number, job_title: string[] | null, location: string[] | null) => ({
    id,
    job_title,
    location,
  });

  it('is the oldest complete one, else the oldest, else none', () => {
    const bare = persona(1, null, null);
    const complete = persona(2, ['CTO'], ['France']);
    expect(personaForSetup([bare, complete, persona(3, ['CEO'], ['Spain'])])).toBe(complete);
    expect(personaForSetup([bare, persona(3, ['CEO'], [])])).toBe(bare);
    expect(personaForSetup([])).toBeNull();
  });

  it('SETUP-29 names what an incomplete one lacks', () => {
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
