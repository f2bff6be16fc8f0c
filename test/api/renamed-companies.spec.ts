import { employed, observedCompany, observedPerson } from '#test/support/observed-network.js';
import { KEYWORD_TEMPLATE, seeRunThrough, signalSetup } from '#test/support/signal-runs.js';
import { scene } from '#test/support/scene.js';

describe('a monitored company that has another handle on the network', () => {
  const service = scene({
    at: '2026-01-10T10:00:00.000Z',
    network: [
      ...['acme', 'globex'].map((handle) => observedCompany(handle, { domains: [`${handle}.example`] })),
      observedPerson('ana', { ...employed('acme', 'VP Sales'), geo: { country: 'France' } }),
    ],
  });

  it('D-16 stays covered: its signals are free until covered_until', async () => {
    const workspace = await service.workspace({ credits: 100 });
    await workspace.call('POST /api/v2/personas', { job_title: ['VP'], location: ['France'] });
    await workspace.monitor(await workspace.list('customer', ['acme']));
    await service.post('ana', 'About a CRM');
    await service.ingest([
      observedCompany('acme', { rev: 2, handle: 'acme-inc', domains: ['acme.example'] }),
    ]);
    const setupId = await signalSetup(workspace, KEYWORD_TEMPLATE, { tracking_keywords: ['CRM'] });
    expect(await seeRunThrough(service, workspace, setupId)).toMatchObject({
      matches_found: 1,
      credits_spent: 0,
    });
    expect(await workspace.balance()).toMatchObject({ balance: 95, captured: 5 });
  });

  it('D-11 is not taken for another company of the same domain, if it was never observed itself', async () => {
    const workspace = await service.workspace({ credits: 100 });
    await workspace.call('POST /api/v2/personas', { job_title: ['VP'], location: ['France'] });
    const list = await workspace.list('customer', []);
    const members = [{ network_handle: 'globex-uk', domain: 'globex.example' }];
    await workspace.call(`POST /api/v2/lists/company/${list.id}/members`, { members });
    await workspace.monitor(list);
    await service.ingest([
      observedPerson('bo', { ...employed('globex', 'VP Sales'), geo: { country: 'France' } }),
    ]);
    await service.post('bo', 'About an ERP');
    const setupId = await signalSetup(workspace, KEYWORD_TEMPLATE, { tracking_keywords: ['ERP'] });
    expect(await seeRunThrough(service, workspace, setupId)).toMatchObject({
      matches_found: 1,
      credits_spent: 10,
    });
  });
});
