import * as fc from 'fast-check';
import { normalized } from './normalized-text.js';

const FORMS = ['NFC', 'NFKC'] as const;
/** Two marks of different classes in the wrong order: normalization sorts them. */
const UNSORTED = '\u0301\u0316';

describe('a normal form of a text', () => {
  it('is that of Unicode for every text without a run of 32 marks', () => {
    const letter = fc.oneof(
      fc.string({ unit: 'grapheme', maxLength: 3 }),
      fc.constantFrom('e\u0301', '\uff8a\uff9e', 'ﬁ', '\u{1d15e}', `a${UNSORTED}`),
    );
    const text = fc.array(letter, { maxLength: 300 }).map((letters) => letters.join('.'));
    fc.assert(
      fc.property(text, fc.constantFrom(...FORMS), (given, form) => {
        expect(normalized(given, form)).toBe(given.normalize(form));
      }),
    );
  });

  it('sorts the first 32 marks of a longer run, and the next ones for themselves', () => {
    const run = UNSORTED.repeat(100);
    const sorted = (marks: number): string => '\u0316'.repeat(marks / 2) + '\u0301'.repeat(marks / 2);
    const expected = `x${[32, 32, 32, 32, 32, 32, 8].map(sorted).join('')}z`;
    expect(normalized(`x${run}z`, 'NFC')).toBe(expected);
  });

  it('takes time in proportion to the length of the text, whatever marks it has', () => {
    // In quadratic time this takes minutes, longer than a file of specs may.
    for (const unit of [UNSORTED, '\uff9e\u0334', `a${UNSORTED.repeat(15)}\u0301`])
      for (const form of FORMS)
        expect(normalized(`a${unit.repeat(1_200_000 / unit.length)}`, form).length).toBeGreaterThan(
          1_000_000,
        );
  });
});
