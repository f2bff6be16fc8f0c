import { answered } from '#test/support/expected-answers.js';
import { keywordAgent } from '#test/support/observed-network.js';
import { scene, sharedWorkspace } from '#test/support/scene.js';
import { KEYWORD_TEMPLATE } from '#test/support/signal-runs.js';
import type { Answer } from '#test/support/service.js';

const LAUNCH = 'POST /api/v2/workspace/signal-runs';
const BAD_BODY = { type: 'https://docs.example.test/errors/bad-request', title: 'Bad Request', status: 400 };

// No worker executes runs here, so that a launched run stays in progress during a test.
describe('signal runs, launched and polled', () => {
  const service = scene({ at: '2026-06-01T10:00:00.000Z' });
  const other = sharedWorkspace(service);
  let agentId: number;
  const workspace = sharedWorkspace(service, {}, async (made) => {
    await made.persona();
    agentId = await keywordAgent(made, 'crm');
    await service.service.host.runner.stop();
  });

  /** The call adds no event to any stream and answers with this problem. */
  async function refused(call: () => Promise<Answer>, problem: object): Promise<Answer['body']> {
    const { status, headers, body } = await service.refused(call);
    expect(headers.get('content-type')).toContain('application/problem+json');
    expect(body).toMatchObject({ instance: '/api/v2/workspace/signal-runs', ...problem });
    expect(status).toBe(body.status);
    return body;
  }

  describe(LAUNCH, () => {
    it('RUN-01 RUN-05 STM-11 answers with one run in progress, and records only the launch', async () => {
      const fresh = await keywordAgent(workspace, 'crm');
      await service.expectEvents(['RunLaunched'], async () => {
        const body = await answered(202, workspace.launch(fresh));
        expect(body).toEqual([{ signal_request_id: expect.any(Number), stage: 'running' }]);
      });
    });

    it('RUN-27 OP-09 OP-18 takes the id of a signal setup for agent_id, also of a disabled one', async () => {
      const setupId = await workspace.setup(KEYWORD_TEMPLATE, { tracking_keywords: ['crm'] });
      await workspace.call(`PATCH /api/v3/signal-setups/${setupId}`, { enabled: false });
      const body = await answered(202, workspace.launch(setupId));
      expect(body).toEqual([{ signal_request_id: expect.any(Number), stage: 'running' }]);
      expect((await workspace.poll(body[0].signal_request_id)).body).toMatchObject({ agent_id: setupId });
    });

    it('RUN-40 takes a setup as signal_setup_id, exactly one of it and agent_id, and no agent by that name', async () => {
      const setupId = await workspace.setup(KEYWORD_TEMPLATE, { tracking_keywords: ['crm'] });
      await answered(202, workspace.call(LAUNCH, { signal_setup_id: setupId }));
      const both = { agent_id: agentId, signal_setup_id: setupId };
      const { errors } = await refused(() => workspace.call(LAUNCH, both), BAD_BODY);
      expect(errors).toEqual({ agent_id: ['exactly one of agent_id, signal_setup_id is needed'] });
      await refused(() => workspace.call(LAUNCH, { signal_setup_id: agentId }), {
        status: 404,
        detail: 'The workspace has no signal setup with this id.',
      });
    });

    it('RUN-06 OP-07 refuses a body without an integer agent_id', async () => {
      for (const wrong of [
        undefined,
        {},
        { agent_id: null },
        { agent_id: '7' },
        { agent_id: 1.5 },
        { agent_id: 0 },
      ]) {
        const body = await refused(() => workspace.call(LAUNCH, wrong), BAD_BODY);
        expect([wrong, Object.keys(body.errors)]).toEqual([wrong, ['agent_id']]);
      }
      for (const wrong of ['[]', '5', '"text"', 'null', 'true', '{"agent_id":', '{agent_id: 1}']) {
        await refused(() => workspace.call(LAUNCH, wrong), BAD_BODY);
      }
    });

    it('RUN-07 refuses a lookback that is not a whole number of days from 1 to 180', async () => {
      for (const days of [0, 181, -1, 1.5, 'x', '30', [], {}, true]) {
        const body = await refused(() => workspace.launch(agentId, { lookback_days: days }), BAD_BODY);
        expect([days, Object.keys(body.errors)]).toEqual([days, ['parameters.lookback_days']]);
      }
      for (const parameters of [[], 5, 'x']) {
        const body = await refused(() => workspace.launch(agentId, parameters), BAD_BODY);
        expect(Object.keys(body.errors)).toEqual(['parameters']);
      }
    });

    it('RUN-07 takes 1, 90 and 180 days, 90 by default, and ignores other parameters', async () => {
      for (const [parameters, days] of [
        [{ lookback_days: 1 }, 1],
        [{ lookback_days: 90 }, 90],
        [{ lookback_days: 180 }, 180],
        [{ depth: 'deep' }, 90],
        [{}, 90],
        [undefined, 90],
      ] as const) {
        const body = await answered(202, workspace.launch(await keywordAgent(workspace, 'crm'), parameters));
        const { body: run } = await workspace.poll(body[0].signal_request_id);
        expect(run.lookback_days).toBe(days);
      }
    });

    it('RUN-10 ISO-10 ISO-15 refuses unknown and foreign agents and setups with the same message', async () => {
      const problem = { type: 'https://docs.example.test/errors/not-found', title: 'Not Found', status: 404 };
      const foreign = await keywordAgent(other, 'crm');
      await other.persona();
      const foreignSetup = await other.setup(KEYWORD_TEMPLATE, { tracking_keywords: ['crm'] });
      const never = await refused(() => workspace.launch(999_999), problem);
      expect(await refused(() => workspace.launch(foreign), problem)).toEqual(never);
      expect(await refused(() => workspace.launch(foreignSetup), problem)).toEqual(never);
    });

    it('RUN-13 OPS-04 launches nothing while the workspace is blocked, for any agent, and launches again after', async () => {
      const blocked = await service.workspace();
      const blockedAgent = await keywordAgent(blocked, 'crm');
      await blocked.command('workspace.block', { reason: 'unpaid' });
      const problem = { type: 'https://docs.example.test/errors/forbidden', title: 'Forbidden', status: 403 };
      await refused(() => blocked.launch(blockedAgent), problem);
      await refused(() => blocked.launch(999_999), problem);
      await refused(() => blocked.launch('x'), BAD_BODY);
      expect((await blocked.call(`GET /api/v2/agents/${blockedAgent}`)).status).toBe(200);
      await blocked.command('workspace.unblock', { reason: 'paid' });
      expect((await blocked.launch(blockedAgent)).status).toBe(202);
    });

    it('RUN-14 refuses a second run while one is in progress, of this agent alone', async () => {
      const problem = { type: 'https://docs.example.test/errors/conflict', title: 'Conflict', status: 409 };
      const busy = await keywordAgent(workspace, 'crm');
      const idle = await keywordAgent(workspace, 'crm');
      expect((await workspace.launch(busy)).status).toBe(202);
      await refused(() => workspace.launch(busy), problem);
      expect((await workspace.launch(idle)).status).toBe(202);
    });

    it('OP-36 names the run in progress before the missing credits', async () => {
      const poor = await service.workspace({ credits: 10 });
      const poorAgent = await keywordAgent(poor, 'crm');
      await poor.launch(poorAgent);
      await poor.command('credits.withdraw', { credits: 10, reason: 'test' });
      await refused(() => poor.launch(poorAgent), { status: 409 });
    });

    it('RUN-16 INV-09 launches one of many concurrent requests and refuses the others', async () => {
      const contested = await keywordAgent(workspace, 'crm');
      let answers: readonly Answer[] = [];
      await service.expectEvents(['RunLaunched'], async () => {
        answers = await Promise.all(Array.from({ length: 8 }, () => workspace.launch(contested)));
      });
      expect(answers.map(({ status }) => status).sort()).toEqual([
        202,
        ...Array.from({ length: 7 }, () => 409),
      ]);
    });

    it('RUN-20 RUN-21 SUP-20 OP-67 requires the price of one match: 9.999999 credits are too few, 10 are enough', async () => {
      const poor = await service.workspace({ credits: '9.999999' });
      const poorAgent = await keywordAgent(poor, 'crm');
      await refused(() => poor.launch(poorAgent), {
        type: 'https://docs.example.test/errors/insufficient-credits',
        title: 'Insufficient credits',
        status: 402,
        credits_required: 10,
        credits_available: 9.999999,
        credits_held: 0,
      });
      await poor.command('credits.grant', { credits: '0.000001', reason: 'top-up' });
      expect((await poor.launch(poorAgent)).status).toBe(202);
    });

    it('RUN-20 BAL-02 OP-67 does not count held credits until they are released', async () => {
      const holding = await service.workspace({ credits: 12 });
      const holdingAgent = await keywordAgent(holding, 'crm');
      await holding.command('credits.hold', { key: 'elsewhere', credits: 5, product: 'testing' });
      await refused(() => holding.launch(holdingAgent), {
        status: 402,
        credits_required: 10,
        credits_available: 7,
        credits_held: 5,
      });
      await holding.command('credits.release', { key: 'elsewhere' });
      expect((await holding.launch(holdingAgent)).status).toBe(202);
    });

    it('RUN-28 requires a key', async () => {
      expect((await service.call(LAUNCH, { agent_id: agentId })).status).toBe(401);
    });
  });

  describe('GET /api/v2/workspace/signal-runs/:id', () => {
    it('OP-37 RUN-05 CONV-10 STM-11 shows a run in progress as soon as the launch is answered', async () => {
      const fresh = await keywordAgent(workspace, 'crm');
      const launched = await workspace.launch(fresh, { lookback_days: 30 });
      const runId = launched.body[0].signal_request_id;
      const body = await answered(200, workspace.poll(runId));
      expect(body).toEqual({
        signal_request_id: runId,
        stage: 'running',
        agent_id: fresh,
        direction: 'single',
        trigger: 'manual',
        lookback_days: 30,
        matches_found: 0,
        matches_dropped: 0,
        credits_spent: 0,
        max_credits: null,
        credits_left: null,
        created_at: '2026-06-01T10:00:00.000Z',
        completed_at: null,
      });
    });

    it('OP-37 ISO-12 ISO-15 refuses malformed ids with 400; unknown and foreign ones are 404 with the same message', async () => {
      for (const wrong of ['abc', '0', '-1', '1.5', '99999999999999999', '1e3', '%20']) {
        const { status, body } = await workspace.poll(wrong);
        expect([wrong, status, body.type]).toEqual([
          wrong,
          400,
          'https://docs.example.test/errors/bad-request',
        ]);
      }
      const launched = await other.launch(await keywordAgent(other, 'crm'));
      const foreign = await workspace.poll(launched.body[0].signal_request_id);
      const never = await workspace.poll(999_999);
      expect(never.body).toMatchObject({
        type: 'https://docs.example.test/errors/not-found',
        status: 404,
      });
      expect({ ...foreign.body, instance: '' }).toEqual({ ...never.body, instance: '' });
    });
  });
});
