import type { CoverageQuestion } from '#signals/detection/coverage.port.js';
import {
  IN_FRANCE,
  employed,
  observedComment,
  observedCompany,
  observedPerson,
  observedPost,
  observedReaction,
} from '#test/support/observed-network.js';
import { addTo, watchingAgent } from '#test/support/list-agents.js';
import { scene, type SceneWorkspace } from '#test/support/scene.js';
import { foundTopAccount } from '#test/support/top-accounts.js';

const NOW = '2026-01-10T10:00:00.000Z';
const at = (hour: number): string => `2026-01-05T${String(hour).padStart(2, '0')}:00:00.000Z`;
describe('signals of engagement', () => {
  /** Covered accounts by workspace. */
  const covered = new Map<number, readonly string[]>();
  const coverage = {
    coveredAccounts: async ({ workspaceId }: CoverageQuestion) => covered.get(workspaceId) ?? [],
  };

  const old = '2025-06-01T09:00:00Z';
  const service = scene({
    at: NOW,
    settings: { MONITORING_PASS: 'on' },
    outside: { coverage },
    network: [
      ...['acme', 'rival', 'elsewhere', 'initech'].map((handle) =>
        observedCompany(handle, { network_url: `https://www.network.example/company/${handle}` }),
      ),
      // Ana matches the persona, Eve does not.
      observedPerson('ana', { ...employed('acme', 'VP Sales'), ...IN_FRANCE, headline: 'VP Sales at Acme' }),
      observedPerson('eve', { ...employed('elsewhere', 'CTO'), ...IN_FRANCE }),
      observedPerson('bo', { ...employed('rival', 'Account Executive'), headline: 'AE at Rival' }),
      observedPerson('kim', employed('rival', 'Customer Success Manager')),
      observedPerson('cy', { ...employed('initech', 'Marketing'), headline: 'Marketing at Initech' }),
      observedPerson('di', employed('initech', 'Sales')),
      observedPost('of-bo', 'bo', 'Our new CRM', old),
      { ...observedPost('of-rival', 'x', 'Rival raises', old), author_ref: 'c:rival' },
      observedPost('of-ana', 'ana', 'We are moving', old),
      observedPost('of-eve', 'eve', 'We grow', old),
      observedPost('of-cy', 'cy', 'We ship a new thing', old),
      observedPost('of-di', 'di', 'Hello', old),
      observedComment('ana-bo', 'ana', 'of-bo', '  Nice one  ', at(1)),
      observedReaction('eve-bo', 'eve', 'of-bo', at(2)),
      observedComment('ana-rival', 'ana', 'of-rival', 'Congratulations to all', at(3)),
      observedComment('bo-ana', 'bo', 'of-ana', 'We can help', at(4)),
      observedReaction('kim-eve', 'kim', 'of-eve', at(5)),
      observedComment('ana-cy', 'ana', 'of-cy', 'Congratulations', at(6)),
      observedReaction('eve-cy', 'eve', 'of-cy', at(7)),
      observedComment('di-cy', 'di', 'of-cy', 'Well done', at(8)),
      observedComment('eve-di', 'eve', 'of-di', 'Hello Di', at(9)),
    ],
  });

  async function workspaceOf(): Promise<SceneWorkspace> {
    const workspace = await service.workspace();
    await workspace.persona({ job_title: ['Sales'], location: ['France'] });
    return workspace;
  }

  /** Signals of a setup of a template, by type and hour, and their cost. */
  async function found(workspace: SceneWorkspace, key: string, parameters: object) {
    const setupId = await workspace.setup(key, parameters);
    const before = (await workspace.movements()).length;
    const runs = await workspace.runs(setupId);
    const rows = (await workspace.detections({ agent_id: setupId })).reverse();
    return {
      setupId,
      runs,
      rows,
      names: rows.map((row) => `${row.signal_type} ${row.signal_date.slice(11, 13)}`),
      paid: (await workspace.movements())
        .slice(0, -before || undefined)
        .map(({ product, credits }) => `${product} ${credits}`),
    };
  }

  it('D-17 engagement with competitors’ content is found on posts of their people and of their page', async () => {
    const workspace = await workspaceOf();
    const { id: list_id } = await workspace.list('competitor', ['rival']);
    const { runs, rows, names, paid } = await found(workspace, 'competitor-content-engagement', { list_id });
    expect(runs).toMatchObject([{ direction: 'inbound', matches_found: 3, credits_spent: 40 }]);
    expect(names).toEqual([
      'leadCommentedCompetitorContent 01',
      'leadLikedCompetitorContent 02',
      'leadCommentedCompetitorContent 03',
    ]);
    // D-09: Eve is no salesperson, so her reactions have lower priority, and are free.
    expect(paid).toHaveLength(2);
    expect(rows[2].data.post).toEqual({
      url: 'https://www.network.example/posts/of-rival',
      extract: 'Rival raises',
      author: {
        full_name: 'rival',
        first_name: null,
        last_name: null,
        network_url: 'https://www.network.example/company/rival',
        company_name: 'rival',
        role: null,
      },
    });
  });

  it('2.3 narrows content engagement by interactions and by the length of the trimmed comment', async () => {
    const workspace = await workspaceOf();
    const { id: list_id } = await workspace.list('competitor', ['rival']);
    const key = 'competitor-content-engagement';
    const namesOf = async (parameters: object): Promise<readonly string[]> =>
      (await found(workspace, key, { list_id, ...parameters })).names;
    expect(await namesOf({ interactions: ['reaction'] })).toEqual(['leadLikedCompetitorContent 02']);
    expect(await namesOf({ interactions: ['comment'] })).toHaveLength(2);
    expect(await namesOf({ min_comment_length: 9 })).toEqual([
      'leadLikedCompetitorContent 02',
      'leadCommentedCompetitorContent 03',
    ]);
    expect(await namesOf({ min_comment_length: 8 })).toHaveLength(3);
  });

  it('D-15 C-7 SIG-11 the activity of competitors’ teams is that of the chosen titles, all if none is chosen', async () => {
    const workspace = await workspaceOf();
    const { id: list_id } = await workspace.list('competitor', ['rival']);
    const namesOf = async (parameters: object) =>
      (await found(workspace, 'competitor-team-activity', { list_id, ...parameters })).names;
    expect(await namesOf({})).toEqual(['networkComment 04', 'networkReaction 05']);
    expect(await namesOf({ target_group: 'all' })).toEqual(['networkComment 04', 'networkReaction 05']);
    expect(await namesOf({ target_group: 'prospects' })).toEqual(['networkComment 04']);
    expect(await namesOf({ target_group: 'customers' })).toEqual(['networkReaction 05']);
  });

  it('D-32 interactions of competitors with top accounts are about covered ones, free, 400 without any', async () => {
    const workspace = await workspaceOf();
    const { id: list_id } = await workspace.list('competitor', ['rival']);
    for (const handle of ['acme', 'elsewhere']) await foundTopAccount(service, workspace, handle);
    const key = 'competitor-top-account-interactions';
    const setupId = await workspace.setup(key, { list_id });
    const refused = await workspace.launch(setupId);
    expect([refused.status, refused.body.detail]).toEqual([
      400,
      expect.stringMatching(/^There are no target accounts configured\. No account is monitored: choose /),
    ]);
    covered.set(workspace.id, ['c:acme', 'c:initech']);
    const both = await found(workspace, key, { list_id });
    expect(both.runs).toMatchObject([
      { direction: 'inbound', matches_found: 1, credits_spent: 0 },
      { direction: 'outbound', matches_found: 1, credits_spent: 0 },
    ]);
    expect(both.names).toEqual(['competitorInboundComment 01', 'competitorOutboundComment 04']);
    const inbound = await found(workspace, key, { list_id, directions: ['inbound'] });
    // D-29: the other direction has its run, and completes with nothing.
    expect(inbound.runs).toMatchObject([
      { matches_found: 1, stage: 'completed' },
      { matches_found: 0, stage: 'completed' },
    ]);
    expect([both.paid, inbound.paid]).toEqual([[], []]);
  });

  for (const [type, key, handle, price] of [
    ['partner', 'partner-interactions', 'rival', 20],
    ['customer', 'customer-interactions', 'rival', 20],
    ['influencer', 'influencer-engagement', 'bo', 10],
    ['champion', 'champion-interactions', 'bo', 20],
  ] as const) {
    it(`RUN-03 D-17 ${key} finds comments of external people in both directions, ${price} credits each`, async () => {
      const workspace = await workspaceOf();
      const { id: list_id } = await workspace.list(type, [handle]);
      const { runs, names, rows } = await found(workspace, key, { list_id });
      expect(runs).toMatchObject([
        { direction: 'inbound', matches_found: 1, credits_spent: price },
        { direction: 'outbound', matches_found: 1, credits_spent: price },
      ]);
      expect(names).toEqual([`${type}InboundComment 01`, `${type}OutboundComment 04`]);
      expect(rows[0].data).toEqual({
        interaction: {
          type: 'comment',
          content_id: expect.any(Number),
          author: {
            full_name: 'ana Roy',
            network_url: 'https://www.network.example/in/ana',
            headline: 'VP Sales at Acme',
          },
        },
        post: {
          content_id: null,
          author: {
            full_name: 'bo Roy',
            network_url: 'https://www.network.example/in/bo',
            headline: 'AE at Rival',
          },
        },
      });
    });
  }

  it('2.3 influencer engagement narrows to posts about the topics, in both directions', async () => {
    const workspace = await workspaceOf();
    const { id: list_id } = await workspace.list('influencer', ['bo']);
    const { names } = await found(workspace, 'influencer-engagement', {
      list_id,
      filter_posts: true,
      topics: ['crm'],
    });
    expect(names).toEqual(['influencerInboundComment 01']);
  });

  it('SIG-12 D-14 D-17 engagement with own content is that of external people with the followed employees', async () => {
    const workspace = await workspaceOf();
    const list_id = workspace.employeeListId;
    const [, di] = await addTo(workspace, 'profile', list_id, ['cy', 'di']);
    await workspace.data(`PATCH /api/v2/lists/profile/${list_id}/members/${di?.id}/tracking-status`, {
      tracking_status: 'unfollowed',
    });
    const { runs, names, rows } = await found(workspace, 'own-content-engagement', { list_id });
    expect(runs).toMatchObject([{ direction: 'inbound', matches_found: 2, credits_spent: 10 }]);
    expect(names).toEqual(['leadCommentedOwnContent 06', 'leadLikedOwnContent 07']);
    expect(rows[0].data).toEqual({
      interaction: {
        type: 'comment',
        url: 'https://www.network.example/posts/of-cy?comment=ana-cy',
        author: {
          full_name: 'ana Roy',
          first_name: 'ana',
          last_name: 'Roy',
          network_url: 'https://www.network.example/in/ana',
          company_name: 'acme',
          role: 'VP Sales',
          comment_text: 'Congratulations',
        },
      },
      post: {
        url: 'https://www.network.example/posts/of-cy',
        extract: 'We ship a new thing',
        author: {
          full_name: 'cy Roy',
          first_name: 'cy',
          last_name: 'Roy',
          network_url: 'https://www.network.example/in/cy',
          company_name: 'initech',
          role: 'Marketing',
        },
      },
    });
    const reactions = await found(workspace, 'own-content-engagement', {
      list_id,
      interactions: ['reaction'],
    });
    expect(reactions.names).toEqual(['leadLikedOwnContent 07']);
  });

  it('D-16 D-30 a pass finds only signals about covered accounts, free; a launch by hand charges for others', async () => {
    const workspace = await workspaceOf();
    covered.set(workspace.id, ['c:elsewhere']);
    const { id: list_id } = await workspace.list('partner', ['rival']);
    const setupId = await workspace.setup('partner-interactions', { list_id });
    await service.ingest([observedComment('eve-bo', 'eve', 'of-bo', 'Hello', at(10))]);
    await service.advance('P1D');
    await service.drain();
    const namesNow = async (): Promise<readonly string[]> =>
      (await workspace.detections({ agent_id: setupId })).map(({ author }) => author.full_name);
    expect(await namesNow()).toEqual(['eve Roy']);
    expect(await workspace.movements()).toEqual([]);
    expect(await workspace.runs(setupId)).toMatchObject([
      { matches_found: 1, credits_spent: 20 },
      { matches_found: 1, credits_spent: 20 },
    ]);
  });

  it('D-31 D-42 the pass of a competitor in mode all is its monitoring half, free at a balance of 0; discovery has none', async () => {
    const workspace = await service.workspace({ credits: 10 });
    await foundTopAccount(service, workspace, 'acme');
    const { id: list } = await workspace.list('competitor', ['rival']);
    const [all, discovery] = [
      await watchingAgent(workspace, 'competitor', list, { mode: 'all' }),
      await watchingAgent(workspace, 'competitor', list, { mode: 'lead_discovery' }),
    ];
    await workspace.command('credits.withdraw', { credits: 10, reason: 'test' });
    await service.ingest([observedComment('new', 'ana', 'of-bo', 'News?', '2026-01-11T09:00:00.000Z')]);
    await service.advance('P1D');
    await service.drain();
    const found = async (agent_id: number): Promise<readonly string[]> =>
      (await workspace.detections({ agent_id })).map(({ signal_type }) => signal_type);
    expect(await found(all)).toEqual(['competitorInboundComment']);
    expect(await found(discovery)).toEqual([]);
    expect(await workspace.movements()).toEqual([]);
    // Launched by hand both discover, and need the price of a lead.
    for (const agentId of [all, discovery]) expect((await workspace.launch(agentId)).status).toBe(402);
  });
});
