import fc from 'fast-check';
import { keywordMatcher } from '#network/keyword-matching.js';
import { EXTRACT_CHARACTERS, extractsAround } from './extracts.js';

const filler = (words: number): string => Array.from({ length: words }, (_, at) => `word${at}`).join(' ');

describe('QUO-03 extracts around matches', () => {
  it('show a short text whole', () => {
    expect(extractsAround('We changed our CRM.', ['crm'])).toEqual(['We changed our CRM.']);
  });

  it('show 120 characters with the match in the middle, in the spelling of the text', () => {
    const [extract = ''] = extractsAround(`${filler(50)} our C\u00adR\u00adM is new ${filler(50)}`, ['crm']);
    expect(Array.from(extract)).toHaveLength(EXTRACT_CHARACTERS);
    expect(Math.abs(extract.indexOf('C\u00adR\u00adM') + 2.5 - EXTRACT_CHARACTERS / 2)).toBeLessThan(2);
  });

  it('show the match and not a longer word before it, nor a part of one', () => {
    const [extract = ''] = extractsAround(`crms scrm ${filler(60)} the,crm-based end`, ['crm']);
    expect(extract).toMatch(/the,crm-based end$/);
  });

  it('find matches in scripts without spaces', () => {
    const [extract = ''] = extractsAround(`${'系'.repeat(300)}CRM${'统'.repeat(300)}`, ['crm']);
    expect(extract).toBe(`${'系'.repeat(58)}CRM${'统'.repeat(59)}`);
  });

  it('do not cut a character in two', () => {
    const [extract = ''] = extractsAround(`${'👋'.repeat(200)} crm ${'👋'.repeat(200)}`, ['crm']);
    expect(extract).toMatch(/^👋{57,58} crm 👋{57,58}$/u);
  });

  it('are at most three per text, and none shows the match of another', () => {
    const text = ['alpha beta', 'gamma', 'delta', 'epsilon'].join(` ${filler(40)} `);
    expect(extractsAround(text, ['alpha', 'beta'])).toHaveLength(1);
    expect(extractsAround(text, ['beta', 'alpha'])).toHaveLength(1);
    expect(extractsAround('alpha beta', ['alpha', 'beta'])).toHaveLength(1);
    expect(extractsAround(text, ['gamma', 'alpha'])).toHaveLength(2);
    const extracts = extractsAround(text, ['alpha', 'beta', 'gamma', 'delta', 'epsilon']);
    expect(extracts.map((extract) => /alpha|gamma|delta/.exec(extract)?.[0])).toEqual([
      'alpha',
      'gamma',
      'delta',
    ]);
  });

  it('are found at both ends of the longest text', () => {
    const keywords = Array.from({ length: 50 }, (_, at) => `keyword${at}`);
    const long = 'Um 9 Uhr ge\u0301nau '.repeat(3_500);
    for (const text of [`${keywords.join(' ')} ${long}`, `${long} ${keywords.join(' ')}`]) {
      expect(extractsAround(text, keywords)).toHaveLength(3);
    }
  });

  it('contain a match of each keyword in the text, and of no other, for any text', () => {
    const part = fc.constantFrom(
      'crm',
      'CRM',
      'crms',
      'c++',
      ' ',
      ' ',
      ',',
      '-',
      '_',
      'é',
      '系',
      '\u00ad',
      'ß',
      '👋',
    );
    fc.assert(
      fc.property(
        fc.array(part, { maxLength: 400 }),
        fc.constantFrom('crm', 'c++', 'crm-crm'),
        (parts, keyword) => {
          const text = parts.join('');
          const extracts = extractsAround(text, [keyword]);
          const finds = keywordMatcher([keyword]);
          expect(extracts).toHaveLength(finds(text).length);
          for (const extract of extracts) {
            expect(text).toContain(extract);
            expect(Array.from(extract).length).toBeLessThanOrEqual(EXTRACT_CHARACTERS);
            expect(finds(extract)).toEqual([keyword]);
          }
        },
      ),
    );
  });
});
