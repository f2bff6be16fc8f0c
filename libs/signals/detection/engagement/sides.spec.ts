import { sampleInteraction } from '#signals/detection/testing/sample-interactions.js';
import { externalTo, sidesOf, worksFor } from './sides.js';

const jobless = { ref: 'p:ana', title: null, companyRef: null };
const onAnother = sampleInteraction({ ref: 'x:2', by: jobless, on: { ...jobless, ref: 'p:bo' } });
const nobodyListed = { companyRefs: [], personRefs: [] };
const watched = { colleagues: async () => new Set<string>() };

describe('the two sides of an interaction', () => {
  it('D-29 swap with the direction; an unknown side gives none', () => {
    const bo = { ref: 'p:bo', title: 'CTO', companyRef: 'c:rival' };
    const seen = sampleInteraction({ ref: 'x:1', by: jobless, on: bo });
    expect(sidesOf('inbound', seen)?.other.person.ref).toBe('p:ana');
    expect(sidesOf('outbound', seen)?.other.person.ref).toBe('p:bo');
    expect(sidesOf('inbound', sampleInteraction({ ref: 'x:2', by: null, on: bo }))).toBeNull();
    expect(sidesOf('outbound', sampleInteraction({ ref: 'x:3', by: bo, on: 'c:rival' }))).toBeNull();
  });

  it('D-17 a person is never external to themselves', async () => {
    const isExternal = await externalTo(watched, nobodyListed);
    const self = sidesOf('inbound', sampleInteraction({ ref: 'x:1', by: jobless, on: jobless }));
    const other = sidesOf('inbound', onAnother);
    expect([self, other].map((sides) => sides !== null && isExternal(sides))).toEqual([false, true]);
  });

  it('D-11 a person without a known employer works for no company', () => {
    const sides = sidesOf('inbound', onAnother);
    expect(sides !== null && worksFor(['c:acme', ''])(sides)).toBe(false);
  });
});
