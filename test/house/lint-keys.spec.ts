import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { houseRoot } from './house.js';

type Notes = {
  readonly fileNames: readonly string[];
  readonly fileInfos: readonly string[];
  readonly fileIdsList: readonly (readonly number[])[];
  readonly referencedMap: readonly (readonly [number, number])[];
};
type DeclarationsOf = (file: string, text: string) => string;
type Keys = {
  readonly buildOf: (notes: Notes) => object;
  readonly lintKeys: (
    build?: object,
    textOf?: (file: string) => string,
    declarationsOf?: DeclarationsOf,
  ) => (file: string) => string;
};
type Declarations = { readonly declarationsIn: (text: string, file: string) => string };

const load = (file: string) => import(pathToFileURL(join(houseRoot, 'tools', file)).href);
const { buildOf, lintKeys }: Keys = await load('lint-keys.mjs');
const { declarationsIn }: Declarations = await load('declarations.mjs');

/** `a.ts` imports `b.ts`, which imports `c.ts`; `d.ts` stands alone. */
const notes: Notes = {
  fileNames: ['../a.ts', '../b.ts', '../c.ts', '../d.ts'],
  fileInfos: ['1', '1', '1', '1'],
  fileIdsList: [[2], [3]],
  referencedMap: [
    [1, 1],
    [2, 2],
  ],
};
const FILES = ['a.ts', 'b.ts', 'c.ts', 'd.ts', 'e.mjs'];
const TEXT = 'export function credits(): number {\n  return 1;\n}\n';

describe('the inputs of the ESLint answer for a file', () => {
  const keysOf = (texts: Readonly<Record<string, string>>): readonly string[] =>
    FILES.map(
      lintKeys(
        buildOf(notes),
        (file) => texts[file] ?? TEXT,
        (file, text) => declarationsIn(text, file),
      ),
    );
  /** The files whose key differs from the one with the unchanged text of each file. */
  const changedBy = (texts: Readonly<Record<string, string>>): readonly string[] => {
    const before = keysOf({});
    const after = keysOf(texts);
    return FILES.filter((_file, index) => before[index] !== after[index]);
  };

  it('are its text and the declarations of everything that it imports', () => {
    expect(changedBy({})).toEqual([]);
    expect(changedBy({ 'c.ts': TEXT.replace('number', '1') })).toEqual(['a.ts', 'b.ts', 'c.ts']);
    expect(changedBy({ 'd.ts': TEXT.replace('number', '1') })).toEqual(['d.ts']);
  });

  it.each([
    ['the body of a function', TEXT.replace('return 1', 'return 2')],
    ['a comment', `// Credits.\n${TEXT}`],
  ])('do not include %s that it imports, when the type of the result is written', (_what, text) => {
    expect(changedBy({ 'c.ts': text })).toEqual(['c.ts']);
  });

  it.each([
    ['the body of a function', 'export function credits() {\n  return 1;\n}\n', 'return 2'],
    ['an arrow function', 'export const credits = () => {\n  return 1;\n};\n', 'return 2'],
    ['the method of a class', 'export class Credits {\n  of() {\n    return 1;\n  }\n}\n', 'return 2'],
    [
      'a constructor',
      'export class Credits {\n  of;\n  constructor() {\n    this.of = 1;\n  }\n}\n',
      'this.of = "1"',
    ],
    ['a value', 'export const credits: number = 1;\n', 'number = 2'],
  ])('include %s that it imports, when the type may be inferred from it', (_what, text, other) => {
    const changed = text.replace(/return 1|this\.of = 1|number = 1/, other);
    expect(changed).not.toBe(text);
    expect(declarationsIn(changed, 'c.ts')).not.toBe(declarationsIn(text, 'c.ts'));
  });

  it('do not include the body of a method, a getter or an arrow function whose result is written', () => {
    const texts = [1, 2].map(
      (value) =>
        `export class Credits {\n  get of(): number {\n    return ${value};\n  }\n  async sum(): Promise<number> {\n    return ${value};\n  }\n}\n` +
        `export const decide = (one: number) => (two: number): number => one + two + ${value};\n` +
        `export default function (): number {\n  return ${value};\n}\nexport const f = function* (): Iterable<number> {\n  yield ${value};\n};\n`,
    );
    const [one, two] = texts.map((text) => declarationsIn(text, 'c.ts'));
    expect(texts[0]).not.toBe(texts[1]);
    expect(one).toBe(two);
    expect(one).toContain('sum(): Promise<number>');
  });

  it('are only the text for a file that is not compiled', () => {
    expect(changedBy({ 'e.mjs': 'other' })).toEqual(['e.mjs']);
  });

  it('include the packages and the settings for every file', () => {
    for (const file of ['eslint.config.js', 'package-lock.json', 'tsconfig.json'])
      expect(changedBy({ [file]: 'other' })).toEqual(FILES);
  });

  it('are found in the notes of the last build', () => {
    const keyOf = lintKeys();
    const one = keyOf('libs/kernel/values/credits.ts');
    expect(one).toBe(lintKeys()('libs/kernel/values/credits.ts'));
    expect(keyOf('libs/kernel/values/json.ts')).not.toBe(one);
  });
});
