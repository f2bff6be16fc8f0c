import { get, type IncomingMessage } from 'node:http';
import { ApiModule } from '#apps/api/src/api.module.js';
import type { ApiPorts } from '#apps/api/src/ports.js';
import { apiKeyAuthentication } from '#http/authentication.js';
import type { HttpApp } from '#http/http-app.js';
import type { WebhookEndpointDocument } from '#projections/delivery/webhook-endpoints/webhook-endpoints.projection.js';
import { eventually } from '#test/projections/engine-fixture.js';
import { httpListener, loggerTo } from '#test/support/http-listener.js';
import { openEventStream } from '../support/event-stream.js';
import { openWebhookScene, type WebhookScene } from '../support/webhook-scene.js';

const KEY = `wsk_test_${'a'.repeat(43)}`;
const EVENTS = 200;
/** The maximum number of open streams of a workspace in one process. */
const MOST = 100;
/** Larger than the system's buffers for a client that reads nothing: a few MB. */
const DESCRIPTION = 'x'.repeat(150_000);

describe('event streams that are not read', () => {
  let scene: WebhookScene;
  let app: HttpApp;
  let url: string;
  let feed: readonly string[];
  const lines: string[] = [];

  beforeAll(async () => {
    scene = await openWebhookScene();
    const endpoint = await scene.endpoint();
    feed = (await scene.happen(endpoint, EVENTS, { description: DESCRIPTION })).map(({ id }) => id);
    await start(endpoint);
  });
  afterAll(async () => {
    await app.close();
    await scene.house.close();
  });

  async function start({ workspaceId }: WebhookEndpointDocument): Promise<void> {
    const ports = {
      readModels: scene.house.reads,
      eventFeed: scene.source(),
      clock: { now: scene.house.now },
    };
    app = await httpListener({
      rootModule: ApiModule.with(ports as unknown as ApiPorts),
      callers: { apiKey: apiKeyAuthentication({ find: async () => ({ workspaceId, keyId: 1 }) }, 0) },
      logger: loggerTo(lines),
      // Long enough for a reader beside much other work.
      connectionBounds: { unreadMs: 2_000, bytesInAll: 1e9 },
    });
    ({ url } = await app.listen(0, '127.0.0.1'));
  }

  const open = (headers: Readonly<Record<string, string>> = {}) =>
    openEventStream(`${url}/api/v3/events`, KEY, headers);

  /**
   * A reader that takes the first events and then nothing: the received text, and a function that ends its
   * connection.
   */
  async function standingStill(): Promise<{ readonly text: string; readonly end: () => void }> {
    const response = await new Promise<IncomingMessage>((resolve, reject) => {
      const headers = { authorization: `Bearer ${KEY}`, accept: 'text/event-stream' };
      get(`${url}/api/v3/events`, { headers, agent: false }, resolve).on('error', reject);
    });
    let text = '';
    response.on('error', () => undefined).setEncoding('utf8');
    await new Promise<void>((done, reject) => {
      response.on('close', () => reject(new Error('the stream ended before its first event')));
      response.on('data', (piece: string) => {
        text += piece;
        if (!text.includes('\n\nid: ')) return;
        response.pause();
        done();
      });
    });
    return { text, end: () => void response.destroy() };
  }

  it('are limited per workspace, also when they are opened together, and free their slot when they end', async () => {
    const last = feed.at(-1) ?? '';
    const openMany = (count: number) =>
      Promise.all(Array.from({ length: count }, () => open({ 'last-event-id': last })));
    const together = await openMany(MOST + 20);
    const statuses = together.map(({ status }) => status);
    expect([
      statuses.filter((status) => status === 200).length,
      statuses.filter((status) => status === 429).length,
    ]).toEqual([MOST, 20]);
    // A refused request takes no slot.
    expect((await open({ 'last-event-id': 'evt_0_0' })).status).toBe(429);
    for (const stream of together) stream.close();
    for (;;) {
      const stream = await open({ 'last-event-id': last });
      if (stream.status === 200) {
        stream.close();
        break;
      }
    }
    // The other streams are still ending, so some requests find no slot; a request refused with 410 keeps none.
    for (let refused = 0; refused < MOST;) {
      const { status } = await open({ 'last-event-id': 'evt_0_0' });
      expect([410, 429]).toContain(status);
      if (status === 410) refused += 1;
    }
  });

  it('are not opened by HEAD, which is answered without a body', async () => {
    const headers = { authorization: `Bearer ${KEY}`, accept: 'text/event-stream' };
    for (let count = 0; count < 2 * MOST; count += 1) {
      const { status } = await fetch(`${url}/api/v3/events`, { method: 'HEAD', headers });
      expect([count, status]).toEqual([count, 200]);
    }
  });

  it('are cut, while a reader beside them gets everything, and continue after the last event that they received', async () => {
    const { text, end } = await standingStill();
    const beside = await open();
    const all = await beside.until(EVENTS);
    beside.close();
    expect(all.map(({ id }) => id)).toEqual(feed);

    const isCut = () => lines.some((line) => line.includes('"reason":"unread"'));
    await eventually(async () => {
      expect((await fetch(`${url}/health/live`)).status).toBe(200);
      return isCut();
    });
    end();

    const whole = text.slice(0, text.lastIndexOf('\n\n'));
    const taken = [...whole.matchAll(/^id: (.+)$/gm)].map(([, id]) => id ?? '');
    expect(taken.length).toBeLessThan(EVENTS);
    const again = await open({ 'last-event-id': taken.at(-1) ?? '' });
    const rest = await again.until(EVENTS - taken.length);
    again.close();
    expect([...taken, ...rest.map(({ id }) => id)]).toEqual(feed);
  });
});
