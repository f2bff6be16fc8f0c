import { samplePerson } from '#signals/detection/testing/sample-run.js';
import { firstDayOf, mappedProfile } from './mapped-profile.js';

describe('the start of a position', () => {
  for (const [shown, day] of [
    ['2024', '2024-01-01'],
    ['2024-03', '2024-03-01'],
    ['2024-03-15', '2024-03-15'],
    ['2024-13', null],
    ['2024-02-30', null],
    ['spring 2024', null],
    ['', null],
    [null, null],
  ] as const)
    it(`MAP-44 is ${day} if the network shows ${shown}`, () => {
      expect(firstDayOf(shown)).toBe(day);
    });
});

describe('a profile of a mapping', () => {
  const profileOf = (seniority: string | null, department: string | null) => {
    const person = samplePerson({ ref: 'p:ana', title: 'CTO', companyRef: 'c:acme' });
    const current = person.current && { ...person.current, seniority, department };
    return mappedProfile({ ...person, current }, 1, null);
  };

  it('MAP-43 has a seniority and a department that are unspecified if the network shows none, or a blank one', () => {
    for (const unclear of [null, '', ' \u200b'])
      expect(profileOf(unclear, unclear)).toMatchObject({
        seniority: 'unspecified',
        department: 'unspecified',
      });
    expect(profileOf('vp', 'Sales')).toMatchObject({ seniority: 'vp', department: 'Sales' });
  });
});
