import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { houseRoot } from './house.js';

type Texts = Readonly<Record<string, string>>;
type Reads = 'tree' | 'code';
const { stepKeys } = (await import(pathToFileURL(join(houseRoot, 'tools/kept-steps.mjs')).href)) as {
  readonly stepKeys: (files: readonly string[], textOf: (file: string) => string) => (reads: Reads) => string;
};

describe('the inputs of a stored step answer of `npm run check`', () => {
  const INSTALLED = 'node_modules/.package-lock.json';
  const BEFORE: Texts = {
    'libs/one.ts': 'one',
    'libs/one.spec.ts': 'a spec of one',
    'docs/one.md': 'about one',
  };
  const keysOf = (texts: Texts, installed = 'some packages') => {
    const textOf = (file: string): string => (file === INSTALLED ? installed : (texts[file] ?? ''));
    const keyOf = stepKeys(Object.keys(texts), textOf);
    return { tree: keyOf('tree'), code: keyOf('code') };
  };
  /** The keys, of the two, that have changed. */
  const changedBy = (texts: Texts, installed?: string): readonly string[] => {
    const before = keysOf(BEFORE);
    const after = keysOf(texts, installed);
    return (['tree', 'code'] as const).filter((reads) => before[reads] !== after[reads]);
  };

  it('give the same key while nothing changes, in any order of files', () => {
    expect(changedBy(Object.fromEntries(Object.entries(BEFORE).reverse()))).toEqual([]);
  });

  it.each([
    ['a source', { ...BEFORE, 'libs/one.ts': 'two' }, ['tree', 'code']],
    ['a document', { ...BEFORE, 'docs/one.md': 'about two' }, ['tree', 'code']],
    ['a new file', { ...BEFORE, 'tools/two.mjs': '' }, ['tree', 'code']],
    ['a spec', { ...BEFORE, 'libs/one.spec.ts': 'another spec' }, ['tree']],
    ['a file that is gone', { 'libs/one.ts': 'one', 'libs/one.spec.ts': 'a spec of one' }, ['tree', 'code']],
    [
      'a text that moved to the next file',
      { ...BEFORE, 'libs/one.ts': '', 'docs/one.md': 'oneabout one' },
      ['tree', 'code'],
    ],
  ])('give another key when %s changes', (_what, texts, changed) => {
    expect(changedBy(texts as Texts)).toEqual(changed);
  });

  it('give another key when the installed packages change', () => {
    expect(changedBy(BEFORE, 'other packages')).toEqual(['tree', 'code']);
  });
});
