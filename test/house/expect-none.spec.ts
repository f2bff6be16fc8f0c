import { expectNone } from './expect-none.js';

describe('a check of the house', () => {
  it('says what to do about each find, and nothing when there is none', () => {
    expectNone([], 'mend it');
    expect(() => expectNone(['a.ts', { name: 'b' }], 'mend it')).toThrow('mend it:\n  a.ts\n  {"name":"b"}');
  });
});
