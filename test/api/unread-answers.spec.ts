import { connect, type Socket } from 'node:net';
import { Module } from '@nestjs/common';
import { Registry } from 'prom-client';
import { Endpoint, type PublicRequest } from '#http/endpoint.js';
import type { HttpApp, HttpAppOptions } from '#http/http-app.js';
import { createRequestMetrics } from '#http/metrics.js';
import { idParam } from '#http/parameters.js';
import type { SpanFacts } from '#kernel/ports/tracing.port.js';
import { Type } from '#kernel/values/schema.js';
import { httpListener, loggerTo } from '#test/support/http-listener.js';

const ANSWER_BYTES = 256 * 1024;
const blob = 'x'.repeat(ANSWER_BYTES);
const carriedOut: number[] = [];
let keptMade = 0;
let waited = Promise.resolve();
const id = idParam(404);

@Endpoint({
  caller: 'public',
  route: 'GET /blobs/:id',
  summary: 'A large answer',
  params: { id },
  response: Type.Object({ id: Type.Integer(), blob: Type.String() }),
})
class GetBlob {
  async handle({ params }: PublicRequest<{ params: { readonly id: typeof id } }>) {
    carriedOut.push(params.id);
    return { id: params.id, blob };
  }
}

@Endpoint({
  caller: 'public',
  route: 'GET /kept',
  summary: 'An answer that changes with the program only',
  response: Type.Object({ blob: Type.String() }),
  kept: true,
})
class GetKept {
  async handle() {
    keptMade += 1;
    return { blob };
  }
}

@Endpoint({ caller: 'public', route: 'GET /slow', summary: 'Takes its time', status: 204 })
class GetSlow {
  async handle() {
    await waited;
  }
}

@Module({ controllers: [GetBlob, GetKept, GetSlow] })
class BlobModule {}

