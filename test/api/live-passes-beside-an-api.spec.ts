import { LIVE_DETECTION } from '#signals/live/launch-live-pass.js';
import { changedStores } from '#test/bad-days/other-stores.js';
import { eventually } from '#test/projections/engine-fixture.js';
import { soon } from '#test/support/event-stores.js';
import { employed, observedCompany, observedPerson, observedPost } from '#test/support/observed-network.js';
import { startTestService, type TestService } from '#test/support/service.js';
import { detectionsOf } from '#test/support/signal-runs.js';
import { foundTopAccount } from '#test/support/top-accounts.js';

const LIVE = { MONITORING_PASS: 'live' };

describe('live passes of a worker beside an api', () => {
  /** While false, the worker does not get the lease: another worker had it a moment ago. */
  let isFree = false;
  let worker: TestService;
  let api: TestService;
  beforeAll(async () => {
    worker = await startTestService(LIVE, undefined, {
      openStores: changedStores(({ reads }) => ({
        reads: {
          ...reads,
          acquireLease: async (name, holder, ttlMs) =>
            name === LIVE_DETECTION && !isFree ? null : reads.acquireLease(name, holder, ttlMs),
        },
      })),
    });
    api = await startTestService({ ...LIVE, ROLES: 'api' }, worker.dataDirectory);
  });
  afterAll(async () => {
    await api.service.stop();
    await worker.stop();
  });

  it('LIV-01 are made after an operator has drained the work at the api while no worker had the lease', async () => {
    await worker.ingest([observedCompany('acme'), observedPerson('ana', employed('acme', 'VP Sales'))]);
    const workspace = await worker.workspace();
    await foundTopAccount(worker, workspace, 'acme');
    const agent = { type: 'keyword_detection', parameters: { tracking_keywords: ['alpaca'] } };
    expect((await workspace.call('POST /api/v2/agents', agent)).status).toBe(201);
    expect((await api.ops('work.drain')).status).toBe(200);
    isFree = true;
    await worker.ingest([observedPost('alpaca', 'ana', 'an alpaca', new Date().toISOString())]);
    await soon(
      'the live pass',
      eventually(async () => (await detectionsOf(workspace)).length === 1),
    );
  });
});
