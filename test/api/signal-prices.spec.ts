import { answered, refusal } from '#test/support/expected-answers.js';
import {
  IN_FRANCE,
  employed,
  keywordAgent,
  observedComment,
  observedCompany,
  observedPerson,
  observedPost,
  observedReaction,
} from '#test/support/observed-network.js';
import { watchingAgent } from '#test/support/list-agents.js';
import { KEYWORD_TEMPLATE } from '#test/support/signal-runs.js';
import { scene, type SceneWorkspace } from '#test/support/scene.js';
import type { Answer } from '#test/support/service.js';

describe('from a signal to its price', () => {
  const service = scene({
    at: '2026-06-01T10:00:00.000Z',
    network: [
      ...['acme', 'rival', 'elsewhere'].map((handle) => observedCompany(handle)),
      observedPerson('fits', { ...IN_FRANCE, ...employed('acme', 'VP Sales') }),
      observedPerson('differs', { ...IN_FRANCE, ...employed('acme', 'Gardener') }),
      observedPost('crm-1', 'fits', 'a crm', '2026-05-01T09:00:00Z'),
      observedPost('crm-2', 'differs', 'a crm', '2026-05-02T09:00:00Z'),
      observedPerson('bo', employed('rival', 'Account Executive')),
      observedPerson('eve', employed('elsewhere', 'CTO')),
      observedPost('of-bo', 'bo', 'We sell', '2026-04-01T09:00:00Z'),
      observedComment('eve-bo', 'eve', 'of-bo', 'Nice', '2026-05-02T09:00:00Z'),
      observedReaction('eve-bo', 'eve', 'of-bo', '2026-05-03T09:00:00Z'),
    ],
  });

  const paidFor = async (workspace: SceneWorkspace, query: string): Promise<Answer> =>
    workspace.call(`GET /api/v3/credits/movements?${query}`);
  type Row = { readonly id: number; readonly credits: number; readonly movement_id: number | null };

  it('SIG-48 USE-23 INV-02 every paid signal names its charge, and their prices add up to the captured credits', async () => {
    const workspace = await service.workspace();
    const run = await workspace.run(await keywordAgent(workspace, 'crm'));
    const rows: readonly Row[] = await workspace.detections();
    expect(rows.map(({ credits }) => credits)).toEqual([10, 10]);
    expect(run.credits_spent).toBe(20);
    const movements = await workspace.movements();
    expect(rows.map(({ movement_id }) => movement_id).sort()).toEqual(movements.map(({ id }) => id).sort());
    for (const { id, movement_id } of rows) {
      const body = await answered(200, paidFor(workspace, `signal_id=${id}`));
      expect(body.meta.cursor).toEqual({ next: null, has_more: false });
      expect(body.data).toMatchObject([{ id: movement_id, credits: 10, status: 'captured' }]);
      const { origin } = await workspace.data(`GET /api/v3/credits/movements/${movement_id}`);
      expect(origin.signal.id).toBe(id);
    }
  });

  it('SIG-48 v3 signals and the latest signal of a setup show the same; a signal below top priority is free', async () => {
    const workspace = await service.workspace();
    await workspace.persona({ job_title: ['VP Sales'], location: ['France'] });
    await service.command('prices.set', { item: `discovery:${KEYWORD_TEMPLATE}`, credits: '12.5' });
    const setupId = await workspace.setup(KEYWORD_TEMPLATE, { tracking_keywords: ['crm'] });
    await workspace.run(setupId);
    await service.command('prices.set', { item: `discovery:${KEYWORD_TEMPLATE}`, credits: 10 });
    const rows: readonly Row[] = await workspace.detections();
    const paid = rows.find(({ movement_id }) => movement_id !== null);
    expect(rows.filter((row) => row !== paid)).toMatchObject([{ credits: 0, movement_id: null }]);
    const price = { id: paid?.id, credits: 12.5, movement_id: paid?.movement_id };
    expect(await workspace.data('POST /api/v3/signals/query', {})).toMatchObject([price]);
    const stats = await workspace.data(`GET /api/v3/signal-setups/${setupId}/stats`);
    expect(stats.latest_signal).toMatchObject(price);
  });

  it('SIG-48 D-44 signals of one movement name the same movement: they were paid once', async () => {
    const workspace = await service.workspace();
    const { id: listId } = await workspace.list('competitor', ['rival']);
    const agentId = await watchingAgent(workspace, 'competitor', listId, { mode: 'lead_discovery' });
    await workspace.run(agentId);
    const rows: readonly Row[] = await workspace.detections();
    expect(rows).toHaveLength(2);
    const [movement, ...others] = await workspace.movements();
    expect(others).toEqual([]);
    for (const { id, ...price } of rows) {
      expect(price).toMatchObject({ credits: 10, movement_id: movement.id });
      expect((await paidFor(workspace, `signal_id=${id}`)).body.data).toMatchObject([{ id: movement.id }]);
    }
    // The reaction is a later signal of the same movement.
    const { cause, origin } = await workspace.data(`GET /api/v3/credits/movements/${movement.id}`);
    expect([cause.subject, origin.signal]).toMatchObject([
      expect.stringMatching(/^leadCommentedCompetitorContent:/),
      { signal_type: 'leadCommentedCompetitorContent', id: Math.min(...rows.map(({ id }) => id)) },
    ]);
  });

  it('SIG-48 OP-25 a signal added by hand, or found for an exempt workspace, is free', async () => {
    const exempt = await service.workspace({ billing: 'exempt', credits: undefined });
    await exempt.run(await keywordAgent(exempt, 'crm'));
    await exempt.command('detection.add', { signal_type: 'deepSearch', company_network_handle: 'acme' });
    const rows: readonly Row[] = await exempt.detections();
    expect(rows).toHaveLength(3);
    for (const { id, ...price } of rows) {
      expect(price).toMatchObject({ credits: 0, movement_id: null });
      expect((await paidFor(exempt, `signal_id=${id}`)).body.data).toEqual([]);
    }
  });

  it('USE-23 has no charge for an unknown or foreign signal, and refuses two causes and an invalid id', async () => {
    const workspace = await service.workspace();
    const agentId = await keywordAgent(workspace, 'crm');
    await workspace.run(agentId);
    const [{ id }] = (await workspace.detections()) as [Row];
    const other = await service.workspace();
    for (const [owner, signal] of [
      [other, id],
      [workspace, 999_999],
    ] as const) {
      const body = await answered(200, paidFor(owner, `signal_id=${signal}`));
      expect(body.data).toEqual([]);
    }
    const { body: first } = await paidFor(workspace, `agent_id=${agentId}&limit=1`);
    for (const [query, name] of [
      [`signal_id=${id}&agent_id=${agentId}`, 'signal_id'],
      ['signal_id=x', 'signal_id'],
      ['signal_id=0', 'signal_id'],
      [`signal_id=${id}&cursor=${encodeURIComponent(first.meta.cursor.next)}`, 'cursor'],
    ] as const) {
      await refusal(400, paidFor(workspace, query), name);
    }
  });
});
