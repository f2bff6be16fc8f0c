import { canonicalJson } from './json.js';

describe('canonical JSON', () => {
  it('writes every character as JSON does', () => {
    const written = Array.from({ length: 0x1_0000 }, (_, unit) => String.fromCharCode(unit));
    expect(written.filter((text) => canonicalJson(text) !== JSON.stringify(text))).toEqual([]);
    const amid = written.filter((text) => canonicalJson(`a${text}b`) !== JSON.stringify(`a${text}b`));
    expect(amid).toEqual([]);
    for (const text of ['', 'é€😀', '"', '\\', 'a\nb', '\ud83d', '\ude00\ud83d', ' \u007f\u2028']) {
      expect(canonicalJson({ text })).toBe(JSON.stringify({ text }));
    }
  });

  it('sorts keys and leaves out undefined values', () => {
    expect(canonicalJson({ b: [1, 'x', null, undefined], a: { d: undefined, c: true } })).toBe(
      '{"a":{"c":true},"b":[1,"x",null,null]}',
    );
  });
});
