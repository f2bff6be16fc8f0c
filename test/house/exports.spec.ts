import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { temporaryFolder } from '#test/support/temporary-folder.js';
import { houseRoot, plant } from './house.js';

const checkExports = (root: string) =>
  spawnSync(process.execPath, [join(houseRoot, 'tools/check-exports.mjs'), root], { encoding: 'utf8' });

/** Files of a planted house, and the uses between them. */
const planted: Readonly<Record<string, string>> = {
  'libs/planted/values.ts': `
    export const used = 1;
    export const unused = 2;
    export const [first, second] = [3, 4];
    export function usedByTools() {}
    export function unusedFunction() { return unused; }
    export type PartOfWhatIsSaid = string;
    export const said: PartOfWhatIsSaid = '';
    export type NamedByNobody = string;
    const own = 5;`,
  'libs/planted/whole.ts': 'export const inUse = 1;',
  'libs/planted/loaded.ts': 'export const inUse = 1;',
  'libs/planted/again.ts': `export { used as renamed } from './values.js';`,
  'apps/planted/ask.query.ts': 'export class Ask {}\nexport const askedByNobody = 1;',
  'apps/planted/module.ts': '@Module({})\nexport class PlantedModule {}\nexport class Plain {}',
  'test/planted.spec.ts': `
    import { first as one, said, type Missing } from '../libs/planted/values.js';
    import * as everything from '../libs/planted/whole.js';
    await import('../libs/planted/loaded.js');`,
  'tools/planted.mjs': `import { usedByTools } from '../dist/libs/planted/values.js';\nexport const ofTools = 1;`,
};

/** Two files with a type of one name; a test may have its own. */
const namesakes: Readonly<Record<string, string>> = {
  'libs/planted/one.ts': `export type Twice = string;\nexport const one: Twice = '';`,
  'apps/planted/two.ts': `import { one } from '../../libs/planted/one.js';\nexport interface Twice { of: typeof one }\nexport const two: Twice = { of: one };`,
  'test/planted.spec.ts': `import { two } from '../apps/planted/two.js';\nexport type Twice = typeof two;\nexport const three: Twice = two;`,
  'test/other.spec.ts': `import { three } from './planted.spec.js';`,
};

describe('the exports of the house', () => {
  const folder = temporaryFolder('exports');

  it('are each used by another file', () => {
    const { status, stdout, stderr } = checkExports(houseRoot);
    expect(stderr).toBe('');
    expect(status).toBe(0);
    expect(Number(/^(\d+) exports/.exec(stdout)?.[1])).toBeGreaterThan(1_000);
  });

  it('are reported one by one when nothing uses them, and nothing else is reported', () => {
    plant(folder, Object.entries(planted));
    const { status, stderr } = checkExports(folder);
    expect(status).toBe(1);
    expect(stderr.trim().split('\n')).toEqual(
      [
        ['apps/planted/ask.query.ts', 'askedByNobody'],
        ['apps/planted/module.ts', 'Plain'],
        ['libs/planted/values.ts', 'unused'],
        ['libs/planted/values.ts', 'second'],
        ['libs/planted/values.ts', 'unusedFunction'],
        ['libs/planted/values.ts', 'NamedByNobody'],
      ].map(([file, name]) => `${file} exports ${name}, which no other file uses`),
    );
  });

  it('are missed when there are none', () => {
    const empty = mkdtempSync(join(tmpdir(), 'exports-none-'));
    const { status, stderr } = checkExports(empty);
    rmSync(empty, { recursive: true });
    expect([status, stderr]).toEqual([1, 'no export was found: this check guards nothing\n']);
  });

  it('have no type name twice', () => {
    const other = mkdtempSync(join(tmpdir(), 'namesakes-'));
    plant(other, Object.entries(namesakes));
    const { status, stderr } = checkExports(other);
    rmSync(other, { recursive: true });
    expect([status, stderr.trim()]).toEqual([
      1,
      'Twice is the name of several types: apps/planted/two.ts, libs/planted/one.ts',
    ]);
  });
});
