import { employed, observedCompany, observedPerson, observedPost } from '#test/support/observed-network.js';
import { scene } from '#test/support/scene.js';
import { foundTopAccount } from '#test/support/top-accounts.js';

const NOW = '2026-06-01T10:00:00.000Z';
const YESTERDAY = '2026-05-31T09:00:00Z';

describe('keywords in the posts of top accounts', () => {
  let covered: readonly string[] = [];
  const service = scene({
    at: NOW,
    outside: { coverage: { coveredAccounts: async () => covered } },
    network: [
      ...['acme', 'globex', 'initech'].map((handle) => observedCompany(handle)),
      observedPerson('ana', { ...employed('acme', 'VP Sales'), headline: 'VP Sales at Acme' }),
      observedPerson('bo', employed('globex', 'VP Sales')),
      observedPerson('cy', employed('initech', 'VP Sales')),
      ...['ana', 'bo', 'cy'].map((name) => observedPost(name, name, 'Our crm', YESTERDAY)),
      { ...observedPost('page', 'x', 'A CRM at Acme', '2026-05-30T09:00:00Z'), author_ref: 'c:acme' },
    ],
  });

  it('D-13 D-32 OP-18 are found for accounts that are both found and covered, people and pages, and are free', async () => {
    const workspace = await service.workspace({ credits: 100 });
    await workspace.persona({ job_title: ['CTO'], location: ['Japan'] });
    for (const handle of ['acme', 'globex']) await foundTopAccount(service, workspace, handle);
    const setupId = await workspace.setup('keywords-in-top-account-posts', {
      tracking_keywords: ['crm'],
    });
    covered = [];
    expect((await workspace.launch(setupId)).body.detail).toMatch(
      /^There are no target accounts configured\. No account is monitored/,
    );

    // Globex is found and not covered, Initech is covered and not found.
    covered = ['c:acme', 'c:initech'];
    expect(await workspace.run(setupId)).toMatchObject({
      stage: 'completed',
      matches_found: 2,
      credits_spent: 0,
    });
    const rows = await workspace.detections();
    expect(rows).toHaveLength(2);
    const [person, page] = rows;
    expect(person).toEqual({
      id: person.id,
      signal_type: 'keywordDetection',
      data: {
        content_id: expect.any(Number),
        author: {
          type: 'profile',
          full_name: 'ana Roy',
          headline: 'VP Sales at Acme',
          network_url: 'https://www.network.example/in/ana',
        },
        keywords_found: ['crm'],
      },
      detected_at: NOW,
      signal_date: '2026-05-31T09:00:00.000Z',
      lead_id: expect.any(Number),
      company_id: expect.any(Number),
      agent_id: setupId,
      source_url: 'https://www.network.example/posts/ana',
      author: {
        full_name: 'ana Roy',
        headline: 'VP Sales at Acme',
        network_url: 'https://www.network.example/in/ana',
      },
      excerpt: 'Our crm',
      provenance: [],
      credits: 0,
      movement_id: null,
    });
    expect(page).toMatchObject({
      data: {
        author: {
          type: 'company',
          company_name: 'acme',
          network_url: 'https://www.network.example/company/acme',
        },
      },
      lead_id: null,
      company_id: person.company_id,
      author: null,
    });
    // About a covered account both have top priority, for any persona.
    const { body } = await workspace.call('POST /api/v3/signals/query', { signal_setup_id: setupId });
    expect(body.data).toHaveLength(2);
    expect(await workspace.balance()).toMatchObject({ balance: 100, captured: 0, held: 0 });
    expect(await workspace.run(setupId)).toMatchObject({ matches_found: 0 });
  });

  it('D-13 are found for an account that was added before it was observed', async () => {
    const workspace = await service.workspace();
    await workspace.persona({ job_title: ['CTO'], location: ['Japan'] });
    await workspace.topAccounts('later');
    covered = ['c:later'];
    const setupId = await workspace.setup('keywords-in-top-account-posts', {
      tracking_keywords: ['crm'],
    });
    expect((await workspace.launch(setupId)).status).toBe(400);
    await service.ingest([
      observedCompany('later'),
      observedPerson('di', employed('later', 'VP Sales')),
      observedPost('di', 'di', 'Our crm', YESTERDAY),
    ]);
    expect(await workspace.run(setupId)).toMatchObject({ matches_found: 1 });
  });
});
