import { scene, sharedWorkspace } from '#test/support/scene.js';

/** The POSTs without effects. */
const ASKING = [
  '/api/v2/content-requests/query',
  '/api/v2/workspace/signal-runs/quote',
  '/api/v2/workspace/signals/count',
  '/api/v2/workspace/signals/query',
  '/api/v3/keywords/preview',
  '/api/v3/signals/query',
];

describe('AUTH-10 a read-only key', () => {
  const service = scene();
  let authorization: string;
  const workspace = sharedWorkspace(service, { credits: 100 }, async ({ id: workspace_id }) => {
    const issued = await service.ops('apikey.issue', { workspace_id, label: 'dashboard', read_only: true });
    authorization = `Bearer ${issued.body.api_key}`;
  });

  it('is refused with 403 by every endpoint that writes or spends, and adds no event', async () => {
    const { body: document } = await service.call('GET /openapi.json');
    const paths = Object.entries<object>(document.paths);
    const calls = paths.flatMap(([path, operations]) =>
      Object.keys(operations)
        .filter((method) => ['post', 'put', 'patch', 'delete'].includes(method))
        .map((method) => [method.toUpperCase(), path] as const),
    );
    expect(calls.length).toBeGreaterThan(30);
    const answers: string[] = [];
    await service.expectSettledEvents([], async () => {
      for (const [method, path] of calls) {
        const route = `${method} ${path.replace(/\{[^}]+\}/g, '1')}` as 'POST /';
        const { status, body } = await service.call(route, {}, { authorization });
        if (status !== 403) answers.push(path);
        else expect(body).toMatchObject({ title: 'Forbidden', detail: 'This API key only reads.' });
      }
    });
    expect(answers.sort()).toEqual(ASKING);
  });

  it('reads the same as every key of the workspace, and is listed as read-only', async () => {
    const { status, body } = await service.call('GET /api/v3/credits/balance', undefined, { authorization });
    expect([status, body.data.balance]).toEqual([200, 100]);
    const asked = await service.call('POST /api/v3/signals/query', {}, { authorization });
    expect(asked.status).toBe(200);
    const { keys } = (await service.ops('apikey.list', { workspace_id: workspace.id })).body;
    expect(keys.map(({ read_only }: { readonly read_only: boolean }) => read_only)).toEqual([false, true]);
  });

  it('an unknown read-only key is refused like any other: 401 comes first', async () => {
    const stranger = { authorization: `Bearer wsk_live_${'0'.repeat(43)}` };
    expect((await service.call('POST /api/v2/lists', {}, stranger)).status).toBe(401);
  });
});
