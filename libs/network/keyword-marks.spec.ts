import fc from 'fast-check';
import { markKeywords } from './keyword-marks.js';
import { keywordMatcher } from './keyword-matching.js';

const marked = (text: string, ...keywords: string[]): string =>
  markKeywords(text, keywords)
    .map(({ text: part, isMatch }) => (isMatch ? `[${part}]` : part))
    .join('');

describe('the marks of keywords in a text', () => {
  it('OP-69 cover keywords that are words, in any case', () => {
    expect(marked('Our crm is old. A CRM, not a scrm.', 'CRM')).toBe(
      'Our [crm] is old. A [CRM], not a scrm.',
    );
  });

  it('OP-69 cover the original text, with its accents, width and spaces', () => {
    expect(marked('We run ＣＲＭ and sales \n automation daily', 'crm', 'sales automation')).toBe(
      'We run [ＣＲＭ] and [sales \n automation] daily',
    );
    expect(marked('Grosse STRASSE, große Straße', 'straße')).toBe('Grosse [STRASSE], große [Straße]');
  });

  it('are merged for adjacent keywords', () => {
    expect(marked('sales automation tools', 'sales automation', 'automation tools')).toBe(
      '[sales automation tools]',
    );
  });

  it('need no edge in scripts without spaces', () => {
    expect(marked('新しい顧客管理を導入', '顧客')).toBe('新しい[顧客]管理を導入');
  });

  it('keep markup as text and an empty text empty', () => {
    expect(markKeywords('<b>CRM</b>', ['crm']).map(({ text }) => text)).toEqual(['<b>', 'CRM', '</b>']);
    expect(markKeywords('', ['crm'])).toEqual([]);
  });

  it('cover a keyword after white space that a joiner follows', () => {
    expect(marked('crm \u200dcrm', 'crm')).toBe('[crm] \u200d[crm]');
  });

  it('cover a character whole that has the keyword in it', () => {
    expect(marked('新しい㍿です', '株式')).toBe('新しい[㍿]です');
  });

  it('cover exactly the keywords that the matcher finds, and the parts are the whole text', () => {
    const word = fc.constantFrom(
      'crm',
      'CRM',
      'sales',
      'ß',
      '顧客',
      '会社',
      '㍿',
      'c++',
      '_',
      ' ',
      '  ',
      '\n',
      '-',
      '.',
      'e\u0301',
      '\u200d',
    );
    const words = fc.array(word, { maxLength: 12 }).map((all) => all.join(''));
    fc.assert(
      fc.property(words, words, (text, keyword) => {
        const parts = markKeywords(text, [keyword]);
        expect(parts.map((part) => part.text).join('')).toBe(text);
        expect(parts.some(({ isMatch }) => isMatch)).toBe(keywordMatcher([keyword])(text).length > 0);
      }),
      { numRuns: 500 },
    );
  });
});
