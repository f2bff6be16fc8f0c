import { join } from 'node:path';
import { openSqliteEventStore } from '#event-store/sqlite/sqlite-event-store.js';
import { hashOf, noted, historyAt } from '#test/store-copy/history.js';
import { busyLedger } from '#test/support/busy-ledger.js';
import { ONLY_PROGRESS, runScript } from '#test/support/child-process.js';
import { diagnostic } from '#test/support/diagnostic.js';
import { soon } from '#test/support/event-stores.js';
import { OPS_TOKEN, startReadyService, serviceFolder } from '#test/support/service-process.js';
import { runCli } from '#test/support/cli.js';

/** Clients of the service; and concurrent appends of another process on the same file. */
const CLIENTS = 50;
const LANES = 64;
const WITHOUT_END = 1_000_000;
/** Backups during which something was written; `npm run soak` makes more. */
const BACKUPS = Number(process.env['BACKUPS'] ?? 1);
/** Number of appends before it, so that a backup takes a while. */
const APPENDS_BEFORE = 20;
const EVENTS_AN_APPEND = 500;

const folder = serviceFolder('backup-under-writes');
const elsewhere = serviceFolder('restored-busy');

describe('store backup beside a service with continuous writes', () => {
  const events = join(folder, 'events.db');
  const onFile = { EVENT_STORE_URL: `sqlite:${events}` };
  let workspaceId = 0;

  async function cli(...words: readonly string[]): Promise<readonly string[]> {
    const child = runCli(words, 'export EVENT_STORE_URL=nonsense');
    const code = await soon(words.join(' '), child.ended);
    expect([code, child.errors()]).toEqual([0, expect.stringMatching(ONLY_PROGRESS)]);
    return child.lines();
  }
  const backup = async (file: string) =>
    JSON.parse(
      (
        await cli('store', 'backup', '--from', `sqlite:${events}`, '--to', file, '--ledgers', '--json')
      ).join(),
    );
  beforeAll(async () => {
    const store = await openSqliteEventStore({ path: events });
    for (let append = 0; append < APPENDS_BEFORE; append += 1) {
      const notes = Array.from({ length: EVENTS_AN_APPEND }, (_, index) => noted({ append, index }));
      await store.append(`notes-${append}`, 'no-stream', notes);
    }
    await store.close();
  });

  it('is a prefix of its log each time, and a restored copy verifies', async () => {
    const service = await startReadyService(folder, 'api,worker', onFile);
    workspaceId = (await service.command('workspace.create', { name: 'Busy', credits: 1_000_000 }))
      .workspace_id;
    const writers = busyLedger(service.opsUrl, OPS_TOKEN, workspaceId, CLIENTS);
    const appender = runScript('./event-store-writer.js', [
      events,
      'lane',
      String(LANES),
      String(WITHOUT_END),
      '100',
    ]);
    const writtenSoFar = async (): Promise<number> => (await writers.written()) + appender.lines().length;
    const taken: { readonly file: string; readonly facts: Awaited<ReturnType<typeof backup>> }[] = [];
    let [beside, ms] = [0, 0];
    for (let made = 0; taken.length < BACKUPS; made += 1) {
      const file = join(folder, `backup-${made}.db`);
      const [before, startedAt] = [await writtenSoFar(), performance.now()];
      const facts = await backup(file);
      const written = (await writtenSoFar()) - before;
      ms += performance.now() - startedAt;
      beside += written;
      if (written > 0) taken.push({ file, facts });
    }
    appender.process.kill('SIGKILL');
    await soon('the end of the appends', appender.ended);
    const acknowledged = (await writers.stop()) + appender.lines().length;
    diagnostic(
      `${BACKUPS} backups beside ${Math.round((1_000 * beside) / ms)} durable writes a second by ${CLIENTS} clients and ${LANES} lanes`,
    );
    expect(await service.stop()).toBe(0);

    const whole = await historyAt(events);
    expect(acknowledged).toBeGreaterThan(0);
    expect(whole.length).toBeGreaterThan(acknowledged);
    for (const { file, facts } of taken) {
      const beginning = await historyAt(file);
      expect(beginning.length).toBeLessThan(whole.length);
      expect(hashOf(beginning)).toBe(hashOf(whole.slice(0, beginning.length)));
      expect(facts).toMatchObject({ events: beginning.length, sha256: hashOf(beginning), faults: [] });
    }

    const last = taken.at(-1);
    const restored = join(elsewhere, 'events.db');
    await cli('store', 'restore', '--from', last?.file ?? '', '--to', `sqlite:${restored}`);
    const again = await startReadyService(elsewhere, 'api,worker', {
      EVENT_STORE_URL: `sqlite:${restored}`,
    });
    const [ledger] = last?.facts.ledgers ?? [];
    expect(ledger).toMatchObject({ workspace_id: workspaceId });
    expect(await again.command('ledger.verify', { workspace_id: workspaceId })).toMatchObject({
      ok: true,
      revision: ledger.revision,
      hash: ledger.hash,
      differences: [],
    });
    expect(await again.stop()).toBe(0);
  });
});
