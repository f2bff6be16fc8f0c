import { ApiModule, type ApiPorts } from '#apps/api/src/api.module.js';
import { apiKeyAuthentication } from '#http/authentication.js';
import { createHttpApp, type HttpApp } from '#http/http-app.js';
import { createLogger } from '#http/log.js';
import { hashApiKey, type ApiKeyOwner } from '#kernel/values/api-key.js';
import { expectProblem, expectStamped, keyedRoutes, pathWith, routes } from '#test/support/every-route.js';
import type { Answer } from '#test/support/service.js';

const KEY = `wsk_test_${'a'.repeat(43)}`;
const OTHER = `wsk_test_${'b'.repeat(43)}`;
const UNKNOWN = `wsk_test_${'z'.repeat(43)}`;
const owners = new Map<string, ApiKeyOwner>([
  [hashApiKey(KEY), { workspaceId: 1, keyId: 1 }],
  // the limit is that of the key, not of the workspace
  [hashApiKey(OTHER), { workspaceId: 1, keyId: 2 }],
]);
const LIMITS = ['ratelimit-limit', 'ratelimit-remaining', 'ratelimit-reset'];

describe('the rate limit', () => {
  let app: HttpApp;
  let url: string;
  let nowMs = 0;

  beforeAll(async () => {
    // What is limited reaches no handler, so there is nothing behind them.
    const nothing = { networkBaseUrl: '', docsUrl: '', cursorSecret: 'x' };
    const ports: Record<string, object> = { settings: nothing };
    for (const port of ['commands', 'ids', 'readModels', 'clock', 'directory', 'ledgers']) ports[port] = {};
    app = await createHttpApp({
      rootModule: ApiModule.with(ports as ApiPorts),
      callers: { apiKey: apiKeyAuthentication({ find: async (hash) => owners.get(hash) ?? null }, 0) },
      readiness: { report: async () => ({ ready: true, degraded: [], reasons: [] }) },
      logger: createLogger('silent'),
      docsUrl: 'https://docs.example.test',
      published: { version: '0.0.0' },
      rateLimit: { requestsPerSecond: 2, burst: 4 },
      nowMs: () => nowMs,
    });
    ({ url } = await app.listen(0, '127.0.0.1'));
  });
  afterAll(() => app.close());

  async function ask(route: string, key: string | null = KEY, body?: string): Promise<Answer> {
    const [method = '', path = ''] = route.split(' ');
    const response = await fetch(url + path, {
      method,
      headers: key === null ? {} : { authorization: `Bearer ${key}` },
      ...(body === undefined ? {} : { body }),
    });
    const text = await response.text();
    return {
      status: response.status,
      headers: response.headers,
      body: text === '' ? null : JSON.parse(text),
    };
  }

  const limitsOf = ({ headers }: Answer) => LIMITS.map((name) => headers.get(name));
  const untilItIsFull = (): number => (nowMs += 60_000);
  async function useUp(key: string | null): Promise<void> {
    for (let count = 0; count < 4; count += 1) await ask('GET /api/v2/leads/abc', key);
  }

  it('ERR-16 OP-01 TPL-21 BKT-08 SETUP-32 SETUP-42 SETUP-66 STAT-17 USE-21 AG-32 RUN-28 LST-33 MEM-27 PER-03 LEAD-08 answers every route with 429 before anything else is looked at, in the dialect of its path', async () => {
    untilItIsFull();
    await useUp(KEY);
    for (const { method, path, takesBody } of keyedRoutes) {
      const route = `${method} ${pathWith(path, 'abc')}${method === 'GET' ? '?page=0&limit=x' : ''}`;
      const answer = await ask(route, KEY, takesBody ? '{"broken' : undefined);
      expect([route, answer.status]).toEqual([route, 429]);
      expect([route, answer.headers.get('retry-after')]).toEqual([route, '1']);
      expect([route, limitsOf(answer)]).toEqual([route, ['4', '0', '2']]);
      expectProblem(route, answer);
      expectStamped(route, answer);
      expect([route, answer.body.title]).toEqual([route, 'Too Many Requests']);
    }
    expect(keyedRoutes.length).toBeGreaterThan(30);
  });

  it('OP-05 tells on every answer what is left, and lets in again what has waited', async () => {
    untilItIsFull();
    const left: unknown[] = [];
    for (let count = 0; count < 5; count += 1) left.push(limitsOf(await ask('GET /api/v3/signal-setups/0')));
    expect(left).toEqual([
      ['4', '3', '1'],
      ['4', '2', '1'],
      ['4', '1', '2'],
      ['4', '0', '2'],
      ['4', '0', '2'],
    ]);
    nowMs += 500;
    expect((await ask('GET /api/v3/signal-setups/0')).status).toBe(400);
    expect((await ask('GET /api/v3/signal-setups/0')).status).toBe(429);
    const head = await ask('HEAD /api/v3/signal-setups/0');
    expect([head.status, head.headers.get('retry-after')]).toEqual([429, '1']);
  });

  it('OP-05 is counted for each key; the others go on', async () => {
    untilItIsFull();
    await useUp(KEY);
    expect((await ask('GET /api/v2/leads/abc', KEY)).status).toBe(429);
    expect((await ask('GET /api/v2/leads/abc', OTHER)).status).toBe(400);
  });

  it('OP-05 counts those without a good key by their address, with 401 until then', async () => {
    untilItIsFull();
    for (const key of [null, UNKNOWN, null, UNKNOWN]) {
      const answer = await ask('GET /api/v2/leads/1', key);
      expect(answer.status).toBe(401);
      expect(answer.headers.get('ratelimit-limit')).toBe('4');
    }
    for (const key of [null, UNKNOWN]) {
      const answer = await ask('GET /api/v2/leads/1', key);
      expect(answer.status).toBe(429);
      expectProblem('GET /api/v2/leads/1', answer);
    }
    expect((await ask('GET /api/v2/leads/abc', KEY)).status).toBe(400);
  });

  it('OP-01 comes after the route, and health is never limited', async () => {
    await useUp(KEY);
    expect((await ask('GET /api/v2/nothing')).status).toBe(404);
    expect((await ask('PATCH /api/v2/agents')).status).toBe(405);
    const open = routes.filter(({ keyed, path }) => !keyed && !path.includes(':'));
    expect(open.length).toBeGreaterThan(1);
    for (const { path } of open) {
      for (let count = 0; count < 6; count += 1) {
        const answer = await fetch(url + path);
        await answer.arrayBuffer();
        expect([path, answer.status, answer.headers.get('ratelimit-limit')]).toEqual([path, 200, null]);
      }
    }
  });
});