describe('answers that are not read', () => {
  const apps: HttpApp[] = [];
  const sockets: Socket[] = [];
  const lines: string[] = [];
  const registry = new Registry();
  const metrics = createRequestMetrics(registry);

  beforeEach(() => {
    carriedOut.length = 0;
    lines.length = 0;
  });
  afterEach(async () => {
    for (const socket of sockets.splice(0)) socket.destroy();
    for (const app of apps.splice(0)) await app.close();
  });

  async function start(options: Partial<HttpAppOptions> = {}): Promise<{ url: string; port: number }> {
    const app = await httpListener({
      rootModule: BlobModule,
      logger: loggerTo(lines),
      metrics,
      ...options,
    });
    apps.push(app);
    return app.listen(0, '127.0.0.1');
  }

  /** A connection that sends, and reads nothing until `read` is called. */
  async function unreading(port: number, text: string): Promise<Socket> {
    const socket = connect(port, '127.0.0.1');
    // some cases wait for the connection to be cut
    socket.on('error', () => undefined).pause();
    sockets.push(socket);
    await new Promise<void>((done) => socket.write(text, () => done()));
    return socket;
  }

  const requests = (count: number): string =>
    Array.from({ length: count }, (_, at) => `GET /blobs/${at + 1} HTTP/1.1\r\nHost: here\r\n\r\n`).join('');

  async function neighbours(url: string, count: number): Promise<void> {
    for (let each = 0; each < count; each += 1) {
      const answer = await fetch(`${url}/health/live`);
      expect(answer.status).toBe(200);
      await answer.arrayBuffer();
    }
  }

  /** Asks as another client until the condition is true, so that the event loop of the service turns in between. */
  async function soon(url: string, holds: () => boolean | Promise<boolean>): Promise<void> {
    for (let looks = 0; looks < 5_000; looks += 1) {
      if (await holds()) return;
      await neighbours(url, 1);
    }
    throw new Error('it does not come to that');
  }

  const isCut = (reason: string) => () => lines.some((line) => line.includes(`"reason":"${reason}"`));

  it('OP-75 a request is executed only after the previous answer of its connection was read, and all are in order', async () => {
    const { port, url } = await start();
    const count = 200;
    const socket = await unreading(port, requests(count));
    await soon(url, () => carriedOut.length > 0);
    await neighbours(url, 50);
    // the data in the system's buffers for a client, a few MB, has left the process
    expect(carriedOut.length).toBeLessThan(count / 2);
    let text = '';
    const all = new Promise<void>((done) => {
      socket.on('data', (piece) => {
        text += String(piece).replace(/x+/g, '');
        if (text.split('"blob":""').length > count) done();
      });
    });
    socket.resume();
    await all;
    const inOrder = Array.from({ length: count }, (_, at) => at + 1);
    expect(carriedOut).toEqual(inOrder);
    expect([...text.matchAll(/"id":(\d+)/g)].map(([, each]) => Number(each))).toEqual(inOrder);
  });

  it('OP-75 thousands of requests at once are read up to one read of the socket, and answered before the next read', async () => {
    const { port, url } = await start();
    const count = 10_000;
    const socket = await unreading(port, 'GET /none HTTP/1.1\r\nHost: here\r\n\r\n'.repeat(count));
    await neighbours(url, 5);
    socket.resume();
    await soon(url, () => lines.length >= count);
    expect(lines.filter((line) => line.includes('"status":404'))).toHaveLength(count);
  });

  it('OP-75 a client that reads nothing for a while is cut, and its pending requests are not executed', async () => {
    const { port, url } = await start({ connectionBounds: { unreadMs: 120, bytesInAll: 1e9 } });
    await unreading(port, requests(200));
    await soon(url, isCut('unread'));
    const done = carriedOut.length;
    await neighbours(url, 20);
    expect([done, carriedOut.length]).toEqual([carriedOut.length, done]);
    expect(done).toBeLessThan(100);
    const logLine = lines.find((line) => line.includes('a connection was cut')) ?? '{}';
    expect(JSON.parse(logLine)).toMatchObject({
      reason: 'unread',
      address: '127.0.0.1',
      heldRequests: 200 - done,
    });
    expect(JSON.parse(logLine).unsentBytes).toBeGreaterThan(0);
    expect(await registry.metrics()).toContain('http_connections_cut_total{reason="unread"} 1');
  });

  it('OP-75 a client that waits for a slow answer is not cut', async () => {
    const { url } = await start({ connectionBounds: { unreadMs: 30, bytesInAll: 1e9 } });
    let goOn = (): void => undefined;
    waited = new Promise((done) => (goOn = done));
    const slow = fetch(`${url}/slow`);
    await neighbours(url, 100);
    goOn();
    expect((await slow).status).toBe(204);
    expect(lines.filter((line) => line.includes('was cut'))).toEqual([]);
  });

  it('OP-75 if too much waits in total, the client that has read nothing for the longest time is cut first', async () => {
    const { port, url } = await start({
      connectionBounds: { unreadMs: 600_000, bytesInAll: 3 * ANSWER_BYTES + 800_000 },
    });
    const first = await unreading(port, requests(200));
    const named = (socket: Socket) => socket.localPort;
    expect(named(first)).toBeGreaterThan(0);
    const later: Socket[] = [];
    // each leaves one answer and 199 requests behind
    while (!isCut('too_much_unread')()) {
      expect(later.length).toBeLessThan(20);
      const before = carriedOut.length;
      later.push(await unreading(port, requests(200)));
      await soon(url, () => carriedOut.length > before);
      await neighbours(url, 20);
    }
    let answered = '';
    const closed = new Promise((done) => first.once('close', done));
    first.on('data', (piece) => (answered += String(piece).slice(0, 1))).resume();
    await closed;
    expect(answered.length).toBeLessThan(200 * 16);
    expect(lines.filter((line) => line.includes('a connection was cut'))).toHaveLength(1);
  });

  it('CONV-11 an answer that changes only with the program is made once, as bytes for all requests', async () => {
    const { url } = await start();
    keptMade = 0;
    const ask = async (coding: string) => {
      const answer = await fetch(`${url}/kept`, { headers: { 'accept-encoding': coding } });
      return { coding: answer.headers.get('content-encoding'), text: await answer.text() };
    };
    const answers = await Promise.all(['identity', 'gzip', 'br', 'gzip;q=0.5, br', 'br;q=0, *'].map(ask));
    expect(keptMade).toBe(1);
    expect(answers.map(({ coding }) => coding)).toEqual([null, 'gzip', 'br', 'br', 'gzip']);
    expect(answers.map(({ text }) => text)).toEqual(answers.map(() => JSON.stringify({ blob })));
    const head = await fetch(`${url}/kept`, { method: 'HEAD', headers: { 'accept-encoding': 'identity' } });
    expect([head.status, head.headers.get('content-length')]).toEqual([200, String(ANSWER_BYTES + 11)]);
  });

  it('ERR-17 a request with more than 2,000 headers is refused, and none of them is silently dropped', async () => {
    const { port } = await start();
    const answerTo = async (count: number): Promise<string> => {
      const headers = Array.from({ length: count - 1 }, () => 'a:b\r\n').join('');
      const socket = await unreading(port, `GET /kept HTTP/1.1\r\nHost:x\r\n${headers}\r\n`);
      return new Promise((done) => socket.once('data', (piece) => done(String(piece))).resume());
    };
    expect(await answerTo(2_000)).toMatch(/^HTTP\/1\.1 200 /);
    const refused = await answerTo(2_001);
    expect(refused).toMatch(/^HTTP\/1\.1 431 /);
    expect(JSON.parse(refused.split('\r\n\r\n')[1] ?? '')).toEqual({
      type: 'https://docs.example.test/errors/request-header-fields-too-large',
      title: 'Request Header Fields Too Large',
      status: 431,
      detail: 'The request has more than 2000 headers.',
      instance: '/kept',
    });
  });

  it('OP-74 behind a trusted proxy the client is the last address that is no trusted proxy, with its scheme', async () => {
    const schemes: unknown[] = [];
    const note = (facts: SpanFacts): void => void schemes.push(facts['url.scheme']);
    const span = { traceparent: null, note, fail: () => undefined, end: () => undefined };
    const { url } = await start({
      trustedProxies: ['127.0.0.0/8', '10.0.0.0/8'],
      rateLimit: { requestsPerSecond: 1, burst: 2 },
      nowMs: () => 0,
      tracing: {
        begin: () => span,
        within: (_span, work) => work(),
        current: () => null,
        failedBy: () => null,
      },
    });
    const ask = async (forwarded: string): Promise<number> => {
      const headers = { 'x-forwarded-for': forwarded, 'x-forwarded-proto': 'https' };
      const answer = await fetch(`${url}/kept`, { headers });
      await answer.arrayBuffer();
      return answer.status;
    };
    const client = ['198.51.100.1', '203.0.113.9, 198.51.100.1', '8.8.8.8, 198.51.100.1, 10.1.2.3'];
    expect([await ask(client[0] ?? ''), await ask(client[1] ?? ''), await ask(client[2] ?? '')]).toEqual([
      200, 200, 429,
    ]);
    expect(await ask('198.51.100.1:4711')).toBe(429);
    expect(await ask('198.51.100.1, 198.51.100.2')).toBe(200);
    expect(new Set(schemes)).toEqual(new Set(['https']));
  });
});
