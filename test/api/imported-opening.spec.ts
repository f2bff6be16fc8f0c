import { importFile, openingFile } from '../support/opening-files.js';
import {
  completedRun,
  employed,
  keywordAgent,
  observedComment,
  observedCompany,
  observedPerson,
  observedPost,
} from '../support/observed-network.js';
import { addTo, watchingAgent } from '../support/list-agents.js';
import { scene, type SceneWorkspace } from '../support/scene.js';
import { postNames } from '../support/signal-runs.js';

const NOW = '2026-01-05T10:00:00.000Z';

describe('work that was paid for in another system', () => {
  const service = scene({
    at: NOW,
    network: [
      observedPerson('ana'),
      ...['1', '2', '3'].map((name) => observedPost(name, 'ana', 'a CRM', '2026-01-04T09:00:00Z')),
    ],
  });

  /** An opening is imported into a workspace without a movement. */
  const fresh = (): Promise<SceneWorkspace> => service.workspace({ credits: undefined });
  const credits = { kind: 'lot', id: 'all', credits: 100 };
  const commit = async (workspace: SceneWorkspace, lines: readonly object[]): Promise<void> => {
    const { status, body } = await importFile(
      service,
      workspace.id,
      openingFile([credits, ...lines] as never),
    );
    if (status !== 200) throw new Error(JSON.stringify(body));
  };

  it('IMP-01 D-06 is found and no longer charged, for the whole workspace or for one agent', async () => {
    const workspace = await fresh();
    const [first, second] = [await keywordAgent(workspace, 'crm'), await keywordAgent(workspace, 'a crm')];
    await commit(workspace, [
      { kind: 'paid', subject: 'post:post:1' },
      { kind: 'paid', subject: 'post:post:2', agent_id: first },
    ]);
    const quoted = await workspace.call('POST /api/v2/workspace/signal-runs/quote', { agent_id: first });
    expect(quoted.body).toMatchObject({ candidates: 3, new: 1, priced: 1, credits_at_most: 10, exact: true });
    await completedRun(service, workspace, first);
    expect(postNames(await workspace.detections())).toEqual(['3']);
    await completedRun(service, workspace, second);
    expect(postNames(await workspace.detections())).toEqual(['2', '3', '3']);
    expect((await workspace.movements()).map(({ credits: spent }) => spent)).toEqual([10, 10, 10]);
    expect(await workspace.balance()).toMatchObject({ balance: 70, captured: 30 });
  });

  it('IMP-01 is charged before the opening is imported, and again once it is reversed', async () => {
    const workspace = await fresh();
    const agent = await keywordAgent(workspace, 'crm');
    await commit(workspace, [{ kind: 'paid', subject: 'post:post:1' }]);
    await workspace.command('credits.reverse_import', { reason: 'x' });
    await workspace.command('credits.grant', { credits: 100, reason: 'contract' });
    await completedRun(service, workspace, agent);
    expect(await workspace.balance()).toMatchObject({ balance: 70, captured: 30 });
  });

  it('IMP-01 D-44 a person who was paid for is shown and free in lead discovery', async () => {
    await service.ingest([
      observedCompany('rival'),
      observedCompany('buyer'),
      observedPerson('ceo', employed('rival', 'CEO')),
      observedPerson('known', employed('buyer', 'VP Sales')),
      observedPerson('fresh', employed('buyer', 'VP Sales')),
      observedPost('rival-1', 'ceo', 'Our launch', '2026-01-04T09:00:00Z'),
      observedComment('k', 'known', 'rival-1', 'Congratulations to the team', '2026-01-04T10:00:00Z'),
      observedComment('f', 'fresh', 'rival-1', 'How does the pricing work', '2026-01-04T11:00:00Z'),
    ]);
    const workspace = await fresh();
    const { id } = await workspace.list('competitor', ['rival']);
    const agentId = await watchingAgent(workspace, 'competitor', id, { mode: 'lead_discovery' });
    await commit(workspace, [{ kind: 'paid', subject: 'lead:p:known', agent_id: agentId }]);
    const quoted = await workspace.call('POST /api/v2/workspace/signal-runs/quote', { agent_id: agentId });
    expect(quoted.body).toMatchObject({ candidates: 2, new: 2, priced: 1 });
    const run = await workspace.run(agentId);
    expect(quoted.body.credits_at_most).toBe(run.credits_spent);
    const found: readonly { lead: { full_name: string }; credits: number }[] = await workspace.data(
      'POST /api/v3/signals/query',
      { limit: 10 },
    );
    expect(found.map(({ credits: cost, lead }) => [lead.full_name, cost]).sort()).toEqual([
      ['fresh Roy', run.credits_spent],
      ['known Roy', 0],
    ]);
    expect(run.credits_spent).toBeGreaterThan(0);
    expect(await workspace.movements()).toHaveLength(1);
  });

  it('IMP-01 OP-27 a monitored month that was paid is free until its end, and charged from then on', async () => {
    await service.ingest([observedCompany('acme'), observedCompany('globex')]);
    const workspace = await fresh();
    const persona_id = await workspace.persona({
      tag: 'Sales',
      job_title: ['VP Sales'],
      location: ['France'],
    });
    const until = '2026-01-20T10:00:00.000Z';
    await commit(workspace, [{ kind: 'paid_month', domain: 'ACME.com', persona_id, until }]);
    const list = await workspace.list('customer');
    await workspace.monitor(list);
    await addTo(workspace, 'company', list.id, ['acme', 'globex']);
    await service.drain();
    expect(await workspace.data('GET /api/v3/account-monitoring')).toMatchObject({
      monitored_count: 2,
      not_covered_count: 0,
    });
    const months = async () =>
      (await workspace.movements()).map(({ created_at, credits: spent }) => [created_at, spent]);
    expect(await months()).toEqual([[NOW, 5]]);
    await service.setClock('2026-01-20T09:59:59.000Z');
    await service.drain();
    expect(await months()).toHaveLength(1);
    await service.setClock(until);
    await service.drain();
    expect(await months()).toEqual([
      [until, 5],
      [NOW, 5],
    ]);
    expect(await workspace.command('monitoring.verify')).toMatchObject({ ok: true, units: 2 });
    expect(await workspace.command('ledger.verify')).toMatchObject({ ok: true });
  });
});
