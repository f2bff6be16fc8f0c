import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { soon } from '../support/event-stores.js';
import { houseRoot } from '../house/house.js';

const FROM_HERE = ['tools', 'package.json', 'tsconfig.json', 'jest.config.js'];
const CASE = `describe('planted', () => { it('runs', () => {}); });\n`;

/** A house of one spec, with the tools of this one. */
function smallHouse(): string {
  const root = mkdtempSync(join(tmpdir(), 'watched-'));
  for (const name of FROM_HERE) cpSync(join(houseRoot, name), join(root, name), { recursive: true });
  symlinkSync(realpathSync(join(houseRoot, 'node_modules')), join(root, 'node_modules'));
  for (const room of ['apps', 'libs', 'projections', 'test']) mkdirSync(join(root, room));
  writeFileSync(join(root, 'libs/planted.spec.ts'), CASE);
  return root;
}

/** The processes below one, by `/proc`. */
function descendants(pid: number): readonly number[] {
  const parents = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => {
      const parent = parentOf(Number(name));
      return parent === null ? [] : [{ pid: Number(name), parent }];
    });
  const below = (above: number): readonly number[] =>
    parents.filter(({ parent }) => parent === above).flatMap(({ pid: child }) => [child, ...below(child)]);
  return below(pid);
}

/** Null for a process that has ended, even if it is still a zombie. */
function parentOf(pid: number): number | null {
  try {
    const [state, parent] = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
    return state === 'Z' ? null : Number(parent);
  } catch {
    return null;
  }
}

(existsSync('/proc/self/stat') ? describe : describe.skip)('npm test -- --watch', () => {
  let root: string;
  let watching: ChildProcess;
  let said = '';
  let below: readonly number[] = [];
  const untilSaid = async (text: RegExp): Promise<void> => {
    while (!text.test(said)) {
      if (watching.exitCode !== null) throw new Error(said);
      await delay(50);
    }
  };

  beforeEach(() => {
    root = smallHouse();
    watching = spawn('npm', ['test', '--', '--watch', 'planted'], {
      cwd: root,
      env: { ...process.env, CI: '' },
    });
    for (const stream of [watching.stdout, watching.stderr])
      stream?.setEncoding('utf8').on('data', (text: string) => (said += text));
  });
  afterEach(() => {
    for (const pid of new Set([...below, ...descendants(watching.pid ?? 0)]))
      if (parentOf(pid) !== null) process.kill(pid, 'SIGKILL');
    watching.kill('SIGKILL');
    for (const stream of [watching.stdout, watching.stderr]) stream?.destroy();
    rmSync(root, { recursive: true, force: true });
  });

  it('refuses a second run in the same checkout', async () => {
    await soon('the first run', untilSaid(/Tests: +1 passed/));
    const second = spawnSync(process.execPath, ['tools/test.mjs'], { cwd: root, encoding: 'utf8' });
    expect([second.status, second.stdout]).toEqual([1, '']);
    expect(second.stderr).toMatch(/^Another process runs the tests of this checkout, /);
  });

  it('runs the saved spec, and SIGTERM ends its compiler as well', async () => {
    await soon('the first run', untilSaid(/Tests: +1 passed/));
    said = '';
    writeFileSync(join(root, 'libs/planted.spec.ts'), `${CASE}it('runs as well', () => {});\n`);
    await soon('the second run', untilSaid(/Tests: +2 passed/));
    below = descendants(watching.pid ?? 0);
    const words = below.map((pid) => readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' '));
    expect(words).toContainEqual(expect.stringMatching(/typescript\/bin\/tsc .*--watch/));
    const ended = once(watching, 'exit');
    watching.kill('SIGTERM');
    await soon('the end of npm', ended);
    const left = async (): Promise<void> => {
      while (below.some((pid) => parentOf(pid) !== null)) await delay(20);
    };
    await soon('the end of all that it started', left());
  });
});
