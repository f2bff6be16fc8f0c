import { once } from 'node:events';
import { connect } from 'node:net';
import { Writable } from 'node:stream';
import { Registry } from 'prom-client';
import { apiKeyAuthentication } from '#http/authentication.js';
import { createHttpApp } from '#http/http-app.js';
import { createLogger } from '#http/log.js';
import { hashApiKey } from '#kernel/values/api-key.js';
import { startOperatorListener } from '#runtime/operator-listener.js';
import { readiness } from '#runtime/readiness.js';
import { FixtureModule } from '../api/http-fixture.js';
import { startTestService } from '../support/service.js';

const KEY = `wsk_test_${'a'.repeat(43)}`;

describe('the public listener', () => {
  it('ends an upload that exceeds its time limit, and sends earlier answers first', async () => {
    let loseIt = (): void => undefined;
    const patience = new Promise<void>((resolve) => (loseIt = resolve));
    const app = await createHttpApp({
      rootModule: FixtureModule,
      callers: {
        apiKey: apiKeyAuthentication(
          { find: async (hash) => (hash === hashApiKey(KEY) ? { workspaceId: 1, keyId: 1 } : null) },
          0,
        ),
      },
      readiness: { report: async () => ({ ready: true, degraded: [], reasons: [] }) },
      logger: createLogger('silent'),
      docsUrl: 'https://docs.example.test',
      closePatience: () => patience,
    });
    const { port } = await app.listen(0, '127.0.0.1');
    const upload = (length: number, body: string) => {
      const socket = connect(port, '127.0.0.1');
      let received = '';
      socket.setEncoding('utf8').on('data', (text) => (received += String(text)));
      socket.on('error', () => undefined);
      const head = `Host: x\r\nAuthorization: Bearer ${KEY}\r\nContent-Type: application/json\r\nExpect: 100-continue\r\n`;
      socket.write(`POST /api/v2/things HTTP/1.1\r\n${head}Content-Length: ${length}\r\n\r\n${body}`);
      return { socket, received: () => received, ended: once(socket, 'close') };
    };
    const json = '{"name":"x"}';
    const stuck = upload(100, '{"na');
    const finished = upload(json.length, json.slice(0, 4));
    // Both have arrived: the server has requested their bodies.
    for (const { socket, received } of [stuck, finished])
      while (!received().includes('100 Continue')) await once(socket, 'data');
    const closed = app.close();
    finished.socket.write(json.slice(4));
    await finished.ended;
    expect(finished.received()).toMatch(/HTTP\/1\.1 201 /);
    expect(stuck.socket.closed).toBe(false);
    loseIt();
    await Promise.all([closed, stuck.ended]);
  });
});

describe('the private listener', () => {
  it('writes a log line for each success and refusal, without the token', async () => {
    const lines: string[] = [];
    const sink = new Writable({
      write: (chunk, _encoding, done) => {
        lines.push(String(chunk));
        done();
      },
    });
    await using running = await startTestService();
    const listener = await startOperatorListener(
      {
        host: running.service.host,
        readiness: readiness(running.service.host),
        token: 'a-secret-token',
        docsUrl: 'https://docs.example.test',
        registry: new Registry(),
        logger: createLogger('info', sink),
      },
      { host: '127.0.0.1', port: 0 },
    );
    const ask = async (command: string, id: string, token: string): Promise<number> => {
      const headers = { authorization: `Bearer ${token}`, 'x-request-id': id };
      const response = await fetch(`${listener.url}/ops/${command}`, { method: 'POST', headers });
      await response.arrayBuffer();
      return response.status;
    };
    expect(await ask('projections.list', 'good', 'a-secret-token')).toBe(200);
    expect(await ask('projections.list', 'bad', 'another')).toBe(401);
    expect(await ask('nothing', 'none', 'a-secret-token')).toBe(404);
    await listener.close();
    const logged = lines.map((line) => JSON.parse(line));
    const line = (requestId: string, status: number, route: string | null) =>
      expect.objectContaining({ requestId, status, route, method: 'POST', durationMs: expect.any(Number) });
    expect(logged).toEqual([
      line('good', 200, '/ops/projections.list'),
      line('bad', 401, '/ops/projections.list'),
      line('none', 404, null),
    ]);
    expect(lines.join('')).not.toContain('secret');
  });
});
