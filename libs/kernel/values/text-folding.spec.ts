import * as fc from 'fast-check';
import { fold } from './text-folding.js';

const examples: readonly (readonly [title: string, text: string, folded: string])[] = [
  ['lowers case', 'Head of SALES', 'head of sales'],
  ['keeps digits, underscores and signs', 'CRM_x C++ .NET #Hiring', 'crm_x c++ .net #hiring'],
  ['writes full-width letters as plain ones', 'ＣＲＭ', 'crm'],
  ['drops soft hyphens', 'auto\u00admation', 'automation'],
  ['drops zero-width characters', '\ufeffc\u200br\u200cm\u200d \u2060x', 'crm x'],
  ['writes sharp s as ss', 'Straße', 'strasse'],
  ['writes capital sharp s as ss', 'STRAẞE', 'strasse'],
  ['makes final sigma a sigma', 'ΛΟΓΟΣ λόγος', 'λογοσ λόγοσ'],
  ['lowers the dotted capital I alike in every locale', 'İstanbul', 'i\u0307stanbul'],
  ['makes typographic apostrophes straight', 'crm’s ‘x‛ ʼy ＇z', "crm's 'x' 'y 'z"],
  ['makes every dash a hyphen', 'a‐b‑c‒d–e—f―g−h﹣i－j', 'a-b-c-d-e-f-g-h-i-j'],
  ['makes runs of white space one space', 'a \t\r\n b\u00a0\u2003c\u2028d\u0085e\u3000f', 'a b c d e f'],
  ['trims', '  \n crm \t', 'crm'],
  ['composes accents', 're\u0301sume\u0301', 'résumé'],
  ['keeps accents', 'Résumé', 'résumé'],
  ['opens ligatures', 'oﬀice ﬁle', 'office file'],
  ['folds blank text to nothing', ' \u200b\u00ad\t ', ''],
  ['folds nothing to nothing', '', ''],
];

describe('fold (OP-69)', () => {
  for (const [title, text, folded] of examples) {
    it(title, () => expect(fold(text)).toBe(folded));
  }

  it('treats ASCII text as it treats the same text beside other characters', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary-ascii' }), (text) => {
        const beside = fold(`${text}|é`);
        expect(`${fold(`${text}|`)}é`).toBe(beside);
      }),
    );
  });

  it('takes time in proportion to the length of a text, whatever marks it has', () => {
    // In quadratic time this takes minutes, longer than a file of specs may.
    expect(fold(`A${'\u0301\u0316'.repeat(600_000)}`).length).toBeGreaterThan(1_000_000);
  });
});
