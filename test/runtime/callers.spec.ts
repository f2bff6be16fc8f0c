import { declarationOf } from '#http/endpoint.js';
import { operatorEndpoints } from '#runtime/operator-endpoints.js';
import { keyedRoutes, pathWith, routes } from '#test/support/every-route.js';
import { startTestService, type TestService, type TestWorkspace } from '#test/support/service.js';

const forOperators = operatorEndpoints.flatMap((target) => {
  const declared = declarationOf(target);
  return declared === null ? [] : declared.paths.map((path) => `${declared.method} ${path}`);
});
const forApiKeys = keyedRoutes.map(({ method, path }) => `${method} ${pathWith(path, 1)}`);

/** Each listener admits the callers that its endpoints name, and a credential is valid on one listener alone. */
describe('access to the listeners', () => {
  let service: TestService;
  let workspace: TestWorkspace;
  let opsUrl: string;
  let bearer: { readonly apiKey: string; readonly operator: string };

  beforeAll(async () => {
    service = await startTestService();
    workspace = await service.workspace();
    opsUrl = service.service.opsUrl ?? '';
    bearer = { apiKey: workspace.apiKey, operator: service.token };
  });
  afterAll(() => service.stop());

  const statusOf = async (url: string, route: string, credential: string | null): Promise<number> => {
    const [method = '', path = ''] = route.split(' ');
    const headers: Record<string, string> =
      credential === null ? {} : { authorization: `Bearer ${credential}` };
    const answer = await fetch(url + path, { method, headers });
    await answer.arrayBuffer();
    return answer.status;
  };

  /** Calls every route with a credential that is not valid for it; nothing may happen. */
  async function expectAll(
    asked: readonly string[],
    url: string,
    credential: string | null,
    status: number,
  ): Promise<void> {
    const added = await service.settledEventsOf(async () => {
      for (const route of asked) {
        expect([route, await statusOf(url, route, credential)]).toEqual([route, status]);
      }
    });
    expect(added).toEqual([]);
  }

  it('is declared by every endpoint', () => {
    expect(operatorEndpoints.map((target) => declarationOf(target)?.caller)).toEqual(
      operatorEndpoints.map(() => 'operator'),
    );
    expect(forOperators.length).toBeGreaterThan(40);
    expect(forApiKeys.length).toBeGreaterThan(30);
  });

  it('is refused to operators on the public listener, which lacks their routes', async () => {
    await expectAll(forApiKeys, service.url, bearer.operator, 401);
    for (const credential of [bearer.operator, bearer.apiKey, null]) {
      await expectAll(forOperators, service.url, credential, 404);
    }
  });

  it('is refused to API keys on the private listener, which lacks their routes', async () => {
    for (const credential of [bearer.apiKey, null]) {
      await expectAll([...forOperators, ...forApiKeys, 'POST /ops/no.such'], opsUrl, credential, 401);
    }
    await expectAll(forApiKeys, opsUrl, bearer.operator, 404);
  });

  it('is open for the health of both listeners, and for the API documentation on the public one', async () => {
    const open = routes.filter(({ keyed }) => !keyed).map(({ path }) => `GET ${path}`);
    const health = open.filter((route) => route.startsWith('GET /health/'));
    expect([health.length, open.length]).toEqual([2, 8]);
    await expectAll(health, opsUrl, null, 200);
    await expectAll(health, service.url, null, 200);
    const documentation = open.filter((route) => !health.includes(route));
    await expectAll(documentation, opsUrl, null, 401);
    await expectAll(documentation, opsUrl, bearer.operator, 404);
  });

  it('OP-01 OP-03 OP-06 has the same answers on the private listener: 405 with Allow, stamps, problems for broken paths', async () => {
    const ask = (route: string, headers: Record<string, string> = {}): Promise<Response> => {
      const [method = '', path = ''] = route.split(' ');
      return fetch(opsUrl + path, {
        method,
        headers: { authorization: `Bearer ${bearer.operator}`, ...headers },
      });
    };
    const other = await ask('GET /ops/work.drain');
    await other.arrayBuffer();
    expect([other.status, other.headers.get('allow')]).toEqual([405, 'POST']);
    const broken = await ask('POST /ops/%ZZ');
    expect([broken.status, await broken.json()]).toEqual([
      400,
      expect.objectContaining({ status: 400, instance: '/ops/%ZZ' }),
    ]);
    expect(await statusOf(opsUrl, 'POST /ops/%ZZ', bearer.apiKey)).toBe(401);
    for (const route of [
      'POST /ops/projections.list',
      'GET /metrics',
      'POST /ops/no.such',
      'GET /health/live',
    ]) {
      const answer = await ask(route, { 'x-request-id': 'mine' });
      // An unread answer keeps its connection.
      await answer.arrayBuffer();
      const { headers } = answer;
      expect([route, headers.get('x-request-id')]).toEqual([route, 'mine']);
      expect(headers.get('cache-control')).toBe('no-store');
      expect(headers.get('x-response-time')).toMatch(/^\d+\.\dms$/);
    }
    const counted = await (await ask('GET /metrics')).text();
    expect(counted).toContain(
      'http_request_duration_seconds_count{method="POST",route="/ops/projections.list",status="200"}',
    );
  });

  it('OPS-10 is refused for a stream of another content type, or a compressed one', async () => {
    const send = async (type: string, encoding?: string): Promise<unknown> => {
      const answer = await fetch(`${opsUrl}/ops/network.ingest`, {
        method: 'POST',
        headers: {
          authorization: `Bearer ${bearer.operator}`,
          'content-type': type,
          ...(encoding === undefined ? {} : { 'content-encoding': encoding }),
        },
        body: '{}',
      });
      const { detail } = (await answer.json()) as { readonly detail: string };
      return [answer.status, detail];
    };
    expect(await send('application/json')).toEqual([400, 'The body must be application/x-ndjson.']);
    expect(await send('application/x-ndjson', 'gzip')).toEqual([
      400,
      'The request body must be sent without a content encoding.',
    ]);
  });
});
