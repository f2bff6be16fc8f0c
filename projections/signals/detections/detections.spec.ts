import { foldAll } from '#kernel/testing/project.js';
import { sampleDetection } from '#projections/testing/sample-events.js';
import { detections, type DetectionDocument } from './detections.projection.js';
import { cityKey, countryKey } from './places.js';

function detected(...changes: Parameters<typeof sampleDetection>[0][]): readonly DetectionDocument[] {
  const events = changes.map((change) => ({ type: 'SignalDetected', data: sampleDetection(change) }));
  return [...foldAll(detections, events).values()];
}

describe('the detections read model', () => {
  it('keeps one document for each detection, with everything the queries answer', () => {
    const [first, second] = detected({ detectionId: 1 }, { detectionId: 2, subject: 'post:2' });
    expect(first).toMatchObject({ id: 1, workspaceId: 1, sourceId: 7, runId: 91, priority: 1, leadId: 77 });
    expect(second?.id).toBe(2);
  });

  it('SIG-48 names the movement that paid for it, and none if it was free', () => {
    const [paid, free] = detected(
      { detectionId: 1, movementId: 5 },
      { detectionId: 2, subject: 'post:2', movementId: null },
    );
    expect([paid?.movementId, free?.movementId]).toEqual([5, null]);
  });

  it('is detected at the time its event was recorded', () => {
    expect(detected({})[0]?.detectedAt).toBe('2026-01-05T10:00:00.000Z');
  });

  it('OP-39 takes the signal date for the window, or the detection date if there is none', () => {
    const [dated, undated] = detected({ detectionId: 1 }, { detectionId: 2, signalDate: null });
    expect(dated?.signalAt).toBe('2026-01-03T09:00:00.000Z');
    expect(undated).toMatchObject({ signalDate: null, signalAt: '2026-01-05T10:00:00.000Z' });
  });

  it('OP-70 SIG-13 names the setup or agent as the source with its subject, and none for a detection added by hand', () => {
    const {
      agentId: _agent,
      launchId: _launch,
      runId: _run,
      ...byHand
    } = sampleDetection({ detectionId: 3 });
    const events = [
      { type: 'SignalDetected', data: sampleDetection({ detectionId: 1 }) },
      { type: 'SignalDetected', data: { ...byHand, detectionId: 2, origin: 'run', setupId: 31 } },
      { type: 'SignalDetected', data: { ...byHand, origin: 'manual' } },
    ];
    const found = [...foldAll(detections, events).values()];
    expect(found.map(({ sourceId, setupId, runId }) => [sourceId, setupId, runId])).toEqual([
      [7, null, 91],
      [31, 31, null],
      [null, null, null],
    ]);
    const { subject } = byHand;
    expect(found.map((detection) => detection.subject)).toEqual([subject, subject, null]);
  });

  it('SIG-40 folds the place of the lead, a city together with its country', () => {
    const [paris, texan, nowhere] = detected(
      { detectionId: 1, leadCity: 'PARIS', leadCountry: 'France' },
      { detectionId: 2, leadCity: 'Paris', leadCountry: 'United States' },
      { detectionId: 3, leadCity: null, leadCountry: null },
    );
    expect(paris).toMatchObject({ country: countryKey('france'), city: cityKey('paris', 'FRANCE') });
    expect(texan?.city).not.toBe(paris?.city);
    expect(nowhere).toMatchObject({ country: null, city: null });
  });

  it('is critical, so that a parked workspace stops its work', () => {
    expect(detections.critical).toBe(true);
  });

  it('has no city without its country, and no blank country', () => {
    expect(cityKey('Paris', null)).toBeNull();
    expect(countryKey('  ')).toBeNull();
  });
});
