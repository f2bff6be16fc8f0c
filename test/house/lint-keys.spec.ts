import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { houseRoot } from './house.js';

type Info = string | { readonly version: string; readonly signature: string };
type Notes = {
  readonly fileNames: readonly string[];
  readonly fileInfos: readonly Info[];
  readonly fileIdsList: readonly (readonly number[])[];
  readonly referencedMap: readonly (readonly [number, number])[];
};
type Keys = {
  readonly buildOf: (notes: Notes) => object;
  readonly lintKeys: (build?: object, textOf?: (file: string) => string) => (file: string) => string;
};

const { buildOf, lintKeys } = (await import(
  pathToFileURL(join(houseRoot, 'tools/lint-keys.mjs')).href
)) as Keys;

/** `a.ts` imports `b.ts`, which imports `c.ts`; `d.ts` stands alone. */
const notes = (infos: readonly Info[]): Notes => ({
  fileNames: ['../a.ts', '../b.ts', '../c.ts', '../d.ts'],
  fileInfos: infos,
  fileIdsList: [[2], [3]],
  referencedMap: [
    [1, 1],
    [2, 2],
  ],
});
const FILES = ['a.ts', 'b.ts', 'c.ts', 'd.ts', 'e.mjs'];

describe('what the answer of ESLint for a file depends on', () => {
  const keysOf = (infos: readonly Info[], texts: Readonly<Record<string, string>> = {}): readonly string[] =>
    FILES.map(lintKeys(buildOf(notes(infos)), (file) => texts[file] ?? `the text of ${file}`));
  /** The files whose key is another than with one version for each file. */
  const changedBy = (infos: readonly Info[], texts?: Readonly<Record<string, string>>): readonly string[] => {
    const before = keysOf(['1', '1', '1', '1']);
    const after = keysOf(infos, texts);
    return FILES.filter((_file, index) => before[index] !== after[index]);
  };

  it('is its text and the declarations of all that it imports', () => {
    expect(changedBy(['1', '1', '1', '1'])).toEqual([]);
    expect(changedBy(['1', '1', '2', '1'], { 'c.ts': 'other' })).toEqual(['a.ts', 'b.ts', 'c.ts']);
    expect(changedBy(['1', '1', '1', '2'], { 'd.ts': 'other' })).toEqual(['d.ts']);
  });

  it('is not the text of what it imports, where the declarations stay', () => {
    const sameSignature = { version: '2', signature: '1' };
    expect(changedBy(['1', '1', sameSignature, '1'], { 'c.ts': 'other' })).toEqual(['c.ts']);
  });

  it('is the text alone of a file that is not compiled', () => {
    expect(changedBy(['1', '1', '1', '1'], { 'e.mjs': 'other' })).toEqual(['e.mjs']);
  });

  it('is the packages and the settings for every file', () => {
    for (const file of ['eslint.config.js', 'package-lock.json', 'tsconfig.json'])
      expect(changedBy(['1', '1', '1', '1'], { [file]: 'other' })).toEqual(FILES);
  });

  it('is found in the notes of the last build', () => {
    const keyOf = lintKeys();
    const one = keyOf('libs/kernel/values/credits.ts');
    expect(one).toBe(lintKeys()('libs/kernel/values/credits.ts'));
    expect(keyOf('libs/kernel/values/json.ts')).not.toBe(one);
  });
});
