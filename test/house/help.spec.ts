import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { houseRoot } from './house.js';

const { scripts }: { readonly scripts: Readonly<Record<string, string>> } = JSON.parse(
  readFileSync(join(houseRoot, 'package.json'), 'utf8'),
);

/** The program to which `npm run NAME -- --help` passes the arguments: the last command of a script. */
const handedTo = (name: string): readonly string[] =>
  (scripts[name] ?? '').split(' && ').at(-1)?.split(' ').slice(1) ?? [];

const OURS = [
  'build',
  'test',
  'test:servers',
  'test:local-servers',
  'check',
  'docs',
  'examples',
  'client',
  'soak',
  'demo',
  'bench',
  'mutations',
];

describe('a script of the house with --help', () => {
  it.each(OURS)('npm run %s -- --help says what it does, and does none of it', (name) => {
    const { status, stdout } = spawnSync(process.execPath, [...handedTo(name), '--help'], {
      cwd: houseRoot,
      encoding: 'utf8',
      // a script that starts its work instead, and takes long, is killed and has no status
      timeout: 240_000,
    });
    expect({ status, said: stdout.trim().length > 60 }).toEqual({ status: 0, said: true });
    expect(stdout.split('\n').length).toBeLessThan(25);
  });
});

describe('a script of the house with an argument that it does not know', () => {
  it.each([
    ['check', '--chnaged'],
    ['test', '--wacth'],
    ['demo', '--sreve'],
    ['mutations', '--wirte'],
    ['mutations', 'no-such-rule'],
    ['soak', 'unraed'],
    ['bench', 'no-such-benchmark'],
  ])('npm run %s -- %s says so in one line, exits with 2, and does nothing', (name, argument) => {
    const { status, stdout, stderr } = spawnSync(process.execPath, [...handedTo(name), argument], {
      cwd: houseRoot,
      encoding: 'utf8',
      timeout: 60_000,
    });
    expect({ status, stdout, lines: stderr.trim().split('\n').length }).toEqual({
      status: 2,
      stdout: '',
      lines: 1,
    });
    expect(stderr).toContain(argument);
  });
});
