import fc from 'fast-check';
import { abbreviated, inFull } from './member-names.js';

describe('names in stored text', () => {
  it('are read as they were written, in any document', () => {
    const key = fc.oneof(fc.constantFrom('name', 'city', 'credits', 'other', ''), fc.string());
    const { value } = fc.letrec((tie) => ({
      value: fc.oneof(
        { depthSize: 'small' },
        fc.constantFrom(null, '"name":', '\\"city\\":null', '\t!', '\n"', true, 1.5),
        fc.string(),
        fc.array(tie('value'), { maxLength: 3 }),
        fc.dictionary(key, tie('value'), { maxKeys: 4 }),
      ),
    }));
    fc.assert(
      fc.property(value, (document) => {
        const json = JSON.stringify(document);
        expect(inFull(abbreviated(JSON.parse(json)))).toBe(json);
      }),
    );
  });

  it('are shorter, and shortest without a value', () => {
    const text = abbreviated({ name: 'A', city: null, other: 1, left: undefined });
    expect(text).toHaveLength('{!!"A",!!,"other":1}'.length);
  });

  it('keep their codes: stored text must stay readable', () => {
    expect(inFull('{\t 1,\n/,\t~[]}')).toBe('{"rev":1,"country_code":null,"company":[]}');
  });

  it('of a later version are refused', () => {
    expect(() => inFull('{\t\u00ff1}')).toThrow('a later version');
  });
});
