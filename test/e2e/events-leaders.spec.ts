import { eventually } from '#test/projections/engine-fixture.js';
import { openEventStream } from '../support/event-stream.js';
import { startServiceProcess, serviceFolder, type ServiceProcess } from '../support/service-process.js';
import { startReceiver, type Receiver } from '../support/webhook-receiver.js';
import { eventsWorkspace } from './events-workspace.js';

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
    await api.ready();
    standby = await start('worker');
  });
  afterAll(() => receiver.close());

  it(`DLV-01 DLV-05 an open stream has no gap and nothing twice, and a receiver misses nothing: ${CHANGES} changes`, async () => {
    const { apiKey, toggled, feed } = await eventsWorkspace(() => api, receiver);
    const stream = await openEventStream(`${api.url}/api/v3/events`, apiKey);

    const written = toggled();
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
    await written();

    const ids = await feed();
    await stream.until(ids.length);
    stream.close();
    expect(stream.events.map(({ id }) => id)).toEqual(ids);
    await eventually(async () => received() === ids.length);
    for (const { id, body } of receiver.received)
      expect([id, body.previous_id]).toEqual([id, ids[ids.indexOf(id) - 1] ?? null]);
  });
});
