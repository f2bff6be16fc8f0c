import fc from 'fast-check';
import { linearPattern } from './linear-pattern.js';

describe('a pattern that runs in linear time', () => {
  it('matches the same texts as JavaScript', () => {
    const patterns = [
      '\\S',
      '^\\s+$',
      '[^\\s]',
      '^[\\S]$',
      '[\\s,]',
      'a.b',
      '^.$',
      '^\\w+$',
      '\\bab\\b',
      '^[[.]$',
      '^https?:\\/\\/[^\\s]+$',
      '^[a-z0-9]+(-[a-z0-9]+)*$',
      '^\\p{Lu}',
      '\\u{1F600}|\\u00e9',
      '^(?<first>a|b)*?c{2,3}$',
      'a$',
    ];
    const text = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.string({
        unit: fc.constantFrom(...'ab c.-[\\\n\r\t\v\u0000\u00a0\u1680\u2003\u2028\u3000\ufeff\u{1F600}é0Z/:'),
      }),
      fc.string({ unit: fc.constantFrom('a', 'b', 'c') }),
    );
    fc.assert(
      fc.property(fc.constantFrom(...patterns), text, (pattern, given) => {
        expect(linearPattern(pattern).test(given)).toBe(new RegExp(pattern, 'u').test(given));
      }),
      { numRuns: 3_000 },
    );
  });

  it('matches every white-space character', () => {
    const [space, noSpace] = [linearPattern('\\s'), linearPattern('\\S')];
    for (let point = 0; point <= 0xffff; point += 1) {
      const character = String.fromCodePoint(point);
      const isSpace = /\s/u.test(character);
      if (space.test(character) !== isSpace || noSpace.test(character) === isSpace) {
        throw new Error(`U+${point.toString(16)} is taken for another kind`);
      }
    }
  });

  it('answers immediately where backtracking would take exponential time', () => {
    expect(linearPattern('^(a+)+$').test(`${'a'.repeat(50_000)}!`)).toBe(false);
    expect(linearPattern('^(a|a)*$').test(`${'a'.repeat(50_000)}!`)).toBe(false);
  });

  it.each(['(a)\\1', '(?=a)', 'a(?!b)', '(?<=a)b', '(', 'x{1001}', '(x{100}){100}'])(
    'is refused where it cannot be one: %s',
    (pattern) => expect(() => linearPattern(pattern)).toThrow(),
  );
});
