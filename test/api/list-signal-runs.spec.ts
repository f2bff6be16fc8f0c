import { keywordAgent, observedPost } from '#test/support/observed-network.js';
import { scene, sharedWorkspace, type SceneWorkspace } from '#test/support/scene.js';
import { KEYWORD_TEMPLATE } from '#test/support/signal-runs.js';

const LIST = 'GET /api/v2/workspace/signal-runs';

describe(LIST, () => {
  let keywordId: number;
  let scheduledId: number;
  /** Ids of the runs as they were launched: two that ended by hand, two by schedule, one in progress. */
  const launched: number[] = [];

  const service = scene({
    at: '2026-06-01T10:00:00.000Z',
    network: ['1', '2'].map((name) => observedPost(name, 'ana', 'a crm', `2026-05-0${name}T09:00:00Z`)),
  });
  const other = sharedWorkspace(service, { credits: 10 }, async (made) =>
    runOf(made, await keywordAgent(made, 'crm')),
  );
  const workspace = sharedWorkspace(service, {}, async (made) => {
    await made.persona();
    keywordId = await keywordAgent(made, 'crm');
    launched.push(await runOf(made, keywordId));
    scheduledId = await made.setup(KEYWORD_TEMPLATE, { tracking_keywords: ['erp'] });
    await made.data(`PATCH /api/v3/signal-setups/${scheduledId}`, { schedule: { cadence: 'weekly' } });
    await service.advance('P7D');
    launched.push(await runOf(made, keywordId));
    await service.service.host.runner.stop();
    const { body } = await made.launch(await keywordAgent(made, 'crm'));
    launched.push(body[0].signal_request_id);
  });

  async function runOf(owner: SceneWorkspace, agentId: number): Promise<number> {
    await service.advance('PT1S');
    return (await owner.run(agentId)).signal_request_id;
  }
  const listed = async (query = '', owner = workspace) => (await owner.call(`${LIST}${query}`)).body;
  const idsOf = async (query = '', owner = workspace): Promise<readonly number[]> =>
    (await listed(query, owner)).data.map(
      ({ signal_request_id }: { readonly signal_request_id: number }) => signal_request_id,
    );

  it("RUN-36 OP-37 lists every run as it is polled, newest first, and only the workspace's own", async () => {
    const { data, meta } = await listed();
    expect(meta.pagination).toEqual({ page: 1, page_size: 25, page_count: 1, total: 4 });
    for (const run of data) expect((await workspace.poll(run.signal_request_id)).body).toEqual(run);
    const times = data.map(({ created_at }: { readonly created_at: string }) => created_at);
    expect(times).toEqual([...times].sort().reverse());
    const [first, second, running] = launched;
    const ids = await idsOf();
    expect(ids.filter((id) => launched.includes(id))).toEqual([running, second, first]);
    const [foreign] = await listed('', other).then(({ data: rows }) => rows);
    expect(foreign).toMatchObject({ stage: 'completed_partial', matches_dropped: 1 });
    expect(ids).not.toContain(foreign.signal_request_id);
  });

  it('RUN-36 filters by agent or setup, trigger, stages, and all of them at once', async () => {
    const [first, second, running] = launched;
    expect(await idsOf(`?agent_id=${keywordId}`)).toEqual([second, first]);
    expect(await idsOf('?trigger=manual')).toEqual([running, second, first]);
    const scheduled = await idsOf('?trigger=schedule');
    expect(scheduled).toEqual(await idsOf(`?agent_id=${scheduledId}`));
    expect(scheduled).toHaveLength(1);
    expect(await idsOf('?trigger=monitoring')).toEqual([]);
    expect(await idsOf('?stage=running')).toEqual([running]);
    expect(await idsOf('?stage=completed')).toHaveLength(3);
    expect(await idsOf('?stage=completed&stage=running')).toHaveLength(4);
    expect(await idsOf('?stage=failed&stage=completed_partial')).toEqual([]);
    expect(await idsOf(`?agent_id=${keywordId}&stage=completed&trigger=manual`)).toEqual([second, first]);
    expect(await idsOf(`?agent_id=${keywordId}&trigger=schedule`)).toEqual([]);
    expect(await idsOf(`?agent_id=${keywordId}`, other)).toEqual([]);
  });

  it('RUN-36 PAG-06 PAG-10 counts filtered rows in its pages', async () => {
    const [first, second] = launched;
    const page = await listed(`?agent_id=${keywordId}&page=2&page_size=1`);
    expect(page.meta.pagination).toEqual({ page: 2, page_size: 1, page_count: 2, total: 2 });
    expect(page.data.map((run: { readonly signal_request_id: number }) => run.signal_request_id)).toEqual([
      first,
    ]);
    expect(await idsOf('?page_size=100')).toContain(second);
  });

  it('RUN-36 refuses unknown values of parameters, with their names', async () => {
    for (const [query, name] of [
      ['page=0', 'page'],
      ['page_size=101', 'page_size'],
      ['page_size=0', 'page_size'],
      ['agent_id=x', 'agent_id'],
      ['agent_id=0', 'agent_id'],
      ['stage=done', 'stage'],
      ['stage=running&stage=', 'stage'],
      ['trigger=tick', 'trigger'],
      ['trigger=manual&trigger=schedule', 'trigger'],
    ] as const) {
      const { status, body } = await workspace.call(`${LIST}?${query}`);
      expect([query, status, Object.keys(body.errors ?? {})]).toEqual([query, 400, [name]]);
    }
    expect((await service.call(LIST)).status).toBe(401);
  });
});
