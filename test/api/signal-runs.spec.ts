import { keywordAgent } from '#test/support/observed-network.js';
import { KEYWORD_TEMPLATE, launchRun, pollRun, signalSetup } from '#test/support/signal-runs.js';
import {
  startTestService,
  type Answer,
  type TestService,
  type TestWorkspace,
} from '#test/support/service.js';

const LAUNCH = 'POST /api/v2/workspace/signal-runs';
const BAD_BODY = { type: 'https://docs.example.test/errors/bad-request', title: 'Bad Request', status: 400 };

// No worker executes runs here, so that a launched run stays in progress during a test.
describe('signal runs, launched and polled', () => {
  let service: TestService;
  let workspace: TestWorkspace;
  let other: TestWorkspace;
  let agentId: number;

  beforeAll(async () => {
    service = await startTestService({ CLOCK: 'manual' });
    await service.ops('clock.set', { now: '2026-06-01T10:00:00.000Z' });
    workspace = await service.workspace();
    other = await service.workspace();
    await workspace.call('POST /api/v2/personas', { job_title: ['CTO'], location: ['France'] });
    agentId = await keywordAgent(workspace, 'crm');
    await service.service.host.runner.stop();
  });
  afterAll(() => service.stop());

  /** The call adds no event to any stream and answers with this problem. */
  async function refused(call: () => Promise<Answer>, problem: object): Promise<Answer['body']> {
    let body: Answer['body'];
    const added = await service.eventsOf(async () => {
      const answer = await call();
      body = answer.body;
      expect(answer.headers.get('content-type')).toContain('application/problem+json');
      expect(body).toMatchObject({ instance: '/api/v2/workspace/signal-runs', ...problem });
      expect(answer.status).toBe(body.status);
    });
    expect(added).toEqual([]);
    return body;
  }

  describe(LAUNCH, () => {
    it('RUN-01 RUN-05 STM-11 answers with one run in progress, and records only the launch', async () => {
      const fresh = await keywordAgent(workspace, 'crm');
      const added = await service.eventsOf(async () => {
        const { status, body } = await launchRun(workspace, fresh);
        expect(status).toBe(202);
        expect(body).toEqual([{ signal_request_id: expect.any(Number), stage: 'running' }]);
      });
      expect(added).toEqual(['RunLaunched']);
    });

    it('RUN-27 OP-09 OP-18 takes the id of a signal setup for agent_id, also of a disabled one', async () => {
      const setupId = await signalSetup(workspace, KEYWORD_TEMPLATE, { tracking_keywords: ['crm'] });
      await workspace.call(`PATCH /api/v3/signal-setups/${setupId}`, { enabled: false });
      const { status, body } = await launchRun(workspace, setupId);
      expect([status, body]).toEqual([202, [{ signal_request_id: expect.any(Number), stage: 'running' }]]);
      expect((await pollRun(workspace, body[0].signal_request_id)).body).toMatchObject({ agent_id: setupId });
    });

    it('RUN-40 takes a setup as signal_setup_id, exactly one of it and agent_id, and no agent by that name', async () => {
      const setupId = await signalSetup(workspace, KEYWORD_TEMPLATE, { tracking_keywords: ['crm'] });
      const { status } = await workspace.call(LAUNCH, { signal_setup_id: setupId });
      expect(status).toBe(202);
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
        const body = await refused(() => launchRun(workspace, agentId, { lookback_days: days }), BAD_BODY);
        expect([days, Object.keys(body.errors)]).toEqual([days, ['parameters.lookback_days']]);
      }
      for (const parameters of [[], 5, 'x']) {
        const body = await refused(() => launchRun(workspace, agentId, parameters), BAD_BODY);
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
        const { status, body } = await launchRun(workspace, await keywordAgent(workspace, 'crm'), parameters);
        expect(status).toBe(202);
        const { body: run } = await pollRun(workspace, body[0].signal_request_id);
        expect(run.lookback_days).toBe(days);
      }
    });

    it('RUN-10 ISO-10 ISO-15 refuses unknown and foreign agents and setups with the same message', async () => {
      const problem = { type: 'https://docs.example.test/errors/not-found', title: 'Not Found', status: 404 };
      const foreign = await keywordAgent(other, 'crm');
      await other.call('POST /api/v2/personas', { job_title: ['CTO'], location: ['France'] });
      const foreignSetup = await signalSetup(other, KEYWORD_TEMPLATE, { tracking_keywords: ['crm'] });
      const never = await refused(() => launchRun(workspace, 999_999), problem);
      expect(await refused(() => launchRun(workspace, foreign), problem)).toEqual(never);
      expect(await refused(() => launchRun(workspace, foreignSetup), problem)).toEqual(never);
    });

    it('RUN-13 OPS-04 launches nothing while the workspace is blocked, for any agent, and launches again after', async () => {
      const blocked = await service.workspace();
      const blockedAgent = await keywordAgent(blocked, 'crm');
      await service.ops('workspace.block', { workspace_id: blocked.id, reason: 'unpaid' });
      const problem = { type: 'https://docs.example.test/errors/forbidden', title: 'Forbidden', status: 403 };
      await refused(() => launchRun(blocked, blockedAgent), problem);
      await refused(() => launchRun(blocked, 999_999), problem);
      await refused(() => launchRun(blocked, 'x'), BAD_BODY);
      expect((await blocked.call(`GET /api/v2/agents/${blockedAgent}`)).status).toBe(200);
      await service.ops('workspace.unblock', { workspace_id: blocked.id, reason: 'paid' });
      expect((await launchRun(blocked, blockedAgent)).status).toBe(202);
    });

    it('RUN-14 refuses a second run while one is in progress, of this agent alone', async () => {
      const problem = { type: 'https://docs.example.test/errors/conflict', title: 'Conflict', status: 409 };
      const busy = await keywordAgent(workspace, 'crm');
      const idle = await keywordAgent(workspace, 'crm');
      expect((await launchRun(workspace, busy)).status).toBe(202);
      await refused(() => launchRun(workspace, busy), problem);
      expect((await launchRun(workspace, idle)).status).toBe(202);
    });

    it('OP-36 names the run in progress before the missing credits', async () => {
      const poor = await service.workspace({ credits: 10 });
      const poorAgent = await keywordAgent(poor, 'crm');
      await launchRun(poor, poorAgent);
      await service.ops('credits.withdraw', { workspace_id: poor.id, credits: 10, reason: 'test' });
      await refused(() => launchRun(poor, poorAgent), { status: 409 });
    });

    it('RUN-16 INV-09 launches one of many concurrent requests and refuses the others', async () => {
      const contested = await keywordAgent(workspace, 'crm');
      let answers: readonly Answer[] = [];
      const added = await service.eventsOf(async () => {
        answers = await Promise.all(Array.from({ length: 8 }, () => launchRun(workspace, contested)));
      });
      expect(answers.map(({ status }) => status).sort()).toEqual([
        202,
        ...Array.from({ length: 7 }, () => 409),
      ]);
      expect(added).toEqual(['RunLaunched']);
    });

    it('RUN-20 RUN-21 SUP-20 OP-67 requires the price of one match: 9.999999 credits are too few, 10 are enough', async () => {
      const poor = await service.workspace({ credits: '9.999999' });
      const poorAgent = await keywordAgent(poor, 'crm');
      await refused(() => launchRun(poor, poorAgent), {
        type: 'https://docs.example.test/errors/insufficient-credits',
        title: 'Insufficient credits',
        status: 402,
        credits_required: 10,
        credits_available: 9.999999,
        credits_held: 0,
      });
      await service.ops('credits.grant', { workspace_id: poor.id, credits: '0.000001', reason: 'top-up' });
      expect((await launchRun(poor, poorAgent)).status).toBe(202);
    });

    it('RUN-20 BAL-02 OP-67 does not count held credits until they are released', async () => {
      const holding = await service.workspace({ credits: 12 });
      const holdingAgent = await keywordAgent(holding, 'crm');
      const held = { workspace_id: holding.id, key: 'elsewhere', credits: 5, product: 'testing' };
      await service.ops('credits.hold', held);
      await refused(() => launchRun(holding, holdingAgent), {
        status: 402,
        credits_required: 10,
        credits_available: 7,
        credits_held: 5,
      });
      await service.ops('credits.release', { workspace_id: holding.id, key: 'elsewhere' });
      expect((await launchRun(holding, holdingAgent)).status).toBe(202);
    });

    it('RUN-28 requires a key', async () => {
      expect((await service.call(LAUNCH, { agent_id: agentId })).status).toBe(401);
    });
  });

  describe('GET /api/v2/workspace/signal-runs/:id', () => {
    it('OP-37 RUN-05 CONV-10 STM-11 shows a run in progress as soon as the launch is answered', async () => {
      const fresh = await keywordAgent(workspace, 'crm');
      const launched = await launchRun(workspace, fresh, { lookback_days: 30 });
      const runId = launched.body[0].signal_request_id;
      const { status, body } = await pollRun(workspace, runId);
      expect(status).toBe(200);
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
        const { status, body } = await pollRun(workspace, wrong);
        expect([wrong, status, body.type]).toEqual([
          wrong,
          400,
          'https://docs.example.test/errors/bad-request',
        ]);
      }
      const launched = await launchRun(other, await keywordAgent(other, 'crm'));
      const foreign = await pollRun(workspace, launched.body[0].signal_request_id);
      const never = await pollRun(workspace, 999_999);
      expect(never.body).toMatchObject({
        type: 'https://docs.example.test/errors/not-found',
        status: 404,
      });
      expect({ ...foreign.body, instance: '' }).toEqual({ ...never.body, instance: '' });
    });
  });
});
