import { signalWindow, signalWindowV3 } from './signal-window.js';

const NOW = new Date('2026-06-01T10:00:00.000Z');
const DAYS_90 = '2026-03-03T10:00:00.000Z';
const DAYS_180 = '2025-12-03T10:00:00.000Z';
const OPEN = { signalFrom: null, signalTo: null, detectedFrom: null, detectedTo: null };

describe('the window of a v2 query', () => {
  it('SIG-21 begins 90 days before now', () => {
    expect(signalWindow({}, NOW, null)).toEqual({ ...OPEN, signalFrom: DAYS_90 });
  });

  it('OP-39 keeps the default signal window if only detection dates are given', () => {
    const dates = { detection_start_date: '2026-05-01', detection_end_date: '2026-05-02' };
    expect(signalWindow(dates, NOW, '2026-01-01T00:00:00.000Z')).toEqual({
      signalFrom: DAYS_90,
      signalTo: null,
      detectedFrom: '2026-05-01T00:00:00.000Z',
      detectedTo: '2026-05-02T23:59:59.999Z',
    });
  });

  it('SIG-22 never begins more than 180 days before now', () => {
    expect(signalWindow({ signal_start_date: '2025-01-01' }, NOW, null).signalFrom).toBe(DAYS_180);
    expect(signalWindow({ signal_start_date: DAYS_180 }, NOW, null).signalFrom).toBe(DAYS_180);
  });

  it('SIG-28 begins 90 days before the launch of the run, if only a run is given', () => {
    const launched = '2025-06-01T10:00:00.000Z';
    expect(signalWindow({}, NOW, launched).signalFrom).toBe('2025-03-03T10:00:00.000Z');
    expect(signalWindow({ signal_end_date: '2026-05-01' }, NOW, launched).signalFrom).toBe(DAYS_90);
  });

  it('OP-08 includes a plain end date up to its last millisecond', () => {
    const { signalFrom, signalTo } = signalWindow(
      { signal_start_date: '2026-05-01', signal_end_date: '2026-05-01' },
      NOW,
      null,
    );
    expect([signalFrom, signalTo]).toEqual(['2026-05-01T00:00:00.000Z', '2026-05-01T23:59:59.999Z']);
  });

  it('refuses an end before a given start, also a clamped one, but not before the default', () => {
    expect(() =>
      signalWindow({ signal_start_date: '2026-05-02', signal_end_date: '2026-05-01' }, NOW, null),
    ).toThrow();
    expect(() =>
      signalWindow({ signal_start_date: '2025-01-01', signal_end_date: '2025-06-01' }, NOW, null),
    ).toThrow();
    expect(signalWindow({ signal_end_date: '2025-06-01' }, NOW, null).signalFrom).toBe(DAYS_90);
    expect(() =>
      signalWindow({ detection_start_date: '2026-05-02', detection_end_date: '2026-05-01' }, NOW, null),
    ).toThrow();
  });
});

describe('the window of a v3 query', () => {
  it('OP-41 has the detections of the last 90 days, whatever the date of the signal', () => {
    expect(signalWindowV3({}, NOW, null)).toEqual({ ...OPEN, detectedFrom: DAYS_90 });
  });

  it('SIG-28 begins 90 days before the launch of the run, if only a run is given', () => {
    const launched = '2025-06-01T10:00:00.000Z';
    expect(signalWindowV3({}, NOW, launched)).toEqual({ ...OPEN, detectedFrom: '2025-03-03T10:00:00.000Z' });
    const dated = { detection_end_date: '2026-05-01' };
    expect(signalWindowV3(dated, NOW, launched).detectedFrom).toBe(DAYS_90);
  });

  it('OP-41 follows detection dates alone, at most 180 days back, whatever the date of the signal', () => {
    const dates = { detection_start_date: '2025-01-01', detection_end_date: '2026-05-01T00:00:00Z' };
    expect(signalWindowV3(dates, NOW, null)).toEqual({
      ...OPEN,
      detectedFrom: DAYS_180,
      detectedTo: '2026-05-01T00:00:00.000Z',
    });
    expect(signalWindowV3({ detection_end_date: '2026-05-01T00:00:00Z' }, NOW, null).detectedFrom).toBe(
      DAYS_90,
    );
  });

  it('OP-41 OP-39 is that of v2 if a signal date is given', () => {
    const dates = { signal_end_date: '2026-05-01', detection_start_date: '2026-04-01' };
    expect(signalWindowV3(dates, NOW, null)).toEqual(signalWindow(dates, NOW, null));
  });

  it('refuses an end before a given start, but not before the default', () => {
    expect(() =>
      signalWindowV3({ detection_start_date: '2026-05-02', detection_end_date: '2026-05-01' }, NOW, null),
    ).toThrow();
    expect(signalWindowV3({ detection_end_date: '2025-05-01' }, NOW, null).detectedFrom).toBe(DAYS_90);
  });
});
