import {
  employed,
  keywordAgent,
  observedCompany,
  observedPerson,
  observedPost,
} from '#test/support/observed-network.js';
import { NO_DETAILS } from '#test/support/expected-answers.js';
import { scene, sharedWorkspace, type SceneWorkspace } from '#test/support/scene.js';
import { KEYWORD_TEMPLATE } from '#test/support/signal-runs.js';

const NOW = '2026-06-01T10:00:00.000Z';

describe('GET /api/v3/signal-setups/:id/stats', () => {
  const france = { geo: { city: 'Paris', region: null, country: 'France', country_code: 'FR' } };
  const service = scene({
    at: NOW,
    network: [
      observedCompany('acme'),
      observedCompany('globex'),
      observedPerson('ana', { ...france, ...employed('acme', 'VP Sales') }),
      observedPerson('abe', { ...france, ...employed('acme', 'VP Sales') }),
      observedPerson('bob', { ...france, ...employed('globex', 'VP Sales') }),
      observedPerson('eve', { ...france, ...employed('globex', 'Office Manager') }),
      observedPost('1', 'ana', 'a CRM', '2026-05-28T09:00:00Z'),
      observedPost('2', 'abe', 'my CRM', '2026-05-29T09:00:00Z'),
      observedPost('3', 'bob', 'our CRM', '2026-05-30T09:00:00Z'),
      observedPost('4', 'eve', 'her CRM', '2026-05-31T09:00:00Z'),
    ],
  });
  let setupId: number;
  let idleSetupId: number;
  const workspace = sharedWorkspace(service, {}, async (made) => {
    await made.persona({ job_title: ['VP Sales'], location: ['France'] });
    const setup = (keyword: string) => made.setup(KEYWORD_TEMPLATE, { tracking_keywords: [keyword] });
    setupId = await setup('crm');
    idleSetupId = await setup('nothing of the kind');
    await made.run(setupId);
  });
  const other = sharedWorkspace(service);

  const stats = async (id = setupId, asker: SceneWorkspace = workspace) =>
    asker.call(`GET /api/v3/signal-setups/${id}/stats`);

  it('STAT-01 STAT-08 STAT-09 STAT-11 STAT-12 counts the signals of top priority, and their cost', async () => {
    const { status, body } = await stats();
    expect(status).toBe(200);
    expect(Object.keys(body.data).sort()).toEqual(
      [
        'signal_setup_id',
        'period_start',
        'period_end',
        'signals_found',
        'accounts_reached',
        'key_accounts',
        'new_accounts',
        'credits_spent',
        'weeks',
        'latest_signal',
      ].sort(),
    );
    // Eve does not match the persona: her signal exists, with second priority and free.
    expect(body.data).toMatchObject({
      signal_setup_id: setupId,
      signals_found: 3,
      accounts_reached: 2,
      key_accounts: 0,
      new_accounts: 2,
      credits_spent: 30,
    });
    const v3 = await workspace.call('POST /api/v3/signals/query', { signal_setup_id: setupId });
    expect(v3.body.data).toHaveLength(3);
    expect(v3.body.data[0]).toMatchObject({
      signal_setup_id: setupId,
      signal_template_key: KEYWORD_TEMPLATE,
    });
    const byKey = await workspace.call('POST /api/v3/signals/query', {
      signal_template_key: [KEYWORD_TEMPLATE],
    });
    expect(byKey.body.data).toEqual(v3.body.data);
    const v2 = await workspace.call('POST /api/v2/workspace/signals/query', { agent_id: setupId });
    expect(v2.body.data).toHaveLength(4);
  });

  it('STAT-10 STAT-11 counts the accounts on a customer or prospect list now, whatever their lists were before', async () => {
    const accounts = async () => {
      const { accounts_reached, key_accounts, new_accounts } = (await stats()).body.data;
      return [accounts_reached, key_accounts, new_accounts];
    };
    const listOf = async (type: string, member: string | object): Promise<string> =>
      `/api/v2/${(await workspace.list(type, [member])).path}`;
    await listOf('competitor', { domain: 'acme.com' });
    await listOf('customer', { domain: 'nobody-found-this.com' });
    expect(await accounts()).toEqual([2, 0, 2]);
    const customers = await listOf('customer', { domain: 'acme.com' });
    expect(await accounts()).toEqual([2, 1, 1]);
    const prospects = await listOf('prospect', { domain: 'acme.com' });
    expect(await accounts()).toEqual([2, 1, 1]);
    const others = await listOf('prospect', { domain: 'globex.com' });
    expect(await accounts()).toEqual([2, 2, 0]);
    await workspace.call(`PUT ${others}`, { archived: true });
    expect(await accounts()).toEqual([2, 1, 1]);
    await workspace.call(`DELETE ${customers}`);
    expect(await accounts()).toEqual([2, 1, 1]);
    await workspace.call(`DELETE ${prospects}`);
    expect(await accounts()).toEqual([2, 0, 2]);
    // Another company on such a list is not this one, even with the same domain.
    await service.ingest([observedCompany('globex-uk', { domains: ['globex.co.uk', 'globex.com'] })]);
    await listOf('competitor', 'globex');
    await listOf('customer', 'globex-uk');
    expect(await accounts()).toEqual([2, 0, 2]);
  });

  it('USE-17 names the template in the usage of the setup', async () => {
    const { body } = await workspace.call('GET /api/v3/usage');
    expect(body.data).toHaveLength(3);
    for (const movement of body.data) {
      expect(movement).toMatchObject({
        product: 'discovery_essential',
        signal_template_key: KEYWORD_TEMPLATE,
        credits: 10,
      });
    }
  });

  it('STAT-02 STAT-03 STAT-04 STAT-05 STAT-06 C-11 has thirteen weeks that end now, the first one clipped', async () => {
    const { period_start, period_end, signals_found, weeks } = (await stats()).body.data;
    expect([period_start, period_end]).toEqual(['2026-03-03T10:00:00.000Z', NOW]);
    expect(weeks).toHaveLength(13);
    expect(weeks[0]).toEqual({ start: period_start, signals_found: 0 });
    for (const [place, week] of weeks.slice(1).entries()) {
      expect(Date.parse(week.start)).toBe(Date.parse('2026-03-09T10:00:00.000Z') + place * 7 * 86_400_000);
    }
    expect(weeks[12]).toEqual({ start: '2026-05-25T10:00:00.000Z', signals_found: 3 });
    expect(weeks.reduce((sum: number, week: { signals_found: number }) => sum + week.signals_found, 0)).toBe(
      signals_found,
    );
  });

  it('STAT-13 STAT-14 STAT-15 shows the latest signal as in the v3 query', async () => {
    const latest = (await stats()).body.data.latest_signal;
    const { body } = await workspace.call('POST /api/v3/signals/query', {
      signal_setup_id: setupId,
      limit: 1,
    });
    const { signal_setup_id: _setup, signal_template_key: _key, ...newest } = body.data[0];
    expect(latest).toEqual(newest);
    expect(latest).toMatchObject({
      signal_type: 'keywordDetection',
      detected_at: NOW,
      lead: { full_name: 'bob Roy', title: 'VP Sales', photo_url: null },
      company: { name: 'globex' },
    });
    expect(Object.keys(latest).sort()).toEqual(
      [
        'company',
        'credits',
        'details',
        'detected_at',
        'id',
        'lead',
        'movement_id',
        'provenance',
        'signal_date',
        'signal_type',
        'source_url',
      ].sort(),
    );
    expect(Object.keys(latest.lead).sort()).toEqual(['full_name', 'id', 'network_url', 'photo_url', 'title']);
    expect(Object.keys(latest.company).sort()).toEqual(['id', 'name']);
    expect(latest.details).toEqual({
      ...NO_DETAILS,
      post_text: 'our CRM',
      action_date: '2026-05-30T09:00:00.000Z',
      interaction: 'post',
      keywords: ['crm'],
    });
  });

  it('STAT-07 is all zero for a setup that found nothing', async () => {
    const { body } = await stats(idleSetupId);
    expect(body.data).toMatchObject({
      signals_found: 0,
      accounts_reached: 0,
      key_accounts: 0,
      new_accounts: 0,
      credits_spent: 0,
      latest_signal: null,
    });
    expect(body.data.weeks.every((week: { signals_found: number }) => week.signals_found === 0)).toBe(true);
  });

  it('STAT-17 ISO-03 refuses malformed, unknown and foreign ids, and agents', async () => {
    for (const wrong of ['0', '-1', 'abc']) {
      const { status, body } = await workspace.call(`GET /api/v3/signal-setups/${wrong}/stats`);
      expect([status, body.title]).toEqual([400, 'Invalid path parameters']);
    }
    expect((await stats(999_999)).status).toBe(404);
    expect((await stats(setupId, other)).status).toBe(404);
    expect((await stats(await keywordAgent(workspace, 'erp'))).status).toBe(404);
    expect((await service.call(`GET /api/v3/signal-setups/${setupId}/stats`)).status).toBe(401);
  });

  describe('as time goes by', () => {
    it('STAT-10 STAT-16 STAT-18 moves with the request: counted once on a border, excluded after ninety days', async () => {
      const weeksAt = async (now: string): Promise<readonly number[]> => {
        await service.setClock(now);
        return (await stats()).body.data.weeks.map((week: { signals_found: number }) => week.signals_found);
      };
      // No balance is checked in the months that pass here.
      for (const { id: workspace_id } of [workspace, other])
        await service.command('workspace.billing', { workspace_id, billing: 'exempt' });
      await workspace.list('prospect', ['globex']);
      const only = (week: number): readonly number[] =>
        Array.from({ length: 13 }, (_, place) => (place === week ? 3 : 0));
      // Exactly on the border between two weeks: it belongs to the later one.
      expect(await weeksAt('2026-06-08T10:00:00.000Z')).toEqual(only(12));
      expect(await weeksAt('2026-06-08T10:00:00.001Z')).toEqual(only(11));
      expect(await weeksAt('2026-06-08T12:30:00.000Z')).toEqual(only(11));
      // Exactly ninety days later it is still included, a millisecond later it is not.
      expect(await weeksAt('2026-08-30T10:00:00.000Z')).toEqual(only(0));
      const last = (await stats()).body.data;
      expect(last.key_accounts).toBe(1);
      expect([last.period_start, last.credits_spent, last.latest_signal.detected_at]).toEqual([NOW, 30, NOW]);
      expect(await weeksAt('2026-08-30T10:00:00.001Z')).toEqual(only(-1));
      const after = (await stats()).body.data;
      expect([after.signals_found, after.accounts_reached, after.key_accounts]).toEqual([0, 0, 0]);
      expect(after.credits_spent).toBe(0);
      expect(after.latest_signal).toBeNull();
    });
  });
});
