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
