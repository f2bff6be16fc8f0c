import { startChatServer, replying, type ChatServer } from '#test/support/chat-server.js';
import { answered } from '#test/support/expected-answers.js';
import {
  employed,
  keywordAgent,
  observedCompany,
  observedPerson,
  observedPost,
} from '#test/support/observed-network.js';
import { scene } from '#test/support/scene.js';
import { KEYWORD_TEMPLATE, signalSetup } from '#test/support/signal-runs.js';
import {
  startTestService,
  type Answer,
  type TestService,
  type TestWorkspace,
} from '#test/support/service.js';

const NOW = '2026-06-01T10:00:00.000Z';
const RUNS = '/api/v2/workspace/signal-runs';

const quote = (
  workspace: TestWorkspace,
  body: object,
  headers: Record<string, string> = {},
): Promise<Answer> => workspace.call(`POST ${RUNS}/quote`, body, headers);
const launch = (
  workspace: TestWorkspace,
  body: object,
  headers: Record<string, string> = {},
): Promise<Answer> => workspace.call(`POST ${RUNS}`, body, headers);

describe('QUO-01 QUO-02 a quote of a launch', () => {
  let posts = 5;
  const service = scene({
    at: NOW,
    network: [
      observedCompany('acme'),
      observedPerson('author', employed('acme', 'VP Sales')),
      ...[1, 2, 3, 4, 5].map((day) =>
        observedPost(`known-${day}`, 'author', 'a crm', `2026-05-0${day}T09:00:00Z`),
      ),
    ],
  });

  const onePostMore = async (at: string): Promise<void> => {
    await service.post('author', 'a crm', at);
    posts += 1;
  };
  const quoted = (workspace: TestWorkspace, body: object): Promise<Answer['body']> =>
    answered(200, quote(workspace, body));
  /** Launched and seen through: the run, and the types of all events since its launch. */
  const seenThrough = async (workspace: TestWorkspace, body: object) => {
    let runId = 0;
    const types = await service.eventsOf(async () => {
      const launched = await answered(202, launch(workspace, body));
      runId = launched[0].signal_request_id;
      await service.drain();
    });
    return [runId, types] as const;
  };
  /** Refused with a detail that gives the reason; nothing is recorded. */
  const refused = async (
    workspace: TestWorkspace,
    body: object,
    status: number,
    detail: RegExp,
  ): Promise<Answer> => {
    await service.drain();
    const answer = await service.refused(() => launch(workspace, body));
    expect([answer.status, answer.body.detail]).toEqual([status, expect.stringMatching(detail)]);
    return answer;
  };

  it('shows the result and cost of a launch, changes nothing, and the launch spends exactly that', async () => {
    const workspace = await service.workspace();
    const agent_id = await keywordAgent(workspace, 'crm');
    await workspace.call('POST /api/v3/credits/caps', {
      scope: 'agent',
      scope_id: agent_id,
      period: 'month',
      limit: 80,
    });
    await workspace.call('POST /api/v3/credits/caps', { scope: 'workspace', period: 'day', limit: 500 });
    let body: Answer['body'];
    await service.expectSettledEvents([], async () => {
      body = await quoted(workspace, { agent_id });
    });
    expect(body).toMatchObject({
      expires_at: '2026-06-01T10:15:00.000Z',
      now: NOW,
      lookback_days: 90,
      candidates: 5,
      new: 5,
      free: 0,
      priced: 5,
      unit_price: 10,
      credits_needed: 50,
      credits_at_most: 50,
      exact: true,
      inexact_because: null,
      limited_by: null,
      balance: { now: 1000, afterwards: 950 },
      caps: [
        { scope: 'agent', limit: 80, spent: 0, spent_afterwards: 50 },
        { scope: 'workspace', limit: 500, spent: 0, spent_afterwards: 50 },
      ],
    });
    const [run, types] = await seenThrough(workspace, { agent_id, quote_id: body.quote_id });
    expect(types.filter((type) => type.startsWith('Budget'))).toEqual(['BudgetOpened', 'BudgetClosed']);
    expect((await workspace.poll(run)).body).toMatchObject({
      stage: 'completed',
      credits_spent: 50,
      max_credits: 50,
      credits_left: 0,
    });
    expect(await workspace.balance()).toMatchObject({ balance: 950, held: 0 });
    expect(await workspace.command('ledger.verify')).toMatchObject({ ok: true, differences: [] });
    // Signals already found are not new.
    expect(await quoted(workspace, { agent_id })).toMatchObject({
      candidates: 5,
      new: 0,
      credits_needed: 0,
      credits_at_most: 0,
      exact: true,
    });
  });

  it('limits a launch that finds more: its prefix is paid, and it reads the observations as of the quote', async () => {
    const workspace = await service.workspace();
    const agent_id = await keywordAgent(workspace, 'crm');
    const before = posts;
    const { quote_id } = await quoted(workspace, { agent_id });
    await service.setClock('2026-06-01T10:10:00.000Z');
    // One is before the moment of the quote, the other after it.
    await onePostMore('2026-05-01T08:00:00Z');
    await onePostMore('2026-06-01T10:05:00Z');
    const { body } = await launch(workspace, { agent_id, quote_id });
    await service.drain();
    expect((await workspace.poll(body[0].signal_request_id)).body).toMatchObject({
      stage: 'completed_partial',
      matches_found: before,
      matches_dropped: 1,
      credits_spent: before * 10,
      credits_left: 0,
    });
  });

  it('shows what limits it: balance, cap or max_credits, in whole signals', async () => {
    const poor = await service.workspace({ credits: 25 });
    const agent_id = await keywordAgent(poor, 'crm');
    const needed = posts * 10;
    expect(await quoted(poor, { agent_id })).toMatchObject({
      credits_needed: needed,
      credits_at_most: 20,
      exact: true,
      limited_by: 'balance',
      balance: { now: 25, afterwards: 5 },
    });
    expect(await quoted(poor, { agent_id, max_credits: 12 })).toMatchObject({
      credits_at_most: 10,
      limited_by: 'max_credits',
    });
    await poor.call('POST /api/v3/credits/caps', { scope: 'workspace', period: 'day', limit: 5 });
    const { quote_id, ...nothing } = await quoted(poor, { agent_id });
    expect(nothing).toMatchObject({ credits_at_most: 0, limited_by: 'cap', balance: { afterwards: 25 } });
    // Nothing was approved.
    const { body } = await refused(poor, { agent_id, quote_id }, 422, /does not cover one signal/);
    expect(Object.keys(body.errors)).toEqual(['quote_id']);
  });

  it('QUO-02 of 0 can be launched if no match has a price, and spends 0 without a balance', async () => {
    const workspace = await service.workspace();
    const agent_id = await keywordAgent(workspace, 'crm');
    await workspace.run(agent_id);
    const { balance } = await workspace.balance();
    // Everything was found before, and no credits are left.
    await workspace.command('credits.withdraw', { credits: balance, reason: 'all' });
    const free = await quoted(workspace, { agent_id });
    expect(free).toMatchObject({ priced: 0, credits_needed: 0, credits_at_most: 0, limited_by: null });
    await onePostMore('2026-05-01T08:30:00Z');
    const [run, types] = await seenThrough(workspace, { agent_id, quote_id: free.quote_id });
    expect(types.filter((type) => /^(Credits|Budget)/.test(type))).toEqual([]);
    expect((await workspace.poll(run)).body).toMatchObject({
      stage: 'completed_partial',
      matches_found: 0,
      matches_dropped: 1,
      credits_spent: 0,
      max_credits: 0,
      credits_left: 0,
    });
    await refused(workspace, { agent_id, quote_id: free.quote_id }, 409, /used before/);
    // A launch limited to 0 by the balance has a price, and was not approved.
    const poor = await quoted(workspace, { agent_id });
    expect(poor).toMatchObject({ priced: 1, credits_at_most: 0, limited_by: 'balance' });
    await refused(workspace, { agent_id, quote_id: poor.quote_id }, 422, /does not cover one signal/);
    await refused(workspace, { agent_id }, 402, /balance/i);
  });

  it('is used once: again 409 with its runs, and the same Idempotency-Key replays', async () => {
    const workspace = await service.workspace();
    const agent_id = await keywordAgent(workspace, 'crm');
    const { quote_id } = await quoted(workspace, { agent_id });
    const key = { 'idempotency-key': 'approved' };
    const first = await answered(202, launch(workspace, { agent_id, quote_id }, key));
    const runs = first.map((run: { signal_request_id: number }) => run.signal_request_id);
    const used = { status: 409, body: { signal_request_ids: runs } };
    expect(await launch(workspace, { agent_id, quote_id })).toMatchObject(used);
    await service.drain();
    expect(await launch(workspace, { agent_id, quote_id }, key)).toMatchObject({
      status: 202,
      body: first,
    });
    const again = await refused(workspace, { agent_id, quote_id }, 409, /used before, by signal run \d+\./);
    expect(again.body.signal_request_ids).toEqual(runs);
    expect(await workspace.balance()).toMatchObject({ captured: posts * 10 });
  });

  it('is used by one of twenty concurrent launches', async () => {
    const workspace = await service.workspace();
    const agent_id = await keywordAgent(workspace, 'crm');
    const { quote_id, credits_at_most } = await quoted(workspace, { agent_id });
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => launch(workspace, { agent_id, quote_id })),
    );
    const statuses = answers.map(({ status }) => status).sort();
    expect(statuses).toEqual([202, ...Array.from({ length: 19 }, () => 409)]);
    await service.drain();
    expect((await workspace.balance()).captured).toBe(credits_at_most);
  });

  it('is outdated when the body, agent, persona or price changes, and 15 minutes later: 409', async () => {
    const workspace = await service.workspace();
    const agent_id = await keywordAgent(workspace, 'crm');
    const body = { agent_id };
    const { quote_id } = await quoted(workspace, body);
    for (const other of [{ max_credits: 50 }, { parameters: { lookback_days: 30 } }]) {
      const { body: problem } = await refused(
        workspace,
        { agent_id, ...other, quote_id },
        409,
        /another body/,
      );
      expect(problem.type).toMatch(/quote-outdated$/);
    }
    await workspace.call(`PUT /api/v2/agents/${agent_id}`, {
      parameters: { tracking_keywords: ['crm', 'erp'] },
    });
    await refused(workspace, { agent_id, quote_id }, 409, /agent or signal setup has changed/);
    await workspace.call(`PUT /api/v2/agents/${agent_id}`, { parameters: { tracking_keywords: ['crm'] } });
    await service.command('prices.set', { item: 'agent:keyword_post_search', credits: 11 });
    await refused(workspace, { agent_id, quote_id }, 409, /price has changed/);
    await service.command('prices.set', { item: 'agent:keyword_post_search', credits: 10 });
    const persona = await workspace.persona({ job_title: ['VP Sales'], location: ['France'] });
    const setup = await workspace.setup(KEYWORD_TEMPLATE, { tracking_keywords: ['crm'] });
    const ofSetup = await quoted(workspace, { signal_setup_id: setup });
    await workspace.data(`PATCH /api/v2/personas/${persona}`, { job_title: ['Gardener'] });
    await refused(
      workspace,
      { signal_setup_id: setup, quote_id: ofSetup.quote_id },
      409,
      /persona has changed/,
    );
    const late = await quoted(workspace, body);
    await service.advance('PT15M');
    await refused(workspace, { agent_id, quote_id: late.quote_id }, 409, /expired/);
    // A new name is no other launch, and defaults that are sent are no other body.
    const renamed = await quoted(workspace, body);
    await workspace.call(`PUT /api/v2/agents/${agent_id}`, { name: 'Renamed' });
    const sent = { agent_id, parameters: { lookback_days: 90 }, quote_id: renamed.quote_id };
    expect((await launch(workspace, sent)).status).toBe(202);
  });

  it('of another workspace, or invalid, is 400 on quote_id', async () => {
    const [workspace, stranger] = [await service.workspace(), await service.workspace()];
    const agent_id = await keywordAgent(workspace, 'crm');
    const foreign = await keywordAgent(stranger, 'crm');
    const { quote_id } = await quoted(stranger, { agent_id: foreign });
    const end = quote_id.endsWith('A') ? 'B' : 'A';
    for (const wrong of [
      quote_id,
      `${quote_id.slice(0, -1)}${end}`,
      'quote_',
      'x',
      ' ',
      7,
      'q'.repeat(2_001),
    ]) {
      const { body } = await refused(workspace, { agent_id, quote_id: wrong }, 400, /./);
      expect([wrong, Object.keys(body.errors)]).toEqual([wrong, ['quote_id']]);
    }
    expect(await quote(workspace, { agent_id: foreign })).toMatchObject({ status: 404 });
  });

  it('is made one at a time for a workspace: a concurrent one is 429; a read-only key may ask for it', async () => {
    const workspace = await service.workspace();
    const agent_id = await keywordAgent(workspace, 'crm');
    const answers = await Promise.all(Array.from({ length: 5 }, () => quote(workspace, { agent_id })));
    const statuses = answers.map(({ status }) => status);
    expect(new Set(statuses)).toEqual(new Set([200, 429]));
    const { headers } = answers.find(({ status }) => status === 429) ?? { headers: new Headers() };
    expect(headers.get('retry-after')).toBe('1');
    const { api_key } = await workspace.command('apikey.issue', { label: 'dashboard', read_only: true });
    const readOnly = { authorization: `Bearer ${api_key}` };
    const seen = await answered(200, quote(workspace, { agent_id }, readOnly));
    expect(seen.priced).toEqual(posts);
    expect((await launch(workspace, { agent_id, quote_id: seen.quote_id }, readOnly)).status).toBe(403);
  });

  it('of a workspace that is not billed shows the matches, and its launch spends nothing, even if the workspace is billed by then', async () => {
    const exempt = await service.workspace({ billing: 'exempt' });
    const agent_id = await keywordAgent(exempt, 'crm');
    const { quote_id, ...shown } = await quoted(exempt, { agent_id });
    expect(shown).toMatchObject({ priced: posts, credits_at_most: 0, limited_by: null });
    const { body } = await launch(exempt, { agent_id, quote_id });
    await service.drain();
    expect((await exempt.poll(body[0].signal_request_id)).body).toMatchObject({
      stage: 'completed',
      matches_found: posts,
      max_credits: 0,
    });
    await refused(exempt, { agent_id, quote_id }, 409, /used before/);
    const other = await keywordAgent(exempt, 'crm');
    const early = await quoted(exempt, { agent_id: other });
    await exempt.command('workspace.billing', { billing: 'self' });
    await exempt.command('credits.grant', { credits: 1_000, reason: 'top-up' });
    await refused(exempt, { agent_id: other, quote_id: early.quote_id }, 409, /who pays has changed/);
    expect(await exempt.balance()).toMatchObject({ balance: 2_000, captured: 0 });
  });

  it('of a workspace that a partner pays for does not change the balance', async () => {
    const paid = await service.partnerWorkspace();
    const agent_id = await keywordAgent(paid, 'crm');
    const shown = await quoted(paid, { agent_id });
    expect(shown).toMatchObject({ credits_at_most: posts * 10, balance: { now: 0, afterwards: 0 } });
  });

  it('refuses what a launch refuses, and records nothing', async () => {
    const workspace = await service.workspace();
    const agent_id = await keywordAgent(workspace, 'crm');
    await service.expectSettledEvents([], async () => {
      for (const [sent, status] of [
        [{}, 400],
        [{ agent_id: 9_999_999 }, 404],
        [{ agent_id, signal_setup_id: agent_id }, 400],
        [{ signal_setup_id: agent_id }, 404],
        [{ agent_id, max_credits: 1.0000001 }, 400],
        [{ agent_id, parameters: { lookback_days: 0 } }, 400],
        [{ agent_id, max_credits: 9 }, 422],
      ] as const) {
        expect([sent, (await quote(workspace, sent)).status]).toEqual([sent, status]);
      }
    });
    await service.service.host.runner.stop();
    expect((await workspace.launch(agent_id)).status).toBe(202);
    expect((await quote(workspace, { agent_id })).status).toBe(409);
  });
});

