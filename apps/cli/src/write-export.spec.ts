import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  existsSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { Refusal } from '#kernel/values/refusal.js';
import { openDatabase } from '#sqlite/open-database.js';
import { WrongUsage } from './options.js';
import { exportTarget, writeExport } from './write-export.js';

const folder = mkdtempSync(join(tmpdir(), 'write-export-'));
const at = (name: string): string => join(folder, name);
const store = (name: string) => ({ kind: 'sqlite', path: at(name) }) as const;
const settings = {
  dataDirectory: folder,
  eventStore: store('events.db'),
  readStore: store('views.db'),
  networkStore: store('network.db'),
  secretsKeyFile: at('wrapping.key'),
};
const outcomeOf = (file: string, overwrite: boolean): Promise<string> =>
  exportTarget(file, overwrite, settings).then(
    ({ isOverwritten }) => (isOverwritten ? 'replaced' : 'made'),
    (error: unknown) => (error instanceof Refusal ? error.declaration.code : String(error)),
  );

async function* pieces(...texts: readonly string[]) {
  yield* texts;
}

describe('the file of an export', () => {
  beforeAll(async () => {
    const db = await openDatabase({
      path: at('elsewhere.db'),
      applicationId: 1,
      schemaVersion: 1,
      migrate: (file) => file.exec('CREATE TABLE any (one TEXT)'),
      synchronous: 'NORMAL',
    });
    db.close();
    // A file named in the settings is a store, whatever it contains.
    for (const name of [
      'events.db',
      'views.db',
      'network.db',
      'events.db-wal',
      'cursor.secret',
      'wrapping.key',
      'text.csv',
    ])
      writeFileSync(at(name), name);
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  it('OPS-31 is created if it does not exist, and replaced only with --overwrite', async () => {
    expect(await outcomeOf(at('new.csv'), false)).toBe('made');
    expect(await outcomeOf(at('new.csv'), true)).toBe('made');
    expect(await outcomeOf(at('text.csv'), false)).toBe('file-exists');
    expect(await outcomeOf(at('text.csv'), true)).toBe('replaced');
  });

  it('OPS-31 replaces no store, no file next to a store and no other database, by any path', async () => {
    symlinkSync(at('events.db'), at('symbolic.csv'));
    symlinkSync(at('symbolic.csv'), at('symbolic-twice.csv'));
    symlinkSync(at('wrapping.key'), at('symbolic-key.csv'));
    linkSync(at('views.db'), at('hard.csv'));
    linkSync(at('elsewhere.db'), at('hard-elsewhere.csv'));
    writeFileSync(at('elsewhere.db-wal'), 'a log');
    mkdirSync(at('deeper'));
    const names = [
      'events.db',
      'views.db',
      'network.db',
      'deeper/../events.db',
      'events.db-wal',
      'cursor.secret',
      'wrapping.key',
      'symbolic-key.csv',
      'symbolic.csv',
      'symbolic-twice.csv',
      'hard.csv',
      'elsewhere.db',
      'elsewhere.db-wal',
      'hard-elsewhere.csv',
    ];
    for (const name of names) {
      expect([name, await outcomeOf(at(name), false)]).toEqual([name, 'file-exists']);
      expect([name, await outcomeOf(at(name), true)]).toEqual([name, 'file-is-not-replaced']);
    }
  });

  it('OPS-31 replaces no folder, no device and no dangling link', async () => {
    symlinkSync(at('nothing'), at('dangling.csv'));
    for (const file of [folder, '/dev/null', at('dangling.csv')]) {
      expect([file, await outcomeOf(file, false)]).toEqual([file, 'file-exists']);
      expect([file, await outcomeOf(file, true)]).toEqual([file, 'file-is-not-replaced']);
    }
  });

  it('OPS-31 follows a link to its target', async () => {
    symlinkSync(at('text.csv'), at('link.csv'));
    await writeExport(pieces('new ', 'text'), await exportTarget(at('link.csv'), true, settings));
    expect(readFileSync(at('text.csv'), 'utf8')).toBe('new text');
  });

  it('OPS-31 does not replace a file that was created meanwhile, and leaves nothing unfinished', async () => {
    const target = await exportTarget(at('raced.csv'), false, settings);
    writeFileSync(at('raced.csv'), 'faster');
    const refused: unknown = await writeExport(pieces('slower'), target).catch((error: unknown) => error);
    expect(refused).toHaveProperty('declaration.code', 'file-exists');
    expect(readFileSync(at('raced.csv'), 'utf8')).toBe('faster');
    const nowhere = await exportTarget(at('no-folder/x.csv'), false, settings);
    await expect(writeExport(pieces('x'), nowhere)).rejects.toBeInstanceOf(WrongUsage);
    expect(readdirSync(folder).filter((name) => name.endsWith('.part'))).toEqual([]);
  });

  it('OPS-31 cannot be where no file can be: that is wrong usage', async () => {
    writeFileSync(at('no-folder.csv'), 'text');
    await expect(exportTarget(at('no-folder.csv/x.csv'), false, settings)).rejects.toBeInstanceOf(WrongUsage);
  });

  it.each(['SIGINT', 'SIGTERM', 'SIGHUP'] as const)(
    'OPS-31 leaves nothing unfinished when %s ends the command, and the command ends by that signal',
    async (signal) => {
      const module = JSON.stringify(import.meta.resolve('./write-export.js'));
      const file = at(`ended-by-${signal}.csv`);
      const script = `
        const { writeExport } = await import(${module});
        const pieces = async function* () {
          for (;;) {
            yield 'x';
            await new Promise((resolve) => setTimeout(resolve, 5));
          }
        };
        await writeExport(pieces(), { file: ${JSON.stringify(file)}, isOverwritten: false });`;
      const child = spawn(process.execPath, ['--input-type=module', '-e', script]);
      const ended = once(child, 'exit');
      while (!existsSync(`${file}.${child.pid}.part`)) await delay(5);
      child.kill(signal);
      expect(await ended).toEqual([null, signal]);
      expect(readdirSync(folder).filter((name) => name.startsWith('ended-by'))).toEqual([]);
    },
  );

  it('OPS-32 is written by one command at a time: a second one at the same time is refused', async () => {
    const file = at('twice.csv');
    let go = (): void => undefined;
    const gone = new Promise<void>((resolve) => (go = resolve));
    async function* slow() {
      yield 'first ';
      await gone;
      yield 'command';
    }
    const first = writeExport(slow(), await exportTarget(file, true, settings));
    while (!existsSync(`${file}.${process.pid}.part`)) await delay(5);
    const second = exportTarget(file, true, settings).then((target) => writeExport(pieces('second'), target));
    await expect(second).rejects.toHaveProperty('declaration.code', 'file-is-written');
    go();
    await first;
    expect(readFileSync(file, 'utf8')).toBe('first command');
    expect(readdirSync(folder).filter((name) => name.startsWith('twice'))).toEqual(['twice.csv']);
  });

  it('OPS-31 has no remains of commands that were killed before', async () => {
    const file = at('killed.csv');
    const others = ['killed.csv.part', 'killed.csv.old.part', 'killed.csv2.7.part'];
    for (const name of ['killed.csv.7.part', 'killed.csv.4194304.part', 'killed.csv.claim', ...others])
      writeFileSync(at(name), '');
    await writeExport(pieces('whole'), await exportTarget(file, false, settings));
    expect(readFileSync(file, 'utf8')).toBe('whole');
    const left = readdirSync(folder).filter((name) => name.startsWith('killed.csv'));
    expect(left.sort()).toEqual(['killed.csv', ...others].sort());
  });

  it('OPS-31 does not exist if the disk did not take all of it', () => {
    const module = JSON.stringify(import.meta.resolve('./write-export.js'));
    const script = `
      const { writeExport } = await import(${module});
      const pieces = async function* () { for (let n = 0; n < 100; n += 1) yield 'x'.repeat(4096); };
      await writeExport(pieces(), { file: ${JSON.stringify(at('large.csv'))}, isOverwritten: false })
        .catch((error) => console.log(error.constructor.name, error.message));`;
    // a limit on the size of files simulates a full disk
    const ended = spawnSync(
      'bash',
      ['-c', 'ulimit -f 64; exec "$0" --input-type=module -e "$1"', process.execPath, script],
      { encoding: 'utf8' },
    );
    expect(ended.stdout).toMatch(/^UnwritableFile .*large\.csv cannot be written: .*too large/);
    expect(existsSync(at('large.csv'))).toBe(false);
  });
});
