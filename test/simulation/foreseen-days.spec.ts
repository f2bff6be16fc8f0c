import { credits } from '#kernel/values/credits.js';
import type { SpendableLot } from '#ledger/domain/lots.js';
import { forecastBalance } from '#ledger/forecast/forecast.js';
import { Random } from './random.js';

const ROUNDS = 2_000;

/** The assumption of a daily forecast: without an entry no threshold in days is crossed within a day (LOW-01). */
describe('LOW-01 the day on which a balance ends', () => {
  const random = new Random(30);
  const between = (least: number, most: number): number => least + random.below(most - least + 1);
  const moment = (date: number): string =>
    new Date(Date.UTC(2026, 0, date, between(0, 23), between(0, 59))).toISOString();
  const lot = (id: number): SpendableLot => ({
    id,
    expiresAt: random.happens(0.5) ? moment(between(11, 25)) : null,
    priority: between(0, 2),
    promotional: false,
    grantedAt: '',
    free: credits(between(0, 30)),
  });
  const dueMonth = () => ({ at: moment(between(10, 25)), credits: credits(between(1, 9)) });

  it('is not earlier if it is forecast later on the same day without entries in between', () => {
    const ends = new Set<string | null>();
    for (let round = 0; round < ROUNDS; round += 1) {
      const [now = '', later = ''] = [moment(10), moment(10)].sort();
      const burn = between(0, 8);
      const about = {
        lots: Array.from({ length: between(1, 4) }, (_, id) => lot(id)),
        due: Array.from({ length: between(0, 4) }, dueMonth),
        isPaid: true,
        until: '2026-02-01T00:00:00.000Z',
      };
      const first = forecastBalance({ ...about, burn: credits(burn), now }).endsOn;
      // Captured credits leave the windows of the burn, and nothing is added.
      const less = credits(between(0, burn));
      const second = forecastBalance({ ...about, burn: less, now: later }).endsOn;
      expect([first, second, (second ?? '9') >= (first ?? '9')]).toEqual([first, second, true]);
      ends.add(first);
    }
    // There were balances that end on many different days, and some that do not end.
    expect(ends.size).toBeGreaterThan(10);
    expect(ends).toContain(null);
  });
});
