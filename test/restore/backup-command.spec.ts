import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { openSqliteEventStore } from '#event-store/sqlite/sqlite-event-store.js';
import { noted } from '#test/store-copy/history.js';
import { temporaryFolder } from '#test/support/temporary-folder.js';
import { runCli } from '#test/support/cli.js';

describe('the command store backup', () => {
  const folder = temporaryFolder('backup-command');
  const at = (name: string): string => join(folder, name);

  async function run(...words: readonly string[]) {
    const child = runCli(['store', 'backup', ...words], `cd ${folder}`);
    const code = await child.ended;
    return { code, output: child.lines().join('\n'), errors: child.errors() };
  }
  async function logOf(name: string, stream: string): Promise<string> {
    const store = await openSqliteEventStore({ path: at(name) });
    await store.append(stream, 'no-stream', [noted({ text: 'one' })]);
    await store.close();
    return `sqlite:${at(name)}`;
  }

  it('OPS-31 writes a log with faults as it is, names them, and exits 1', async () => {
    // An entry of a ledger without the hash of its chain.
    const from = await logOf('faulty.db', 'credits-1');
    const { code, output } = await run('--from', from, '--to', at('copy.db'), '--json');
    expect([code, JSON.parse(output).faults]).toEqual([
      1,
      [expect.objectContaining({ stream: 'credits-1', revision: '0' })],
    ]);
    expect(existsSync(at('copy.db'))).toBe(true);
    const sound = await run(
      '--from',
      await logOf('sound.db', 'notes-1'),
      '--to',
      at('sound-copy.db'),
      '--json',
    );
    expect([sound.code, JSON.parse(sound.output).faults, sound.errors]).toEqual([0, [], '']);
  });

  it.each(['--network-to', '--secrets-to'])(
    'OPS-31 writes nothing if the file of %s exists',
    async (option) => {
      const from = await logOf(`events${option}.db`, 'notes-1');
      writeFileSync(at('taken.db'), 'something dear');
      const { code, errors } = await run(
        '--from',
        from,
        '--to',
        at(`backup${option}.db`),
        option,
        at('taken.db'),
      );
      expect([code, errors]).toEqual([1, expect.stringContaining(at('taken.db'))]);
      expect([existsSync(at(`backup${option}.db`)), readFileSync(at('taken.db'), 'utf8')]).toEqual([
        false,
        'something dear',
      ]);
    },
  );

  it('OPS-31 a place where no file can be is wrong usage, in one line that names the file', async () => {
    writeFileSync(at('file'), 'no folder');
    const from = await logOf('sound-too.db', 'notes-1');
    const { code, errors } = await run('--from', from, '--to', at('file/backup.db'));
    expect([code, errors]).toEqual([
      2,
      expect.stringMatching(/^[^\n]*file\/backup\.db cannot be written: ENOTDIR[^\n]*\n$/),
    ]);
    const restored = runCli([
      'store',
      'restore',
      ...['--from', at('sound-too.db'), '--to', `sqlite:${at('file/events.db')}`],
    ]);
    expect([await restored.ended, restored.errors()]).toEqual([
      3,
      expect.stringMatching(/^[^\n]*file\/events\.db cannot be written \(ENOTDIR[^\n]*\n$/),
    ]);
  });

  it('reports a network that is damaged in one line, and exits 3', async () => {
    const from = await logOf('of-damaged.db', 'notes-1');
    writeFileSync(at('damaged-network.db'), 'SQLite format 3\0'.padEnd(8_192, 'x'));
    const settings = `cd ${folder}; export NETWORK_STORE_URL=sqlite:${at('damaged-network.db')}`;
    const words = ['--from', from, '--to', at('of-damaged-copy.db'), '--network-to', at('network-copy.db')];
    const child = runCli(['store', 'backup', ...words], settings);
    expect([await child.ended, child.errors()]).toEqual([
      3,
      expect.stringMatching(/^[^\n]*damaged-network\.db is not an SQLite database\n$/),
    ]);
  });

  it('writes nothing if two backups have the same file', async () => {
    const from = await logOf('events.db', 'notes-1');
    const { code } = await run('--from', from, '--to', at('same.db'), '--secrets-to', 'same.db');
    expect([code, existsSync(at('same.db'))]).toEqual([2, false]);
  });
});
