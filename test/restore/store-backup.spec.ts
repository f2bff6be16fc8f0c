import { spawnSync } from 'node:child_process';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Refusal } from '#kernel/values/refusal.js';
import { START, StoreUnusable } from '#kernel/ports/event-store.port.js';
import { eventsUpTo } from '#event-store/copy/bounded-log.js';
import { openSqliteEventStore } from '#event-store/sqlite/sqlite-event-store.js';
import { EventLog, memoryEventStore } from '#test/simulation/memory-event-store.js';
import { backupStore } from '#runtime/backup-store.js';
import { checkStore } from '#runtime/check-store.js';
import { refuseToReplaceInUse } from '#runtime/copy-store.js';
import { restoreStore } from '#runtime/restore-store.js';
import type { EventStoreUrl } from '#runtime/settings.js';
import { showStore } from '#runtime/show-store.js';
import { withUnfinishedFile } from '#runtime/unfinished-file.js';
import { startEventStoreDbServer } from '#test/servers/eventstoredb/eventstoredb-server.js';
import { hashOf, historyOf, writeHistory, historyAt } from '#test/store-copy/history.js';
import { diagnostic } from '#test/support/diagnostic.js';
import { startTestService, type TestService, type TestWorkspace } from '#test/support/service.js';
import { temporaryFolder } from '#test/support/temporary-folder.js';
import { CLI } from '#test/support/cli.js';

/** Writes during which backups are made before the one that is checked in detail. */
const BUSY_WRITES = 40;

const codeOf = (error: unknown): string | null => (error instanceof Refusal ? error.declaration.code : null);

const folder = temporaryFolder('backup');

