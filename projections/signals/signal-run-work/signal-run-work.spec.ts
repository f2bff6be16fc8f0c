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

  it('D-44 are worked off one direction after the other, and gone with the last', () => {
    const ended = (runId: number) => ({ type: 'RunEnded', data: sampleRunEnd({ runId }) });
    const after = (...runIds: readonly number[]) =>
      foldAll(signalRunWork, [launched, ...runIds.map(ended)]).get(signalRunWorkKey(3));
    expect(after(91)).toMatchObject({ runId: 92, direction: 'outbound', ended: [91] });
    expect(after(92)).toMatchObject({ runId: 91, direction: 'inbound' });
    expect(after(91, 92)).toBeUndefined();
  });

  it('stop the work of a workspace rather than guess', () => {
    expect(signalRunWork.critical).toBe(true);
  });
});
