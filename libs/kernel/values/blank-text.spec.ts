import { isBlank, withoutInvisible } from './blank-text.js';

describe('invisible text', () => {
  it('CONV-12 is blank: white space, zero-width characters and marks of direction alone', () => {
    for (const text of [
      '',
      ' \t\n',
      '\u00a0',
      '\u200b',
      '\u200b\u200d \u2060\ufeff',
      '\u202e\u2066\u2069',
      '\u0007',
    ])
      expect([text, isBlank(text)]).toEqual([text, true]);
  });

  it('CONV-12 is not blank with one visible character', () => {
    for (const text of ['a', '\u200ba', ' 青 ', 'می\u200cخواهم', '👩\u200d💻', '-', '\u202eabc'])
      expect([text, isBlank(text)]).toEqual([text, false]);
  });

  it('CONV-12 is removed when tags are compared', () => {
    expect(withoutInvisible('D\u200bA\u202eC\u2060H\ufeff')).toBe('DACH');
    expect(withoutInvisible('Équipe 青')).toBe('Équipe 青');
  });
});
