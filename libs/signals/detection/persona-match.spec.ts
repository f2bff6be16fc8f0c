import type { PersonFacts } from '#network/network-directory.port.js';
import { personaMatcher } from './persona-match.js';

const persona = {
  personaId: 1,
  jobTitles: ['sales'],
  excludeJobTitles: ['intern'],
  locations: ['France'],
  seniorities: [],
  headcounts: [],
  industries: [],
};
const person = (title: string | null, seniority: string | null = null): PersonFacts => ({
  ref: 'p:ana',
  rev: 1,
  handle: 'ana',
  networkUrl: 'https://www.network.example/in/ana',
  firstName: 'Ana',
  lastName: null,
  fullName: 'Ana',
  headline: null,
  about: null,
  avatarUrl: null,
  email: null,
  phone: null,
  geo: { city: 'Paris', region: null, country: 'France', countryCode: 'FR' },
  experiences: null,
  current: {
    title,
    companyRef: null,
    companyName: null,
    startDate: null,
    endDate: null,
    department: null,
    seniority,
    location: null,
  },
  observedAt: null,
});

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
});
