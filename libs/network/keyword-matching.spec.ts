import * as fc from 'fast-check';
import { keywordMatcher, type MatchMode } from './keyword-matching.js';

function found(keywords: readonly string[], text: string, mode: MatchMode = 'any'): readonly string[] {
  return keywordMatcher(keywords, mode)(text);
}

type Example = readonly [keyword: string, text: string];

const matching: readonly Example[] = [
  ['crm', 'CRM'],
  ['crm', 'We love #crm'],
  ['crm', "the crm's price"],
  ['crm', 'the crm’s price'],
  ['crm', 'a CRM-based pipeline'],
  ['crm', '我们的CRM系统'],
  ['crm', 'CRMを導入しました'],
  ['crm', 'ระบบCRMใหม่'],
  ['crm', 'マーケターCRM'],
  ['crm', 'か\u309acrm'],
  ['crm', 'ລະບົບcrm'],
  ['crm', 'ប្រព័ន្ធcrm'],
  ['crm', 'စနစ်crm'],
  ['crm', '𠀋crm𠀋'],
  ['crm', 'ＣＲＭ'],
  ['ＣＲＭ', 'crm'],
  ['crm', 'c\u00adrm'],
  ['c\u200brm', 'crm'],
  ['crm', '(crm)'],
  ['crm', 'emoji 🎉crm🎉'],
  ['crm', '\ue000crm\ue000'],
  ['系统', '我们的CRM系统'],
  ['系统', '操作系统软件'],
  ['系统', 'CRM系统'],
  ['ระบบ', 'ใช้ระบบนี้'],
  ['c++', 'C++'],
  ['c++', 'c++11 is out'],
  ['c++', 'we write c++, daily'],
  ['.net', 'ASP.NET'],
  ['.net', 'the .NET platform'],
  ['#hiring', 'We are #hiring!'],
  ['#hiring', 'now#hiring'],
  ['strasse', 'Hauptstraße Straße'],
  ['Straße', 'STRASSE'],
  ['λόγος', 'ΛΌΓΟΣ'],
  ['résumé', 're\u0301sume\u0301'],
  ['head of sales', 'Head\u00a0of \n Sales'],
  ['co-founder', 'Co–Founder'],
  ["l'équipe", 'L’équipe grandit'],
  ['crm', 'crms scrm crm_x crm'],
  ['a', 'b a'],
];

const notMatching: readonly Example[] = [
  ['crm', 'scrm'],
  ['crm', 'crm_x'],
  ['crm', 'crms'],
  ['crm', 'crm2'],
  ['crm', 'ácrm'],
  ['crm', 'crm\u0323'],
  ['crm', 'CRMсистема'],
  ['crm', 'نظامcrm'],
  ['crm', '𝔾𐐀crm'],
  ['resume', 'résumé'],
  ['resume', 're\u0301sume\u0301'],
  ['sales', 'sale'],
  ['sale', 'sales'],
  ['c++', 'xc++'],
  ['c++', 'c+'],
  ['#hiring', '#hirings'],
  ['#hiring', 'hiring'],
  ['.net', '.network'],
  ['head of sales', 'head of the sales'],
  ['head of sales', 'head ofsales'],
  ['strasse', 'Hauptstraße'],
  ['', 'anything'],
  [' \u200b ', 'any thing'],
];

