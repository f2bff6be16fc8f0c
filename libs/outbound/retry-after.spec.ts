import { retryAfterMs } from './retry-after.js';

describe('Retry-After', () => {
  const now = Date.parse('2026-03-02T10:00:00Z');

  it('is seconds or a date', () => {
    expect(retryAfterMs('82800', now)).toBe(82_800_000);
    expect(retryAfterMs('Mon, 02 Mar 2026 10:00:30 GMT', now)).toBe(30_000);
  });

  it('is no wait if it is in the past, absent or malformed', () => {
    for (const header of [undefined, '', 'soon', '-5', '1.5', 'Mon, 02 Mar 2026 09:00:00 GMT'])
      expect([header, retryAfterMs(header, now)]).toEqual([header, 0]);
  });
});
