import { copyFileSync, existsSync, readdirSync, rmSync, statSync } from 'node:fs';
import { watch } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from '@photostructure/sqlite';
import { openSqliteEventStore } from '#event-store/sqlite/sqlite-event-store.js';
import { noted, historyAt } from '#test/store-copy/history.js';
import type { Child } from '#test/support/child-process.js';
import { soon } from '#test/support/event-stores.js';
import { temporaryFolder } from '#test/support/temporary-folder.js';
import { runCli } from '#test/support/cli.js';

const EVENTS_AT_ONCE = 500;
const HALF_WRITTEN_BYTES = 1 << 20;
/**
 * Recognized by the write-ahead log of the unfinished file: it grows while that is written, and is removed before the
 * rename.
 */
const MOMENTS = {
  'while it writes': (log: string): boolean => sizeOf(log) > HALF_WRITTEN_BYTES,
  'as it is about to get its name': (log: string): boolean => sizeOf(log) < 0,
};
/** In bytes; negative when there is no file. */
const sizeOf = (path: string): number => statSync(path, { throwIfNoEntry: false })?.size ?? -1;
/** A signal can come too late on a busy machine: then there was no middle to interrupt. */
const ATTEMPTS = 40;

describe('store backup and store restore', () => {
  const folder = temporaryFolder('killed-backup');
  const at = (name: string): string => join(folder, name);
  const source = at('events.db');
  const present = at('present.db');
  let history: Awaited<ReturnType<typeof historyAt>>;
  /** This process keeps opened files; a command must not find its file in use. */
  async function historyOfCopy(name: string) {
    copyFileSync(at(name), at('copy.db'));
    try {
      return await historyAt(at('copy.db'));
    } finally {
      for (const companion of ['', '-wal', '-shm']) rmSync(at(`copy.db${companion}`), { force: true });
    }
  }
  async function write(path: string, stream: string, batches: number): Promise<void> {
    const store = await openSqliteEventStore({ path });
    for (let batch = 0; batch < batches; batch += 1) {
      const expected = batch === 0 ? 'no-stream' : BigInt(batch * EVENTS_AT_ONCE - 1);
      const events = Array.from({ length: EVENTS_AT_ONCE }, (_, index) => noted({ batch, index }));
      await store.append(stream, expected, events);
    }
    await store.close();
  }
  beforeAll(async () => {
    await write(source, 'notes-1', 4);
    copyFileSync(source, present);
    await write(present, 'lost-1', 1);
    await write(source, 'notes-2', 16);
    history = await historyAt(source);
  });

  const start = (...words: readonly string[]): Child =>
    runCli(['store', ...words], `export DATA_DIR=${folder}`);

  /** Resolves when a change of the file has reached this state. */
  async function changed(
    name: string,
    isThere: (path: string) => boolean,
    signal: AbortSignal,
  ): Promise<void> {
    let isBegun = false;
    for await (const { filename } of watch(folder, { signal })) {
      if (filename !== name) continue;
      isBegun ||= existsSync(at(name));
      if (isBegun && isThere(at(name))) return;
    }
  }

  /** Runs a command and signals it at a moment; false if it had ended by then. */
  async function isKilled(
    words: readonly string[],
    file: string,
    moment: (log: string) => boolean,
    signal: NodeJS.Signals,
    watched = `${file}.unfinished-wal`,
  ): Promise<boolean> {
    const over = new AbortController();
    const begun = changed(watched, moment, over.signal).catch(() => undefined);
    const child = start(...words);
    await soon('the moment', Promise.race([begun, child.ended]));
    child.process.kill(signal);
    const code = await soon('the end', child.ended);
    over.abort();
    await begun;
    expect([null, 0]).toContain(code);
    if (code === null) expect(child.process.signalCode).toBe(signal);
    return !isFinished(file);
  }
  const isFinished = (file: string): boolean => !existsSync(at(`${file}.unfinished`));

  async function killed(
    words: readonly string[],
    file: string,
    moment: (log: string) => boolean,
    signal: NodeJS.Signals,
    prepare: () => void,
    check: () => Promise<void>,
  ): Promise<void> {
    for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
      prepare();
      const isDone = await isKilled(words, file, moment, signal);
      await check();
      if (isDone) return;
    }
    throw new Error(`${words.join(' ')} always ends before ${signal} comes`);
  }
  async function again(words: readonly string[]): Promise<void> {
    const child = start(...words);
    expect([await soon('the end', child.ended), child.errors()]).toEqual([0, '']);
  }

  const cases = [
    ['SIGKILL', 'while it writes'],
    ['SIGTERM', 'as it is about to get its name'],
  ] as const;

  it.each(cases)(
    'a backup ended by %s %s leaves no partial file of its name, and starts again',
    async (signal, moment) => {
      const file = `backup-${signal}.db`;
      const words = ['backup', '--from', `sqlite:${source}`, '--to', at(file)];
      await killed(
        words,
        file,
        MOMENTS[moment],
        signal,
        () => rmSync(at(file), { force: true }),
        async () => {
          if (existsSync(at(file))) expect(await historyOfCopy(file)).toEqual(history);
        },
      );
      // For a moment it has both names.
      rmSync(at(file), { force: true });
      await again(words);
      expect(await historyAt(at(file))).toEqual(history);
      expect(isFinished(file)).toBe(true);
    },
  );

  it('OPS-31 a backup killed after its events leaves no file of its names, and starts again', async () => {
    const network = new DatabaseSync(at('network.db'));
    network.exec(
      'CREATE TABLE observation AS SELECT randomblob(100000000) AS bytes; CREATE TABLE poll (key)',
    );
    network.close();
    const files = ['all.db', 'all-network.db'] as const;
    const [events, second] = files;
    const words = ['backup', '--to', at(events), '--network-to', at(second)];
    let isBeforeItsEnd = false;
    for (let attempt = 0; attempt < ATTEMPTS && !isBeforeItsEnd; attempt += 1) {
      for (const file of files) rmSync(at(file), { force: true });
      isBeforeItsEnd = await isKilled(words, second, () => true, 'SIGKILL', `${second}.unfinished`);
    }
    expect(files.map((file) => existsSync(at(file)))).toEqual([false, false]);
    await again(words);
    expect(files.map(isFinished)).toEqual([true, true]);
    expect(await historyAt(at(events))).toEqual(history);
  });

  it.each(cases)(
    'a restore ended by %s %s leaves the existing log, and starts again',
    async (signal, moment) => {
      const file = `restored-${signal}.db`;
      const setAside = (): readonly string[] =>
        readdirSync(folder).filter((name) => new RegExp(`^${file}\\.before-restore-\\d+$`).test(name));
      const words = ['restore', '--from', source, '--to', `sqlite:${at(file)}`, '--yes'];
      const before = await historyAt(present);
      await killed(
        words,
        file,
        MOMENTS[moment],
        signal,
        () => {
          for (const name of [file, ...setAside()]) rmSync(at(name), { force: true });
          copyFileSync(present, at(file));
        },
        async () => {
          expect(existsSync(at(file))).toBe(true);
          const found = await historyOfCopy(file);
          expect(found).toEqual(found.length === history.length ? history : before);
        },
      );
      await again(words);
      expect(await historyAt(at(file))).toEqual(history);
      expect(setAside()).not.toEqual([]);
      for (const name of setAside()) expect(await historyAt(at(name))).toEqual(before);
      expect(isFinished(file)).toBe(true);
    },
  );
});