describe('a backup of an event store', () => {
  let service: TestService;
  let workspace: TestWorkspace;
  let source: EventStoreUrl;
  const at = (name: string): string => join(folder, name);
  const to = (name: string): EventStoreUrl => ({ kind: 'sqlite', path: at(name) });
  const hold = (key: string) =>
    service.ops('credits.hold', { workspace_id: workspace.id, key, credits: 2, product: 'match' });
  beforeAll(async () => {
    service = await startTestService();
    source = service.settings.eventStore;
    workspace = await service.workspace({ credits: 100_000 });
    for (let index = 0; index < 10; index += 1) await hold(`first-${index}`);
  });
  afterAll(() => service.stop());

  it('made while the service writes is a prefix of its log, and a restored copy verifies', async () => {
    let isOver = false;
    let written = 0;
    const writers = Array.from({ length: 8 }, async (_, writer) => {
      for (let index = 0; !isOver; index += 1) {
        expect((await hold(`busy-${writer}-${index}`)).status).toBe(200);
        written += 1;
      }
    });
    const startedAt = performance.now();
    const early: string[] = [];
    while (written < BUSY_WRITES) {
      early.push(at(`busy-${early.length}.db`));
      await backupStore(source, early.at(-1) ?? '');
    }
    const facts = await backupStore(source, at('busy.db'));
    const perSecond = (1_000 * written) / (performance.now() - startedAt);
    isOver = true;
    await Promise.all(writers);
    diagnostic(`${early.length + 1} backups beside ${Math.round(perSecond)} writes a second`);
    const [backup, whole] = [
      await historyAt(at('busy.db')),
      await historyOf(service.service.host.eventStore),
    ];
    for (const path of early) {
      const beginning = await historyAt(path);
      expect(beginning).toEqual(whole.slice(0, beginning.length));
    }
    expect(whole.length).toBeGreaterThan(backup.length);
    expect(backup).toEqual(whole.slice(0, backup.length));
    expect(facts).toMatchObject({
      events: backup.length,
      sha256: hashOf(backup),
      logId: service.service.host.logId,
      faults: [],
    });
    expect(facts.heads).toContainEqual({
      stream: `credits-${workspace.id}`,
      revision: expect.any(String),
      hash: expect.stringMatching(/^[0-9a-f]{64}$/),
    });

    const data = mkdtempSync(join(tmpdir(), 'restored-backup-'));
    await restoreStore({
      from: at('busy.db'),
      to: { kind: 'sqlite', path: join(data, 'events.db') },
      isConfirmed: false,
      skipIds: 0,
    });
    await using restored = await startTestService({}, data);
    const verified = await restored.ops('ledger.verify', { workspace_id: workspace.id });
    expect(verified.body).toMatchObject({ ok: true, hash: facts.heads[0]?.hash });
  });

  it('takes nothing after the end that was read before it began', async () => {
    const log = new EventLog();
    const append = (id: string) =>
      log.append('notes', log.all.length === 0 ? 'no-stream' : BigInt(log.all.length - 1), [
        { id, type: 'Noted', data: {}, metadata: {} },
      ]);
    const { position: end } = [append('one'), append('two')].at(-1) ?? { position: START };
    append('written meanwhile');
    const taken: string[] = [];
    for await (const { id } of eventsUpTo(memoryEventStore(log), end)) taken.push(id);
    expect(taken).toEqual(['one', 'two']);
  });

  it('does not overwrite a file, and starts again after a killed one', async () => {
    writeFileSync(at('taken.db'), 'something dear');
    const refused: unknown = await backupStore(source, at('taken.db')).catch((error: unknown) => error);
    expect(codeOf(refused)).toBe('backup-exists');
    expect(readFileSync(at('taken.db'), 'utf8')).toBe('something dear');
    writeFileSync(at('again.db.unfinished'), 'half of one');
    const facts = await backupStore(source, at('again.db'));
    expect(await historyAt(at('again.db'))).toHaveLength(facts.events);
    expect(existsSync(at('again.db.unfinished'))).toBe(false);
  });

  it('OPS-31 leaves nothing on a disk that does not take all of it', () => {
    mkdirSync(at('full'));
    const from = `sqlite:${source.kind === 'sqlite' ? source.path : ''}`;
    const words = ['store', 'backup', '--from', from, '--to', at('full/backup.db')];
    // a limit on the size of files simulates a full disk
    const ended = spawnSync(
      'bash',
      ['-c', 'ulimit -f 100; exec "$0" "$@"', process.execPath, CLI, ...words],
      { encoding: 'utf8', env: { ...process.env, DATA_DIR: folder } },
    );
    expect([ended.status, ended.stderr]).toEqual([
      1,
      expect.stringMatching(/^\S+backup\.db\S* cannot .+\n$/),
    ]);
    expect(readdirSync(at('full'))).toEqual([]);
  });

  it('OPS-31 does not use the name of a dangling link, and says so before anything is read', async () => {
    symlinkSync(at('nothing.db'), at('dangling.db'));
    const refused: unknown = await backupStore(source, at('dangling.db')).catch((error: unknown) => error);
    expect(codeOf(refused)).toBe('backup-exists');
    expect([existsSync(at('nothing.db')), existsSync(at('dangling.db.unfinished'))]).toEqual([false, false]);
  });

  it('OPS-32 is restored to a file by one command at a time: of two at once the second is refused', async () => {
    await backupStore(source, at('twice.db'));
    const restored = () =>
      restoreStore({ from: at('twice.db'), to: to('once.db'), isConfirmed: true, skipIds: 0 }).then(
        () => 'restored',
        codeOf,
      );
    // One of several at once may begin after another has ended: the name is held by hand, and they all end meanwhile.
    await withUnfinishedFile(at('once.db'), async ({ path }) => {
      writeFileSync(path, 'half of one');
      expect([await restored(), await restored()]).toEqual(['store-in-use', 'store-in-use']);
      expect(readFileSync(path, 'utf8')).toBe('half of one');
    });
    const atOnce = await Promise.all([restored(), restored(), restored()]);
    expect(new Set([...atOnce, 'store-in-use'])).toEqual(new Set(['restored', 'store-in-use']));
    expect(await historyAt(at('once.db'))).toEqual(await historyAt(at('twice.db')));
    expect(readdirSync(folder).filter((name) => /claim|unfinished/.test(name))).toEqual([]);
    // leftovers of a killed command block no other
    writeFileSync(at('once.db.claim'), '');
    expect(await restored()).toBe('restored');
  });

  it('says what would be lost before it replaces a log, and sets that log aside', async () => {
    await backupStore(source, at('early.db'));
    const early = await historyAt(at('early.db'));
    const { body } = await hold('captured later');
    await service.ops('credits.capture', { workspace_id: workspace.id, key: 'captured later' });
    await backupStore(source, at('late.db'));
    const options = { from: at('early.db'), to: to('late.db'), skipIds: 0 };
    const refused: unknown = await restoreStore({ ...options, isConfirmed: false }).catch(
      (error: unknown) => error,
    );
    expect(codeOf(refused)).toBe('restore-loses-events');
    expect(refused).toHaveProperty('details.members', {
      lost_events: expect.any(Number),
      lost_from: expect.any(String),
      lost_until: expect.any(String),
      [`ledger of workspace ${workspace.id}`]: expect.stringMatching(
        /^2 entries after revision \d+, with 2 credits captured$/,
      ),
    });
    expect(body.movement_id).toEqual(expect.any(Number));
    const late = await historyAt(at('late.db'));
    const restored = await restoreStore({ ...options, isConfirmed: true });
    expect(restored.loss).toMatchObject({ lostEvents: late.length - early.length, common: early.length });
    expect(await historyAt(at('late.db'))).toEqual(early);
    expect(await historyAt(restored.setAside ?? '')).toEqual(late);
  });

  it.each([
    ['a page', overwriteEventPage, /damaged\.db is damaged: .*use --yes/],
    ['its beginning', overwriteHeader, /damaged\.db is not an SQLite database.*use --yes/],
  ])(
    'replaces a log of which %s is damaged, if its unknown loss is confirmed',
    async (_what, damage, said) => {
      const own = mkdtempSync(join(folder, 'damaged-'));
      const path = join(own, 'damaged.db');
      await backupStore(source, join(own, 'backup.db'));
      // A copy, which this process has never had open.
      copyFileSync(join(own, 'backup.db'), path);
      damage(path);
      const damaged = readFileSync(path);
      const options = { from: join(own, 'backup.db'), to: { kind: 'sqlite', path }, skipIds: 0 } as const;
      refuseToReplaceInUse(options.to);
      const refused: unknown = await restoreStore({ ...options, isConfirmed: false }).catch(
        (error: unknown) => error,
      );
      expect(refused).toBeInstanceOf(StoreUnusable);
      expect(refused).toHaveProperty('message', expect.stringMatching(said));
      expect(readFileSync(path).equals(damaged)).toBe(true);
      const restored = await restoreStore({ ...options, isConfirmed: true });
      expect(restored).toMatchObject({ loss: null, damage: expect.stringContaining(path) });
      expect(await historyAt(path)).toEqual(await historyAt(options.from));
      const aside = restored.setAside ?? '';
      expect(readFileSync(aside).equals(damaged)).toBe(true);
    },
  );

  it('sets the log beside a file aside with it, which may hold the last events of a damaged file', async () => {
    const path = join(folder, 'beside.db');
    for (const name of [path, `${path}-wal`]) writeFileSync(name, `text of ${name}`);
    await withUnfinishedFile(path, async (unfinished) => {
      writeFileSync(unfinished.path, 'the new one');
      unfinished.replace(`${path}.aside`);
    });
    expect(readFileSync(path, 'utf8')).toBe('the new one');
    expect(existsSync(`${path}-wal`)).toBe(false);
    for (const end of ['', '-wal'])
      expect(readFileSync(`${path}.aside${end}`, 'utf8')).toBe(`text of ${path}${end}`);
  });

  it('is not restored if it is damaged itself, whatever is confirmed', async () => {
    const own = mkdtempSync(join(folder, 'damaged-backup-'));
    const [from, path] = [join(own, 'backup.db'), join(own, 'present.db')];
    await backupStore(source, from);
    await backupStore(source, path);
    overwriteEventPage(from);
    const present = await historyAt(path);
    for (const isConfirmed of [false, true]) {
      const refused: unknown = await restoreStore({
        from,
        to: { kind: 'sqlite', path },
        isConfirmed,
        skipIds: 0,
      }).catch((error: unknown) => error);
      expect(refused).toBeInstanceOf(StoreUnusable);
      expect(refused).toHaveProperty('message', expect.stringMatching(/backup\.db is damaged(?!.*--yes)/));
    }
    expect(await historyAt(path)).toEqual(present);
  });

  it('is restored onto a file without events, which is set aside', async () => {
    await backupStore(source, at('whole.db'));
    await (await openSqliteEventStore({ path: at('empty.db') })).close();
    const restored = await restoreStore({
      from: at('whole.db'),
      to: to('empty.db'),
      isConfirmed: false,
      skipIds: 0,
    });
    expect(restored).toMatchObject({ loss: null, setAside: at('empty.db.before-restore-1') });
    expect(await historyAt(at('empty.db'))).toEqual(await historyAt(at('whole.db')));
    expect(await historyAt(restored.setAside ?? '')).toEqual([]);
  });

  it('does not replace another log', async () => {
    const other = await startTestService();
    await other.service.stop();
    const into = other.settings.eventStore;
    await backupStore(source, at('mine.db'));
    const refused: unknown = await restoreStore({
      from: at('mine.db'),
      to: into,
      isConfirmed: true,
      skipIds: 0,
    }).catch((error: unknown) => error);
    expect(codeOf(refused)).toBe('restore-of-other-log');
    expect((await showStore(into)).logId).toBe(other.service.host.logId);
    rmSync(other.dataDirectory, { recursive: true, force: true });
  });

  it('is copied from a server to an empty one, event for event', async () => {
    const [from, into] = [await startEventStoreDbServer(), await startEventStoreDbServer()];
    try {
      const store = await (
        await import('#event-store/eventstoredb/eventstoredb-event-store.js')
      ).openEventStoreDb({ url: from.url });
      await writeHistory(store);
      const history = await historyOf(store);
      await store.close();
      const facts = await backupStore({ kind: 'esdb', url: from.url }, at('server.db'));
      expect([facts.events, facts.sha256]).toEqual([history.length, hashOf(history)]);
      const target: EventStoreUrl = { kind: 'esdb', url: into.url };
      const restored = await restoreStore({
        from: at('server.db'),
        to: target,
        isConfirmed: false,
        skipIds: 7,
      });
      expect(restored.facts.sha256).toBe(facts.sha256);
      const refused: unknown = await restoreStore({
        from: at('early.db'),
        to: target,
        isConfirmed: true,
        skipIds: 0,
      }).catch((error: unknown) => error);
      expect(codeOf(refused)).toBe('restore-of-other-log');
    } finally {
      from.stop();
      into.stop();
    }
  });
});

