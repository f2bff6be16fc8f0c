import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { watch } from 'node:fs';
import { mkdtemp, open, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate as turn } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { DatabaseSync } from '@photostructure/sqlite';
import { StoreUnavailable, StoreUnusable } from '#kernel/ports/event-store.port.js';
import { LeaseLost, type ReturnedSpace } from '#kernel/ports/read-store.port.js';
import { readStoreConnection } from '#read-store/sqlite/connection.js';
import { openSqliteReadStore } from '#read-store/sqlite/open-sqlite-read-store.js';
import { at, checkpointAt, fenceOf, placePerCase, publish, run, runs } from './read-store-fixture.js';
import { makeSqlitePlace } from './sqlite-read-store.fixture.js';

const generation = { view: runs, generation: 1 };

const script = fileURLToPath(new URL('./sqlite-read-store-process.js', import.meta.url));

function otherProcess(...words: readonly string[]): ChildProcess {
  return spawn(process.execPath, [script, ...words], { stdio: ['ignore', 'pipe', 'inherit'] });
}

/**
 * The size of the file once its log was copied into it. The store's own thread may be copying it: SQLite then answers
 * "busy" at once, whatever the time-out.
 */
async function sizeAfterCopy(path: string): Promise<number> {
  const db = new DatabaseSync(path, { timeout: 10_000 });
  const copy = db.prepare('PRAGMA wal_checkpoint(TRUNCATE)');
  while ((copy.get() as { readonly busy: number }).busy !== 0) await turn();
  db.close();
  return (await stat(path)).size;
}

async function errorOf(promise: Promise<unknown>): Promise<unknown> {
  return promise.then(
    () => 'no error',
    (error: unknown) => error,
  );
}

