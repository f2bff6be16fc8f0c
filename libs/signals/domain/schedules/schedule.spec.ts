import { dueAfter, lastDueUntil } from './schedule.events.js';

const ANCHOR = '2026-01-05T10:00:00.000Z';

describe('OP-17 the due times of a weekly schedule', () => {
  it('start a week after the anchor, to the millisecond', () => {
    expect(dueAfter(ANCHOR, ANCHOR)).toBe('2026-01-12T10:00:00.000Z');
    expect(dueAfter(ANCHOR, '2026-01-01T00:00:00.000Z')).toBe('2026-01-12T10:00:00.000Z');
    expect(dueAfter(ANCHOR, '2026-01-12T09:59:59.999Z')).toBe('2026-01-12T10:00:00.000Z');
    expect(dueAfter(ANCHOR, '2026-01-12T10:00:00.000Z')).toBe('2026-01-19T10:00:00.000Z');
  });

  it('are due from their millisecond on', () => {
    expect(lastDueUntil(ANCHOR, ANCHOR)).toBeNull();
    expect(lastDueUntil(ANCHOR, '2026-01-12T09:59:59.999Z')).toBeNull();
    expect(lastDueUntil(ANCHOR, '2026-01-12T10:00:00.000Z')).toBe('2026-01-12T10:00:00.000Z');
    expect(lastDueUntil(ANCHOR, '2026-02-08T00:00:00.000Z')).toBe('2026-02-02T10:00:00.000Z');
  });
});
