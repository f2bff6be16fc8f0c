import {
  expectProblem,
  furnish,
  keyedRoutes,
  ownPath,
  validBody,
  type OwnedIds,
  type WalkedRoute,
} from '#test/support/every-route.js';
import { servedEndpoints } from '#test/house/served-endpoints.js';
import { scene, sharedWorkspace } from '#test/support/scene.js';

const STRICT = { prefer: 'handling=strict' };
const LIST = { type: 'competitor', name: 'Rivals' };

describe('OP-72 Ignored-Fields and Prefer: handling=strict', () => {
  let own: OwnedIds;
  const service = scene({ at: '2026-06-01T10:00:00.000Z' });
  const workspace = sharedWorkspace(service, {}, async (made) => {
    own = await furnish(service, made);
  });

  const sendsBody = ({ method, takesBody }: WalkedRoute): boolean => takesBody || method === 'POST';
  const declaredOf = ({ method, path }: WalkedRoute) => {
    const found = servedEndpoints().find(
      ({ declared }) => declared.method === method && declared.paths.includes(path),
    );
    if (found === undefined) throw new Error(`nobody serves ${method} ${path}`);
    return found.declared;
  };
  /** The status of an invalid value in the query and in the body of a route. */
  const invalidStatuses = (route: WalkedRoute) => {
    const { query = {}, body, invalidBody = 422 } = declaredOf(route);
    return { query: Object.values(query)[0]?.invalid ?? 400, body: body === undefined ? 400 : invalidBody };
  };

  it('refuses unknown fields on every route, with the status of an invalid value there, without an effect', async () => {
    let walked = 0;
    for (const route of keyedRoutes) {
      const path = `${route.method} ${ownPath(own, route.path)}`;
      const statuses = invalidStatuses(route);
      const body = sendsBody(route) ? (validBody(route, own) ?? {}) : undefined;
      const added = await service.settledEventsOf(async () => {
        const inQuery = await workspace.call(`${path}?not_a_parameter=1`, body, STRICT);
        expect([path, inQuery.status]).toEqual([path, statuses.query]);
        expectProblem(path, inQuery);
        expect(inQuery.body.errors.not_a_parameter).toEqual([expect.stringMatching(/^is not known here/)]);
        expect(inQuery.headers.get('ignored-fields')).toBe('not_a_parameter');
        expect(inQuery.headers.get('preference-applied')).toBe('handling=strict');
        if (body === undefined) return;
        const inBody = await workspace.call(path, { ...body, not_a_field: 1 }, STRICT);
        expect([path, inBody.status]).toEqual([path, statuses.body]);
        expect(inBody.body.errors.not_a_field).toEqual([expect.stringMatching(/^is not known here/)]);
      });
      expect([path, added]).toEqual([path, []]);
      walked += 1;
    }
    expect(walked).toBeGreaterThan(40);
  });

  it('names the ignored fields on every route, and no known field', async () => {
    for (const route of keyedRoutes) {
      if (route.method === 'DELETE') continue;
      const path = `${route.method} ${ownPath(own, route.path)}`;
      const body = sendsBody(route) ? (validBody(route, own) ?? {}) : undefined;
      const plain = await workspace.call(path, body, STRICT);
      expect([path, plain.headers.get('ignored-fields')]).toEqual([path, null]);
      expect([path, plain.headers.get('preference-applied')]).toEqual([path, 'handling=strict']);
      expect(JSON.stringify(plain.body?.errors ?? null)).not.toContain('is not known here');
      const more = await workspace.call(
        `${path}?not_a_parameter=1`,
        body === undefined ? undefined : { ...body, not_a_field: 1 },
      );
      const names = body === undefined ? 'not_a_parameter' : 'not_a_parameter, not_a_field';
      expect([path, more.headers.get('ignored-fields')]).toEqual([path, names]);
      expect(more.headers.get('preference-applied')).toBeNull();
    }
  });

  it('names the place where a misplaced field belongs, before anything is charged', async () => {
    const launch = { agent_id: own['/api/v2/agents/'], lookback_days: 7 };
    const route = 'POST /api/v2/workspace/signal-runs';
    await service.expectSettledEvents([], async () => {
      const refused = await workspace.call(route, launch, STRICT);
      expect(refused.status).toBe(400);
      expect(refused.body.errors).toEqual({
        lookback_days: ['is not known here; parameters.lookback_days is'],
      });
    });
    const nested = { agent_id: own['/api/v2/agents/'], parameters: { lookback: 7 } };
    const refused = await workspace.call(route, nested, STRICT);
    expect(Object.keys(refused.body.errors)).toEqual(['parameters.lookback']);
  });

  it('names read-only fields that are sent back, and refuses no request because of them', async () => {
    const persona = await workspace.data('POST /api/v2/personas', { tag: 'sent back' });
    const answer = await workspace.call(`PATCH /api/v2/personas/${persona.id}`, persona, STRICT);
    expect(answer.status).toBe(200);
    expect(answer.headers.get('ignored-fields')).toBe('id');
    const count = await workspace.call(
      'POST /api/v2/workspace/signals/count',
      { cursor: 'of a query', limit: 5 },
      STRICT,
    );
    expect([count.status, count.headers.get('ignored-fields')]).toEqual([200, 'cursor, limit']);
  });

  it('lists at most 20 names in 1 KiB, percent-encoded, and counts the others', async () => {
    const many = Object.fromEntries(Array.from({ length: 25 }, (_, index) => [`field ${index}, "ü"`, 1]));
    const answer = await workspace.call('POST /api/v2/workspace/signals/query', many);
    const names = (answer.headers.get('ignored-fields') ?? '').split(', ');
    expect(names).toHaveLength(21);
    expect([names[0], names.at(-1)]).toEqual(['field%200%2C%20%22%C3%BC%22', 'more;n=5']);
    const long = { ['x'.repeat(600)]: 1, ['y'.repeat(600)]: 1, ['z'.repeat(100_000)]: 1 };
    const header = (await workspace.call('POST /api/v2/workspace/signals/query', long)).headers.get(
      'ignored-fields',
    );
    expect(header).toBe(`${'x'.repeat(600)}, more;n=2`);
  });

  it('is computed again for each repetition of an Idempotency-Key; a strict refusal claims no key', async () => {
    const key = { 'idempotency-key': 'of ignored fields'.replaceAll(' ', '-') };
    const sent = { ...LIST, colour: 'red' };
    const refused = await workspace.call('POST /api/v2/lists', sent, { ...key, ...STRICT });
    expect([refused.status, refused.body.errors.colour]).toEqual([422, [expect.any(String)]]);
    const first = await workspace.call('POST /api/v2/lists', sent, key);
    expect([first.status, first.headers.get('ignored-fields')]).toEqual([201, 'colour']);
    const again = await workspace.call('POST /api/v2/lists?page=2', sent, key);
    expect(again.headers.get('idempotency-replayed')).toBe('true');
    expect(again.headers.get('ignored-fields')).toBe('page, colour');
  });

  it.each([
    ['handling=strict', true],
    ['HANDLING = "Strict"', true],
    ['respond-async, handling=strict; foo=1', true],
    ['handling=lenient', false],
    ['handling=lenient, handling=strict', false],
    ['return=minimal', false],
    ['handling', false],
    ['', false],
  ])('reads Prefer: %s', async (prefer, isStrict) => {
    const answer = await workspace.call('GET /api/v2/lists?unknown=1', undefined, { prefer });
    expect([answer.status, answer.headers.get('preference-applied')]).toEqual(
      isStrict ? [400, 'handling=strict'] : [200, null],
    );
  });

  it('comes after authentication and path: 401 and 404 do not mention fields', async () => {
    const stranger = await service.call('POST /api/v2/lists?x=1', { ...LIST, y: 1 }, STRICT);
    expect([stranger.status, stranger.headers.get('ignored-fields')]).toEqual([401, null]);
    const malformed = await workspace.call('GET /api/v2/agents/none?x=1', undefined, STRICT);
    expect(malformed.status).toBe(404);
    const broken = await workspace.call('POST /api/v2/lists', '{"broken', STRICT);
    expect([broken.status, broken.headers.get('ignored-fields')]).toEqual([400, null]);
  });
});
