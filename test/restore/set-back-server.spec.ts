import { openEventLog, type EventLog } from '#test/servers/eventstoredb/event-log.js';
import {
  startEventStoreDbServer,
  type EventStoreDbServer,
} from '#test/servers/eventstoredb/eventstoredb-server.js';
import { eventually } from '#test/projections/engine-fixture.js';
import { soon } from '#test/support/event-stores.js';
import { startTestService, type TestService, type TestWorkspace } from '#test/support/service.js';
import { temporaryFolder } from '#test/support/temporary-folder.js';

/** A backup of the server: the records up to here, at their positions. */
function copyOf(log: EventLog): EventLog {
  const copy = openEventLog(null);
  for (const event of log.all) copy.write(event.stream, 'any', [event]);
  copy.commit();
  return copy;
}

const folder = temporaryFolder('set-back');

describe('an EventStoreDB that is set back to a backup', () => {
  let server: EventStoreDbServer;
  let service: TestService;
  let workspace: TestWorkspace;
  const hold = (key: string) =>
    service.ops('credits.hold', { workspace_id: workspace.id, key, credits: 1, product: 'match' });
  const balance = async (): Promise<unknown> => {
    const { status, body } = await workspace.call('GET /api/v3/credits/balance');
    return status === 200 ? body.data.balance : null;
  };
  beforeAll(async () => {
    server = await startEventStoreDbServer();
    service = await startTestService(
      { EVENT_STORE_URL: server.url, CURSOR_SECRET: 'one for all of them' },
      folder,
    );
    workspace = await service.workspace({ credits: 100 });
  });
  afterAll(async () => {
    await service.stop();
    server.stop();
  });

  it('is noticed by the service that runs on it: its answers and decisions follow the backup', async () => {
    for (let index = 0; index < 5; index += 1) await hold(`kept-${index}`);
    const backup = copyOf(server.log);
    const lost = new Set<number>();
    for (let index = 0; index < 20; index += 1) lost.add((await hold(`lost-${index}`)).body.movement_id);
    expect(await balance()).toBe(75);
    const { port } = server;
    server.stop();
    server = await startEventStoreDbServer({ port, log: backup });
    await soon(
      'the balance of the backup',
      eventually(async () => (await balance()) === 95),
    );
    await soon(
      'readiness',
      eventually(async () => (await service.call('GET /health/ready')).status === 200),
    );
    const again = await hold('lost-3');
    expect(again.body).toMatchObject({ replayed: false, balance: { balance: 94 } });
    expect(lost).not.toContain(again.body.movement_id);
    const verified = await service.ops('ledger.verify', { workspace_id: workspace.id });
    expect(verified.body).toMatchObject({ ok: true, differences: [] });
    expect((await service.ops('projections.verify')).body.ok).toBe(true);
  });
});
