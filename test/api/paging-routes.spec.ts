import {
  expectProblem,
  furnish,
  keyedRoutes,
  ownedId,
  pathAt,
  VALID_BODIES,
  type WalkedRoute,
  type OwnedIds,
} from '#test/support/every-route.js';
import { keywordAgent, observedPost } from '#test/support/observed-network.js';
import { scene, sharedWorkspace } from '#test/support/scene.js';
import type { Answer } from '#test/support/service.js';

type Paged = {
  readonly path: string;
  readonly size: number;
  readonly maximum: number;
  readonly refused: number;
};

/** C-1: 422 on these, 400 everywhere else. */
const REFUSED_WITH_422 =
  /^\/api\/v2\/(agents|personas|(lists|watchlists)\/[^/]+\/[^/]+\/(members|entities))$/;
const NEVER = 9_999_999;

describe('the routes with pages', () => {
  let own: OwnedIds;
  /** From the published document, so that a new route is included automatically. */
  let paged: readonly Paged[];
  let withCursor: readonly string[];

  const service = scene({ at: '2026-06-01T10:00:00.000Z' });
  const workspace = sharedWorkspace(service, {}, async (made) => {
    own = await furnish(service, made);
    for (const name of ['A', 'B', 'C']) {
      await made.list('competitor', [], { name });
      await made.persona({ tag: name });
      await keywordAgent(made, name);
    }
    const { body: document } = await service.call('GET /openapi.json');
    type Parameter = {
      readonly name: string;
      readonly schema: { readonly default: number; readonly maximum: number };
    };
    const gets = keyedRoutes.filter(({ method }) => method === 'GET');
    const parametersOf = (path: string): readonly Parameter[] =>
      document.paths[path.replace(/:(\w+)/g, '{$1}')].get.parameters;
    paged = gets.flatMap(({ path }) =>
      parametersOf(path)
        .filter(({ name }) => name === 'page_size')
        .map(({ schema }) => ({
          path: urlOf(path),
          size: schema.default,
          maximum: schema.maximum,
          refused: REFUSED_WITH_422.test(urlOf(path)) ? 422 : 400,
        })),
    );
    withCursor = gets
      .filter(({ path }) => parametersOf(path).some(({ name }) => name === 'cursor'))
      .map(({ path }) => urlOf(path));
  });

  const urlOf = (path: string): string => pathAt(path, (place) => ownedId(own, place));
  /** A body that the route may take: invalid parameters are refused with any body. */
  const bodyFor = ({ method, path, takesBody }: WalkedRoute): object | undefined => {
    const body = VALID_BODIES[`${method} ${path}`] ?? (takesBody ? {} : undefined);
    return typeof body === 'function' ? body(own) : body;
  };
  const headersOf = ({ headers }: Answer) =>
    ['x-page', 'x-page-size', 'x-page-count', 'x-total-count'].map((name) => headers.get(name));
  const asked = (path: string, query: string): Promise<Answer> => workspace.call(`GET ${path}?${query}`);

  it('PAG-01 PAG-02 PAG-03 PAG-04 PAG-11 PAG-12 PAG-13 answer the envelope, its headers and the defaults', async () => {
    expect(paged.length).toBeGreaterThan(6);
    for (const { path, size, maximum } of paged) {
      expect([path, size, maximum]).toEqual([path, ...(path === '/api/v2/agents' ? [10, 25] : [25, 100])]);
      const answer = await workspace.call(`GET ${path}`);
      expect([path, answer.status]).toEqual([path, 200]);
      const { page, page_size, page_count, total } = answer.body.meta.pagination;
      expect([path, page, page_size, page_count]).toEqual([path, 1, size, Math.ceil(total / size)]);
      expect(headersOf(answer)).toEqual([page, page_size, page_count, total].map(String));
      expect(answer.body.data.length).toBe(Math.min(total, size));
    }
  });

  it('PAG-05 PAG-06 return every row once over all pages, in one order, and nothing beyond the last', async () => {
    let several = 0;
    for (const { path, maximum } of paged) {
      const whole = (await asked(path, `page_size=${maximum}`)).body;
      const { total } = whole.meta.pagination;
      const rows: unknown[] = [];
      for (let page = 1; page <= total && page <= maximum; page += 1) {
        const { body } = await asked(path, `page=${page}&page_size=1`);
        expect([path, body.meta.pagination]).toEqual([
          path,
          { page, page_size: 1, page_count: total, total },
        ]);
        rows.push(...body.data);
      }
      expect([path, rows]).toEqual([path, whole.data]);
      if (total > 1) several += 1;
      for (const page of [total + 1, NEVER, Number.MAX_SAFE_INTEGER]) {
        const beyond = await asked(path, `page=${page}&page_size=1`);
        expect([path, beyond.status, beyond.body.data]).toEqual([path, 200, []]);
        expect(beyond.body.meta.pagination.total).toBe(total);
      }
    }
    expect(several).toBeGreaterThan(4);
  });

  it('PAG-07 PAG-08 PAG-09 PAG-10 ERR-08 refuse an invalid page, with the status of their list, and name it', async () => {
    for (const { path, maximum, refused } of paged) {
      const wrong = ['0', '-1', '1.5', 'abc', '', '1e3', '%00', '+1', ' 1', '9'.repeat(40)];
      const queries = [
        ...wrong.map((value) => ['page', `page=${value}`] as const),
        ...[...wrong, String(maximum + 1)].map((value) => ['page_size', `page_size=${value}`] as const),
        ['page', 'page=1&page=2'] as const,
        ['page_size', 'page_size=5&page_size=5'] as const,
      ];
      for (const [name, query] of queries) {
        const route = `GET ${path}?${query}`;
        const answer = await workspace.call(route);
        expect([route, answer.status]).toEqual([route, refused]);
        expectProblem(route, answer);
        expect([route, Object.keys(answer.body.errors)]).toEqual([route, [name]]);
        if (path.startsWith('/api/v3')) expect(answer.body.title).toBe('Invalid query parameters');
      }
      expect((await asked(path, `page_size=${maximum}`)).status).toBe(200);
    }
  });

  it('CUR-01 CUR-03 CUR-06 refuse an invalid limit and a foreign cursor', async () => {
    // The cursor of the feed continues after its end, and a foreign one is 410 (DLV-01).
    const others = withCursor.filter((path) => path !== '/api/v3/events');
    expect(others.length).toBeGreaterThan(0);
    for (const path of others) {
      const { body } = await workspace.call(`GET ${path}`);
      expect([path, body.meta.cursor]).toEqual([path, { next: null, has_more: false }]);
      for (const limit of ['0', '101', '1.5', 'x', '', '-1']) {
        const answer = await asked(path, `limit=${limit}`);
        expect([path, limit, answer.status]).toEqual([path, limit, 400]);
        expect(Object.keys(answer.body.errors)).toEqual(['limit']);
      }
      for (const cursor of ['x', '', 'e30', 'a'.repeat(5_000), '%00']) {
        const answer = await asked(path, `cursor=${cursor}`);
        expect([path, cursor, answer.status]).toEqual([path, cursor, 400]);
        expect(Object.keys(answer.body.errors)).toEqual(['cursor']);
      }
    }
  });

  it('CUR-04 CUR-05 CUR-08 OP-39 return the older rows once while newer ones arrive, in both queries', async () => {
    const agentId = await keywordAgent(workspace, 'paged');
    const moment = '2026-05-30T09:00:00Z';
    const posts = ['p1', 'p2', 'p3', 'p4', 'p5'];
    const post = (name: string) => observedPost(name, 'ana', 'paged', moment);
    await service.ingest(posts.map(post));
    await workspace.run(agentId);
    const read = async (route: string, body: object): Promise<Answer['body']> => {
      const answer = await workspace.call(route, body);
      expect([route, answer.status]).toEqual([route, 200]);
      return answer.body;
    };
    const v2 = 'POST /api/v2/workspace/signals/query';
    const v3 = 'POST /api/v3/signals/query';
    let arrived = 0;
    for (const [route, filter, next] of [
      [v2, { agent_id: agentId }, (body: Answer['body']) => body.meta.next_cursor],
      [v3, {}, (body: Answer['body']) => body.meta.cursor.next],
    ] as const) {
      const before = (await read(route, { ...filter, limit: 100 })).data.map(
        ({ id }: { readonly id: number }) => id,
      );
      expect(before.length).toBeGreaterThanOrEqual(posts.length);
      const seen: number[] = [];
      for (let cursor: string | null | undefined; cursor !== null;) {
        const body = await read(route, { ...filter, limit: 2, ...(cursor === undefined ? {} : { cursor }) });
        seen.push(...body.data.map(({ id }: { readonly id: number }) => id));
        cursor = next(body);
        // later than the rows already read: it belongs before the first page
        await service.advance('PT1M');
        await service.ingest([post(`newer-${(arrived += 1)}`)]);
        await workspace.run(agentId);
      }
      expect([route, seen]).toEqual([route, before]);
      const now = (await read(route, { ...filter, limit: 100 })).data;
      expect(now.length).toBeGreaterThan(before.length);
    }
  });

  it('ERR-13 reveal no internals when they fail, on any route', async () => {
    const { readModels, eventStore } = service.service.host;
    const secret = 'SELECT secret FROM /var/lib/inside at Object.<anonymous>';
    const broken = (): Promise<never> => Promise.reject(new TypeError(secret));
    const { find, get, getMany, count, groups } = readModels;
    const { append } = eventStore;
    Object.assign(readModels, { find: broken, get: broken, getMany: broken, count: broken, groups: broken });
    Object.assign(eventStore, { append: broken });
    const failed: string[] = [];
    try {
      for (const walked of keyedRoutes) {
        const { method, path } = walked;
        const route = `${method} ${urlOf(path)}`;
        const answer = await workspace.call(route, bodyFor(walked));
        expect([route, JSON.stringify(answer.body)]).toEqual([route, expect.not.stringContaining('inside')]);
        expect(answer.headers.get('x-request-id')).not.toBeNull();
        if (answer.status !== 500) continue;
        expectProblem(route, answer);
        expect(Object.keys(answer.body).sort()).toEqual(['detail', 'instance', 'status', 'title', 'type']);
        failed.push(route);
      }
    } finally {
      Object.assign(readModels, { find, get, getMany, count, groups });
      Object.assign(eventStore, { append });
    }
    expect(failed.length).toBeGreaterThan(20);
    expect((await workspace.call('GET /api/v2/agents')).status).toBe(200);
  });
});
