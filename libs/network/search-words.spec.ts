import * as fc from 'fast-check';
import { keywordMatcher } from './keyword-matching.js';
import { searchPhrases, searchSymbols, searchWords } from './search-words.js';

describe('searchWords', () => {
  const examples: readonly (readonly [string, readonly string[]])[] = [
    ['We use CRM-tools, c++ & .NET', ['we', 'use', 'crm', 'tools', 'c', 'net']],
    ['我们的CRM系统', ['我', '们', '的', 'crm', '系', '统']],
    ['crm_x ＣＲＭ Stra\u00adße', ['crm_x', 'crm', 'strasse']],
    ['𠀋x', ['𠀋', 'x']],
    ['\ue000crm\ue000', ['crm']],
    ['!!! 🎉', []],
  ];
  for (const [text, words] of examples) {
    it(`splits "${text}"`, () => expect(searchWords(text)).toEqual(words));
  }

  it('contains the words of every matching keyword side by side (OP-69)', () => {
    const unit = fc.oneof(
      {
        weight: 6,
        arbitrary: fc.constantFrom(...('abß_1+.系统ーร𠀋😀\u0301\ue000\u00ad'.match(/./gu) ?? []), ' '),
      },
      { weight: 2, arbitrary: fc.string({ unit: 'binary', minLength: 1, maxLength: 1 }) },
    );
    const part = fc.array(unit, { maxLength: 6 }).map((units) => units.join(''));
    let matches = 0;
    fc.assert(
      fc.property(part, part, part, (before, keyword, after) => {
        const text = `${before}${keyword}${after}`;
        if (keywordMatcher([keyword])(text).length === 0) return;
        matches += 1;
        const words = searchWords(text);
        const phrase = searchWords(keyword);
        const sideBySide = words.some((_, start) =>
          phrase.every((word, index) => words[start + index] === word),
        );
        expect(phrase.length === 0 || sideBySide).toBe(true);
      }),
      { numRuns: 5000 },
    );
    expect(matches).toBeGreaterThan(500);
  });
});

describe('searchSymbols', () => {
  it('returns each symbol of a text once, and no punctuation', () => {
    expect(searchSymbols('c++ & 🎉 (€ 5)… 🎉!')).toEqual(['_2b', '_26', '_1f389', '_20ac']);
  });
  it('contains the symbols of every matching keyword without words (OP-69)', () => {
    const unit = fc.constantFrom(...'🎉🚀€+#&!. a系\ufe0f');
    const part = fc.array(unit, { maxLength: 5 }).map((units) => units.join(''));
    let matches = 0;
    fc.assert(
      fc.property(part, part, part, (before, keyword, after) => {
        const text = `${before}${keyword}${after}`;
        const asked = searchWords(keyword).length === 0 ? searchSymbols(keyword) : [];
        if (asked.length === 0 || keywordMatcher([keyword])(text).length === 0) return;
        matches += 1;
        expect(searchSymbols(text)).toEqual(expect.arrayContaining([...asked]));
      }),
      { numRuns: 5000 },
    );
    expect(matches).toBeGreaterThan(500);
  });
});

describe('searchPhrases', () => {
  it('searches for a symbol of a keyword without words if the index has symbols', () => {
    expect(searchPhrases(['crm', '🎉🎉'], 'any', true)).toEqual([['crm'], ['_1f389']]);
    expect(searchPhrases(['!?'], 'any', true)).toBeNull();
  });
  it('contains each phrase once', () => {
    expect(searchPhrases(['CRM', 'crm', 'sales tool'], 'any')).toEqual([['crm'], ['sales', 'tool']]);
  });
  it('is null if any one of the keywords has no words', () => {
    expect(searchPhrases(['crm', '++'], 'any')).toBeNull();
    expect(searchPhrases(['++'], 'all')).toBeNull();
  });
  it('leaves out keywords without words if all are required', () => {
    expect(searchPhrases(['crm', '++'], 'all')).toEqual([['crm']]);
  });
});
