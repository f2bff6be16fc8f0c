import { request as httpRequest } from 'node:http';
import { StoreUnavailable } from '#kernel/ports/event-store.port.js';
import {
  expectProblem,
  expectStamped,
  furnish,
  keyedRoutes,
  ownedId,
  pathAt,
  validBody,
  type OwnedIds,
} from '#test/support/every-route.js';
import { answered } from '#test/support/expected-answers.js';
import { keywordAgent } from '#test/support/observed-network.js';
import { scene, sharedWorkspace } from '#test/support/scene.js';
import type { Answer } from '#test/support/service.js';

const LIST = { type: 'competitor', name: 'Rivals' };
const HEADER = 'Idempotency-Key';

describe('OP-66 Idempotency-Key', () => {
  let own: OwnedIds;
  const service = scene({ at: '2026-06-01T10:00:00.000Z' });
  const workspace = sharedWorkspace(service, {}, async (made) => {
    own = await furnish(service, made);
  });
  const other = sharedWorkspace(service);
  let keys = 0;
  const newKey = (): string => `key-${(keys += 1)}`;

  const post = (path: string, body: unknown, key: string, asker = workspace): Promise<Answer> =>
    asker.call(`POST ${path}`, body, { [HEADER]: key });
  const OF_THE_MECHANISM = /^Request[A-Z]/;
  const effectsOf = async (work: () => Promise<unknown>): Promise<readonly string[]> =>
    (await service.eventsOf(work)).filter((type) => !OF_THE_MECHANISM.test(type));

  /** A secret is shown once: the repetition has null instead. */
  const withoutSecret = (body: Answer['body']) =>
    body?.data?.secret === undefined ? body : { ...body, data: { ...body.data, secret: null } };

  function expectReplayed(again: Answer, first: Answer): void {
    expect([again.status, again.body]).toEqual([first.status, withoutSecret(first.body)]);
    expect(again.headers.get('content-type')).toBe(first.headers.get('content-type'));
    expect(again.headers.get('idempotency-replayed')).toBe('true');
    expect(first.headers.get('idempotency-replayed')).toBeNull();
  }

  it('replays the first answer of every changing POST, whatever it was, without a second effect', async () => {
    const walked: string[] = [];
    for (const route of keyedRoutes) {
      const { method, path, readsOnly } = route;
      if (method !== 'POST' || readsOnly) continue;
      const url = pathAt(path, (place) => ownedId(own, place));
      const key = newKey();
      const body = validBody(route, own) ?? {};
      const first = await post(url, body, key);
      expect([url, first.status]).not.toEqual([url, 500]);
      await service.drain();
      const added = await service.eventsOf(async () => {
        const again = await post(url, body, key);
        expectReplayed(again, first);
        expectStamped(url, again);
        expect(again.headers.get('x-request-id')).not.toBe(first.headers.get('x-request-id'));
        if (again.status >= 400) expectProblem(`POST ${url}`, again);
      });
      expect([url, added]).toEqual([url, []]);
      walked.push(path);
    }
    expect(walked.length).toBeGreaterThan(6);
  });

  it('is ignored by a POST without effects: no event is written, for any number of calls and any spelling', async () => {
    const asking = keyedRoutes.filter(({ method, readsOnly }) => method === 'POST' && readsOnly);
    const named = keyedRoutes.filter(
      ({ method, path }) => method === 'POST' && /\/(query|count|quote|preview)$/.test(path),
    );
    expect(asking.length).toBeGreaterThan(2);
    expect(asking).toEqual(named);
    await service.expectSettledEvents([], async () => {
      for (const route of asking) {
        const body = validBody(route, own) ?? {};
        const unkeyed = await workspace.call(`POST ${route.path}`, body);
        expect([route.path, unkeyed.status]).toEqual([route.path, 200]);
        for (const key of [newKey(), '', 'a'.repeat(256)]) {
          const answer = await post(route.path, body, key);
          // Each quote has a nonce of its own.
          const expected = route.path.endsWith('/quote')
            ? { ...unkeyed.body, quote_id: expect.any(String) }
            : unkeyed.body;
          expect([route.path, answer.status, answer.body]).toEqual([route.path, 200, expected]);
          const again = await post(route.path, { ...body, lookback_days: 1 }, key);
          expect(again.headers.get('idempotency-replayed')).toBeNull();
          expect(again.status).not.toBe(422);
        }
      }
    });
  });

  it('creates one resource for the same request in any JSON spelling; without a key each is new', async () => {
    const key = newKey();
    const added = await effectsOf(async () => {
      const first = await post('/api/v2/lists', LIST, key);
      expect(first.status).toBe(201);
      for (const text of [
        '{"name":"Rivals","type":"competitor"}',
        ' {"type":\t"comp\\u0065titor","name":"Rivals"}',
      ]) {
        expectReplayed(await post('/api/v2/lists', text, key), first);
      }
      expectReplayed(await post('/api/v2/lists/', LIST, key), first);
    });
    expect(added).toEqual(['ListCreated']);
    const unkeyed = await effectsOf(async () => {
      for (let count = 0; count < 2; count += 1) await workspace.call('POST /api/v2/lists', LIST);
    });
    expect(unkeyed).toEqual(['ListCreated', 'ListCreated']);
  });

  it('takes a missing body and an empty object for the same', async () => {
    const key = newKey();
    const path = '/api/v2/personas';
    const first = await post(path, undefined, key);
    expect(first.status).toBe(201);
    expectReplayed(await post(path, {}, key), first);
  });

  it('refuses another request with the same key with 422 that names the header, without an effect', async () => {
    const key = newKey();
    await post('/api/v2/lists', LIST, key);
    await service.expectEvents([], async () => {
      const others: readonly (readonly [string, unknown])[] = [
        ['/api/v2/lists', { ...LIST, name: 'Others' }],
        ['/api/v2/lists', { ...LIST, description: null }],
        ['/api/v2/personas', LIST],
        ['/api/v3/signal-setups', LIST],
      ];
      for (const [path, body] of others) {
        const answer = await post(path, body, key);
        expect([path, answer.status]).toEqual([path, 422]);
        expectProblem(`POST ${path}`, answer);
        expect(answer.body.errors).toEqual({ [HEADER]: ['was used for a different request'] });
      }
    });
  });

  it('AUTH-07 belongs to the workspace: another workspace has its own, a second API key shares it', async () => {
    const key = newKey();
    const first = await post('/api/v2/lists', LIST, key);
    const elsewhere = await answered(201, post('/api/v2/lists', LIST, key, other));
    expect(elsewhere.data.id).not.toBe(first.body.data.id);
    const body = await workspace.command('apikey.issue', { label: 'second' });
    const twin = { authorization: `Bearer ${body.api_key}`, [HEADER]: key };
    expectReplayed(await service.call('POST /api/v2/lists', LIST, twin), first);
  });

  it('is 1 to 255 visible characters, otherwise 400 right after authentication, in both dialects', async () => {
    await service.expectEvents([], async () => {
      for (const key of ['', 'a'.repeat(256), 'a b', 'a\tb', 'caf\u00e9']) {
        for (const path of ['/api/v2/lists', '/api/v3/signal-setups']) {
          const answer = await post(path, '{"broken', key);
          expect([key, answer.status]).toEqual([key, 400]);
          expect(answer.body.errors).toEqual({ [HEADER]: ['must be 1 to 255 visible characters'] });
          expect(answer.body.title).toBe(path.includes('v3') ? 'Invalid request body' : 'Bad Request');
          await answered(401, service.call(`POST ${path}`, {}, { [HEADER]: key }));
        }
      }
      expect((await twice('a', 'b')).status).toBe(400);
    });
    for (const key of ['!', '~'.repeat(255), 'a,b;c="d"']) {
      expect((await post('/api/v2/lists', LIST, key)).status).toBe(201);
    }
  });

  /** The header sent twice, which `fetch` cannot do. */
  function twice(...values: readonly string[]): Promise<{ readonly status: number }> {
    return new Promise((resolve, reject) => {
      const headers = { authorization: `Bearer ${workspace.apiKey}`, [HEADER]: [...values] };
      const asked = httpRequest(`${service.url}/api/v2/lists`, { method: 'POST', headers }, (response) => {
        response.resume().on('end', () => resolve({ status: response.statusCode ?? 0 }));
      });
      asked.on('error', reject).end();
    });
  }

  it('is ignored on other methods', async () => {
    const key = newKey();
    await workspace.call('GET /api/v2/lists', undefined, { [HEADER]: '' });
    const { path } = await workspace.list('competitor');
    for (const name of ['One', 'Two']) {
      const renamed = await workspace.call(`PUT /api/v2/${path}`, { name }, { [HEADER]: key });
      expect(renamed.body.data.name).toBe(name);
      expect(renamed.headers.get('idempotency-replayed')).toBeNull();
    }
  });

  it('replays refusals, even if the state has changed since', async () => {
    const key = newKey();
    const body = { ...LIST, persona_ids: [9_999_999] };
    const first = await post('/api/v2/lists', body, key);
    expect(first.status).toBe(422);
    const second = newKey();
    const launch = { agent_id: own['/api/v2/agents/'] };
    const blocked = await blockedFor(() => post('/api/v2/workspace/signal-runs', launch, second));
    expect(blocked.status).toBe(403);
    expectReplayed(await post('/api/v2/lists', body, key), first);
    expectReplayed(await post('/api/v2/workspace/signal-runs', launch, second), blocked);
  });

  async function blockedFor(work: () => Promise<Answer>): Promise<Answer> {
    await workspace.command('workspace.block', { reason: 'unpaid' });
    try {
      return await work();
    } finally {
      await workspace.command('workspace.unblock', { reason: 'paid' });
    }
  }

  it('does not store 401, nor requests that cannot be compared: the key stays free', async () => {
    const key = newKey();
    await service.expectEvents([], async () => {
      expect((await service.call('POST /api/v2/lists', LIST, { [HEADER]: key })).status).toBe(401);
      expect((await post('/api/v2/lists', '{"broken', key)).status).toBe(400);
    });
    const first = await post('/api/v2/lists', LIST, key);
    expect(first.status).toBe(201);
    expectReplayed(await post('/api/v2/lists', LIST, key), first);
  });

  it('does not store 503 or 500: the retry is executed, at once, and exactly once', async () => {
    const { eventStore } = service.service.host;
    const { append } = eventStore;
    const errors = [
      new StoreUnavailable('connect ECONNREFUSED 10.0.0.7', 'nothing-written'),
      new TypeError('a secret of the inside'),
    ];
    for (const error of errors) {
      const key = newKey();
      const added = await effectsOf(async () => {
        Object.assign(eventStore, {
          append: (...given: Parameters<typeof append>) =>
            given[0].startsWith('list-') ? Promise.reject(error) : append(...given),
        });
        const failed = await post('/api/v2/lists', LIST, key);
        Object.assign(eventStore, { append });
        expect(failed.status).toBe(error instanceof StoreUnavailable ? 503 : 500);
        const retried = await post('/api/v2/lists', LIST, key);
        expect(retried.status).toBe(201);
        expectReplayed(await post('/api/v2/lists', LIST, key), retried);
      });
      expect(added).toEqual(['ListCreated']);
    }
  });

  it('answers 409 with Retry-After while the first one is running, and executes one of many', async () => {
    const { eventStore } = service.service.host;
    const { append } = eventStore;
    const key = newKey();
    let proceed = (): void => undefined;
    const held = new Promise<void>((resolve) => (proceed = resolve));
    let begun = (): void => undefined;
    const isUnderWay = new Promise<void>((resolve) => (begun = resolve));
    const added = await effectsOf(async () => {
      Object.assign(eventStore, {
        async append(...given: Parameters<typeof append>) {
          if (given[0].startsWith('list-')) {
            begun();
            await held;
          }
          return append(...given);
        },
      });
      const first = post('/api/v2/lists', LIST, key);
      await isUnderWay;
      const meanwhile = await post('/api/v2/lists', LIST, key);
      expect(meanwhile.status).toBe(409);
      expect(meanwhile.headers.get('retry-after')).toBe('1');
      expectProblem('POST /api/v2/lists', meanwhile);
      await answered(422, post('/api/v2/lists', { ...LIST, name: 'Else' }, key));
      proceed();
      Object.assign(eventStore, { append });
      expect((await first).status).toBe(201);
      expectReplayed(await post('/api/v2/lists', LIST, key), await first);
    });
    expect(added).toEqual(['ListCreated']);

    const racing = newKey();
    const raced = await effectsOf(async () => {
      const answers = await Promise.all(
        Array.from({ length: 12 }, () => post('/api/v2/lists', LIST, racing)),
      );
      const statuses = new Set(answers.map(({ status }) => status));
      statuses.delete(409);
      expect([...statuses]).toEqual([201]);
      expect(
        answers.filter(
          ({ headers }) =>
            headers.get('idempotency-replayed') === null && headers.get('retry-after') === null,
        ),
      ).toHaveLength(1);
    });
    expect(raced).toEqual(['ListCreated']);
  });

  it('charges once: a launch that is repeated after it ended is replayed, and launches nothing', async () => {
    const launch = { agent_id: await keywordAgent(workspace, 'crm') };
    const key = newKey();
    const first = await post('/api/v2/workspace/signal-runs', launch, key);
    expect(first.status).toBe(202);
    await service.drain();
    const before = await workspace.balance();
    expectReplayed(await post('/api/v2/workspace/signal-runs', launch, key), first);
    await service.drain();
    expect(await workspace.balance()).toEqual(before);
  });

  it('repeats an answer that is too long to store by executing the request again, with one effect', async () => {
    // a refusal contains what was sent in the names of its errors
    const names = Object.fromEntries(
      Array.from({ length: 90 }, (_, index) => [`${'x'.repeat(4_000)}${index}`, 1]),
    );
    const [{ id }] = await workspace.data('GET /api/v3/signal-templates');
    const setup = { signal_template_id: id, parameters: names };
    const key = newKey();
    const first = await post('/api/v3/signal-setups', setup, key);
    expect(JSON.stringify(first.body).length).toBeGreaterThan(256 * 1024);
    const again = await post('/api/v3/signal-setups', setup, key);
    expect([again.status, again.body]).toEqual([first.status, first.body]);
    expect(again.headers.get('idempotency-replayed')).toBeNull();
    expect((await post('/api/v3/signal-setups', {}, key)).status).toBe(422);
  });

  it('is refused with 429 if the workspace has 10,000 live ones, except for repetitions; other workspaces are not affected', async () => {
    const crowded = await service.workspace();
    const { reads } = service.service.host.stores;
    // Another process has claimed all but two of them.
    const slice = Date.parse('2026-06-01T10:00:00.000Z').toString().padStart(16, '0');
    await reads.putRecord('live-keys', `${crowded.id}/${slice}/elsewhere:1:x`, 9_998);
    const key = newKey();
    const first = await post('/api/v2/lists', LIST, key, crowded);
    const second = await post('/api/v2/lists', LIST, newKey(), crowded);
    expect([first.status, second.status]).toEqual([201, 201]);
    await service.expectSettledEvents([], async () => {
      const refused = await post('/api/v2/lists', LIST, newKey(), crowded);
      expect(refused.status).toBe(429);
      expectProblem('POST /api/v2/lists', refused);
      expect(Number(refused.headers.get('retry-after'))).toBe(24 * 3_600 + 900);
      expectReplayed(await post('/api/v2/lists', LIST, key, crowded), first);
    });
    expect((await crowded.call('POST /api/v2/lists', LIST)).status).toBe(201);
    expect((await post('/api/v2/lists', LIST, newKey())).status).toBe(201);
    await service.advance('PT25H');
    expect((await post('/api/v2/lists', LIST, newKey(), crowded)).status).toBe(201);
  });

  it('is free again after 24 hours', async () => {
    const key = newKey();
    const first = await post('/api/v2/lists', LIST, key);
    await service.advance('PT23H59M59S');
    expectReplayed(await post('/api/v2/lists', LIST, key), first);
    await service.advance('PT2S');
    const later = await post('/api/v2/lists', { ...LIST, name: 'Later' }, key);
    expect(later.status).toBe(201);
    expect(later.body.data.id).not.toBe(first.body.data.id);
    expectReplayed(await post('/api/v2/lists', { ...LIST, name: 'Later' }, key), later);
  });
});
