import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { copyStore } from '#runtime/copy-store.js';
import type { EventStoreUrl } from '#runtime/settings.js';
import {
  startEventStoreDbServer,
  type EventStoreDbServer,
} from '#test/servers/eventstoredb/eventstoredb-server.js';
import { soon } from '#test/support/event-stores.js';
import { startServiceProcess, serviceFolder, type ServiceProcess } from '#test/support/service-process.js';

/** The pause between two requests. Each state of a start lasts longer. */
const BETWEEN_LOOKS_MS = 5;

type Roles = Parameters<typeof startServiceProcess>[1];

const ONE_REASON =
  /^read models had read events \(until [^)]+\) that are not at those positions in the event store; they are being rebuilt( as soon as a worker runs)?: \d+ of \d+ are ready, the others have read \d+ events$/;

/** The server's records of this product; it writes its own records into its log at each start. */
const ownRecords = ({ log }: EventStoreDbServer) => log.all.filter(({ stream }) => !stream.startsWith('$'));

describe('a read store that was filled from another kind of event store', () => {
  const folder = serviceFolder('moved-to-server');
  const elsewhere = serviceFolder('elsewhere');
  const file = (name: string): EventStoreUrl => ({ kind: 'sqlite', path: join(folder, name) });
  const address = (store: EventStoreUrl): string =>
    store.kind === 'esdb' ? store.url : `sqlite:${store.path}`;
  let server: EventStoreDbServer;
  let esdb: EventStoreUrl;
  const workspace = { id: 0, apiKey: '' };
  const held: number[] = [];
  let logId = '';
  let balance = 0;

  const start = (events: EventStoreUrl, roles: Roles = 'api,worker'): Promise<ServiceProcess> =>
    startServiceProcess(folder, roles, {
      EVENT_STORE_URL: address(events),
      CURSOR_SECRET: 'the same in every process',
      LOG_LEVEL: 'info',
    });
  async function stop(service: ServiceProcess): Promise<void> {
    expect(await service.stop()).toBe(0);
  }
  async function hold(service: ServiceProcess, key: string): Promise<void> {
    const asked = { workspace_id: workspace.id, key, credits: 1, product: 'match' };
    const movement = await service.command('credits.hold', asked);
    expect(held).not.toContain(movement.movement_id);
    held.push(movement.movement_id);
    balance -= 1;
  }
  const ask = (service: ServiceProcess, path: string) => service.call(workspace.apiKey, `GET ${path}`);
  /** The reasons in readiness until it is 200; before that only 503, with one reason each time. */
  async function readyAfter(service: ServiceProcess): Promise<readonly string[]> {
    const reported: string[] = [];
    for (;;) {
      const answer = await ask(service, '/health/ready');
      expect(answer?.body.log).toBe(logId);
      if (answer?.status === 200) return reported;
      expect(answer?.status).toBe(503);
      expect(answer?.body.reasons).toEqual([expect.stringMatching(ONE_REASON)]);
      reported.push(...(answer?.body.reasons ?? []));
      await delay(BETWEEN_LOOKS_MS);
    }
  }
  /** The answers from the current log, each from a read model, and the ledger. */
  async function expectServed(service: ServiceProcess): Promise<void> {
    const found = await ask(service, '/api/v3/credits/balance');
    expect(found).toMatchObject({ status: 200, body: { data: { balance, held: held.length } } });
    const usage = await ask(service, '/api/v3/usage');
    const ids: readonly number[] = usage?.body.data.map(({ id }: { readonly id: number }) => id);
    expect(ids.toSorted((left, right) => left - right)).toEqual(held);
    const personas = await ask(service, '/api/v2/personas');
    expect(personas?.body.data).toMatchObject([{ tag: 'moved' }]);
    const verified = await service.command('ledger.verify', { workspace_id: workspace.id });
    expect(verified).toMatchObject({ ok: true });
    expect(await service.command('projections.verify')).toMatchObject({ ok: true });
  }
  /** The one-line message of a refused start. */
  async function refusalOf(events: EventStoreUrl): Promise<string> {
    const failure: unknown = await start(events).catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(Error);
    const [, reported = ''] = /^Error: the service ended with 3: ([^\n]*)\n$/.exec(String(failure)) ?? [];
    return reported;
  }

  beforeAll(async () => {
    server = await startEventStoreDbServer();
    esdb = { kind: 'esdb', url: server.url };
    const service = await start(file('events.db'));
    const created = await service.command('workspace.create', { name: 'Moves', credits: 100 });
    Object.assign(workspace, { id: created.workspace_id, apiKey: created.api_key });
    balance = 100;
    for (let index = 0; index < 4; index += 1) await hold(service, `at home ${index}`);
    const persona = await service.call(workspace.apiKey, 'POST /api/v2/personas', { tag: 'moved' });
    expect(persona?.status).toBe(201);
    logId = (await ask(service, '/health/ready'))?.body.log;
    await stop(service);
  });
  afterAll(() => server.stop());

  it('does not start on an empty EventStoreDB, and writes nothing there', async () => {
    expect(await refusalOf(esdb)).toMatch(new RegExp(`${logId}.*an empty log.*store restore`));
    expect(ownRecords(server)).toEqual([]);
  });

  it('does not start on the log of another service there, and changes neither side', async () => {
    const other = await startEventStoreDbServer();
    try {
      const service = await startServiceProcess(elsewhere, 'api,worker', {
        EVENT_STORE_URL: other.url,
        CURSOR_SECRET: 'a secret of its own',
      });
      const otherLog = (await ask(service, '/health/ready'))?.body.log;
      expect(await service.stop()).toBe(0);
      const before = ownRecords(other).length;
      const reported = await refusalOf({ kind: 'esdb', url: other.url });
      expect(reported).toMatch(new RegExp(`${logId}.*${otherLog}.*store restore`));
      expect(ownRecords(other)).toHaveLength(before);
      const home = await start(file('events.db'));
      expect(await readyAfter(home)).toEqual([]);
      await expectServed(home);
      await stop(home);
    } finally {
      other.stop();
    }
  });

  it('is rebuilt automatically from the same log there: 503 with one reason, never 500, then 200', async () => {
    await copyStore(file('events.db'), esdb);
    // A process that does not project serves none of it, and says why.
    const api = await start(esdb, 'api');
    const before = await ask(api, '/health/ready');
    expect([before?.status, before?.body.log]).toEqual([503, logId]);
    expect(before?.body.reasons).toEqual([expect.stringMatching(ONE_REASON)]);
    expect(before?.body.reasons[0]).toContain('as soon as a worker runs: 0 of ');
    for (const path of ['/api/v3/credits/balance', '/api/v3/usage', '/api/v2/personas']) {
      expect([path, (await ask(api, path))?.status]).toEqual([path, 503]);
    }
    const worker = await start(esdb, 'worker');
    await soon('readiness', readyAfter(api));
    await expectServed(api);
    await hold(api, 'on the server');
    await expectServed(api);
    await stop(worker);
    await stop(api);
  });

  it('is also rebuilt when the log is copied back into a file, by one process with all roles', async () => {
    const home = file('home-again.db');
    await copyStore(esdb, home);
    const service = await start(home);
    await soon('readiness', readyAfter(service));
    await expectServed(service);
    await hold(service, 'at home again');
    await expectServed(service);
    await stop(service);
  });
});
