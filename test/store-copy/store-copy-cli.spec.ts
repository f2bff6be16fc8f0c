import { writeFileSync } from 'node:fs';
import { once } from 'node:events';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { openEventStoreDb } from '#event-store/eventstoredb/eventstoredb-event-store.js';
import { startEventStoreDbServer } from '#test/servers/eventstoredb/eventstoredb-server.js';
import { runScript, type Child } from '#test/support/child-process.js';
import { runCli, endedCli, jsonOf, type EndedCli } from '#test/support/cli.js';
import { soon } from '#test/support/event-stores.js';
import { hashOf, historyOf } from './history.js';
import { temporaryFolder } from '#test/support/temporary-folder.js';

describe('store copy on the command line', () => {
  const folder = temporaryFolder('store-copy-cli');
  const source = join(folder, 'events.db');
  let history: Awaited<ReturnType<typeof historyOf>>;
  beforeAll(async () => {
    const writer = runScript('../store-copy/write-history.js', [source, '10']);
    expect([await writer.ended, writer.errors()]).toEqual([0, '']);
    history = writer.lines().map((line) => JSON.parse(line));
    expect(history).toHaveLength(70);
  });

  /** No service could start with them: the command reads its own two addresses only. */
  const SETTINGS = 'export EVENT_STORE_URL=nonsense';
  const start = (...args: readonly string[]): Child => runCli(['store', 'copy', ...args], SETTINGS);
  const run = (...args: readonly string[]): Promise<EndedCli> =>
    endedCli(['store', 'copy', ...args], SETTINGS);
  const to = (name: string): string => `sqlite:${join(folder, name)}`;

  it('exits 0 and prints one line of JSON, without a progress bar when the output is no terminal', async () => {
    expect(jsonOf(await run('--from', `sqlite:${source}`, '--to', to('json.db'), '--json'))).toEqual({
      events: history.length,
      copied: history.length,
      already_there: 0,
      left_out_system: 0,
      left_out_foreign: 0,
      sha256: hashOf(history),
      seconds: expect.any(Number),
    });
  });

  it('exits 0 and prints for people', async () => {
    const { code, lines } = await run('--from', `sqlite:${source}`, '--to', to('people.db'));
    expect(code).toBe(0);
    expect(lines).toContain(`sha256            ${hashOf(history)}`);
  });

  it('exits 1 when it is refused, and says why and where', async () => {
    await runScript('../store-copy/write-history.js', [join(folder, 'other.db'), '1']).ended;
    const { code, lines, errors } = await run('--from', `sqlite:${source}`, '--to', to('other.db'));
    expect([code, lines]).toEqual([1, []]);
    expect(errors).toMatch(/not a prefix of the source/);
    expect(errors).toMatch(/^ {2}stream: credits-1$/m);
    expect(errors).toMatch(/^ {2}revision: 0$/m);
  });

  it('exits 1 when another process has a file open, even an idle one, and not once that is killed', async () => {
    const held = join(folder, 'held.db');
    const holder = runScript('../store-copy/write-history.js', [held, '1', 'and stay']);
    await soon('the other process', holder.printed(7));
    for (const ends of [
      ['--from', `sqlite:${held}`, '--to', to('unused.db')],
      ['--from', `sqlite:${source}`, '--to', `sqlite:${held}`],
    ]) {
      const { code, lines, errors } = await run(...ends);
      expect([code, lines]).toEqual([1, []]);
      expect(errors).toMatch(/stop the service/);
      expect(errors).toMatch(/^ {2}file: held\.db$/m);
    }
    holder.process.kill('SIGKILL');
    await holder.ended;
    const freed = await run('--from', `sqlite:${held}`, '--to', to('freed.db'), '--json');
    expect(jsonOf(freed).events).toBe(7);
  });

  it('exits 2 for wrong usage, naming the fault', async () => {
    for (const [args, named] of [
      [[], /--from/],
      [['--from', `sqlite:${source}`], /--to/],
      [['--from', `sqlite:${source}`, '--to', 'nonsense'], /--to takes/],
      [['--from', to('none.db'), '--to', to('none-too.db')], /--from takes a file that is there/],
      [['--from', `sqlite:${source}`, '--to', `sqlite:${source}`], /another store/],
      [['--from', `sqlite:${source}`, '--to', to('unused.db'), '--form', 'x'], /--form/],
    ] as const) {
      const { code, lines, errors } = await run(...args);
      expect([args, code, lines]).toEqual([args, 2, []]);
      expect([args, errors]).toEqual([args, expect.stringMatching(named)]);
    }
  });

  it('exits 3 when a store cannot be used, in one line', async () => {
    const foreign = join(folder, 'foreign.db');
    writeFileSync(foreign, 'this is no database, and it is nobody’s but its owner’s');
    const { code, lines, errors } = await run('--from', `sqlite:${foreign}`, '--to', to('unused.db'));
    expect([code, lines]).toEqual([3, []]);
    expect(errors.trim().split('\n')).toEqual([expect.stringContaining('foreign.db')]);
  });

  it('exits 0 for --help, which describes the options and the hash', async () => {
    const { code, lines } = await run('--help');
    expect(code).toBe(0);
    for (const text of ['--from', '--to', '--json', '[stream, revision as text, id, type, data, metadata]']) {
      expect(lines.join('\n')).toContain(text);
    }
  });

  it('continues after kill -9 in the middle of a write, written or not', async () => {
    for (const fault of ['silence before the write', 'silence after the write'] as const) {
      using server = await startEventStoreDbServer();
      Object.assign(server.faults, { append: fault, appendAfter: 12 });
      const args = ['--from', `sqlite:${source}`, '--to', server.url, '--json'];
      const killed = start(...args);
      const ended = once(killed.process, 'exit');
      const stuck = (async () => {
        while (server.seenAppends.length < 13) await setImmediate();
      })();
      await soon('the thirteenth append', stuck);
      killed.process.kill('SIGKILL');
      await ended;
      const copy = jsonOf(await run(...args));
      expect({ fault, ...copy }).toMatchObject({ fault, events: history.length, sha256: hashOf(history) });
      expect(copy.already_there).toBeGreaterThan(0);
      expect(copy.copied).toBeGreaterThan(0);
      const store = await openEventStoreDb({ url: server.url });
      expect(await historyOf(store)).toEqual(history);
      await store.close();
    }
  });
});
