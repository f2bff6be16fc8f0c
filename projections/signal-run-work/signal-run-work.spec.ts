import { foldAll } from '#kernel/testing/project.js';
import { sampleLaunch, sampleRunEnd } from '#projections/testing/sample-events.js';
import { signalRunWork, signalRunWorkKey } from './signal-run-work.projection.js';

const launch = sampleLaunch({
  runs: [
    { runId: 91, direction: 'inbound' },
    { runId: 92, direction: 'outbound' },
  ],
});
const launched = {
  type: 'RunLaunched',
  data: launch,
  id: '00000000-0000-4000-8000-0000000000aa',
  metadata: { workspaceId: '1', recordedAt: '2026-01-05T10:00:00.000Z', correlationId: 'request-1' },
};

describe('the runs that are to be brought to their end', () => {
  it('carry everything their launch has fixed', () => {
    const work = foldAll(signalRunWork, [launched]);
    expect(work.get(signalRunWorkKey(92))).toEqual({
      runId: 92,
      workspaceId: 1,
      launchId: 3,
      direction: 'outbound',
      source: { kind: 'agent', id: 7 },
      launch,
      launchedPosition: '000000000000',
      launchEventId: launched.id,
      correlationId: 'request-1',
    });
    expect(work.size).toBe(2);
  });

  it('are gone with their end, each with its own', () => {
    const work = foldAll(signalRunWork, [launched, { type: 'RunEnded', data: sampleRunEnd({ runId: 91 }) }]);
    expect([...work.keys()]).toEqual([signalRunWorkKey(92)]);
  });

  it('stop the work of a workspace rather than guess', () => {
    expect(signalRunWork.critical).toBe(true);
  });
});
