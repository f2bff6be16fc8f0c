import {
  expectProblem,
  expectStamped,
  furnish,
  keyedRoutes,
  ownPath as pathOfOwn,
  pathWith,
  protocolRoutes,
  routes,
  validBody,
  type OwnedIds,
} from '#test/support/every-route.js';
import { scene, sharedWorkspace } from '#test/support/scene.js';

const NEVER = 9_999_999;
const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const;

describe('every route', () => {
  let own: OwnedIds;
  const service = scene({ at: '2026-06-01T10:00:00.000Z' });
  const workspace = sharedWorkspace(service, {}, async (made) => {
    own = await furnish(service, made);
  });
  const other = sharedWorkspace(service);

  const ownPath = (path: string): string => pathOfOwn(own, path);

  it('is found in the declarations', () => {
    expect(keyedRoutes.length).toBeGreaterThan(30);
    expect(routes.length).toBeGreaterThan(keyedRoutes.length);
  });

  it('AUTH-01 AUTH-02 AUTH-03 AUTH-04 AUTH-05 AUTH-08 is refused without a valid key, before any other check', async () => {
    const revoked = await workspace.command('apikey.issue', { label: 'old' });
    await workspace.command('apikey.revoke', { key_id: revoked.key_id });
    const bad: readonly (string | null)[] = [
      null,
      'Bearer wsk_live_0000000000000000000000000000000000000000000',
      `Bearer ${revoked.api_key}`,
      `Basic ${Buffer.from(`${workspace.apiKey}:`).toString('base64')}`,
      workspace.apiKey,
      'Bearer ',
    ];
    await service.expectEvents([], async () => {
      for (const { method, path, takesBody } of [...keyedRoutes, ...protocolRoutes]) {
        const paths = [pathWith(path, NEVER), pathWith(path, 'abc'), ownPath(path)];
        const wrong = method === 'GET' ? ['?page=0&limit=x&cursor='] : [''];
        for (const [index, authorization] of bad.entries()) {
          const route = `${method} ${paths[index % paths.length]}${wrong[0]}`;
          const body = takesBody ? '{"broken' : undefined;
          const answer = await service.call(route, body, authorization === null ? {} : { authorization });
          expect([route, authorization, answer.status]).toEqual([route, authorization, 401]);
          expectProblem(route, answer);
          expectStamped(route, answer);
          expect(answer.headers.get('www-authenticate')).toBe('Bearer');
        }
      }
    });
  });

  it('CONV-09 OP-01 answers a malformed or very long id with 400 or 404, as its resource declares, never with 500', async () => {
    const expected: { readonly [start: string]: number } = {
      '/api/v2/leads/': 400,
      '/api/v2/contents/': 400,
      '/api/v2/workspace/signal-runs/': 400,
      '/api/v3/': 400,
      '/api/v2/': 404,
    };
    await service.expectEvents([], async () => {
      for (const walked of keyedRoutes) {
        const { method, path } = walked;
        if (!path.includes(':')) continue;
        const body = validBody(walked, own);
        const status = expected[Object.keys(expected).find((start) => path.startsWith(start)) ?? ''];
        for (const id of [
          'abc',
          '0',
          '-1',
          '1.5',
          '01',
          '9'.repeat(17),
          '9'.repeat(400),
          '%00',
          '%F0%9F%92%A9',
          '1%20',
        ]) {
          const route = `${method} ${pathWith(path, id)}`;
          const answer = await workspace.call(route, body);
          expect([route, answer.status]).toEqual([route, status]);
          expectProblem(route, answer);
        }
        const largest = await workspace.call(`${method} ${pathWith(path, '9'.repeat(15))}`, body);
        expect([method, path, largest.status]).toEqual([method, path, 404]);
      }
    });
  });

  it('ERR-14 OP-07 INV-07 answers an invalid body with a problem, and writes nothing', async () => {
    const malformed = ['{', '{"a":}', '{"a":"\u0001"}', `${'['.repeat(250)}${']'.repeat(250)}`];
    const noObject = ['[]', '5', '"x"', 'true', 'null'];
    await service.expectEvents([], async () => {
      for (const { method, path, takesBody } of [...keyedRoutes, ...protocolRoutes]) {
        if (!takesBody) continue;
        const route = `${method} ${ownPath(path)}`;
        const refusedWith = async (status: number, body: string, type?: string): Promise<void> => {
          const answer = await workspace.call(
            route,
            body,
            type === undefined ? {} : { 'content-type': type },
          );
          expect([route, body, answer.status]).toEqual([route, body, status]);
          expectProblem(route, answer);
        };
        for (const body of malformed) await refusedWith(400, body);
        await refusedWith(400, 'a=1', 'text/plain');
        const invalid =
          /\/(signal-runs|quote|query|count|top-account-list\/accounts|enrich-company-mapping|mcp)$/.test(
            path,
          )
            ? 400
            : 422;
        for (const body of noObject) await refusedWith(invalid, body);
      }
    });
  });

  it('answers other methods with 405 and the allowed methods, with or without a key', async () => {
    const byPath = new Map<string, Set<string>>();
    for (const { method, path } of [...routes, ...protocolRoutes])
      byPath.set(path, (byPath.get(path) ?? new Set()).add(method));
    for (const [path, known] of byPath) {
      const allowed = [...known, ...(known.has('GET') ? ['HEAD'] : [])].sort();
      for (const method of [...METHODS, 'OPTIONS']) {
        if (known.has(method)) continue;
        const route = `${method} ${pathWith(path, 1)}`;
        for (const ask of [workspace.call, service.call]) {
          const answer = await ask(route);
          expect([route, answer.status]).toEqual([route, 405]);
          expect([route, answer.headers.get('allow')?.split(/,\s*/).sort()]).toEqual([route, allowed]);
          expectProblem(route, answer);
          expectStamped(route, answer);
        }
      }
    }
  });

  it('OP-65 answers HEAD as GET without the body, and a trailing slash as without one', async () => {
    for (const { method, path } of routes.filter(({ method }) => method === 'GET')) {
      const url = ownPath(path);
      const got = await workspace.call(`${method} ${url}`);
      const head = await workspace.call(`HEAD ${url}`);
      expect([url, head.status, head.body]).toEqual([url, got.status, null]);
      expect([url, head.headers.get('content-type')]).toEqual([url, got.headers.get('content-type')]);
      expectStamped(url, head);
      const slashed = await workspace.call(`${method} ${url}/`);
      expect([url, slashed.status, Object.keys(slashed.body)]).toEqual([
        url,
        got.status,
        Object.keys(got.body),
      ]);
    }
    for (const { method, path } of keyedRoutes) {
      const route = `${method} ${pathWith(path, NEVER)}/`;
      const answer = await service.call(route);
      expect([route, answer.status]).toEqual([route, 401]);
      expectProblem(route, answer);
    }
  });

  it('CONV-07 CONV-08 OP-06 answers reads with 200, JSON of the documented schema, and its headers', async () => {
    for (const { method, path } of routes) {
      if (method !== 'GET' || path.startsWith('/docs')) continue;
      const url = ownPath(path);
      const requestId = `test.${path.length}-A_z`;
      const answer = await workspace.call(`GET ${url}`, undefined, { 'x-request-id': requestId });
      expect([url, answer.status]).toEqual([url, 200]);
      expect(answer.headers.get('content-type')).toMatch(/^application\/json/);
      expectStamped(url, answer, requestId);
    }
  });

  it('OP-06 creates a request id if the sent one is invalid', async () => {
    for (const wrong of ['with space', 'a'.repeat(129), 'sl/ash', '"']) {
      const answer = await workspace.call('GET /api/v2/agents', undefined, { 'x-request-id': wrong });
      expectStamped('GET /api/v2/agents', answer);
    }
  });

  it('SUP-11 AUTH-07 AUTH-06 SUP-10 serves both API versions with one key, and two keys of a workspace alike', async () => {
    const { api_key } = await workspace.command('apikey.issue', { label: 'second' });
    const second = { authorization: `Bearer ${api_key}` };
    const read = keyedRoutes.filter(({ method, path }) => method === 'GET' && !path.endsWith('/stats'));
    const generations = read
      .map(({ path }) => /^\/api\/v\d/.exec(path)?.[0])
      .filter((own) => own !== undefined);
    expect(new Set(generations)).toEqual(new Set(['/api/v2', '/api/v3']));
    for (const { path } of read) {
      const url = ownPath(path);
      const mine = await workspace.call(`GET ${url}`);
      expect([url, mine.status]).toEqual([url, 200]);
      expect((await service.call(`GET ${url}`, undefined, second)).body).toEqual(mine.body);
      const named = await workspace.call(`GET ${url}?workspace_id=${other.id}&workspace=${other.id}`);
      expect(named.body).toEqual(mine.body);
    }
    const pushing = routes.filter(({ path }) => /webhook|callback|subscription/.test(path));
    expect(pushing.filter(({ path }) => !path.startsWith('/api/v3/webhook-endpoints'))).toEqual([]);
  });
});
