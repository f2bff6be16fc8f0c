import {
  employed,
  observedComment,
  observedCompany,
  observedPerson,
  observedPost,
  observedReaction,
} from '#test/support/observed-network.js';
import { addTo, watchingAgent } from '#test/support/list-agents.js';
import { scene, type SceneWorkspace } from '#test/support/scene.js';
import type { Answer } from '#test/support/service.js';
import { foundTopAccount } from '#test/support/top-accounts.js';

const NOW = '2026-01-10T10:00:00.000Z';
const at = (hour: number): string => `2026-01-05T${String(hour).padStart(2, '0')}:00:00.000Z`;
const BO_POST = 'We sell a CRM';
const ANA_POST = 'We are moving our CRM';

const named = (name: string, headline: string) => ({
  full_name: `${name} Roy`,
  network_url: `https://www.network.example/in/${name}`,
  headline,
});

describe('agents that watch interactions', () => {
  const service = scene({
    at: NOW,
    network: [
      ...['acme', 'rival', 'elsewhere', 'initech'].map((handle) => observedCompany(handle)),
      observedPerson('ana', { ...employed('acme', 'VP Sales'), headline: 'VP Sales at Acme' }),
      observedPerson('bo', { ...employed('rival', 'Account Executive'), headline: 'AE at Rival' }),
      observedPerson('dev', employed('rival', 'Engineer')),
      observedPerson('eve', employed('elsewhere', 'CTO')),
      observedPerson('fay', employed('elsewhere', 'CFO')),
      observedPerson('cy', employed('initech', 'Marketing')),
      observedPost('of-bo', 'bo', BO_POST, '2025-06-01T09:00:00Z'),
      observedPost('of-dev', 'dev', 'We use Rust', '2025-06-01T09:00:00Z'),
      observedPost('of-ana', 'ana', ANA_POST, '2025-06-01T09:00:00Z'),
      observedPost('of-eve', 'eve', 'We grow', '2025-06-01T09:00:00Z'),
      observedComment('ana-bo', 'ana', 'of-bo', 'Does it run on premise?', at(1)),
      observedComment('eve-bo', 'eve', 'of-bo', 'Nice', at(2)),
      observedReaction('eve-bo', 'eve', 'of-bo', at(3)),
      observedComment('ana-dev', 'ana', 'of-dev', 'Why Rust?', at(4)),
      observedComment('bo-ana', 'bo', 'of-ana', 'We can help', at(5)),
      observedReaction('bo-eve', 'bo', 'of-eve', at(6)),
      observedComment('bo-eve', 'bo', 'of-eve', 'Congratulations', at(7)),
      observedComment('cy-bo', 'cy', 'of-bo', 'From your rival', at(8)),
      observedComment('dev-bo', 'dev', 'of-bo', 'Great', at(9)),
    ],
  });

  /** A workspace whose employee is Cy and whose top account is acme. */
  async function workspaceWith(credits: number): Promise<SceneWorkspace> {
    const workspace = await service.workspace({ credits: credits === 0 ? undefined : credits });
    await addTo(workspace, 'profile', workspace.employeeListId, ['cy']);
    await foundTopAccount(service, workspace, 'acme');
    return workspace;
  }

  /** Launches both directions and waits for their end, in the order of the answer. */
  async function seeBothThrough(workspace: SceneWorkspace, agentId: number): Promise<Answer['body'][]> {
    const runs = await workspace.runs(agentId);
    expect(runs).toHaveLength(2);
    expect(runs[0].signal_request_id).not.toBe(runs[1].signal_request_id);
    return runs;
  }

  const competitor = async (workspace: SceneWorkspace, mode?: string): Promise<number> =>
    watchingAgent(
      workspace,
      'competitor',
      (await workspace.list('competitor', ['rival'])).id,
      mode === undefined ? undefined : { mode, target_group: 'prospects' },
    );
  const found = async (workspace: SceneWorkspace): Promise<Record<string, Answer['body']>> => {
    const rows = (await workspace.detections()).reverse();
    return Object.fromEntries(
      rows.map((row) => [`${row.signal_type} ${row.signal_date.slice(11, 13)}`, row]),
    );
  };

  it('RUN-03 RUN-33 SUP-03 AG-80 account monitoring runs in both directions, free also at a balance of 0', async () => {
    const workspace = await workspaceWith(0);
    const agentId = await competitor(workspace);
    const runs = await seeBothThrough(workspace, agentId);
    expect(runs).toMatchObject([
      { direction: 'inbound', stage: 'completed', lookback_days: 90, matches_found: 2, credits_spent: 0 },
      { direction: 'outbound', stage: 'completed', matches_found: 1, credits_spent: 0 },
    ]);
    const rows = await found(workspace);
    expect(Object.keys(rows)).toEqual([
      'competitorInboundComment 01',
      'competitorInboundComment 04',
      'competitorOutboundComment 05',
    ]);
    expect(await workspace.movements()).toEqual([]);
    // RUN-17: relaunched, it finds nothing twice.
    expect(await seeBothThrough(workspace, agentId)).toMatchObject([
      { matches_found: 0 },
      { matches_found: 0 },
    ]);
  });

  it('SIG-10 OP-42 shows inbound and outbound comments exactly, with the captured records', async () => {
    const workspace = await workspaceWith(0);
    await seeBothThrough(workspace, await competitor(workspace));
    const rows = await found(workspace);
    const inbound = rows['competitorInboundComment 01'];
    expect(inbound).toMatchObject({
      source_url: 'https://www.network.example/posts/of-bo?comment=ana-bo',
      excerpt: 'Does it run on premise?',
      provenance: [],
      author: named('ana', 'VP Sales at Acme'),
      data: {
        interaction: {
          type: 'comment',
          content_id: expect.any(Number),
          author: named('ana', 'VP Sales at Acme'),
        },
        post: { content_id: null, author: named('bo', 'AE at Rival') },
      },
    });
    const outbound = rows['competitorOutboundComment 05'];
    expect(outbound.data).toEqual({
      interaction: {
        type: 'comment',
        content_id: expect.any(Number),
        author: named('bo', 'AE at Rival'),
      },
      post: { content_id: null, author: named('ana', 'VP Sales at Acme') },
    });
    // Both are about Ana and her company.
    expect(
      new Set([inbound, outbound].map(({ lead_id, company_id }) => `${lead_id} ${company_id}`)).size,
    ).toBe(1);
    const { body } = await workspace.call('POST /api/v3/signals/query', {
      type: ['competitorOutboundComment'],
    });
    expect(body.data).toMatchObject([
      {
        details: {
          post_text: ANA_POST,
          interaction: 'comment',
          comment_text: 'We can help',
          counterpart_name: 'bo Roy',
          counterpart_role: 'Account Executive',
          counterpart_company: 'rival',
          action_date: at(5),
        },
      },
    ]);
  });

  it('SIG-11 SIG-12 C-7 shows interactions of the team and of leads exactly', async () => {
    const workspace = await workspaceWith(100);
    await seeBothThrough(workspace, await competitor(workspace, 'lead_discovery'));
    const rows = await found(workspace);
    const person = (name: string, company: string, role: string) => ({
      full_name: `${name} Roy`,
      first_name: name,
      last_name: 'Roy',
      network_url: `https://www.network.example/in/${name}`,
      company_name: company,
      role,
    });
    const boAtRival = person('bo', 'rival', 'Account Executive');
    const ofBo = { url: 'https://www.network.example/posts/of-bo', extract: BO_POST, author: boAtRival };
    const ofEve = {
      url: 'https://www.network.example/posts/of-eve',
      extract: 'We grow',
      author: person('eve', 'elsewhere', 'CTO'),
    };
    expect(rows['leadCommentedCompetitorContent 01'].data).toEqual({
      interaction: {
        type: 'comment',
        url: 'https://www.network.example/posts/of-bo?comment=ana-bo',
        author: { ...person('ana', 'acme', 'VP Sales'), comment_text: 'Does it run on premise?' },
      },
      post: ofBo,
    });
    expect(rows['leadLikedCompetitorContent 03']).toMatchObject({
      source_url: ofBo.url,
      excerpt: BO_POST,
      provenance: [],
    });
    expect(rows['leadLikedCompetitorContent 03'].data).toEqual({
      interaction: {
        type: 'reaction',
        url: null,
        author: { ...person('eve', 'elsewhere', 'CTO'), comment_text: null },
      },
      post: ofBo,
    });
    const commented = rows['networkComment 07'];
    expect(commented.data).toEqual({
      interaction: {
        type: 'comment',
        url: 'https://www.network.example/posts/of-eve?comment=bo-eve',
        content_id: expect.any(Number),
        author: { ...boAtRival, comment_text: 'Congratulations' },
      },
      post: ofEve,
    });
    expect(rows['networkReaction 06']).toMatchObject({ source_url: ofEve.url });
    expect(rows['networkReaction 06'].data).toEqual({
      interaction: {
        type: 'reaction',
        url: null,
        content_id: null,
        author: { ...boAtRival, comment_text: null },
      },
      post: ofEve,
    });
  });

  it('SUP-04 OP-34 searches exactly the titles of resolved_target_persona', async () => {
    const workspace = await workspaceWith(100);
    const { id: listId } = await workspace.list('competitor', ['rival']);
    const agentId = await watchingAgent(workspace, 'competitor', listId, {
      mode: 'lead_discovery',
      target_group: 'customers',
    });
    expect(await seeBothThrough(workspace, agentId)).toMatchObject([
      { matches_found: 0 },
      { matches_found: 0 },
    ]);
  });

  it('D-44 drops all signals of a person who cannot be paid for, and keeps all of one who is paid for', async () => {
    const workspace = await workspaceWith(10);
    const runs = await seeBothThrough(workspace, await competitor(workspace, 'lead_discovery'));
    // Ana comes first and is paid for; no credits are left for Eve. Ana is still kept in the outbound direction.
    expect(runs).toMatchObject([
      { stage: 'completed_partial', matches_found: 1, matches_dropped: 2, credits_spent: 10 },
      { stage: 'completed_partial', matches_found: 1, matches_dropped: 2, credits_spent: 0 },
    ]);
    expect(Object.keys(await found(workspace))).toEqual([
      'leadCommentedCompetitorContent 01',
      'networkComment 05',
    ]);
    expect(await workspace.balance()).toMatchObject({ balance: 0, held: 0, captured: 10 });
  });

  it('D-44 SRC-08 a person who was paid for is not paid for again once the handle is known', async () => {
    const workspace = await workspaceWith(100);
    const job = employed('elsewhere', 'COO');
    await service.ingest([
      observedPerson('gus', { ...job, handle: null }),
      observedPost('of-bea', 'bea', 'We sell an ERP', '2025-06-01T09:00:00Z'),
      observedCompany('other-rival'),
      observedPerson('bea', employed('other-rival', 'Account Executive')),
      observedComment('gus-1', 'gus', 'of-bea', 'Hello', at(1)),
    ]);
    const { id: listId } = await workspace.list('competitor', ['other-rival']);
    const agentId = await watchingAgent(workspace, 'competitor', listId, { mode: 'lead_discovery' });
    expect(await seeBothThrough(workspace, agentId)).toMatchObject([
      { credits_spent: 10 },
      { credits_spent: 0 },
    ]);
    await service.ingest([
      observedPerson('gus', { ...job, rev: 2 }),
      observedComment('gus-2', 'gus', 'of-bea', 'Again', at(2)),
    ]);
    expect(await seeBothThrough(workspace, agentId)).toMatchObject([
      { matches_found: 1, credits_spent: 0 },
      { matches_found: 0 },
    ]);
  });

  it('QUO-01 D-44 a quote counts each person once over both directions, and the launch spends that amount', async () => {
    const workspace = await workspaceWith(100);
    const agent_id = await competitor(workspace, 'lead_discovery');
    const launches = 'POST /api/v2/workspace/signal-runs';
    const { body: quote } = await workspace.call(`${launches}/quote`, { agent_id });
    const expected = { new: 6, free: 0, priced: 6, credits_needed: 20, credits_at_most: 20, exact: true };
    expect(quote).toMatchObject(expected);
    expect((await workspace.call(launches, { agent_id, quote_id: quote.quote_id })).status).toBe(202);
    await service.drain();
    expect(Object.keys(await found(workspace))).toHaveLength(6);
    expect(await workspace.balance()).toMatchObject({ balance: 80, held: 0, captured: 20 });
  });

  it('STM-03 STM-04 AG-80 a competitor takes a weekly schedule while it discovers leads, whatever its earlier mode', async () => {
    const workspace = await workspaceWith(100);
    const { id: listId } = await workspace.list('competitor', ['rival']);
    const agentId = await watchingAgent(workspace, 'competitor', listId, { mode: 'account_monitoring' });
    const changed = (body: object): Promise<Answer> => workspace.call(`PUT /api/v2/agents/${agentId}`, body);
    const schedule = { cadence: 'weekly' };
    expect((await changed({ schedule })).status).toBe(422);
    for (const mode of ['lead_discovery', 'all']) {
      const { body } = await changed({ parameters: { mode }, schedule });
      expect(body.data).toMatchObject({ schedulable: true, schedule, parameters: { mode } });
    }
    expect((await changed({ schedule: null })).body.data.schedule).toBeNull();
    expect((await changed({ parameters: { mode: 'account_monitoring' } })).body.data).toMatchObject({
      schedulable: false,
      schedule: null,
    });
  });

  it('D-42 lead discovery needs the price of one lead; without it nothing is launched', async () => {
    const workspace = await workspaceWith(9);
    for (const mode of ['lead_discovery', 'all']) {
      const agentId = await competitor(workspace, mode);
      await service.drain();
      const { status } = await service.refused(() => workspace.launch(agentId));
      expect([mode, status]).toEqual([mode, 402]);
    }
  });

  it('D-40 D-44 AG-80 mode all does both: the monitoring half is free, and its people are not paid for later', async () => {
    const workspace = await workspaceWith(100);
    const agentId = await competitor(workspace, 'all');
    expect(await seeBothThrough(workspace, agentId)).toMatchObject([
      { matches_found: 5, credits_spent: 20 },
      { matches_found: 4, credits_spent: 0 },
    ]);
    const types = Object.keys(await found(workspace));
    expect(types).toContain('competitorInboundComment 01');
    expect(types).toContain('leadCommentedCompetitorContent 01');

    // Monitored first, discovered later: she was shown before.
    const other = await workspaceWith(100);
    const monitoring = await competitor(other);
    await seeBothThrough(other, monitoring);
    const changed = await other.call(`PUT /api/v2/agents/${monitoring}`, {
      parameters: { mode: 'lead_discovery', target_group: 'prospects' },
    });
    expect(changed.status).toBe(200);
    // Only Eve is new.
    expect(await seeBothThrough(other, monitoring)).toMatchObject([
      { matches_found: 3, credits_spent: 10 },
      { matches_found: 3, credits_spent: 0 },
    ]);
  });

  it('D-42 OP-36 monitoring requires a top account and a followed member, discovery only a followed member', async () => {
    const workspace = await service.workspace({ credits: 100 });
    const refused = async (agentId: number, missing: RegExp): Promise<void> => {
      const { status, body } = await service.refused(() => workspace.launch(agentId));
      expect([status, body.detail]).toEqual([400, expect.stringMatching(missing)]);
    };
    const none = /^There are no target accounts configured\. The workspace has no top accounts: add some /;
    await refused(await competitor(workspace), none);
    expect((await workspace.launch(await competitor(workspace, 'lead_discovery'))).status).toBe(202);
    await service.drain();
    await foundTopAccount(service, workspace, 'acme');
    expect((await workspace.launch(await competitor(workspace))).status).toBe(202);
    await service.drain();
    const empty = await workspace.list('competitor');
    const nobody =
      /^There are no target accounts configured\. List \d+ has no followed members: add members /;
    await refused(await watchingAgent(workspace, 'competitor', empty.id, { mode: 'all' }), nobody);
  });

  for (const type of ['partner', 'customer', 'influencer', 'champion']) {
    it(`RUN-03 D-43 a ${type} agent finds comments between its list and top accounts, free`, async () => {
      const workspace = await workspaceWith(0);
      const isOfPeople = type === 'influencer' || type === 'champion';
      const { id: listId } = await workspace.list(type, [isOfPeople ? 'bo' : 'rival']);
      const agentId = await watchingAgent(workspace, type, listId);
      expect(await seeBothThrough(workspace, agentId)).toMatchObject([
        { stage: 'completed', matches_found: isOfPeople ? 1 : 2, credits_spent: 0 },
        { stage: 'completed', matches_found: 1, credits_spent: 0 },
      ]);
      expect(new Set((await workspace.detections()).map(({ signal_type }) => signal_type))).toEqual(
        new Set([`${type}InboundComment`, `${type}OutboundComment`]),
      );
    });
  }

  it('RUN-15 STM-02 an agent can be launched again once both runs have ended; unbound it is unconfigured and finds nothing', async () => {
    const workspace = await workspaceWith(0);
    const agentId = await competitor(workspace);
    const launched = await workspace.launch(agentId);
    expect(launched.status).toBe(202);
    await service.drain();
    expect((await workspace.launch(agentId)).status).toBe(202);
    await service.drain();
    const unbound = await workspace.call(`PUT /api/v2/agents/${agentId}`, { watchlist_id: null });
    expect(unbound.body.data).toMatchObject({ type: 'unconfigured', watchlist_id: null });
    expect((await workspace.launch(agentId)).status).toBe(400);
    const { id: listId } = await workspace.list('partner', ['rival']);
    const bound = await workspace.call(`PUT /api/v2/agents/${agentId}`, { watchlist_id: listId });
    expect(bound.body.data).toMatchObject({ type: 'partner', watchlist_id: listId });
    expect((await seeBothThrough(workspace, agentId))[0]).toMatchObject({ matches_found: 2 });
  });

  it('RUN-34 D-44 AG-80 lead discovery pays for each person once, for either direction', async () => {
    const workspace = await workspaceWith(100);
    const agentId = await competitor(workspace, 'lead_discovery');
    const runs = await seeBothThrough(workspace, agentId);
    // Ana and Eve are inbound; both are found again outbound. Cy is an employee, Dev a colleague and no salesperson.
    expect(runs).toMatchObject([
      { direction: 'inbound', stage: 'completed', matches_found: 3, credits_spent: 20 },
      { direction: 'outbound', stage: 'completed', matches_found: 3, credits_spent: 0 },
    ]);
    const rows = await found(workspace);
    expect(Object.keys(rows)).toEqual([
      'leadCommentedCompetitorContent 01',
      'leadCommentedCompetitorContent 02',
      'leadLikedCompetitorContent 03',
      'networkComment 05',
      'networkReaction 06',
      'networkComment 07',
    ]);
    const movements = await workspace.movements();
    expect(movements).toMatchObject([
      { product: 'lead_discovery', credits: 10, status: 'captured' },
      { product: 'lead_discovery', credits: 10, status: 'captured' },
    ]);
    expect(await workspace.balance()).toMatchObject({ balance: 80, held: 0, captured: 20 });

    // Later interactions of people shown before are recorded and free, and a new person is paid for.
    await service.ingest([
      observedComment('ana-later', 'ana', 'of-bo', 'Still there?', at(11)),
      observedComment('fay-later', 'fay', 'of-bo', 'Hello', at(12)),
    ]);
    expect(await seeBothThrough(workspace, agentId)).toMatchObject([
      { matches_found: 2, credits_spent: 10 },
      { matches_found: 0, credits_spent: 0 },
    ]);
    expect(await workspace.balance()).toMatchObject({ balance: 70 });
  });

  it('D-40 the id of the post is that of its record, if the workspace has one', async () => {
    const workspace = await workspaceWith(100);
    await service.ingest([
      observedPost('new-of-ana', 'ana', 'Our new CRM', at(1)),
      observedComment('bo-new', 'bo', 'new-of-ana', 'Sure', at(10)),
    ]);
    const parameters = { tracking_keywords: ['CRM'] };
    await workspace.run(await workspace.agent('keyword_detection', { parameters }));
    const [post] = await workspace.detections({ type: ['keywordDetection'] });
    await seeBothThrough(workspace, await competitor(workspace));
    const { data } = (await found(workspace))['competitorOutboundComment 10'];
    expect(data.post.content_id).toBe(post.data.content_id);
    expect(data.post.content_id).toEqual(expect.any(Number));
  });
});
