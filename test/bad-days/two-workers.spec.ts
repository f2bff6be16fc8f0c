import { diagnostic } from '#test/support/diagnostic.js';
import type { ReadStore } from '#kernel/ports/read-store.port.js';
import { eventually } from '#test/projections/engine-fixture.js';
import { soon } from '#test/support/event-stores.js';
import { keywordAgent, observedPost } from '#test/support/observed-network.js';
import { balanceOf, detectionsOf, launchRun, movementsOf, pollRun } from '#test/support/signal-runs.js';
import { startTestService, type TestService, type TestWorkspace } from '#test/support/service.js';
import { changedStores } from './other-stores.js';

const SIGNALS = 60;
const RUNS = 6;
const PRICE = 10;

/** A read store that hides other processes: its leases have their own names. */
function alone(reads: ReadStore, suffix: string): ReadStore {
  const own = (name: string): string => `${name}${suffix}`;
  return {
    ...reads,
    acquireLease: (name, holder, ttlMs) => reads.acquireLease(own(name), holder, ttlMs),
    renewLeases: (fences, ttlMs) =>
      reads.renewLeases(
        fences.map((fence) => ({ ...fence, lease: own(fence.lease) })),
        ttlMs,
      ),
    releaseLease: (name, fence) => reads.releaseLease(own(name), { ...fence, lease: own(name) }),
    lease: (name) => reads.lease(own(name)),
    write: (writes, fence) => reads.write(writes, { ...fence, lease: own(fence.lease) }),
    makeLive: (generation, fence) => reads.makeLive(generation, { ...fence, lease: own(fence.lease) }),
  };
}

describe('two workers on the same stores that both believe they are alone', () => {
  let first: TestService;
  let second: TestService;
  let workspace: TestWorkspace;
  beforeAll(async () => {
    first = await startTestService();
    second = await startTestService({}, first.dataDirectory, {
      openStores: changedStores(({ reads }) => ({ reads: alone(reads, ':second') })),
    });
    workspace = await first.workspace({ credits: 1_000_000 });
    const hourAgo = new Date(Date.now() - 3_600_000).toISOString();
    await first.ingest(
      Array.from({ length: SIGNALS }, (_, index) =>
        observedPost(`two-${index}`, 'ana', 'about twins', hourAgo),
      ),
    );
  });
  afterAll(async () => {
    await second.service.stop();
    await first.stop();
  });

  it('end each run once, detect each subject once and charge it once, and project the same', async () => {
    await soon(
      'two leaders at once',
      eventually(() => [first, second].every(({ service }) => service.host.projections.isLeading())),
    );
    const agents: number[] = [];
    for (let run = 0; run < RUNS; run += 1) agents.push(await keywordAgent(workspace, 'twins'));
    const runs = await Promise.all(
      agents.map(async (agentId) => {
        const { status, body } = await launchRun(workspace, agentId);
        expect(status).toBe(202);
        return body[0].signal_request_id as number;
      }),
    );
    await soon(
      'the runs',
      eventually(async () => {
        const stages = await Promise.all(runs.map(async (run) => (await pollRun(workspace, run)).body.stage));
        return stages.every((stage) => stage === 'completed');
      }),
    );
    // Both have finished their due work and look no more.
    expect((await first.ops('work.drain')).status).toBe(200);
    expect((await second.ops('work.drain')).status).toBe(200);

    const detections = await detectionsOf(workspace);
    expect(detections).toHaveLength(RUNS * SIGNALS);
    expect(new Set(detections.map(({ id }) => id)).size).toBe(RUNS * SIGNALS);
    const movements = await movementsOf(workspace);
    expect(movements).toHaveLength(RUNS * SIGNALS);
    expect(await balanceOf(workspace)).toMatchObject({ held: 0, captured: RUNS * SIGNALS * PRICE });
    const times = new Map<string, number>();
    for await (const { events } of first.service.host.eventStore.readAll()) {
      for (const { type } of events) times.set(type, (times.get(type) ?? 0) + 1);
    }
    for (const type of ['RunLaunched', 'RunStarted', 'RunEnded', 'RunCompleted'])
      expect([type, times.get(type)]).toEqual([type, RUNS]);
    for (const type of ['SignalDetected', 'CreditsHeld', 'CreditsCaptured'])
      expect([type, times.get(type)]).toEqual([type, RUNS * SIGNALS]);
    expect(times.get('CreditsReleased') ?? 0).toBe(0);
    for (const service of [first, second]) {
      const ledger = await service.ops('ledger.verify', { workspace_id: workspace.id });
      expect(ledger.body).toMatchObject({ ok: true, differences: [] });
    }
    const verified = await first.ops('projections.verify');
    expect([verified.status, verified.body.ok]).toEqual([200, true]);
    diagnostic(JSON.stringify({ runs: RUNS, detections: detections.length, movements: movements.length }));
  });
});
