import { marketMatcher } from './market-match.js';
import { sampleCompany, sampleLocation } from './testing/sample-run.js';

const PARIS = sampleLocation({ city: 'Paris', country: 'France' });
const LYON = sampleLocation({ city: 'Lyon', countryCode: 'FR' });
const BERLIN = sampleLocation({ city: 'Berlin', country: 'Germany' });

const matches = (
  persona: Partial<Parameters<typeof marketMatcher>[0]>,
  facts: Omit<Parameters<typeof sampleCompany>[0], 'ref'>,
): boolean =>
  marketMatcher({ locations: ['France'], headcounts: [], industries: [], ...persona })(
    sampleCompany({ ref: 'c:acme', locations: [PARIS], ...facts }),
  );

describe('the market of a persona', () => {
  it('D-19 has companies with a location at one of the persona’s', () => {
    expect(matches({}, {})).toBe(true);
    expect(matches({}, { locations: [BERLIN, LYON] })).toBe(true);
    expect(matches({ locations: ['Lyon, France', 'Spain'] }, { locations: [LYON] })).toBe(true);
    expect(matches({}, { locations: [BERLIN] })).toBe(false);
    expect(matches({ locations: ['Paris, Germany'] }, { locations: [PARIS, BERLIN] })).toBe(false);
  });

  it('D-11 D-19 has no company without a known location, and is empty without locations', () => {
    expect(matches({}, { locations: [] })).toBe(false);
    expect(matches({ locations: [] }, {})).toBe(false);
  });

  it('D-19 compares the number of employees, or the range if the number is unknown', () => {
    const headcounts = ['51-200', '10,001+'];
    for (const [employees, expected] of [
      [50, false],
      [51, true],
      [200, true],
      [201, false],
      [10_000, false],
      [10_001, true],
      [500_000, true],
    ] as const)
      expect([employees, matches({ headcounts }, { employees, employeeRange: '51-200' })]).toEqual([
        employees,
        expected,
      ]);
    for (const [employeeRange, expected] of [
      ['51 - 200', true],
      ['51–200', true],
      ['10 001+', true],
      ['10,001+', true],
      ['51-2000', false],
      ['many', false],
      [null, false],
    ] as const)
      expect([employeeRange, matches({ headcounts }, { employeeRange })]).toEqual([employeeRange, expected]);
    expect(matches({ headcounts: ['501-1,000'] }, { employees: 1_000 })).toBe(true);
  });

  it('D-19 compares the industry if the persona names one', () => {
    const industries = ['software', 'Banking'];
    expect(matches({ industries }, { industry: 'Computer Software' })).toBe(true);
    expect(matches({ industries }, { industry: 'Retail banking' })).toBe(true);
    expect(matches({ industries }, { industry: 'Softwares' })).toBe(false);
    expect(matches({ industries }, {})).toBe(false);
  });
});
