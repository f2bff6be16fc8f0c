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

describe('the runs to execute', () => {
  it('carry everything that their launch fixed', () => {
    const work = foldAll(signalRunWork, [launched]);
    expect(work.get(signalRunWorkKey(3))).toEqual({
      runId: 91,
      workspaceId: 1,
      launchId: 3,
      direction: 'inbound',
      source: { kind: 'agent', id: 7 },
      launch,
      ended: [],
      launchedPosition: '000000000000',
      launchEventId: launched.id,
      correlationId: 'request-1',
      keyId: null,
    });
    expect(work.size).toBe(1);
  });

  it('D-44 run one direction after the other, and end with the last one', () => {
    const ended = (runId: number) => ({ type: 'RunEnded', data: sampleRunEnd({ runId }) });
    const after = (...runIds: readonly number[]) =>
      foldAll(signalRunWork, [launched, ...runIds.map(ended)]).get(signalRunWorkKey(3));
    expect(after(91)).toMatchObject({ runId: 92, direction: 'outbound', ended: [91] });
    expect(after(92)).toMatchObject({ runId: 91, direction: 'inbound' });
    expect(after(91, 92)).toBeUndefined();
  });

  it('are critical, so that a parked workspace stops its work', () => {
    expect(signalRunWork.critical).toBe(true);
  });
});
