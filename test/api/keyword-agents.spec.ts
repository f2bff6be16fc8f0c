import {
  employed,
  keywordAgent,
  observedCompany,
  observedPerson,
  observedPost,
} from '#test/support/observed-network.js';
import { postNames, templateIdsOf } from '#test/support/signal-runs.js';
import { foundTopAccount } from '#test/support/top-accounts.js';
import { expectDetection } from '#test/support/expected-answers.js';
import { scene, type SceneWorkspace } from '#test/support/scene.js';
import type { Answer } from '#test/support/service.js';

const MAY = '2026-05-20T09:00:00.000Z';

const posting = (name: string, company: string | null, facts: object = {}): object => ({
  kind: 'job_posting',
  ref: `job:${name}`,
  company_ref: company && `c:${company}`,
  title: 'Engineer',
  description: 'We use a CRM every day.',
  location: 'Paris',
  url: `https://www.network.example/jobs/${name}`,
  posted_at: MAY,
  ...facts,
});

describe('keyword agents of top accounts, and job postings', () => {
  const service = scene({
    at: '2026-06-01T10:00:00.000Z',
    network: [
      observedCompany('acme', { name: 'Acme' }),
      observedCompany('rival'),
      observedPerson('ana', employed('acme', 'VP Sales')),
      observedPerson('bob', employed('rival', 'CTO')),
      observedPerson('hana', { ...employed('acme', 'Head of HR'), headline: 'Hiring' }),
      observedPost('by-ana', 'ana', 'our crm', MAY),
      observedPost('by-bob', 'bob', 'our crm', MAY),
      { ...observedPost('by-acme', 'x', 'a crm at Acme', MAY), author_ref: 'c:acme' },
      posting('acme', 'acme', { hiring_manager_ref: 'p:hana' }),
      posting('rival', 'rival', { posted_at: '2026-05-21T09:00:00.000Z' }),
      posting('nobody', null, { posted_at: '2026-05-22T09:00:00.000Z' }),
      posting('old', 'acme', { posted_at: '2026-01-01T09:00:00.000Z' }),
      posting('weather', 'acme', { description: 'We like rain.' }),
      posting('title', 'rival', {
        title: 'CRM admin',
        description: 'Join us.',
        location: 'Remote, Spain',
        posted_at: '2026-05-23T09:00:00.000Z',
      }),
    ],
  });

  const agentOf = (workspace: SceneWorkspace, type: string, parameters: object = {}): Promise<number> =>
    workspace.agent(type, { parameters: { tracking_keywords: ['crm'], ...parameters } });

  for (const type of ['keyword_detection', 'job_posting_keyword_detection']) {
    it(`RUN-12 OP-36 a ${type} agent is not launched while the workspace has no top account`, async () => {
      const workspace = await service.workspace();
      const id = await agentOf(workspace, type);
      const refused = async (): Promise<void> => {
        const answer = await service.refused(() => workspace.launch(id));
        expect([answer.status, answer.body.detail]).toEqual([
          400,
          'There are no target accounts configured. The workspace has no top accounts: add some with a POST to ' +
            '/api/v2/top-account-list/accounts.',
        ]);
      };
      await refused();
      const { accountId } = await foundTopAccount(service, workspace, 'acme');
      expect((await workspace.run(id)).stage).toBe('completed');
      await workspace.command('topaccount.remove', { account_id: accountId });
      await refused();
    });
  }

  it('RUN-01 RUN-18 RUN-29 finds only posts of top accounts and their people, ten credits each', async () => {
    const workspace = await service.workspace();
    await foundTopAccount(service, workspace, 'acme');
    const id = await agentOf(workspace, 'keyword_detection');
    const run = await workspace.run(id);
    expect(run).toMatchObject({ stage: 'completed', matches_found: 2, credits_spent: 20 });
    const detections = await workspace.detections();
    expect(postNames(detections)).toEqual(['by-acme', 'by-ana']);
    expect(
      detections.every(({ agent_id, signal_type }) => agent_id === id && signal_type === 'keywordDetection'),
    ).toBe(true);
    expect(await workspace.movements()).toMatchObject([
      { product: 'keyword_match', credits: 10, status: 'captured' },
      { product: 'keyword_match', credits: 10, status: 'captured' },
    ]);
    // RUN-17: relaunched, it finds nothing new
    expect(await workspace.run(id)).toMatchObject({ matches_found: 0, credits_spent: 0 });
  });

  it('RUN-29 AG-57 reads only posts from its start date on', async () => {
    const workspace = await service.workspace();
    await foundTopAccount(service, workspace, 'acme');
    const id = await agentOf(workspace, 'keyword_detection', { start_date: '2026-05-21' });
    expect(await workspace.run(id)).toMatchObject({ matches_found: 0 });
  });

  it('RUN-31 OP-35 OP-42 finds job postings of top accounts, about the company and its hiring contact', async () => {
    const workspace = await service.workspace();
    const { companyId } = await foundTopAccount(service, workspace, 'acme');
    const id = await agentOf(workspace, 'job_posting_keyword_detection');
    expect(await workspace.run(id)).toMatchObject({
      matches_found: 1,
      credits_spent: 10,
    });
    const [detection, ...others] = await workspace.detections();
    expect(others).toEqual([]);
    expectDetection(detection, {
      signal_type: 'jobPostingKeywordDetection',
      data: {
        job_posting: {
          title: 'Engineer',
          url: 'https://www.network.example/jobs/acme',
          location: 'Paris',
          posted_at: MAY,
          company_name: 'Acme',
        },
        keywords_found: ['crm'],
        hiring_manager: {
          full_name: 'hana Roy',
          headline: 'Hiring',
          network_url: 'https://www.network.example/in/hana',
        },
      },
      detected_at: expect.any(String),
      signal_date: MAY,
      lead_id: expect.any(Number),
      company_id: companyId,
      agent_id: id,
      source_url: 'https://www.network.example/jobs/acme',
      excerpt: 'Engineer\nWe use a CRM every day.',
      credits: 10,
    });
    expect(await workspace.data(`GET /api/v2/leads/${detection.lead_id}`)).toMatchObject({
      network_handle: 'hana',
      company: { id: companyId, is_top_account: true },
    });
    expect(await workspace.data('GET /api/v2/contents')).toMatchObject([
      { type: 'job_posting', text: 'Engineer\nWe use a CRM every day.', company_id: companyId },
    ]);
  });

  it('OP-18 OP-71 RUN-19 a job-posting setup reads the whole network, without a persona, twenty credits each', async () => {
    const workspace = await service.workspace();
    const id = await workspace.setup('keywords-in-job-postings', { tracking_keywords: ['crm'] });
    expect(await workspace.run(id)).toMatchObject({
      matches_found: 4,
      credits_spent: 80,
    });
    expect(postNames(await workspace.detections())).toEqual(['acme', 'nobody', 'rival', 'title']);
    const stats = await workspace.data(`GET /api/v3/signal-setups/${id}/stats`);
    expect(stats).toMatchObject({ signals_found: 4, accounts_reached: 2, credits_spent: 80 });
    expect(stats.latest_signal.details).toMatchObject({ keywords: ['crm'], post_text: null });
  });

  it('searches only the requested parts of a posting, and only remote positions', async () => {
    const workspace = await service.workspace();
    const found = async (parameters: object): Promise<readonly string[]> => {
      const id = await workspace.setup('keywords-in-job-postings', {
        tracking_keywords: ['crm'],
        ...parameters,
      });
      await workspace.run(id);
      return postNames(await workspace.detections({ agent_id: id }));
    };
    expect(await found({ search_in: ['title'] })).toEqual(['title']);
    expect(await found({ search_in: ['description'] })).toEqual(['acme', 'nobody', 'rival']);
    expect(await found({ remote_only: true })).toEqual(['title']);
    expect(await found({ search_in: ['description'], remote_only: true })).toEqual([]);
  });

  it('RUN-22 RUN-35 keeps the affordable prefix, oldest first, of the newest postings', async () => {
    const poor = await service.workspace({ credits: 40 });
    const setup = await poor.setup('keywords-in-job-postings', { tracking_keywords: ['crm'] });
    expect(await poor.run(setup)).toMatchObject({
      stage: 'completed_partial',
      matches_found: 2,
      matches_dropped: 2,
    });
    expect(postNames(await poor.detections())).toEqual(['acme', 'rival']);
    expect(await poor.balance()).toMatchObject({ balance: 0, held: 0, captured: 40 });

    const workspace = await service.workspace();
    await foundTopAccount(service, workspace, 'rival');
    const id = await agentOf(workspace, 'job_posting_keyword_detection', { max_posts_to_scrape: 1 });
    await workspace.run(id);
    expect(postNames(await workspace.detections())).toEqual(['title']);
  });

  it('ISO-16 SIG-32 SIG-33 a company is a top account only if it is on the list', async () => {
    const [one, two] = [await service.workspace(), await service.workspace()];
    const { companyId } = await foundTopAccount(service, one, 'acme');
    for (const workspace of [one, two]) await workspace.run(await keywordAgent(workspace, 'crm'));
    expect(postNames(await one.detections({ company_id: companyId }))).toEqual(['by-acme', 'by-ana']);
    expect(postNames(await one.detections({ company_domain: ['acme.com'] }))).toEqual(['by-acme', 'by-ana']);
    const [other] = (await two.detections()).filter(({ source_url }) => source_url.endsWith('by-acme'));
    expect(await two.detections({ company_id: other.company_id })).toEqual([]);
    const { status } = await two.call('POST /api/v2/workspace/signals/query', {
      company_domain: ['acme.com'],
    });
    expect(status).toBe(404);
  });

  it('OP-21 a setup about top accounts requires one', async () => {
    const workspace = await service.workspace();
    await workspace.persona();
    const id = (await templateIdsOf(workspace)).get('keywords-in-top-account-posts');
    const create = (): Promise<Answer> =>
      workspace.call('POST /api/v3/signal-setups', {
        signal_template_id: id,
        parameters: { tracking_keywords: ['crm'] },
      });
    const refused = await service.refused(create);
    expect(refused.body).toMatchObject({ status: 422, title: 'Insufficient top accounts' });
    await foundTopAccount(service, workspace, 'acme');
    const created = await create();
    expect(created.status).toBe(201);
    // It watches only monitored accounts (OP-18), and none is monitored.
    expect((await workspace.launch(created.body.data.id)).body.detail).toMatch(
      /^There are no target accounts configured\. No account is monitored: choose signal_buckets /,
    );
  });
});
