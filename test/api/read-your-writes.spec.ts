import { expectNone } from '#test/house/expect-none.js';
import { furnish, keyedRoutes, ownedId, TOP_ACCOUNT, type OwnedIds } from '#test/support/every-route.js';
import { keywordAgent, observedCompany } from '#test/support/observed-network.js';
import { scene, sharedWorkspace } from '#test/support/scene.js';
import { KEYWORD_TEMPLATE, templateIdsOf } from '#test/support/signal-runs.js';
import type { Answer } from '#test/support/service.js';

describe('CONV-10 a write is visible in the next read', () => {
  const service = scene({ at: '2026-06-01T10:00:00.000Z' });
  let own: OwnedIds;
  const workspace = sharedWorkspace(service, {}, async (made) => {
    own = await furnish(service, made);
  });
  const shown = new Set<string>();

  /** Sends a write by its declared route and records that it is covered here. */
  async function write(declared: string, body?: object, ids: object = {}): Promise<Answer['body']> {
    shown.add(declared);
    const route = declared.replace(/:(\w+)/g, (_, name: string) => {
      const entry = Object.entries(ids).find(([known]) => known === name);
      return String(entry?.[1]);
    });
    const { status, body: answer } = await workspace.call(route, body);
    expect([route, status, answer]).toEqual([route, status < 300 ? status : 'a success', answer]);
    return answer;
  }
  const read = async (path: string): Promise<Answer> => workspace.call(`GET ${path}`);
  const idsIn = async (path: string): Promise<readonly number[]> =>
    (await read(`${path}?page_size=25`)).body.data.map(({ id }: { readonly id: number }) => id);

  it('of agents', async () => {
    const parameters = { tracking_keywords: ['erp'] };
    for (let round = 0; round < 5; round += 1) {
      const { data } = await write('POST /api/v2/agents', { type: 'keyword_post_search', parameters });
      expect((await read(`/api/v2/agents/${data.id}`)).body.data).toEqual(data);
      expect(await idsIn('/api/v2/agents')).toContain(data.id);
      const ids = { agent_id: data.id };
      const changed = await write('PUT /api/v2/agents/:agent_id', { name: 'Renamed' }, ids);
      expect((await read(`/api/v2/agents/${data.id}`)).body).toEqual(changed);
      await write('DELETE /api/v2/agents/:agent_id', undefined, ids);
      expect((await read(`/api/v2/agents/${data.id}`)).status).toBe(404);
      expect(await idsIn('/api/v2/agents')).not.toContain(data.id);
    }
  });

  it('of personas', async () => {
    for (let round = 0; round < 5; round += 1) {
      const { data } = await write('POST /api/v2/personas', { tag: `t${round}` });
      expect((await read(`/api/v2/personas/${data.id}`)).body.data).toEqual(data);
      expect(await idsIn('/api/v2/personas')).toContain(data.id);
      const ids = { persona_id: data.id };
      const changed = await write('PATCH /api/v2/personas/:persona_id', { tag: `u${round}` }, ids);
      expect((await read(`/api/v2/personas/${data.id}`)).body).toEqual(changed);
      await write('PATCH /api/v2/personas/:persona_id', { archived: true }, ids);
      expect(await idsIn('/api/v2/personas')).not.toContain(data.id);
    }
    for (const tag of ['oldest', 'the oldest']) {
      const { data } = await write('PUT /api/v2/persona', { tag });
      expect((await read('/api/v2/persona')).body.data).toEqual(data);
      const made = (await write('PUT /api/v3/personas', { tag: `made ${tag}` })).data;
      expect((await read('/api/v3/personas')).body.data).toEqual(expect.arrayContaining([made]));
    }
  });

  it('of lists', async () => {
    for (let round = 0; round < 5; round += 1) {
      const { data } = await write('POST /api/v2/lists', { type: 'customer', name: `List ${round}` });
      const path = `/api/v2/lists/${data.kind}/${data.id}`;
      const ids = { kind: data.kind, list_id: data.id };
      expect((await read(path)).body.data).toEqual(data);
      expect(await idsIn('/api/v2/lists')).toContain(data.id);
      const changed = await write('PUT /api/v2/lists/:kind/:list_id', { name: 'Renamed' }, ids);
      expect(changed.data.name).toBe('Renamed');
      expect((await read(path)).body).toEqual(changed);
      await write('DELETE /api/v2/lists/:kind/:list_id', undefined, ids);
      expect((await read(path)).status).toBe(404);
      expect(await idsIn('/api/v2/lists')).not.toContain(data.id);
      await write('POST /api/v2/lists/:kind/:list_id/restore', undefined, ids);
      expect((await read(path)).body).toEqual(changed);
    }
  });

  it('of the older path of lists', async () => {
    for (let round = 0; round < 3; round += 1) {
      const { data } = await write('POST /api/v2/watchlists', { type: 'customer', title: `List ${round}` });
      const path = `/api/v2/watchlists/company/${data.id}`;
      const ids = { kind: 'company', list_id: data.id };
      expect((await read(path)).body.data).toEqual(data);
      expect(await idsIn('/api/v2/watchlists')).toContain(data.id);
      const changed = await write('PUT /api/v2/watchlists/:kind/:list_id', { title: 'Renamed' }, ids);
      expect((await read(path)).body).toEqual(changed);
      await write('DELETE /api/v2/watchlists/:kind/:list_id', undefined, ids);
      expect((await read(path)).status).toBe(404);
      await write('POST /api/v2/watchlists/:kind/:list_id/restore', undefined, ids);
      expect((await read(path)).body).toEqual(changed);
    }
  });

  for (const [list, members, field] of [
    ['/api/v2/lists/:kind/:list_id', 'members', 'members'],
    ['/api/v2/watchlists/:kind/:list_id', 'entities', 'entities'],
  ] as const) {
    it(`of ${members} of a list`, async () => {
      const { id: list_id } = await workspace.list('customer');
      const owner = { kind: 'company', list_id };
      const path = `${list.replace(':kind', 'company').replace(':list_id', String(list_id))}/${members}`;
      for (let round = 0; round < 3; round += 1) {
        const { data } = await write(
          `POST ${list}/${members}`,
          { [field]: [{ domain: `round-${round}.test` }] },
          owner,
        );
        const [{ id }] = data;
        const ids = { ...owner, member_id: id };
        const shownNow = async () =>
          (await read(path)).body.data.find((row: { readonly id: number }) => row.id === id);
        expect(await shownNow()).toMatchObject({ id });
        const member = `${list}/${members}/:member_id`;
        await write(`PATCH ${member}/tracking-status`, { tracking_status: 'unfollowed' }, ids);
        expect(await shownNow()).toMatchObject({ tracking_status: 'unfollowed' });
        if (members === 'members') {
          await write(`PATCH ${member}/signal-bucket`, { signal_bucket: 'bucket_2' }, ids);
          expect(await shownNow()).toMatchObject({ signal_bucket: 'bucket_2' });
        }
        await write(`DELETE ${member}`, undefined, ids);
        expect(await shownNow()).toBeUndefined();
      }
    });
  }

  it('of signal setups', async () => {
    const signal_template_id = (await templateIdsOf(workspace)).get(KEYWORD_TEMPLATE);
    const parameters = { tracking_keywords: ['erp'] };
    for (let round = 0; round < 5; round += 1) {
      const { data } = await write('POST /api/v3/signal-setups', { signal_template_id, parameters });
      expect((await read(`/api/v3/signal-setups/${data.id}`)).body.data).toEqual(data);
      expect(await idsIn('/api/v3/signal-setups')).toContain(data.id);
      const changed = await write('PATCH /api/v3/signal-setups/:id', { enabled: false }, { id: data.id });
      expect(changed.data.status).toBe('disabled');
      expect((await read(`/api/v3/signal-setups/${data.id}`)).body).toEqual(changed);
    }
  });

  it('of company pipelines', async () => {
    const id = ownedId(own, '/api/v2/companies/');
    for (const configuration of ['default', 'disabled', 'nightly']) {
      const pipeline_configs = [{ pipeline_type: 'account_mapping', configuration }];
      const changed = await write('PUT /api/v2/companies/:id/pipeline-configs', { pipeline_configs }, { id });
      expect(changed.pipeline_configs).toEqual(pipeline_configs);
      expect((await read(`/api/v2/companies/${id}`)).body).toEqual(changed);
    }
  });

  it('of runs, and of everything that a run found once it is completed', async () => {
    for (let round = 0; round < 5; round += 1) {
      shown.add('POST /api/v2/workspace/signal-runs');
      const agentId = await keywordAgent(workspace, 'nothing of the kind');
      const { body } = await workspace.launch(agentId);
      const polled = await workspace.poll(body[0].signal_request_id);
      expect(polled.body).toMatchObject({ signal_request_id: body[0].signal_request_id, agent_id: agentId });
    }
    // not drained: a poller sees it
    const { body } = await workspace.launch(await keywordAgent(workspace, 'crm'));
    const runId = body[0].signal_request_id;
    let run = await workspace.poll(runId);
    while (run.body.stage === 'running') run = await workspace.poll(runId);
    expect(run.body).toMatchObject({ stage: 'completed', matches_found: 2, credits_spent: 20 });
    const found = await workspace.detections({ signal_run_id: runId });
    expect(found).toHaveLength(2);
    const { body: usage } = await read('/api/v3/usage?limit=1');
    expect(usage.data).toMatchObject([{ status: 'captured', credits: 10 }]);
    expect((await read(`/api/v2/leads/${found[0].lead_id}`)).status).toBe(200);
    expect((await read(`/api/v2/contents/${found[0].data.content_id}`)).status).toBe(200);
  });

  it('of top accounts that are added', async () => {
    for (let round = 1; round <= 5; round += 1) {
      const now = `2026-06-01T10:00:0${round}.000Z`;
      await service.setClock(now);
      await write('POST /api/v2/top-account-list/accounts', {
        accounts: [{ domain: `fresh-${round}.test` }],
      });
      const { last_submitted_at } = (await read('/api/v2/top-account-list/ingestion-status')).body.data;
      expect(last_submitted_at).toBe(now);
    }
  });

  it('of requested mappings', async () => {
    const persona_ids = [ownedId(own, '/api/v2/personas/')];
    for (let round = 0; round < 5; round += 1) {
      await service.ingest([observedCompany(`mapped-${round}`)]);
      const asked = { domain: `mapped-${round}.com`, persona_ids };
      const { request_id } = await write('POST /api/v2/enrich-company-mapping', asked);
      const stage = await read(`/api/v2/account-mapping/${request_id}/stage`);
      expect([stage.status, stage.body.request_id]).toEqual([200, request_id]);
    }
  });

  it('of monitoring', async () => {
    const list_id = ownedId(own, '/api/v3/lists/:kind/');
    const member_id = ownedId(own, '/api/v3/lists/:kind/:list_id/members/');
    const [ofList, ofMember] = [
      { kind: 'company', list_id },
      { kind: 'company', list_id, member_id },
    ];
    const account = ownedId(own, TOP_ACCOUNT);
    const persona_id = ownedId(own, '/api/v2/personas/');
    for (const signal_buckets of [['essential'], null, ['essential']]) {
      const list = await write('PUT /api/v3/lists/:kind/:list_id', { signal_buckets }, ofList);
      expect((await read(`/api/v3/lists/company/${list_id}`)).body).toEqual(list);
      const route = 'PATCH /api/v3/lists/:kind/:list_id/members/:member_id/signal-buckets';
      const member = await write(route, { signal_buckets }, ofMember);
      expect((await read(`/api/v3/lists/company/${list_id}/members`)).body.data).toContainEqual(member.data);
      const picked = await write('PUT /api/v3/top-account-list/accounts/signal-buckets', {
        account_ids: [account],
        persona_id,
        signal_buckets,
      });
      const accounts = await read(`/api/v3/top-account-list/accounts?persona_id=${persona_id}`);
      expect(accounts.body.data).toEqual(expect.arrayContaining(picked.data));
    }
  });

  it('of caps', async () => {
    const CAPS = '/api/v3/credits/caps';
    // The mappings requested above are charged in the background, and a cap shows what is spent.
    await service.drain();
    const listed = async (): Promise<Answer['body']> => (await read(CAPS)).body.data;
    for (let round = 0; round < 3; round += 1) {
      const cap = { scope: 'workspace', period: 'month', limit: 1_000 + round };
      const { data } = await write('POST /api/v3/credits/caps', cap);
      expect(await listed()).toContainEqual(data);
      const ids = { cap_id: data.id };
      const changed = await write('PUT /api/v3/credits/caps/:cap_id', { ...cap, limit: 2_000 }, ids);
      expect(await listed()).toContainEqual(changed.data);
      await write('DELETE /api/v3/credits/caps/:cap_id', undefined, ids);
      expect((await listed()).map(({ id }: { readonly id: number }) => id)).not.toContain(data.id);
    }
  });

  it('of thresholds', async () => {
    for (let round = 0; round < 3; round += 1) {
      const { data } = await write('PUT /api/v3/credits/thresholds', { credits: [50 + round], days: [7] });
      expect((await read('/api/v3/credits/thresholds')).body.data).toEqual(data);
    }
  });

  it('of webhook endpoints', async () => {
    const ENDPOINTS = '/api/v3/webhook-endpoints';
    const endpoints = async (): Promise<Answer['body']> => (await read(ENDPOINTS)).body.data;
    // Nobody listens there, and addresses of this machine are refused: every attempt fails.
    const url = 'https://receiver.example/hook';
    for (let round = 0; round < 3; round += 1) {
      const { data } = await write(`POST ${ENDPOINTS}`, { url });
      const { secret, ...shownOf } = data;
      expect(secret).toMatch(/^whsec_/);
      expect(await endpoints()).toContainEqual(shownOf);
      const ids = { endpoint_id: data.id };
      const changed = await write(`PATCH ${ENDPOINTS}/:endpoint_id`, { description: `${round}` }, ids);
      expect(await endpoints()).toContainEqual(changed.data);
      await write(`POST ${ENDPOINTS}/:endpoint_id/rotate-secret`, {}, ids);
      await write(`POST ${ENDPOINTS}/:endpoint_id/test`, undefined, ids);
      await write(`POST ${ENDPOINTS}/:endpoint_id/replay`, { since: '2026-06-01T00:00:00Z' }, ids);
      await write(`DELETE ${ENDPOINTS}/:endpoint_id`, undefined, ids);
      expect((await endpoints()).map(({ id }: { readonly id: number }) => id)).not.toContain(data.id);
    }
  });

  it('of a cancelled run', async () => {
    // No worker executes it before it is cancelled.
    await service.service.host.runner.stop();
    const { body } = await workspace.launch(await keywordAgent(workspace, 'crm'));
    const id = body[0].signal_request_id;
    const cancelled = await write('POST /api/v2/workspace/signal-runs/:id/cancel', undefined, { id });
    expect((await workspace.poll(id)).body).toMatchObject(cancelled);
  });

  it('of every route that writes', () => {
    const writing = keyedRoutes
      .filter(({ method, readsOnly }) => method !== 'GET' && !readsOnly)
      .map(({ method, path }) => `${method} ${path}`);
    expect(writing.length).toBeGreaterThan(9);
    expectNone(
      writing.filter((route) => !shown.has(route)),
      'send these routes with `write` in a case of this spec, and read what they changed',
    );
    expect([...shown].filter((route) => !writing.includes(route))).toEqual([]);
  });
});
