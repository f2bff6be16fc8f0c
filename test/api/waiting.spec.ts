import {
  keywordAgent,
  observedCompany,
  observedPerson,
  observedPost,
} from '#test/support/observed-network.js';
import { launchRun } from '#test/support/signal-runs.js';
import { startTestService, type TestService, type TestWorkspace } from '#test/support/service.js';

const NO_WAIT = { prefer: 'handling=lenient' };

describe('CONV-13 waiting for a final answer', () => {
  let service: TestService;
  let workspace: TestWorkspace;
  let agentId: number;

  beforeAll(async () => {
    service = await startTestService();
    workspace = await service.workspace();
    await service.ingest([
      observedCompany('acme'),
      observedPerson('ana'),
      observedPost('1', 'ana', 'crm', new Date().toISOString()),
    ]);
    agentId = await keywordAgent(workspace, 'crm');
  });
  let stopped: Promise<void> | null = null;
  afterAll(() => stopped ?? service.stop());

  const launched = async (): Promise<string> => {
    const { body } = await launchRun(workspace, agentId);
    return `GET /api/v2/workspace/signal-runs/${body[0].signal_request_id}`;
  };
  const shownBy = (answer: Awaited<ReturnType<TestWorkspace['call']>>) => ({
    stage: answer.body.stage,
    applied: answer.headers.get('preference-applied'),
    retryAfter: answer.headers.get('retry-after'),
  });

  it('answers when the run has ended, without another request', async () => {
    const route = await launched();
    const answer = await workspace.call(route, undefined, { prefer: 'handling=strict, wait=20' });
    expect(shownBy(answer)).toEqual({
      stage: 'completed',
      applied: 'handling=strict, wait=20',
      retryAfter: null,
    });
    // an ended run is answered at once
    expect(shownBy(await workspace.call(route, undefined, { prefer: 'wait=20' }))).toMatchObject({
      stage: 'completed',
      applied: 'wait=20',
    });
  });

  it('answers the current state at once without the preference, and says when to retry', async () => {
    await service.service.host.runner.stop();
    const route = await launched();
    for (const headers of [{}, NO_WAIT, { prefer: 'wait' }, { prefer: 'wait=soon' }, { prefer: 'wait=0' }])
      expect(shownBy(await workspace.call(route, undefined, headers))).toEqual({
        stage: 'running',
        applied: null,
        retryAfter: '2',
      });
    // the wait is over, and the run continues; more than 20 s are 20 s
    expect(shownBy(await workspace.call(route, undefined, { prefer: 'wait=1' }))).toEqual({
      stage: 'running',
      applied: 'wait=1',
      retryAfter: '2',
    });
  });

  it('keeps 100 requests of a key waiting, answers another one at once, and ends with the service', async () => {
    const [{ signal_request_id: runId }] = (await workspace.call('GET /api/v2/workspace/signal-runs')).body
      .data;
    const route = `GET /api/v2/workspace/signal-runs/${runId}`;
    const other = await service.workspace();
    const asked = Array.from({ length: 100 }, () => workspace.call(route, undefined, { prefer: 'wait=999' }));
    const status = 'GET /api/v2/top-account-list/ingestion-status';
    let more = await workspace.call(route, undefined, { prefer: 'wait=1' });
    while (more.headers.get('preference-applied') !== null)
      more = await workspace.call(route, undefined, { prefer: 'wait=1' });
    expect(shownBy(more)).toEqual({ stage: 'running', applied: null, retryAfter: '2' });
    // another key waits all the same
    const idle = await other.call(status, undefined, { prefer: 'wait=1' });
    expect([idle.body.data.status, idle.headers.get('preference-applied')]).toEqual(['idle', 'wait=1']);
    stopped = service.stop();
    for (const answer of await Promise.all(asked))
      expect(shownBy(answer)).toEqual({ stage: 'running', applied: 'wait=20', retryAfter: '2' });
    await stopped;
  });
});
