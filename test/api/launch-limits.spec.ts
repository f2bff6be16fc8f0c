import { answered, refusal } from '#test/support/expected-answers.js';
import { watchingAgent } from '#test/support/list-agents.js';
import {
  employed,
  keywordAgent,
  observedComment,
  observedCompany,
  observedPerson,
  observedPost,
} from '#test/support/observed-network.js';
import { scene, type SceneWorkspace } from '#test/support/scene.js';
import type { Answer } from '#test/support/service.js';

describe('QUO-02 the limit of a launch', () => {
  const service = scene({
    at: '2026-06-01T10:00:00.000Z',
    network: [
      observedCompany('acme'),
      observedPerson('author', employed('acme', 'VP Sales')),
      observedCompany('rival'),
      observedPerson('seller', employed('rival', 'Account Executive')),
      observedComment('of-seller', 'seller', 'post-1', 'We can help', '2026-05-06T09:00:00Z'),
      ...[1, 2, 3, 4, 5].map((day) =>
        observedPost(`post-${day}`, 'author', 'a crm', `2026-05-0${day}T09:00:00Z`),
      ),
    ],
  });

  const launch = (workspace: SceneWorkspace, agent_id: number, max_credits: unknown): Promise<Answer> =>
    workspace.call('POST /api/v2/workspace/signal-runs', { agent_id, max_credits });

  it('ends the run with its prefix paid, and the run shows the limit and the rest', async () => {
    const workspace = await service.workspace();
    const agent = await keywordAgent(workspace, 'crm');
    let runId = 0;
    const events = await service.eventsOf(async () => {
      const launched = await answered(202, launch(workspace, agent, 25.5));
      runId = launched[0].signal_request_id;
      expect((await workspace.poll(runId)).body).toMatchObject({ max_credits: 25.5 });
      await service.drain();
    });
    expect(events.filter((type) => type.startsWith('Budget'))).toEqual(['BudgetOpened', 'BudgetClosed']);
    const shown = {
      stage: 'completed_partial',
      matches_found: 2,
      matches_dropped: 3,
      credits_spent: 20,
      max_credits: 25.5,
      credits_left: 5.5,
    };
    expect((await workspace.poll(runId)).body).toMatchObject(shown);
    const listed = await workspace.call('GET /api/v2/workspace/signal-runs');
    expect(listed.body.data[0]).toMatchObject(shown);
    expect(await workspace.balance()).toMatchObject({ balance: 980, held: 0, captured: 20 });
    expect(await workspace.command('ledger.verify')).toMatchObject({ ok: true, differences: [] });
    // A later launch has a limit of its own, or none.
    expect(await workspace.run(agent)).toMatchObject({
      stage: 'completed',
      matches_found: 3,
      max_credits: null,
      credits_left: null,
    });
  });

  it('is met exactly by a run that finds as much as it covers', async () => {
    const workspace = await service.workspace();
    const { body } = await launch(workspace, await keywordAgent(workspace, 'crm'), 50);
    await service.drain();
    expect((await workspace.poll(body[0].signal_request_id)).body).toMatchObject({
      stage: 'completed',
      matches_found: 5,
      credits_left: 0,
    });
  });

  it('OP-37 has one rest, which the runs of both directions show, also after the launch', async () => {
    const workspace = await service.workspace();
    const rivals = await workspace.list('competitor', ['rival']);
    const agent = await watchingAgent(workspace, 'competitor', rivals.id, { mode: 'lead_discovery' });
    await launch(workspace, agent, 50);
    await service.drain();
    const shown = (rows: readonly Answer['body'][]): readonly unknown[] =>
      rows.map(({ direction, credits_spent, credits_left }) => [direction, credits_spent, credits_left]);
    const both = [
      ['outbound', 10, 40],
      ['inbound', 0, 40],
    ];
    expect(shown(await workspace.data('GET /api/v2/workspace/signal-runs'))).toEqual(both);
    const ends = await workspace.data('GET /api/v3/events?type=run.ended');
    expect(shown(ends.map(({ data }: Answer['body']) => data).reverse())).toEqual(both);
  });

  it('is refused below the price of one signal with 422, and with 400 if it is invalid: nothing is launched', async () => {
    const workspace = await service.workspace();
    const agent = await keywordAgent(workspace, 'crm');
    await service.expectSettledEvents([], async () => {
      for (const [max_credits, status] of [
        [9.999999, 422],
        [0, 422],
        [-1, 400],
        [1.0000001, 400],
        ['50', 400],
        [null, 400],
      ] as const) {
        await refusal(status, launch(workspace, agent, max_credits), 'max_credits');
      }
    });
  });

  it('OP-25 has no effect while nobody is billed: a launch and its quote are not refused, and everything is found', async () => {
    const exempt = await service.workspace({ billing: 'exempt' });
    const agent_id = await keywordAgent(exempt, 'crm');
    const quote = exempt.call('POST /api/v2/workspace/signal-runs/quote', { agent_id, max_credits: 5 });
    expect(await answered(200, quote)).toMatchObject({ new: 5, credits_at_most: 0 });
    const [run] = await answered(202, launch(exempt, agent_id, 5));
    await service.drain();
    const end = { stage: 'completed', matches_found: 5, matches_dropped: 0, credits_spent: 0 };
    expect((await exempt.poll(run.signal_request_id)).body).toMatchObject(end);
  });
});
