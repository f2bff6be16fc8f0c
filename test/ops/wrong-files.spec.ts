import { spawnSync } from 'node:child_process';
import { existsSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { diagnostic } from '#test/support/diagnostic.js';
import { temporaryFolder } from '#test/support/temporary-folder.js';
import { CLI, endedCli, onData } from '#test/support/cli.js';

const folder = temporaryFolder('wrong-files');
const at = (name: string): string => join(folder, name);

async function cli(...args: readonly string[]) {
  const { code, lines, errors } = await endedCli(args, onData(at('data')));
  return { code, lines, errors: errors.trim().split('\n') };
}

describe('a file of the wrong kind for a command', () => {
  beforeAll(() => {
    expect(spawnSync('mkfifo', [at('pipe')]).status).toBe(0);
    writeFileSync(
      at('text.db'),
      'this is a text, and long enough for a header of a hundred bytes: '.repeat(3),
    );
    writeFileSync(at('empty.db'), '');
  });

  const irregular = ['pipe', '/dev/zero'] as const;
  const pathOf = (name: string): string => (name.startsWith('/') ? name : at(name));

  it.each(irregular)(
    'OPS-32 %s never ends: every command says at once that it is not a regular file',
    async (name) => {
      const file = pathOf(name);
      const calls: readonly (readonly [code: number, args: readonly string[]])[] = [
        [3, ['store', 'check', `sqlite:${file}`]],
        [3, ['store', 'show', `sqlite:${file}`]],
        [3, ['store', 'backup', '--from', `sqlite:${file}`, '--to', at('copy.db')]],
        [3, ['store', 'restore', '--from', file, '--to', `sqlite:${at('restored.db')}`]],
        [3, ['store', 'restore', '--from', at('text.db'), '--to', `sqlite:${file}`]],
        [2, ['ledger', 'verify', '--file', file]],
        [2, ['network', 'check', file]],
        [2, ['credits', 'grant', '--input', file]],
      ];
      for (const [code, args] of calls) {
        const ended = await cli(...args);
        expect([args, ended]).toEqual([
          args,
          { code, lines: [], errors: [expect.stringMatching(/not a regular file/)] },
        ]);
      }
      expect([existsSync(at('copy.db')), existsSync(at('restored.db'))]).toEqual([false, false]);
    },
  );

  it('OPS-32 a file that the system does not let it read is an unavailable store: one line, exit 3', async () => {
    // A regular file whose begin nobody can read, not even root.
    const file = '/proc/self/mem';
    if (!existsSync(file)) {
      diagnostic(`skipped: this machine has no ${file}`);
      return;
    }
    for (const args of [
      ['store', 'check', `sqlite:${file}`],
      ['store', 'show', `sqlite:${file}`],
      ['store', 'backup', '--from', `sqlite:${file}`, '--to', at('copy.db')],
      ['store', 'copy', '--from', `sqlite:${file}`, '--to', `sqlite:${at('copied.db')}`],
      ['store', 'restore', '--from', file, '--to', `sqlite:${at('restored.db')}`],
    ]) {
      const ended = await cli(...args);
      expect([args, ended]).toEqual([
        args,
        { code: 3, lines: [], errors: [expect.stringMatching(/^\/proc\/self\/mem cannot be read/)] },
      ]);
    }
  });

  it.each([
    ['zeros', 'cat /dev/zero'],
    ['a statement without an end', `{ printf '{"workspace_id":1,'; cat /dev/zero; }`],
  ])('OPS-32 %s on standard input: ledger verify reads 64 MiB, and says so in one line', (_name, writer) => {
    const { status, stdout, stderr } = spawnSync(
      'sh',
      ['-c', `${writer} | '${process.execPath}' '${CLI}' ledger verify --file -`],
      { encoding: 'utf8', env: { ...process.env, DATA_DIR: at('data') }, timeout: 60_000 },
    );
    expect({ status, stdout }).toEqual({ status: 2, stdout: '' });
    expect(stderr).toMatch(/64 MiB/);
    expect(stderr.trim().split('\n')).toHaveLength(1);
  });

  it.each(['text.db', 'empty.db'])(
    'OPS-32 %s is no store: one line, exit 3, and the file does not change',
    async (name) => {
      const size = statSync(at(name)).size;
      for (const args of [
        ['store', 'check', `sqlite:${at(name)}`],
        ['store', 'show', `sqlite:${at(name)}`],
        ['store', 'restore', '--from', at(name), '--to', `sqlite:${at('restored.db')}`],
      ]) {
        const ended = await cli(...args);
        expect([args, ended]).toEqual([
          args,
          { code: 3, lines: [], errors: [expect.stringMatching(/is not an SQLite database$/)] },
        ]);
      }
      expect([statSync(at(name)).size, existsSync(`${at(name)}-wal`)]).toEqual([size, false]);
      expect(existsSync(at('restored.db'))).toBe(false);
    },
  );
});

describe('a folder that the system refuses', () => {
  it('OPS-32 is a wrong setting at once, and causes no endless loop', async () => {
    const { code, errors } = await endedCli(['projections', 'list'], onData('/proc/nowhere/data'));
    expect(code).toBe(2);
    expect(errors).toMatch(/^DATA_DIR takes a folder that this process can create/);
  });
});
