import { copyFileSync, existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { StoreUnusable } from '#kernel/ports/event-store.port.js';
import { startTestService, type TestService, type TestWorkspace } from '#test/support/service.js';
import { temporaryFolder } from '#test/support/temporary-folder.js';

/** All files that SQLite keeps for a store. */
const files = (path: string): readonly string[] => [path, `${path}-wal`, `${path}-shm`];

describe('a service whose log is set back to a backup', () => {
  const folder = temporaryFolder('restored');
  const elsewhere = temporaryFolder('elsewhere');
  const eventsFile = join(folder, 'events.db');
  const backupFile = join(folder, 'backup.db');
  let service: TestService;
  let workspace: TestWorkspace;
  let logId: string;
  const hold = (key: string) =>
    service.ops('credits.hold', { workspace_id: workspace.id, key, credits: 1, product: 'match' });
  const start = async (): Promise<void> => {
    service = await startTestService({}, folder);
    // The same workspace through the new process.
    workspace = {
      ...workspace,
      call: (route, body, headers = {}) =>
        service.call(route, body, { authorization: `Bearer ${workspace.apiKey}`, ...headers }),
    };
  };
  const stop = (): Promise<void> => service.service.stop();
  const putBack = (): void => {
    for (const file of files(eventsFile)) rmSync(file, { force: true });
    copyFileSync(backupFile, eventsFile);
  };
  const given = { movements: new Set<number>(), personas: new Set<number>() };
  const persona = async (tag: string): Promise<number> => {
    const { status, body } = await workspace.call('POST /api/v2/personas', { tag });
    expect(status).toBe(201);
    return body.data.id;
  };
  beforeAll(async () => {
    await start();
    workspace = await service.workspace({ credits: 1_000 });
    for (let index = 0; index < 5; index += 1) {
      given.movements.add((await hold(`kept-${index}`)).body.movement_id);
    }
    given.personas.add(await persona('kept'));
    logId = (await service.call('GET /health/ready')).body.log;
    await stop();
    copyFileSync(eventsFile, backupFile);
    await start();
    for (let index = 0; index < 20; index += 1) {
      given.movements.add((await hold(`lost-${index}`)).body.movement_id);
      given.personas.add(await persona(`lost ${index}`));
    }
    await stop();
  });

  it('shows the content of the backup and nothing else, once it is ready', async () => {
    putBack();
    await start();
    const ready = await service.call('GET /health/ready');
    expect([ready.status, ready.body.log]).toEqual([200, logId]);
    const balance = await workspace.call('GET /api/v3/credits/balance');
    expect(balance.body.data).toMatchObject({ balance: 995, held: 5 });
    const personas = await workspace.call('GET /api/v2/personas');
    expect(personas.body.data.map(({ tag }: { readonly tag: string }) => tag)).toEqual(['kept']);
    expect((await workspace.call('GET /api/v3/usage')).body.data).toHaveLength(5);
    const verified = await service.ops('ledger.verify', { workspace_id: workspace.id });
    expect(verified.body).toMatchObject({ ok: true, differences: [] });
    expect((await service.ops('projections.verify')).body.ok).toBe(true);
  });

  it('gives no id that an undone event used', async () => {
    const { body } = await hold('after');
    expect(given.movements).not.toContain(body.movement_id);
    expect(given.personas).not.toContain(await persona('after'));
    const usage = await workspace.call('GET /api/v3/usage');
    expect(usage.body.data.map(({ id }: { readonly id: number }) => id)).toContain(body.movement_id);
    await stop();
  });

  it('does not start when its log is missing, and makes no new one beside the read models', async () => {
    for (const file of files(eventsFile)) rmSync(file, { force: true });
    const failure: unknown = await startTestService({}, folder).catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(StoreUnusable);
    expect(failure).toHaveProperty(
      'message',
      expect.stringMatching(new RegExp(`${logId}.*an empty log.*store restore`)),
    );
    expect(String(failure).split('\n')).toHaveLength(1);
    expect(existsSync(eventsFile)).toBe(false);
  });

  it('does not start on the log of another service, and changes neither side', async () => {
    const other = await startTestService({}, elsewhere);
    const otherLog = (await other.call('GET /health/ready')).body.log;
    await other.service.stop();
    const head = other.service.host.logId;
    const failure: unknown = await startTestService(
      { EVENT_STORE_URL: `sqlite:${join(elsewhere, 'events.db')}` },
      folder,
    ).catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(StoreUnusable);
    expect(failure).toHaveProperty('message', expect.stringMatching(new RegExp(`${logId}.*${otherLog}`)));
    // Each continues with its own.
    expect(head).toBe(otherLog);
    putBack();
    await start();
    expect((await service.call('GET /health/ready')).body.log).toBe(logId);
    await stop();
  });
});
