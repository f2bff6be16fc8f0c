import { refusal } from '#test/support/expected-answers.js';
import {
  employed,
  keywordAgent,
  observedCompany,
  observedPerson,
  observedPost,
} from '#test/support/observed-network.js';
import { scene, type SceneWorkspace } from '#test/support/scene.js';
import type { Answer } from '#test/support/service.js';

const CAPS = '/api/v3/credits/caps';

describe('caps on spending', () => {
  const service = scene({
    at: '2026-06-01T10:00:00.000Z',
    network: [
      observedCompany('acme'),
      observedCompany('globex'),
      observedPerson('author', employed('acme', 'VP Sales')),
      ...[1, 2, 3, 4, 5].map((day) =>
        observedPost(`post-${day}`, 'author', 'a crm', `2026-05-0${day}T09:00:00Z`),
      ),
    ],
  });

  const setCap = (workspace: SceneWorkspace, limit: unknown, more: object = {}): Promise<Answer> =>
    workspace.call(`POST ${CAPS}`, { scope: 'workspace', period: 'month', limit, ...more });
  const capsOf = (workspace: SceneWorkspace): Promise<Answer['body']> => workspace.data(`GET ${CAPS}`);
  const otherKey = async ({ id }: SceneWorkspace): Promise<{ authorization: string; keyId: number }> => {
    const { body } = await service.ops('apikey.issue', { workspace_id: id, label: 'other' });
    return { authorization: `Bearer ${body.api_key}`, keyId: body.key_id };
  };

  it('CAP-01 CAP-02 are set, listed, replaced and removed, with the cap in each answer', async () => {
    const workspace = await service.workspace();
    const created = await setCap(workspace, 12.5);
    const shown = {
      id: created.body.data.id,
      scope: 'workspace',
      scope_id: null,
      period: 'month',
      limit: 12.5,
      spent: 0,
      resets_at: '2026-07-01T00:00:00.000Z',
      set_by: 'workspace',
    };
    expect([created.status, created.body.data]).toEqual([201, shown]);
    expect(await capsOf(workspace)).toEqual([shown]);
    const path = `${CAPS}/${shown.id}`;
    const body = { scope: 'workspace', period: 'day', limit: 3 };
    const changed = { ...shown, period: 'day', limit: 3, resets_at: '2026-06-02T00:00:00.000Z' };
    const replaced = await workspace.call(`PUT ${path}`, body);
    expect([replaced.status, replaced.body.data]).toEqual([200, changed]);
    await service.expectEvents([], () => workspace.call(`PUT ${path}`, body));
    expect((await workspace.call(`DELETE ${path}`)).status).toBe(204);
    expect(await capsOf(workspace)).toEqual([]);
    for (const route of [`PUT ${path}`, `DELETE ${path}`]) {
      expect((await workspace.call(route, body)).status).toBe(404);
    }
  });

  it('CAP-01 count the whole running period, also what was captured before they were set', async () => {
    const workspace = await service.workspace();
    const agent = await keywordAgent(workspace, 'crm');
    expect(await workspace.run(agent)).toMatchObject({ stage: 'completed', credits_spent: 50 });
    for (const [scope, spent] of [
      [{ scope: 'workspace' }, 50],
      [{ scope: 'agent', scope_id: agent }, 50],
      [{ scope: 'agent', scope_id: await keywordAgent(workspace, 'crm') }, 0],
      [{ scope: 'workspace', period: 'day' }, 50],
    ] as const)
      expect((await setCap(workspace, 55, scope)).body.data).toMatchObject({ spent });
    const operators = await service.ops('caps.set', {
      workspace_id: workspace.id,
      scope: 'workspace',
      period: 'month',
      limit: '55',
    });
    expect(operators.body).toMatchObject({ spent: 50 });
    // Another scope or period counts from the start of its period, too.
    const { body } = await setCap(workspace, 55, { scope: 'agent', scope_id: agent });
    const replaced = await workspace.call(`PUT ${CAPS}/${body.data.id}`, {
      scope: 'workspace',
      period: 'week',
      limit: 55,
    });
    expect(replaced.body.data).toMatchObject({ spent: 50 });
    const refused = await service.refused(() => workspace.launch(agent));
    expect([refused.status, refused.body.cap]).toMatchObject([402, { spent: 50, limit: 55 }]);
  });

  it('CAP-02 refuses an invalid cap with 422 that names the field, and changes nothing', async () => {
    const workspace = await service.workspace();
    const stranger = await service.workspace();
    const foreign = await keywordAgent(stranger, 'crm');
    const wrong: readonly [object, string][] = [
      [{ limit: -1 }, 'limit'],
      [{ limit: 1.0000001 }, 'limit'],
      [{ limit: '5' }, 'limit'],
      [{ limit: 5, period: 'year' }, 'period'],
      [{ limit: 5, scope: 'team' }, 'scope'],
      [{ limit: 5, scope_id: 4 }, 'scope_id'],
      [{ limit: 5, scope: 'agent' }, 'scope_id'],
      [{ limit: 5, scope: 'agent', scope_id: foreign }, 'scope_id'],
      [{ limit: 5, scope: 'signal_setup', scope_id: foreign }, 'scope_id'],
      [{ limit: 5, scope: 'api_key', scope_id: 999_999 }, 'scope_id'],
    ];
    await service.expectSettledEvents([], async () => {
      for (const [body, field] of wrong) await refusal(422, setCap(workspace, undefined, body), field);
    });
  });

  it('CAP-03 RUN-22 a run keeps the prefix that a cap allows, and the next launch is 402 with the cap', async () => {
    const workspace = await service.workspace();
    const agent = await keywordAgent(workspace, 'crm');
    const { body } = await setCap(workspace, 25, { scope: 'agent', scope_id: agent });
    const events = await service.eventsOf(async () => {
      expect(await workspace.run(agent)).toMatchObject({
        stage: 'completed_partial',
        matches_found: 2,
        matches_dropped: 3,
        credits_spent: 20,
      });
    });
    expect(events.filter((type) => type === 'CapReached')).toHaveLength(1);
    expect(await workspace.balance()).toMatchObject({ balance: 980, held: 0, captured: 20 });
    const refused = await service.refused(() => workspace.launch(agent));
    expect(refused.status).toBe(402);
    expect(refused.body).toMatchObject({
      title: 'Cap reached',
      type: expect.stringMatching(/\/errors\/cap-reached$/),
      credits_required: 10,
      credits_available: 980,
      cap: {
        scope: 'agent',
        scope_id: agent,
        id: body.data.id,
        period: 'month',
        limit: 25,
        spent: 20,
        resets_at: '2026-07-01T00:00:00.000Z',
      },
      other_caps: [],
    });
    // The cap does not apply to another agent.
    const other = await keywordAgent(workspace, 'crm');
    expect(await workspace.run(other)).toMatchObject({ stage: 'completed' });
    const verified = await service.ops('ledger.verify', { workspace_id: workspace.id });
    expect(verified.body).toMatchObject({ ok: true, differences: [] });
  });

  it('CAP-03 RUN-23 only a cap cuts a run that a partner pays', async () => {
    const workspace = await service.partnerWorkspace({ 'agent:keyword_post_search': 10 });
    await setCap(workspace, 10);
    const run = await workspace.run(await keywordAgent(workspace, 'crm'));
    expect(run).toMatchObject({ stage: 'completed_partial', matches_found: 1, matches_dropped: 4 });
  });

  it('CAP-02 the cap of a key counts the launches of that key, and the key can only lower it', async () => {
    const workspace = await service.workspace();
    const { authorization, keyId } = await otherKey(workspace);
    const created = await setCap(workspace, 10, { scope: 'api_key', scope_id: keyId });
    const path = `${CAPS}/${created.body.data.id}`;
    const agent = await keywordAgent(workspace, 'crm');
    const launch = () =>
      workspace.call('POST /api/v2/workspace/signal-runs', { agent_id: agent }, { authorization });
    const launched = await launch();
    await service.drain();
    expect((await workspace.poll(launched.body[0].signal_request_id)).body).toMatchObject({
      stage: 'completed_partial',
      matches_found: 1,
    });
    expect((await launch()).status).toBe(402);
    // The rest is found by a key without a cap.
    expect(await workspace.run(agent)).toMatchObject({ matches_found: 4 });
    expect((await capsOf(workspace))[0]).toMatchObject({ spent: 10 });
    const own = { scope: 'api_key', scope_id: keyId, period: 'month' };
    await service.expectSettledEvents([], async () => {
      for (const [route, body] of [
        [`POST ${CAPS}`, { scope: 'workspace', period: 'day', limit: 1 }],
        [`PUT ${path}`, { ...own, limit: 11 }],
        [`DELETE ${path}`, undefined],
      ] as const)
        expect((await workspace.call(route, body, { authorization })).status).toBe(403);
    });
    expect((await workspace.call(`PUT ${path}`, { ...own, limit: 5 }, { authorization })).status).toBe(200);
  });

  it('CAP-02 a cap of an operator is visible to the workspace, which cannot change it', async () => {
    const workspace = await service.workspace();
    const set = await service.ops('caps.set', {
      workspace_id: workspace.id,
      scope: 'workspace',
      period: 'week',
      limit: 50,
    });
    expect(set.status).toBe(200);
    expect(await capsOf(workspace)).toEqual([set.body]);
    expect(set.body).toMatchObject({ set_by: 'operator', resets_at: '2026-06-08T00:00:00.000Z' });
    const path = `${CAPS}/${set.body.id}`;
    const lower = { scope: 'workspace', period: 'week', limit: 5 };
    expect((await workspace.call(`PUT ${path}`, lower)).status).toBe(403);
    expect((await workspace.call(`DELETE ${path}`)).status).toBe(403);
    const listed = await service.ops('caps.list', { workspace_id: workspace.id });
    expect(listed.body).toEqual({ caps: [set.body] });
    const of = { workspace_id: workspace.id };
    const held = await service.ops('credits.hold', { ...of, key: 'a', credits: 51, product: 'work' });
    expect([held.status, held.body.cap]).toMatchObject([402, { limit: 50, spent: 0 }]);
    await service.command('credits.hold', { ...of, key: 'b', credits: 50, product: 'work' });
    expect((await capsOf(workspace))[0]).toMatchObject({ spent: 50 });
    const replaced = await service.ops('caps.set', { ...of, ...lower, limit: 60, cap_id: set.body.id });
    expect(replaced.body).toMatchObject({ id: set.body.id, limit: 60, spent: 50, set_by: 'operator' });
    expect((await service.ops('caps.remove', { ...of, cap_id: set.body.id })).body).toEqual({
      removed: set.body.id,
    });
    expect((await service.ops('caps.remove', { ...of, cap_id: set.body.id })).status).toBe(404);
    expect((await service.ops('caps.list', { workspace_id: 999_999 })).status).toBe(404);
    await refusal(
      422,
      service.ops('caps.set', {
        ...of,
        scope: 'agent',
        scope_id: 7,
        period: 'day',
        limit: 1,
      }),
      'scope_id',
    );
  });

  /** Monitors two accounts at 5 credits each. Returns how many months are paid. */
  const monitorTwo = async (workspace: SceneWorkspace): Promise<() => Promise<number>> => {
    await service.command('prices.set', { item: 'bucket:essential', credits: 5 });
    await workspace.persona();
    const list = await workspace.list('customer', ['acme', 'globex']);
    await workspace.monitor(list);
    await service.drain();
    return async () =>
      (await workspace.movements()).filter(({ product }) => product === 'account_monitoring').length;
  };

  it('CAP-03 MON-54 months beyond a cap are not covered because of it, and are paid when it is raised', async () => {
    const workspace = await service.workspace();
    const { body: cap } = await setCap(workspace, 7);
    const months = await monitorTwo(workspace);
    expect(await months()).toBe(1);
    expect(await workspace.data('GET /api/v3/account-monitoring')).toMatchObject({
      not_covered_count: 1,
      renewal_shortfall_credits: 0,
    });
    await workspace.call(`PUT ${CAPS}/${cap.data.id}`, { scope: 'workspace', period: 'month', limit: 10 });
    await service.drain();
    expect(await months()).toBe(2);
  });

  it('CAP-03 MON-40 OP-27 a month that a retry refuses for another reason than before has that reason', async () => {
    const workspace = await service.workspace({ credits: 12 });
    const { body: cap } = await setCap(workspace, 7);
    const months = await monitorTwo(workspace);
    const lacking = async () =>
      (await workspace.data('GET /api/v3/account-monitoring')).renewal_shortfall_credits;
    expect([await months(), await lacking()]).toEqual([1, 0]);
    await workspace.command('credits.withdraw', { credits: 5, reason: 'contract' });
    const limitTo = async (limit: number) => {
      await workspace.call(`PUT ${CAPS}/${cap.data.id}`, { scope: 'workspace', period: 'month', limit });
      await service.drain();
    };
    await limitTo(10);
    expect([await months(), await lacking()]).toEqual([1, 3]);
    // Enough credits again, but not under the cap.
    await limitTo(7);
    await workspace.command('credits.grant', { credits: 5, reason: 'contract' });
    await service.drain();
    expect([await months(), await lacking()]).toEqual([1, 0]);
    await limitTo(10);
    expect([await months(), await lacking()]).toEqual([2, 0]);
  });

  it('CAP-03 MON-54 months beyond a cap are paid at the end of its period, without waiting an hour after the last try', async () => {
    const workspace = await service.workspace();
    await service.setClock('2026-06-01T23:40:00.000Z');
    await setCap(workspace, 7, { period: 'day' });
    const months = await monitorTwo(workspace);
    await service.setClock('2026-06-01T23:59:59.999Z');
    expect(await months()).toBe(1);
    await service.setClock('2026-06-02T00:00:00.000Z');
    expect(await months()).toBe(2);
  });
});
