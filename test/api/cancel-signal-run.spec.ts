import { keywordAgent, observedPost } from '#test/support/observed-network.js';
import { launchRun } from '#test/support/signal-runs.js';
import { scene, sharedWorkspace } from '#test/support/scene.js';
import { startTestService, type Answer, type TestWorkspace } from '#test/support/service.js';

const NOW = '2026-06-01T10:00:00.000Z';
const POSTS = 120;
/** The number of matches after which a run checks for a cancellation. */
const BATCH = 50;

const cancelRun = (workspace: TestWorkspace, runId: unknown): Promise<Answer> =>
  workspace.call(`POST /api/v2/workspace/signal-runs/${String(runId)}/cancel`);

describe('POST /api/v2/workspace/signal-runs/:id/cancel', () => {
  const service = scene({
    at: NOW,
    network: Array.from({ length: POSTS }, (_, index) =>
      observedPost(`cancel-${index}`, 'ana', 'a crm', `2026-05-31T08:00:00.${100 + index}Z`),
    ),
  });
  const workspace = sharedWorkspace(service, { credits: 10_000 });

  /** Calls `act` as soon as the credits of this many batches are held, while the worker waits in that batch. */
  async function inTheMiddleOfBatch(batch: number, act: () => Promise<void>): Promise<() => void> {
    const { events } = service.service.host.stores;
    const { append } = events;
    let holds = 0;
    const watching: typeof append = async (stream, expected, appended) => {
      const done = await append(stream, expected, appended);
      if (appended.some(({ type }) => type === 'CreditsHeld') && (holds += 1) === batch) await act();
      return done;
    };
    Object.assign(events, { append: watching });
    return () => void Object.assign(events, { append });
  }

  const latestRun = async (agentId: number): Promise<number> =>
    (await workspace.data(`GET /api/v2/workspace/signal-runs?agent_id=${agentId}`))[0].signal_request_id;
  async function expectLedgerIsClean(): Promise<void> {
    const verified = await service.ops('ledger.verify', { workspace_id: workspace.id });
    expect(verified.body).toMatchObject({ ok: true, differences: [] });
    expect((await workspace.balance()).held).toBe(0);
  }

  it('RUN-37 RUN-38 stops a run in the middle of a batch: that batch is its last, and is kept and paid completely', async () => {
    const agentId = await keywordAgent(workspace, 'crm');
    let answer: Answer | undefined;
    let runId = 0;
    const undo = await inTheMiddleOfBatch(2, async () => {
      runId = await latestRun(agentId);
      answer = await cancelRun(workspace, runId);
      expect((await workspace.poll(runId)).body.stage).toBe('running');
      expect((await cancelRun(workspace, runId)).status).toBe(202);
    });
    try {
      const run = await workspace.run(agentId);
      expect([answer?.status, answer?.body]).toEqual([202, { signal_request_id: runId, stage: 'running' }]);
      expect(run).toMatchObject({
        signal_request_id: runId,
        stage: 'completed_partial',
        matches_found: 2 * BATCH,
        matches_dropped: 0,
        credits_spent: 20 * BATCH,
      });
    } finally {
      undo();
    }
    const { length } = await workspace.detections({ signal_run_id: runId });
    expect(length).toBe(2 * BATCH);
    const movements = (await workspace.movements()).map(({ status, credits }) => [status, credits]);
    expect(movements).toEqual(Array.from({ length: 2 * BATCH }, () => ['captured', 10]));
    await expectLedgerIsClean();
  });

  it('RUN-17 RUN-37 finds and charges later what a cancelled run did not reach, and nothing twice', async () => {
    const agentId = await keywordAgent(workspace, 'crm');
    const undo = await inTheMiddleOfBatch(1, async () => {
      await cancelRun(workspace, await latestRun(agentId));
    });
    try {
      expect(await workspace.run(agentId)).toMatchObject({ matches_found: BATCH });
    } finally {
      undo();
    }
    expect(await workspace.run(agentId)).toMatchObject({
      stage: 'completed',
      matches_found: POSTS - BATCH,
    });
    expect(await workspace.detections({ agent_id: agentId })).toHaveLength(POSTS);
    await expectLedgerIsClean();
  });

  it('RUN-37 STM-11 cancels a run that has not begun, which stays in progress, and records one request for any number of calls', async () => {
    const waiting = await startTestService({ CLOCK: 'manual' });
    try {
      await waiting.ops('clock.set', { now: NOW });
      const owner = await waiting.workspace();
      const agentId = await keywordAgent(owner, 'crm');
      await waiting.service.host.runner.stop();
      const runId = (await launchRun(owner, agentId)).body[0].signal_request_id;
      const added = await waiting.eventsOf(async () => {
        for (let times = 0; times < 3; times += 1) expect((await cancelRun(owner, runId)).status).toBe(202);
      });
      expect(added).toEqual(['RunCancellationRequested']);
      expect((await launchRun(owner, agentId)).status).toBe(409);
    } finally {
      await waiting.stop();
    }
  });

  it('RUN-39 OP-03 refuses an ended run, an unknown or foreign one, and a malformed id', async () => {
    const agentId = await keywordAgent(workspace, 'nothing of the kind');
    const { signal_request_id: ended } = await workspace.run(agentId);
    const other = await service.workspace();
    const foreign = await other.run(await keywordAgent(other, 'nothing of the kind'));
    await service.expectEvents([], async () => {
      for (const [id, status, slug] of [
        [ended, 409, 'conflict'],
        [999_999, 404, 'not-found'],
        [foreign.signal_request_id, 404, 'not-found'],
        ['abc', 400, 'bad-request'],
      ] as const) {
        const answer = await cancelRun(workspace, id);
        expect([id, answer.status, answer.body.type]).toEqual([
          id,
          status,
          `https://docs.example.test/errors/${slug}`,
        ]);
      }
    });
    expect((await service.call(`POST /api/v2/workspace/signal-runs/${ended}/cancel`)).status).toBe(401);
  });

  it('OP-66 replays the answer for the same key, even if the run has ended since', async () => {
    const agentId = await keywordAgent(workspace, 'crm');
    const key = { 'idempotency-key': 'cancel-once' };
    let route = '';
    let first: Answer | undefined;
    const undo = await inTheMiddleOfBatch(1, async () => {
      route = `POST /api/v2/workspace/signal-runs/${await latestRun(agentId)}/cancel`;
      first = await workspace.call(route, undefined, key);
    });
    try {
      await workspace.run(agentId);
    } finally {
      undo();
    }
    const again = await workspace.call(route, undefined, key);
    expect([again.status, again.body]).toEqual([first?.status, first?.body]);
    expect([first?.status, again.headers.get('idempotency-replayed')]).toEqual([202, 'true']);
    expect((await workspace.call(route)).status).toBe(409);
  });
});

describe('OPS-26 run.cancel', () => {
  const service = scene({ settings: { CLOCK: 'manual' } });
  const workspace = sharedWorkspace(service, {}, () => service.service.host.runner.stop());

  it('stops a run of any workspace, with the reason in the event, and refuses what the API refuses', async () => {
    const agentId = await keywordAgent(workspace, 'crm');
    const run_id = (await workspace.launch(agentId)).body[0].signal_request_id;
    const asked = { workspace_id: workspace.id, run_id };
    const { status, body } = await service.ops('run.cancel', { ...asked, reason: 'too costly' });
    expect([status, body]).toEqual([200, { run_id, stage: 'running' }]);
    const events = await service.stream(`run-${workspace.id}_${run_id}`);
    expect(events.map(({ type, data }) => [type, data])).toEqual([
      ['RunCancellationRequested', { runId: run_id, reason: 'too costly' }],
    ]);
    expect((await service.ops('run.cancel', { ...asked, run_id: 999_999 })).status).toBe(404);
    const other = await service.workspace();
    expect((await service.ops('run.cancel', { ...asked, workspace_id: other.id })).status).toBe(404);
  });
});
