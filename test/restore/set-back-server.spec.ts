import { openEventLog, type EventLog } from '#test/servers/eventstoredb/event-log.js';
import {
  startEventStoreDbServer,
  type EventStoreDbServer,
} from '#test/servers/eventstoredb/eventstoredb-server.js';
import { eventually } from '#test/projections/engine-fixture.js';
import { soon } from '#test/support/event-stores.js';
import { employed, observedCompany, observedPerson, observedPost } from '#test/support/observed-network.js';
import { startTestService, type TestService, type TestWorkspace } from '#test/support/service.js';
import { detectionsOf } from '#test/support/signal-runs.js';
import { foundTopAccount } from '#test/support/top-accounts.js';
import { startReceiver, type Receiver } from '#test/support/webhook-receiver.js';
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
  let receiver: Receiver | null = null;
  const hold = (key: string) =>
    service.ops('credits.hold', { workspace_id: workspace.id, key, credits: 1, product: 'match' });
  const balance = async (): Promise<unknown> => {
    const { status, body } = await workspace.call('GET /api/v3/credits/balance');
    return status === 200 ? body.data.balance : null;
  };
  const setBackTo = async (backup: EventLog): Promise<void> => {
    const { port } = server;
    server.stop();
    server = await startEventStoreDbServer({ port, log: backup });
  };
  const ready = (): Promise<void> =>
    soon(
      'readiness',
      eventually(async () => (await service.call('GET /health/ready')).status === 200),
    );
  beforeAll(async () => {
    server = await startEventStoreDbServer();
    service = await startTestService(
      {
        EVENT_STORE_URL: server.url,
        CURSOR_SECRET: 'one for all of them',
        OUTBOUND_ALLOW_CIDRS: '127.0.0.0/8',
        MONITORING_PASS: 'live',
      },
      folder,
    );
    workspace = await service.workspace({ credits: 100 });
  });
  afterAll(async () => {
    await service.stop();
    server.stop();
    await receiver?.close();
  });

  it('is noticed by the service that runs on it: its answers and decisions follow the backup', async () => {
    for (let index = 0; index < 5; index += 1) await hold(`kept-${index}`);
    const backup = copyOf(server.log);
    const lost = new Set<number>();
    for (let index = 0; index < 20; index += 1) lost.add((await hold(`lost-${index}`)).body.movement_id);
    expect(await balance()).toBe(75);
    await setBackTo(backup);
    await soon(
      'the balance of the backup',
      eventually(async () => (await balance()) === 95),
    );
    await ready();
    const again = await hold('lost-3');
    expect(again.body).toMatchObject({ replayed: false, balance: { balance: 94 } });
    expect(lost).not.toContain(again.body.movement_id);
    const verified = await service.ops('ledger.verify', { workspace_id: workspace.id });
    expect(verified.body).toMatchObject({ ok: true, differences: [] });
    expect((await service.ops('projections.verify')).body.ok).toBe(true);
  });

  it('DLV-05 delivers every event that follows the backup, also at places that others had before', async () => {
    receiver = await startReceiver();
    const { received, until } = receiver;
    const added = async (endpoint: object) =>
      (await workspace.call('POST /api/v3/webhook-endpoints', endpoint)).body.data;
    receiver.secrets = [(await added({ url: receiver.url, types: ['endpoint.disabled'] })).secret];
    const { id } = await added({ url: 'https://hooks.example.test', types: ['run.ended'] });
    const feed = async (): Promise<readonly string[]> => {
      const { status, body } = await workspace.call('GET /api/v3/events?limit=100');
      return status === 200 ? body.data.map((event: { readonly id: string }) => event.id) : [];
    };
    const disable = async (): Promise<void> => {
      for (const enabled of [false, true])
        expect((await workspace.call(`PATCH /api/v3/webhook-endpoints/${id}`, { enabled })).status).toBe(200);
    };
    await disable();
    await soon('the first delivery', until(1));
    const backup = copyOf(server.log);
    for (let times = 0; times < 10; times += 1) await disable();
    await soon('the lost deliveries', until(11));
    await setBackTo(backup);
    await soon(
      'the feed of the backup',
      eventually(async () => (await feed()).length === 1),
    );
    await ready();
    await disable();
    const kept = await feed();
    expect(kept).toHaveLength(2);
    await soon(
      'the delivery after the backup',
      eventually(() => kept.every((eventId) => received.some((one) => one.id === eventId))),
    );
  });

  it('LIV-01 makes live passes for an agent that was created after the backup, at a place that another had before', async () => {
    await service.ingest([observedCompany('acme'), observedPerson('ana', employed('acme', 'VP Sales'))]);
    await foundTopAccount(service, workspace, 'acme');
    const watching = async (word: string): Promise<void> => {
      const agent = { type: 'keyword_detection', parameters: { tracking_keywords: [word] } };
      expect((await workspace.call('POST /api/v2/agents', agent)).status).toBe(201);
    };
    const detected = async (word: string): Promise<void> => {
      const before = (await detectionsOf(workspace)).length;
      await service.ingest([observedPost(word, 'ana', word, new Date().toISOString())]);
      await soon(
        `the live pass about ${word}`,
        eventually(async () => (await detectionsOf(workspace)).length > before),
      );
    };
    const backup = copyOf(server.log);
    for (const word of ['alpaca', 'bison', 'camel']) {
      await watching(word);
      await detected(word);
    }
    await setBackTo(backup);
    await soon(
      'the detections of the backup',
      eventually(async () => (await workspace.call('GET /api/v2/agents')).body.data?.length === 0),
    );
    await ready();
    await watching('okapi');
    await detected('okapi');
  });
});