describe('the check of an event store', () => {
  const folder = temporaryFolder('check');
  const path = join(folder, 'events.db');
  const url: EventStoreUrl = { kind: 'sqlite', path };
  beforeAll(async () => {
    const service = await startTestService({}, folder);
    const workspace = await service.workspace({ credits: 1_000 });
    for (let index = 0; index < 60; index += 1) {
      await service.ops('credits.hold', {
        workspace_id: workspace.id,
        key: `k${index}`,
        credits: 1,
        product: 'match',
      });
    }
    await service.service.stop();
  });

  it('finds nothing in an intact log', async () => {
    const { facts, faults } = await checkStore(url);
    expect(faults).toEqual([]);
    expect(facts.logId).toBe((await showStore(url)).logId);
    expect(facts.heads).toHaveLength(1);
  });

  it('names an event whose hash does not follow, and a missing revision', async () => {
    const changed = join(folder, 'changed.db');
    await backupStore(url, changed);
    const { DatabaseSync } = await import('@photostructure/sqlite');
    const db = new DatabaseSync(changed);
    db.exec(
      `UPDATE recorded_events SET data = replace(data, '"k7"', '"k8"') WHERE data LIKE '%"k7"%' AND stream_id = (SELECT id FROM streams WHERE name = 'credits-1');
       DELETE FROM recorded_events WHERE revision = 30 AND stream_id = (SELECT id FROM streams WHERE name = 'credits-1');`,
    );
    db.close();
    const { faults } = await checkStore({ kind: 'sqlite', path: changed });
    expect(faults.map(({ stream, what }) => [stream, what])).toEqual([
      ['credits-1', expect.stringContaining('hash')],
      ['credits-1', expect.stringContaining('revision 30 before it is missing')],
      ['credits-1', expect.stringContaining('hash')],
      [
        'credits-1',
        expect.stringMatching(/^the index of streams names the event at \d+, which does not exist$/),
      ],
    ]);
  });

  it('names an event that the index of streams does not have', async () => {
    const changed = join(folder, 'index.db');
    await backupStore(url, changed);
    const { DatabaseSync } = await import('@photostructure/sqlite');
    const db = new DatabaseSync(changed);
    const ofCredits = `stream_id = (SELECT id FROM streams WHERE name = 'credits-1')`;
    db.exec(`DELETE FROM recent_stream_index WHERE revision = 7 AND ${ofCredits};
       UPDATE recent_stream_index SET position = position + 1 WHERE revision = 9 AND ${ofCredits};`);
    db.close();
    const { faults } = await checkStore({ kind: 'sqlite', path: changed });
    expect(faults).toEqual(
      ['7', '9'].map((revision) => ({
        stream: 'credits-1',
        revision,
        what: expect.stringMatching(/^the event at \d+ is not in the index of streams$/),
      })),
    );
  });

  it('names a damaged file as damaged, and the streams whose events cannot be read', async () => {
    const damaged = join(folder, 'damaged.db');
    await backupStore(url, damaged);
    overwriteEventPage(damaged);
    const { faults } = await checkStore({ kind: 'sqlite', path: damaged });
    expect(faults[0]?.what).toMatch(/damaged/);
    const lost = faults.filter(({ stream }) => stream !== null);
    expect(lost.length).toBeGreaterThan(0);
    expect(lost.length).toBeLessThan(60);
    expect(lost.some(({ stream }) => stream === 'credits-1')).toBe(true);
    const refused: unknown = await backupStore(
      { kind: 'sqlite', path: damaged },
      join(folder, 'of-damaged.db'),
    ).catch((error: unknown) => error);
    expect(refused).toBeInstanceOf(StoreUnusable);
  });

  it('is reported to an operator by every command on a damaged file: 503 with the stream, and no 500', async () => {
    const broken = mkdtempSync(join(tmpdir(), 'damaged-'));
    await backupStore(url, join(broken, 'events.db'));
    overwriteEventPage(join(broken, 'events.db'));
    await using service = await startTestService({}, broken);
    const verified = await service.ops('ledger.verify', { workspace_id: 1 });
    expect(verified.status).toBe(503);
    expect(verified.body.detail).toMatch(/events\.db is damaged: the stream credits-1 cannot be read/);
  });
});

const PAGE = 4_096;
/** First byte of a page of table rows. */
const TABLE_LEAF = 0x0d;

/** Overwrites the header of a file. */
function overwriteHeader(path: string): void {
  const bytes = readFileSync(path);
  bytes.fill(0xa5, 0, 100);
  writeFileSync(path, bytes);
}

/** Overwrites a page in the middle of those with the rows of holds, as a bad disk would. */
function overwriteEventPage(path: string): void {
  const bytes = readFileSync(path);
  const pages = Array.from({ length: bytes.length / PAGE }, (_, page) =>
    bytes.subarray(page * PAGE, (page + 1) * PAGE),
  ).filter((page) => page[0] === TABLE_LEAF && page.includes('"movementId"'));
  expect(pages.length).toBeGreaterThan(2);
  pages[Math.floor(pages.length / 2)]?.fill(0xa5);
  writeFileSync(path, bytes);
}