describe('the file of the SQLite read store', () => {
  const { place, store } = placePerCase(makeSqlitePlace);

  it('keeps everything after a close', async () => {
    const fence = await publish(store, generation, [run(1)]);
    await store.putRecord('note', 'a', 1);
    await store.close();
    const again = await place.connect();
    expect(await again.count(runs, { where: { state: 'running' } })).toBe(1);
    expect(await again.checkpoint(generation)).toEqual(checkpointAt(1));
    expect(await again.lease('projections')).toMatchObject({ epoch: fence.epoch });
    expect(await again.getRecord('note', 'a')).toBe(1);
  });

  it('writes documents and checkpoint in one transaction: a refused write leaves neither', async () => {
    const fence = await publish(store, generation, [run(1)]);
    const write = {
      generation,
      documents: [{ ...run(1, 'failed'), position: at(2) }],
      checkpoint: checkpointAt(2),
    };
    const missing = { ...write, generation: { view: runs, generation: 9 } };
    await expect(store.write([write, missing], fence)).rejects.toThrow(/generation 9 of runs/);
    await store.releaseLease(fence.lease, fence);
    await expect(store.write([write], fence)).rejects.toBeInstanceOf(LeaseLost);
    expect(await store.get(runs, 'run-1')).toMatchObject({ state: 'running' });
    expect(await store.checkpoint(generation)).toEqual(checkpointAt(1));
  });

  it('lets one process at a time hold a lease', async () => {
    const processes = ['a', 'b', 'c'].map((holder) => otherProcess('count', place.path, holder, '15'));
    const codes = await Promise.all(processes.map(async (child) => (await once(child, 'exit'))[0]));
    expect(codes).toEqual([0, 0, 0]);
    expect(await store.getRecord('counter', 'count')).toBe(45);
    expect(await store.acquireLease('counter', 'd', 1)).toMatchObject({ epoch: 46 });
  });

  it('gives the space of removed generations back in slices, keeps the documents, and says how much is left', async () => {
    const large = Array.from({ length: 20_000 }, (_, id) => run(id, 'x'.repeat(200)));
    const second = { ...generation, generation: 2 };
    await publish(store, generation, large);
    await publish(store, second, large);
    await store.dropGeneration(generation);
    const reports: ReturnedSpace[] = [];
    const given = await store.giveBackSpace?.((space) => reports.push(space));
    expect(given?.left).toBe(0);
    expect(given?.givenBack).toBeGreaterThan(5_000_000);
    expect(reports.length).toBeGreaterThan(4);
    for (const { givenBack, left } of reports) expect(givenBack + left).toBe(given?.givenBack);
    expect(await store.count(runs, { where: { state: 'x'.repeat(200) } })).toBe(20_000);
    expect(await sizeAfterCopy(place.path)).toBeLessThan(1.1 * (given?.givenBack ?? 0));
    const sound = new DatabaseSync(place.path, { readOnly: true });
    expect(sound.prepare('PRAGMA integrity_check').get()).toEqual({ integrity_check: 'ok' });
    sound.close();
  });

  it('keeps the free space of a file that an earlier version has created, and says how much', async () => {
    await store.close();
    const earlier = new DatabaseSync(place.path);
    earlier.exec('PRAGMA auto_vacuum = NONE');
    earlier.exec('PRAGMA journal_mode = DELETE');
    earlier.exec('VACUUM');
    earlier.close();
    const again = await place.connect();
    const fence = await publish(
      again,
      generation,
      Array.from({ length: 1_000 }, (_, id) => run(id, 'x'.repeat(200))),
    );
    await again.withdraw(generation, fence);
    await again.dropGeneration(generation);
    const given = await again.giveBackSpace?.(() => undefined);
    expect(given?.givenBack).toBe(0);
    expect(given?.left).toBeGreaterThan(100_000);
    await publish(again, { ...generation, generation: 2 }, [run(1)]);
    expect(await again.count(runs, { where: { state: 'running' } })).toBe(1);
  });

  it('writes no temporary file, whose folder may be full or read-only', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'temporary-files-'));
    const seen = new Set<string | null>();
    const watcher = watch(folder, (_, name) => void seen.add(name));
    try {
      const child = spawn(process.execPath, [script, 'scatter', place.path], {
        stdio: 'inherit',
        env: { ...process.env, SQLITE_TMPDIR: folder },
      });
      expect((await once(child, 'exit'))[0]).toBe(0);
      // The kernel reports in order: behind the last file of the child stands this one.
      await writeFile(join(folder, 'last'), '');
      while (!seen.has('last')) await once(watcher, 'change');
      expect([...seen]).toEqual(['last']);
    } finally {
      watcher.close();
      await rm(folder, { recursive: true });
    }
  });

  it('has complete batches after a kill -9 during a write', async () => {
    await store.createGeneration(generation);
    const child = otherProcess('project', place.path, 'victim');
    let written = '';
    for await (const chunk of child.stdout ?? []) {
      written += String(chunk);
      if (written.split('\n').length > 20) child.kill('SIGKILL');
    }
    const acknowledged = at(Number(written.trimEnd().split('\n').at(-1)));
    const checkpoint = await store.checkpoint(generation);
    expect(checkpoint !== null && checkpoint.position >= acknowledged).toBe(true);
    await store.indexGeneration(generation);
    await store.makeLive(generation, { lease: 'projections', epoch: 1 });
    expect(await store.groups(runs, {}, { by: ['state'] })).toEqual([
      { by: [checkpoint?.position], count: 20, sum: 0n },
    ]);
  });

  it('waits for a lock without blocking, and writes when it is released', async () => {
    const blocker = new DatabaseSync(place.path);
    blocker.exec('BEGIN IMMEDIATE');
    let turns = 0;
    const written = store.putRecord('note', 'a', 1);
    while (turns < 3) {
      turns += 1;
      await new Promise((resolve) => setImmediate(resolve));
      expect(await store.getRecord('note', 'a')).toBeNull();
    }
    blocker.exec('ROLLBACK');
    blocker.close();
    await written;
    expect(await store.getRecord('note', 'a')).toBe(1);
  });

  it('reports that it is unavailable while the file stays locked, and recovers by itself', async () => {
    const impatient = await openSqliteReadStore({ path: place.path, lockPatienceMs: 1 });
    const blocker = new DatabaseSync(place.path);
    blocker.exec('BEGIN IMMEDIATE');
    const error = await errorOf(impatient.putRecord('note', 'a', 1));
    expect(error).toBeInstanceOf(StoreUnavailable);
    expect(error).toMatchObject({ outcome: 'nothing-written', message: expect.stringContaining(place.path) });
    blocker.exec('ROLLBACK');
    blocker.close();
    await impatient.putRecord('note', 'a', 2);
    expect(await store.getRecord('note', 'a')).toBe(2);
    await impatient.close();
  });

  it('opens a file that another process locks while it closes it', async () => {
    const path = `${place.path}.closed`;
    const closing = new DatabaseSync(path);
    closing.exec('BEGIN EXCLUSIVE');
    // A part of the pause before the next attempt is random.
    const pauses = jest.spyOn(Math, 'random');
    const opening = openSqliteReadStore({ path });
    let isSettled = false;
    const settled = errorOf(opening).finally(() => (isSettled = true));
    while (pauses.mock.calls.length === 0 && !isSettled) await turn();
    pauses.mockRestore();
    closing.exec('ROLLBACK');
    closing.close();
    await settled;
    await (await opening).close();
  });

  const advice = /can be deleted, everything in it is rebuilt/;

  it('refuses a file that is no database, leaves it unchanged and names the remedy', async () => {
    const path = `${place.path}.txt`;
    await writeFile(path, 'minutes of the meeting\n'.repeat(50));
    const error = await errorOf(openSqliteReadStore({ path }));
    expect(error).toBeInstanceOf(StoreUnusable);
    expect(error).toHaveProperty('message', expect.stringContaining(path));
    expect(error).toHaveProperty('message', expect.stringMatching(advice));
    expect(await readFile(path, 'utf8')).toBe('minutes of the meeting\n'.repeat(50));
  });

  // The file may be the event store of this program, under the wrong setting.
  it('refuses the database of another application, leaves it unchanged and does not advise to delete it', async () => {
    const path = `${place.path}.foreign`;
    for (const make of ['CREATE TABLE recipes (name TEXT)', 'PRAGMA application_id = 7']) {
      const foreign = new DatabaseSync(path);
      foreign.exec(make);
      foreign.close();
      const before = await readFile(path);
      const error = await errorOf(openSqliteReadStore({ path }));
      expect(error).toBeInstanceOf(StoreUnusable);
      expect(error).toHaveProperty('message', expect.stringContaining(path));
      expect(error).toHaveProperty('message', expect.not.stringMatching(advice));
      expect(await readFile(path)).toEqual(before);
    }
  });

  it('reports a damaged file as unusable, by name, and that it can be deleted', async () => {
    await publish(
      store,
      generation,
      Array.from({ length: 300 }, (_, id) => run(id, 'x'.repeat(200))),
    );
    await store.close();
    const checkpointer = new DatabaseSync(place.path);
    checkpointer.exec('PRAGMA wal_checkpoint(TRUNCATE)');
    checkpointer.close();
    const size = (await stat(place.path)).size;
    const file = await open(place.path, 'r+');
    // The first page stays intact: the file opens and fails only when it is read.
    await file.write(Buffer.alloc(size - 4_096, 0x5a), 0, size - 4_096, 4_096);
    await file.close();
    const damaged = (async () => (await place.connect()).find(runs, {}))();
    const error = await errorOf(damaged);
    expect(error).toBeInstanceOf(StoreUnusable);
    expect(error).toHaveProperty('message', expect.stringContaining(place.path));
    expect(error).toHaveProperty('message', expect.stringMatching(advice));
  });

  it('finishes a drop that a crash interrupted before it creates that generation again', async () => {
    await publish(store, generation, [run(1)]);
    const crashed = new DatabaseSync(place.path);
    crashed.exec('UPDATE _generations SET dropping = 1, live = 0');
    crashed.close();
    expect(await store.generations(runs)).toEqual({ live: null, all: [] });
    await expect(store.scan(generation, null, 1)).rejects.toThrow(/does not exist/);
    await store.createGeneration(generation);
    expect(await store.scan(generation, null, 1)).toEqual([]);
    expect(await store.checkpoint(generation)).toBeNull();
  });

  it('refuses writes to a generation that another connection has begun to drop', async () => {
    const fence = await publish(store, generation, [run(1)]);
    const other = await place.connect();
    await store.withdraw(generation, fence);
    const dropped = other.dropGeneration(generation);
    const write = { generation, documents: [], checkpoint: checkpointAt(2) };
    await expect(store.write([write], fence)).rejects.toThrow(/does not exist/);
    await dropped;
  });

  it('keeps checkpoints apart, whatever was rolled back before they were first written', async () => {
    const [first, second] = [generation, { view: runs, generation: 2 }];
    await store.createGeneration(first);
    await store.createGeneration(second);
    const fence = await fenceOf(store);
    const write = (of: typeof first, position: number) => ({
      generation: of,
      documents: [],
      checkpoint: checkpointAt(position),
    });
    const missing = write({ view: runs, generation: 9 }, 1);
    await expect(store.write([write(first, 1), missing], fence)).rejects.toThrow(/generation 9 of runs/);
    expect(await store.checkpoint(first)).toBeNull();
    await store.write([write(second, 5)], fence);
    await store.write([write(first, 7)], fence);
    expect(await store.checkpoint(first)).toEqual(checkpointAt(7));
    expect(await store.checkpoint(second)).toEqual(checkpointAt(5));
  });

  it('continues from checkpoints of its second version, and sees those of such a process that still runs', async () => {
    const fence = await publish(store, generation, [run(1)]);
    await store.close();
    const event = { id: 'e-3', recordedAt: '2026-01-01T00:00:00.000Z' };
    const earlier = new DatabaseSync(place.path);
    const move = (position: number, markedAt: number): unknown =>
      earlier
        .prepare('UPDATE _generations SET position = ?, event = ?, applied = 3, ignored = 2, parked = 1')
        .run(at(position), JSON.stringify({ ...event, position: at(markedAt) }));
    earlier.exec('DROP TABLE _checkpoints; ALTER TABLE _generations DROP COLUMN checkpoint');
    earlier.exec('PRAGMA user_version = 2');
    move(3, 3);
    const counts = { applied: 3, ignored: 2, parked: 1 };
    const again = await place.connect();
    expect(await again.checkpoint(generation)).toEqual(checkpointAt(3, { event, ...counts }));
    const writeAt = (position: number): Promise<void> =>
      again.write([{ generation, documents: [], checkpoint: checkpointAt(position, counts) }], fence);
    await writeAt(2);
    expect(await again.checkpoint(generation)).toEqual(checkpointAt(3, { event, ...counts }));
    await writeAt(4);
    expect(await again.checkpoint(generation)).toEqual(checkpointAt(4, counts));
    // The event of another position is not the one at this position.
    move(6, 5);
    expect(await again.checkpoint(generation)).toEqual(checkpointAt(6, counts));
    await writeAt(7);
    expect(await again.checkpoint(generation)).toEqual(checkpointAt(7, counts));
    earlier.close();
  });

  it('continues building indexes after a kill, beside the event loop', async () => {
    const many = Array.from({ length: 2_500 }, (_, id) => run(id));
    await publish(store, generation, many);
    const crashed = new DatabaseSync(place.path);
    crashed.exec('UPDATE _generations SET live = 0');
    crashed.exec('DROP INDEX runs_v1_g1_byState');
    crashed.exec('DROP INDEX runs_v1_g1_searched');
    const lookFor =
      "SELECT count(*) AS indexes FROM sqlite_schema WHERE name LIKE 'runs_v1_g1_%' AND type = 'index'";
    expect(crashed.prepare(lookFor).get()).toMatchObject({ indexes: 2 });
    let turns = 0;
    const turning = setInterval(() => (turns += 1), 0);
    await store.indexGeneration(generation);
    clearInterval(turning);
    // Work on the event loop itself would block it while an index is built; the thread takes many turns to start.
    expect(turns).toBeGreaterThan(1);
    expect(crashed.prepare(lookFor).get()).toMatchObject({ indexes: 4 });
    crashed.close();
    await store.makeLive(generation, await fenceOf(store));
    expect(await store.count(runs, { where: { workspaceId: 7 } })).toBe(2_500);
  });

  it('ends the indexing thread when it is closed', async () => {
    const many = Array.from({ length: 2_500 }, (_, id) => run(id));
    const documents = many.map((row) => ({ ...row, position: at(1) }));
    const other = await place.connect();
    await other.createGeneration(generation);
    await other.write([{ generation, documents, checkpoint: checkpointAt(1) }], await fenceOf(other));
    const indexing = errorOf(other.indexGeneration(generation));
    await turn();
    await other.close();
    expect(await indexing).toBeInstanceOf(StoreUnavailable);
    await store.indexGeneration(generation);
    await store.makeLive(generation, await fenceOf(store));
  });

  it('drops and sweeps more than one slice', async () => {
    const many = Array.from({ length: 4_100 }, (_, id) => run(id));
    const fence = await publish(store, generation, many);
    const deleted = many.map(({ key }) => ({ key, position: at(2), document: null }));
    await store.write([{ generation, documents: deleted, checkpoint: checkpointAt(2) }], fence);
    expect(await store.sweepTombstones(generation, at(3))).toBe(4_100);
    await publish(store, { view: runs, generation: 2 }, many);
    await store.makeLive(generation, await fenceOf(store));
    await store.dropGeneration({ view: runs, generation: 2 });
    const tables = new DatabaseSync(place.path, { readOnly: true });
    const left = tables.prepare("SELECT name FROM sqlite_schema WHERE name LIKE 'runs%g2%'").all();
    tables.close();
    expect(left).toEqual([]);
  });

  it('never answers from a half-emptied generation while it is dropped', async () => {
    const many = Array.from({ length: 4_100 }, (_, id) => run(id));
    await publish(store, generation, many);
    await publish(store, { view: runs, generation: 2 }, [run(0)]);
    const reader = await place.connect();
    let dropping = true;
    const dropped = store.dropGeneration(generation).finally(() => {
      dropping = false;
    });
    const answers = new Set<unknown>();
    while (dropping) {
      answers.add(await reader.count(runs, {}));
      await new Promise((resolve) => setImmediate(resolve));
    }
    await dropped;
    expect([...answers]).toEqual([1]);
  });

  it('reads from one snapshot, whatever another process writes between two statements', async () => {
    await store.putRecord('note', 'a', 1);
    const db = new DatabaseSync(place.path);
    const connection = readStoreConnection(db, place.path);
    const other = new DatabaseSync(place.path);
    const count = (): unknown => connection.statement('SELECT count(*) AS notes FROM _records').get();
    const seen = await connection.read(() => {
      const first = count();
      other.exec("INSERT INTO _records (kind, key, value) VALUES ('note', 'b', '2')");
      return [first, count()];
    });
    expect(seen).toEqual([{ notes: 1 }, { notes: 1 }]);
    expect(await connection.read(count)).toEqual({ notes: 2 });
    other.close();
    connection.close();
  });

  it('refuses queries with other indexes than those of the live generation', async () => {
    await publish(store, generation, [run(1)]);
    const changed = { ...runs, indexes: { ...runs.indexes, listed: ['workspaceId'] } };
    await expect(store.count(changed, {})).rejects.toThrow(
      /indexes of runs changed: its version must be above 1/,
    );
  });

  it('caches few compiled statements with long texts, recently used ones first, and reports their size', () => {
    const connection = readStoreConnection(new DatabaseSync(place.path), place.path);
    const longText = (place: number): string => `SELECT '${'x'.repeat(40_000)}', ${place}`;
    const short = connection.statement('SELECT 1');
    const before = process.memoryUsage().arrayBuffers;
    const first = connection.statement(longText(0));
    const second = connection.statement(longText(1));
    for (let place = 2; place < 20; place += 1) connection.statement(longText(place));
    expect(connection.statement('SELECT 1')).toBe(short);
    expect(connection.statement(longText(0))).toBe(first);
    // The count is lower if buffers of others were collected meanwhile.
    expect(process.memoryUsage().arrayBuffers - before).toBeGreaterThan(8 << 20);
    for (let place = 20; place < 30; place += 1) connection.statement(longText(place));
    expect(connection.statement('SELECT 1')).toBe(short);
    expect(connection.statement(longText(0))).toBe(first);
    expect(connection.statement(longText(1))).not.toBe(second);
    const last = connection.statement(longText(29));
    expect(connection.statement(longText(29))).toBe(last);
    expect(last.get()).toMatchObject({ '29': 29 });
    connection.close();
  });

  it('continues after more query shapes than it caches', async () => {
    await publish(store, generation, [run(1), run(2)]);
    for (let size = 1; size <= 520; size += 1) {
      const anyOf = Array.from({ length: size % 260 }, () => ({ where: { id: 2 } }));
      const field = size > 260 ? 'state' : 'startedAt';
      expect(await store.count(runs, { where: { [field]: { ne: 'x' } }, anyOf })).toBe(
        size % 260 === 0 ? 0 : 1,
      );
    }
  });

  it('does not confuse the lease of one name with another', async () => {
    const fence = await fenceOf(store);
    await expect(
      store.makeLive(generation, { lease: 'projection', epoch: fence.epoch }),
    ).rejects.toBeInstanceOf(LeaseLost);
  });
});