describe('keywordMatcher (OP-69)', () => {
  for (const [keyword, text] of matching) {
    it(`finds "${keyword}" in "${text}"`, () => expect(found([keyword], text)).toEqual([keyword]));
  }
  for (const [keyword, text] of notMatching) {
    it(`does not find "${keyword}" in "${text}"`, () => expect(found([keyword], text)).toEqual([]));
  }

  it('finds all overlapping keywords', () => {
    expect(found(['sales', 'manager', 'sales manager'], 'Sales Manager')).toEqual([
      'sales',
      'manager',
      'sales manager',
    ]);
  });

  it('returns keywords as spelled, in their order, without duplicates', () => {
    expect(found(['Tool', 'CRM', 'crm', 'CRM', 'none'], 'crm tool, CRM tool')).toEqual([
      'Tool',
      'CRM',
      'crm',
    ]);
  });

  it('requires every keyword in mode all', () => {
    expect(found(['crm', 'tool'], 'a tool', 'all')).toEqual([]);
    expect(found(['tool', 'crm'], 'a CRM tool', 'all')).toEqual(['tool', 'crm']);
    expect(found(['CRM', 'crm', 'CRM'], 'a crm', 'all')).toEqual(['CRM', 'crm']);
  });

  it('never matches a keyword that folds to nothing, so mode all finds nothing with it', () => {
    expect(found(['crm', '\u00ad'], 'crm \u00ad')).toEqual(['crm']);
    expect(found(['crm', '\u00ad'], 'crm \u00ad', 'all')).toEqual([]);
  });

  it('matches nothing without keywords', () => {
    expect(found([], 'crm')).toEqual([]);
    expect(found([], 'crm', 'all')).toEqual([]);
  });

  it('gives the same answer for repeated texts', () => {
    const matcher = keywordMatcher(['crm', 'tool']);
    expect(['crm', 'tool', '', 'crm tool', 'crm'].map((text) => matcher(text).length)).toEqual([
      1, 1, 0, 2, 1,
    ]);
  });

  it('agrees with the sentences of OP-69, for any keywords and text', () => {
    fc.assert(
      fc.property(
        fc.array(phrase(1, 4), { maxLength: 12 }),
        phrase(0, 14),
        fc.constantFrom('any' as const, 'all' as const),
        (keywords, text, mode) => {
          expect(found(keywords, text, mode)).toEqual(sentences(keywords, text, mode));
        },
      ),
      { numRuns: 3000 },
    );
  });

  it('agrees for keywords that begin, end and lie in one another', () => {
    const piece = fc.constantFrom(..."a a a b b s ß ſ İ i ' - 系 𐐀 𠀋 \u0307".split(' '), ' ');
    const pieces = (minLength: number, maxLength: number): fc.Arbitrary<string> =>
      fc.array(piece, { minLength, maxLength }).map((chosen) => chosen.join(''));
    fc.assert(
      fc.property(
        fc.array(pieces(1, 6), { minLength: 1, maxLength: 40 }),
        pieces(0, 60),
        (keywords, text) => {
          expect(found(keywords, text)).toEqual(sentences(keywords, text, 'any'));
        },
      ),
      { numRuns: 1500 },
    );
  });

  it('agrees if the states exceed the transition table', () => {
    const letters = Array.from({ length: 400 }, (_, index) => String.fromCodePoint(0x4e00 + index));
    const letter = fc.constantFrom(...letters);
    fc.assert(
      fc.property(
        fc.array(fc.array(letter, { minLength: 20, maxLength: 30 }), { minLength: 100, maxLength: 150 }),
        fc.array(fc.nat(), { minLength: 3, maxLength: 8 }),
        (wordLetters, picks) => {
          const words = wordLetters.map((chosen) => chosen.join(''));
          const next = (index: number): string => words[(index + 1) % words.length] ?? '';
          // begins inside one word and ends inside the next, so that finding it needs the earlier text
          const across = words.map((word, index) => word.slice(2) + next(index).slice(0, 20));
          const keywords = [letters.join(''), ...words, ...across];
          const text = picks
            .map((pick) => pick % words.length)
            .map((index) => `${words[index]}${next(index)}${letters[3]}`);
          expect(found(keywords, text.join(''))).toEqual(sentences(keywords, text.join(''), 'any'));
        },
      ),
      { numRuns: 4, endOnFailure: true },
    );
  });
});

/** A small alphabet, so that keywords occur often, with many letters for which the rules of OP-69 differ. */
function phrase(minLength: number, maxLength: number): fc.Arbitrary<string> {
  const usual =
    "a b A B c é e\u0301 ß s S ſ İ i Σ ς _ 1 + # . - – — \u2019 ' \u00ad \u200b ＣＲ 系 统 の ー ร ะ ລ က ក 𠀋 𐐀 🎉 \u0301 \ue000 ا я";
  const unit = fc.oneof(
    { weight: 12, arbitrary: fc.constantFrom(...usual.split(' '), ' ', '\t', '\u00a0') },
    { weight: 1, arbitrary: fc.string({ unit: 'binary', minLength: 1, maxLength: 1 }) },
  );
  return fc.array(unit, { minLength, maxLength }).map((units) => units.join(''));
}

/** OP-69 sentence by sentence, without optimisation. */
function sentences(keywords: readonly string[], text: string, mode: MatchMode): readonly string[] {
  const each = [...new Set(keywords)];
  const matched = each.filter((keyword) => occurs(foldAsWritten(keyword), foldAsWritten(text)));
  return mode === 'any' || matched.length === each.length ? matched : [];
}

function foldAsWritten(text: string): string {
  let folded = '';
  for (const character of text.normalize('NFKC')) {
    if (/[\u00ad\u200b\u200c\u200d\u2060\ufeff]/.test(character)) continue;
    folded += character;
  }
  return folded
    .toLowerCase()
    .replace(/ß/g, 'ss')
    .replace(/ς/g, 'σ')
    .replace(/[‘’‛ʼ՚]/g, "'")
    .replace(/\p{Dash}/gu, '-')
    .split(/\p{White_Space}/u)
    .filter((part) => part !== '')
    .join(' ');
}

const isWord = (character: string): boolean => /[\p{L}\p{M}\p{N}_]/u.test(character);
const isSpaceless = (character: string): boolean =>
  ['Han', 'Hiragana', 'Katakana', 'Thai', 'Lao', 'Khmer', 'Myanmar'].some((script) =>
    new RegExp(`\\p{Script_Extensions=${script}}`, 'u').test(character),
  );

function occurs(keyword: string, text: string): boolean {
  const needle = [...keyword];
  const haystack = [...text];
  if (needle.length === 0) return false;
  return haystack.some((_, start) => {
    const end = start + needle.length;
    if (haystack.slice(start, end).join('') !== keyword) return false;
    return edge(needle[0], haystack[start - 1]) && edge(needle[needle.length - 1], haystack[end]);
  });
}

function edge(own: string | undefined, neighbour: string | undefined): boolean {
  if (own === undefined || neighbour === undefined) return true;
  if (!isWord(own) || !isWord(neighbour)) return true;
  return isSpaceless(own) || isSpaceless(neighbour);
}