describe('QUO-01 a quote of a question', () => {
  let chat: ChatServer;
  let service: TestService;
  beforeAll(async () => {
    chat = await startChatServer(replying('yes'));
    service = await startTestService({ CLOCK: 'manual', RESEARCH_URL: chat.url, RESEARCH_MODEL: 'm' });
    await service.ops('clock.set', { now: NOW });
  });
  afterAll(async () => {
    await service.stop();
    await chat.close();
  });

  it('counts the companies of its questions, and sends none', async () => {
    await service.ingest(
      ['acme', 'globex', 'quiet'].map((handle) =>
        observedCompany(handle, {
          locations: [{ is_hq: true, city: 'Lyon', country: 'France' }],
          ...(handle === 'quiet' ? {} : { tagline: 'We run SAP' }),
        }),
      ),
    );
    const workspace = await service.workspace();
    await workspace.call('POST /api/v2/personas', { job_title: ['CTO'], location: ['France'] });
    const setup = await signalSetup(workspace, 'custom-research-question', { question: 'Does it run SAP?' });
    const { body } = await quote(workspace, { signal_setup_id: setup });
    expect(body).toMatchObject({ priced: 2, credits_at_most: 80, exact: false, inexact_because: 'research' });
    expect(chat.requests).toHaveLength(0);
  });
});
