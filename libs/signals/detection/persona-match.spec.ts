import type { PersonFacts } from '#network/network-directory.port.js';
import { personaMatcher } from './persona-match.js';
import { samplePerson, samplePersona } from './testing/sample-run.js';

const persona = samplePersona({ excludeJobTitles: ['intern'] });
function person(title: string | null, seniority: string | null = null): PersonFacts {
  const { current, ...facts } = samplePerson({
    ref: 'p:ana',
    title,
    companyRef: 'c:acme',
    country: 'France',
  });
  return { ...facts, current: current && { ...current, seniority } };
}

describe('OP-19 a person and the persona of a launch', () => {
  it('match by title, without excluded titles', () => {
    const matches = personaMatcher(persona);
    expect(matches(person('VP Sales'))).toBe(true);
    expect(matches(person('Sales Intern'))).toBe(false);
    expect(matches(person('Gardener'))).toBe(false);
    expect(matches(person(null))).toBe(false);
  });

  it('match by seniority in any spelling, and not if it is unknown', () => {
    const matches = personaMatcher({ ...persona, seniorities: ['VP', 'head'] });
    for (const seniority of ['vp', 'VP', ' Head '])
      expect([seniority, matches(person('Sales', seniority))]).toEqual([seniority, true]);
    for (const seniority of ['entry', null])
      expect([seniority, matches(person('Sales', seniority))]).toEqual([seniority, false]);
  });

  it('D-23 match by seniority with spaces and hyphens as underscores', () => {
    const matches = personaMatcher({ ...persona, seniorities: ['c_suite'] });
    for (const seniority of ['c_suite', 'C-Suite', 'C Suite'])
      expect([seniority, matches(person('Sales', seniority))]).toEqual([seniority, true]);
    expect(matches(person('Sales', 'csuite'))).toBe(false);
  });
});
