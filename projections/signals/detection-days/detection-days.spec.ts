import { foldAll } from '#kernel/testing/project.js';
import { sampleDetection } from '#projections/testing/sample-events.js';
import { detectionDays } from './detection-days.projection.js';

const metadata = { workspaceId: '1', recordedAt: '2026-01-05T10:00:00.000Z' };
const detected = (detection: Parameters<typeof sampleDetection>[0]) => ({
  type: 'SignalDetected',
  data: sampleDetection(detection),
  metadata,
});
const held = (cause: object) => ({
  type: 'CreditsHeld',
  data: { movementId: 1, key: 'k', credits: '1500000', product: 'p', payer: 'workspace', cause },
  metadata,
});
const hours = (counts: { readonly [hour: number]: number }): readonly number[] =>
  Array.from({ length: 24 }, (_, hour) => counts[hour] ?? 0);
const day = (sourceId: number, at: string, sums: object) => ({
  workspaceId: 1,
  sourceId,
  day: at,
  signals: 0,
  topDetected: 0,
  topDetectedByHour: hours({}),
  creditsHeld: '0',
  ...sums,
});

describe('the days of detections', () => {
  it('count signals by their date and top detections by the time of detection, for all and for each source', () => {
    const { agentId: _agent, ...ofSetup } = sampleDetection();
    const days = foldAll(detectionDays, [
      detected({ signalDate: '2026-01-03T23:59:59.999Z' }),
      detected({ signalDate: null, priority: 2 }),
      {
        type: 'SignalDetected',
        data: { ...ofSetup, setupId: 31, signalDate: '2026-01-05T00:00:00.000Z' },
        metadata,
      },
    ]);
    expect(new Set(days.values())).toEqual(
      new Set([
        day(0, '2026-01-03', { signals: 1 }),
        day(0, '2026-01-05', { signals: 2, topDetected: 2, topDetectedByHour: hours({ 10: 2 }) }),
        day(7, '2026-01-03', { signals: 1 }),
        day(7, '2026-01-05', { signals: 1, topDetected: 1, topDetectedByHour: hours({ 10: 1 }) }),
        day(31, '2026-01-05', { signals: 1, topDetected: 1, topDetectedByHour: hours({ 10: 1 }) }),
      ]),
    );
  });

  it('STAT-16 count the top detections of each hour', () => {
    const at = (recordedAt: string, priority: 1 | 2 = 1) => ({
      ...detected({ signalDate: null, priority }),
      metadata: { workspaceId: '1', recordedAt },
    });
    const days = foldAll(detectionDays, [
      at('2026-01-05T00:00:00.000Z'),
      at('2026-01-05T00:59:59.999Z'),
      at('2026-01-05T23:59:59.999Z'),
      at('2026-01-05T12:00:00.000Z', 2),
    ]);
    const ofDay = { signals: 4, topDetected: 3, topDetectedByHour: hours({ 0: 2, 23: 1 }) };
    expect([...days.values()]).toEqual([day(0, '2026-01-05', ofDay), day(7, '2026-01-05', ofDay)]);
  });

  it('STAT-12 sum the credits held for a setup, exactly', () => {
    const days = foldAll(detectionDays, [
      held({ kind: 'signal', setupId: 31 }),
      held({ kind: 'signal', setupId: 31 }),
      held({ kind: 'signal', agentId: 7 }),
    ]);
    expect([...days.values()]).toEqual([day(31, '2026-01-05', { creditsHeld: '3000000' })]);
  });
});
