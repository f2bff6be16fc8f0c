import { eventually } from '#test/projections/engine-fixture.js';
import { openEventStream } from '../support/event-stream.js';
import {
  OPS_TOKEN,
  request,
  startServiceProcess,
  serviceFolder,
  type ServiceProcess,
} from '../support/service-process.js';
import { startReceiver, type Receiver } from '../support/webhook-receiver.js';

/** `npm run soak -- streams` asks for more. */
const CHANGES = Number(process.env['LEADER_CHANGES'] ?? '2');
const EVENTS_BETWEEN = 4;

describe('the events of a workspace, while the leader changes', () => {
  const folder = serviceFolder('events-leaders');
  let api: ServiceProcess;
  let leader: ServiceProcess;
  let standby: ServiceProcess;
  let receiver: Receiver;
  const start = (roles: 'api' | 'worker'): Promise<ServiceProcess> =>
    startServiceProcess(folder, roles, { OUTBOUND_ALLOW_CIDRS: '127.0.0.0/8' });
  beforeAll(async () => {
    receiver = await startReceiver();
    leader = await start('worker');
    api = await start('api');
    while ((await request(`${api.url}/health/ready`, ''))?.status !== 200);
    standby = await start('worker');
  });
  afterAll(() => receiver.close());

  it(`DLV-01 DLV-05 an open stream has no gap and nothing twice, and a receiver misses nothing: ${CHANGES} changes`, async () => {
    const created = await request(`${api.opsUrl}/ops/workspace.create`, OPS_TOKEN, { name: 'Events' });
    const apiKey: string = created?.body.api_key;
    const endpoints = (path = '', body?: object, method?: string) =>
      request(`${api.url}/api/v3/webhook-endpoints${path}`, apiKey, body, method);
    const hook = await endpoints('', { url: receiver.url, types: ['endpoint.disabled'] });
    receiver.secrets = [hook?.body.data.secret];
    const toggled = await endpoints('', { url: 'https://hooks.example.test', types: ['run.ended'] });
    const stream = await openEventStream(`${api.url}/api/v3/events`, apiKey);

    let isWriting = true;
    const writing = (async () => {
      for (let turn = 0; isWriting; turn += 1)
        await endpoints(`/${toggled?.body.data.id}`, { enabled: turn % 2 === 1 }, 'PATCH');
    })();
    const received = (): number => new Set(receiver.received.map(({ id }) => id)).size;
    for (let change = 0; change < CHANGES; change += 1) {
      await stream.until(stream.events.length + EVENTS_BETWEEN);
      await receiver.until(receiver.received.length + EVENTS_BETWEEN);
      await leader.kill();
      // Only the standby process can send and deliver these.
      await stream.until(stream.events.length + EVENTS_BETWEEN);
      const before = received();
      await eventually(async () => received() >= before + EVENTS_BETWEEN);
      leader = standby;
      standby = await start('worker');
    }
    isWriting = false;
    await writing;

    const feed: string[] = [];
    for (let cursor = ''; ;) {
      const page = await request(`${api.url}/api/v3/events?limit=100${cursor}`, apiKey);
      feed.push(...page?.body.data.map(({ id }: { id: string }) => id));
      cursor = `&cursor=${String(page?.body.meta.cursor.next)}`;
      if (!page?.body.meta.cursor.has_more) break;
    }
    await stream.until(feed.length);
    stream.close();
    expect(stream.events.map(({ id }) => id)).toEqual(feed);
    await eventually(async () => received() === feed.length);
    for (const { id, body } of receiver.received)
      expect([id, body.previous_id]).toEqual([id, feed[feed.indexOf(id) - 1] ?? null]);
  });
});
