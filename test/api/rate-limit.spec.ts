import { ApiModule } from '#apps/api/src/api.module.js';
import type { ApiPorts } from '#apps/api/src/ports.js';
import { apiKeyAuthentication } from '#http/authentication.js';
import type { HttpApp } from '#http/http-app.js';
import { hashApiKey, type ApiKeyOwner } from '#kernel/values/api-key.js';
import { expectProblem, expectStamped, keyedRoutes, pathWith, routes } from '#test/support/every-route.js';
import { httpListener } from '#test/support/http-listener.js';
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
    // Limited requests reach no handler, so no dependencies are needed.
    app = await httpListener({
      rootModule: ApiModule.with({} as ApiPorts),
      callers: { apiKey: apiKeyAuthentication({ find: async (hash) => owners.get(hash) ?? null }, 0) },
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

  it('ERR-16 OP-01 TPL-21 BKT-08 SETUP-32 SETUP-42 SETUP-66 STAT-17 USE-21 AG-32 RUN-28 LST-33 MEM-27 PER-03 LEAD-08 answers every route with 429 before any other check, in the dialect of its path', async () => {
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

  it('OP-05 states the remaining requests on every answer, and allows requests again after the wait', async () => {
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

  it('OP-05 is counted per key; other keys are not affected', async () => {
    untilItIsFull();
    await useUp(KEY);
    expect((await ask('GET /api/v2/leads/abc', KEY)).status).toBe(429);
    expect((await ask('GET /api/v2/leads/abc', OTHER)).status).toBe(400);
  });

  it('OP-05 counts requests without a valid key by their address, with 401 until then', async () => {
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

  it('OP-01 comes after the route', async () => {
    untilItIsFull();
    await useUp(KEY);
    expect((await ask('GET /api/v2/nothing')).status).toBe(404);
    expect((await ask('PATCH /api/v2/agents')).status).toBe(405);
  });

  it('OP-74 counts requests for routes without a key by their address, except for health', async () => {
    const open = routes.filter(({ keyed }) => !keyed).map(({ path }) => path.replace(/:\w+/, 'conflict'));
    expect(open.length).toBeGreaterThan(4);
    for (const path of open) {
      untilItIsFull();
      const answers: Response[] = [];
      for (let count = 0; count < 6; count += 1) {
        answers.push(await fetch(url + path));
        await answers.at(-1)?.arrayBuffer();
      }
      const received = answers.map(({ status, headers }) => [status, headers.get('ratelimit-remaining')]);
      const passes = Array.from({ length: 6 }, () => [200, null]);
      const counted = ['3', '2', '1', '0'].map((left) => [200, left]);
      const isHealth = path.startsWith('/health/');
      expect([path, received]).toEqual([path, isHealth ? passes : [...counted, [429, '0'], [429, '0']]]);
    }
    // a caller without a key is one address, for any route
    expect((await ask('GET /api/v2/leads/1', null)).status).toBe(429);
    untilItIsFull();
  });

  it('OP-74 trusts no header about the address of a client unless configured', async () => {
    untilItIsFull();
    const asked = async (address: string) => {
      const answer = await fetch(`${url}/docs`, { headers: { 'x-forwarded-for': address } });
      await answer.arrayBuffer();
      return answer.status;
    };
    for (let count = 0; count < 4; count += 1) expect(await asked(`198.51.100.${count}`)).toBe(200);
    expect(await asked('198.51.100.9')).toBe(429);
    untilItIsFull();
  });
});
