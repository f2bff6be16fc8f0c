import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryFolder } from '#test/support/temporary-folder.js';
import { houseRoot } from './house.js';

const checkLibraries = (root: string) =>
  spawnSync(process.execPath, [join(houseRoot, 'tools/check-libraries.mjs'), root], { encoding: 'utf8' });

const application = (name: string) => ({
  type: 'application',
  root: `apps/${name}`,
  sourceRoot: `apps/${name}/src`,
});
const target = (folder: string) => ({ source: `./${folder}`, default: `./dist/${folder}` });
const library = (root: string) => ({ type: 'library', root, sourceRoot: root });
const table = (...rooms: readonly string[]) =>
  `# Planted\n\n| Room | What is in it |\n| --- | --- |\n${rooms.map((room) => `| ${room} | a |`).join('\n')}\n\nThe end of \`nowhere\`.\n`;

type House = { readonly projects: object; readonly imports: object; readonly readme: string };
const good: House = {
  projects: {
    api: application('api'),
    kernel: library('libs/kernel'),
    ops: library('libs/ops'),
    projections: library('projections'),
  },
  imports: {
    '#kernel/*': target('libs/kernel/*'),
    '#ops/*': target('libs/ops/*'),
    '#projections/*': target('projections/*'),
    '#apps/*': target('apps/*'),
  },
  readme: table('`libs/kernel`, `libs/ops`', '`projections`', '`apps`', '`test`, `tools`, `docs`'),
};

describe('the lists of libraries', () => {
  const folder = temporaryFolder('libraries');
  beforeAll(() => {
    for (const part of ['apps/api', 'libs/kernel', 'libs/ops', 'projections', 'test', 'tools', 'docs'])
      mkdirSync(join(folder, part), { recursive: true });
  });

  /** The report of the check on the planted house with these parts changed. */
  function faultsOf(change: Partial<House>): readonly string[] {
    const { projects, imports, readme } = { ...good, ...change };
    writeFileSync(join(folder, 'nest-cli.json'), JSON.stringify({ projects }));
    writeFileSync(join(folder, 'package.json'), JSON.stringify({ imports }));
    writeFileSync(join(folder, 'README.md'), readme);
    const { status, stderr } = checkLibraries(folder);
    expect(status).toBe(stderr === '' ? 0 : 1);
    return stderr === '' ? [] : stderr.trim().split('\n');
  }

  it('agree with the folders', () => {
    const { status, stdout, stderr } = checkLibraries(houseRoot);
    expect([status, stderr]).toEqual([0, '']);
    const named = Object.keys(JSON.parse(readFileSync(join(houseRoot, 'nest-cli.json'), 'utf8')).projects);
    expect(Number(/^(\d+) libraries/.exec(stdout)?.[1])).toBe(named.length - 5);
    expect(faultsOf({})).toEqual([]);
  });

  it('miss a library in nest-cli.json, in package.json and in the table of rooms of the README', () => {
    const { ops: _project, ...projects } = { ...good.projects, ops: null };
    expect(faultsOf({ projects })).toEqual(['nest-cli.json does not name libs/ops']);
    expect(faultsOf({ imports: { ...good.imports, '#ops/*': target('apps/ops/*') } })).toEqual([
      'package.json does not name libs/ops',
    ]);
    expect(
      faultsOf({ readme: table('`libs/kernel`', '`projections`, `apps`', '`test`, `tools`, `docs`') }),
    ).toEqual(['the table of rooms in README.md does not name libs/ops']);
    expect(faultsOf({ readme: 'Nothing.' })).toHaveLength(7);
  });

  it('name nothing that does not exist, nothing twice and nothing as something else', () => {
    expect(faultsOf({ projects: { ...good.projects, attic: library('libs/attic') } })).toEqual([
      'nest-cli.json names libs/attic, which is not there',
    ]);
    expect(faultsOf({ projects: { ...good.projects, api: { ...library('apps/api') } } })).toEqual([
      'nest-cli.json: apps/api is no library',
      'nest-cli.json looks for the sources of apps/api in apps/api',
    ]);
    expect(faultsOf({ imports: { ...good.imports, '#attic/*': target('libs/attic/*') } })).toEqual([
      'package.json names libs/attic, which is not there',
    ]);
    const elsewhere = { ...target('libs/ops/*'), default: './dist/libs/kernel/*' };
    expect(faultsOf({ imports: { ...good.imports, '#ops/*': elsewhere } })).toEqual([
      'package.json: #ops/* is compiled from elsewhere than its source',
    ]);
    expect(faultsOf({ readme: good.readme.replace('`apps`', '`apps`, `libs/ops`') })).toEqual([
      'the table of rooms in README.md names libs/ops twice',
    ]);
  });
});
