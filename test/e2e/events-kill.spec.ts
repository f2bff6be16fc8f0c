import { eventually } from '#test/projections/engine-fixture.js';
import { openEventStream, type EventStream } from '../support/event-stream.js';
import { startReadyService, serviceFolder, type ServiceProcess } from '../support/service-process.js';
import { startReceiver, type Receiver } from '../support/webhook-receiver.js';
import { eventsWorkspace } from './events-workspace.js';

/** `npm run soak` kills 50 times. */
const KILLS = Number(process.env['STREAM_KILLS'] ?? '3');
const EVENTS_BETWEEN = 6;

describe('the events of a workspace, through kill -9', () => {
  const folder = serviceFolder('events-kill');
  let service: ServiceProcess;
  let receiver: Receiver;
  beforeAll(async () => {
    receiver = await startReceiver();
  });
  afterAll(() => receiver.close());

  /** A client that reconnects with its last id when its stream ends. */
  function follower(apiKey: string, query = '') {
    const ids: string[] = [];
    let stream: EventStream | null = null;
    let taken = 0;
    /** Collects the events that the open stream has sent since the last time. */
    const take = (): void => {
      const come = stream?.events.slice(taken) ?? [];
      taken += come.length;
      ids.push(...come.map(({ id }) => id));
    };
    return {
      ids,
      async connect(): Promise<void> {
        const last = ids.at(-1);
        const headers: Record<string, string> = last === undefined ? {} : { 'last-event-id': last };
        stream = await openEventStream(`${service.url}/api/v3/events${query}`, apiKey, headers);
        taken = 0;
        expect(stream.status).toBe(200);
      },
      /** Resolves when this many have come in total. */
      async until(count: number): Promise<void> {
        await stream?.until(taken + count - ids.length);
        take();
      },
      async ended(): Promise<void> {
        await stream?.ended;
        take();
      },
      close: () => stream?.close(),
    };
  }

  it(`DLV-01 DLV-05 streams have no gap and nothing twice, and a receiver misses nothing: ${KILLS} kills`, async () => {
    const start = (): Promise<ServiceProcess> =>
      startReadyService(folder, 'api,worker', { OUTBOUND_ALLOW_CIDRS: '127.0.0.0/8', LOG_LEVEL: 'info' });
    service = await start();
    const { apiKey, toggled, feed } = await eventsWorkspace(() => service, receiver);

    const written = toggled();
    const clients = [follower(apiKey), follower(apiKey, '?type=endpoint.disabled')];
    for (let kill = 0; kill < KILLS; kill += 1) {
      await Promise.all(clients.map((client) => client.connect()));
      await Promise.all(clients.map((client) => client.until(client.ids.length + EVENTS_BETWEEN)));
      await service.kill();
      await Promise.all(clients.map((client) => client.ended()));
      service = await start();
    }
    await written();

    const ids = await feed();
    expect(ids.length).toBeGreaterThanOrEqual(KILLS * EVENTS_BETWEEN);
    for (const client of clients) {
      await client.connect();
      await client.until(ids.length);
      client.close();
      expect(client.ids).toEqual(ids);
    }
    await eventually(() => new Set(receiver.received.map(({ id }) => id)).size === ids.length);
    for (const { id, body } of await receiver.until(0))
      expect([id, body.previous_id]).toEqual([id, ids[ids.indexOf(id) - 1] ?? null]);
  });
});
