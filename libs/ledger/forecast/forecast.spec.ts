import { credits, type Credits } from '#kernel/values/credits.js';
import type { SpendableLot } from '#ledger/domain/lots.js';
import { forecastBalance, type ForecastInput } from './forecast.js';

const day = (date: string, time = '00:00'): string => `2026-${date}T${time}:00.000Z`;
const lot = (id: number, free: number, expiresAt: string | null = null): SpendableLot => ({
  id,
  expiresAt,
  priority: 50,
  promotional: false,
  grantedAt: '',
  free: credits(free),
});
const forecast = (more: Partial<ForecastInput>) => {
  const { days, ...rest } = forecastBalance({
    lots: [lot(0, 10)],
    burn: 0n,
    due: [],
    isPaid: true,
    now: day('01-10'),
    until: day('01-14'),
    ...more,
  });
  const inCredits = (amount: Credits): number => Number(amount) / 1_000_000;
  return {
    ...rest,
    days: days.map(({ date, used, due, granted, expires, balance }) =>
      [date.slice(5), ...[used, due, granted, expires, balance].map(inCredits)].join(' '),
    ),
  };
};

describe('LOW-02 the forecast of a balance', () => {
  it('uses the burn at the end of each day, and for today in proportion to the remaining time', () => {
    expect(forecast({ burn: credits(4), now: day('01-10', '18:00') })).toEqual({
      days: ['01-10 1 0 0 0 9', '01-11 4 0 0 0 5', '01-12 4 0 0 0 1', '01-13 4 0 0 0 -3'],
      uncoveredAt: null,
      endsOn: '2026-01-13',
    });
  });

  it('ends on the day at whose end less than one credit is left; exactly one credit is enough', () => {
    expect(forecast({ burn: credits(3) }).endsOn).toBe('2026-01-13');
    expect(forecast({ burn: credits(3), until: day('01-13') }).endsOn).toBeNull();
    expect(forecast({ lots: [{ ...lot(0, 0), free: 999_999n }] }).endsOn).toBe('2026-01-10');
  });

  it('LOT-05 spends lots that expire first, and expires what is not spent by then', () => {
    const lots = [lot(0, 10), lot(1, 6, day('01-12'))];
    expect(forecast({ lots, burn: credits(2) }).days).toEqual([
      '01-10 2 0 0 0 14',
      '01-11 2 0 0 0 12',
      '01-12 2 0 0 2 8',
      '01-13 2 0 0 0 6',
    ]);
    expect(forecast({ lots: [lot(1, 6, day('01-12'))] }).endsOn).toBe('2026-01-12');
  });

  it('LOT-05 expires each lot at its own end, also between months that are due', () => {
    const lots = [lot(0, 1), lot(1, 6, day('01-12')), lot(2, 8, day('01-13'))];
    const due = [
      { at: day('01-11'), credits: credits(2) },
      { at: day('01-12', '10:00'), credits: credits(5) },
    ];
    expect(forecast({ lots, due })).toEqual({
      days: ['01-10 0 0 0 0 15', '01-11 0 2 0 0 13', '01-12 0 5 0 4 4', '01-13 0 0 0 3 1'],
      uncoveredAt: null,
      endsOn: null,
    });
  });

  it('pays now what was due before', () => {
    const due = [{ at: day('01-08'), credits: credits(11) }];
    expect(forecast({ due })).toMatchObject({ uncoveredAt: day('01-10'), endsOn: '2026-01-10' });
  });

  it('pays due credits when they are due, and names the first moment that is not covered', () => {
    const due = [
      { at: day('01-08'), credits: credits(4) },
      { at: day('01-12', '09:30'), credits: credits(4) },
      { at: day('01-12', '10:00'), credits: credits(4) },
    ];
    expect(forecast({ due })).toEqual({
      days: ['01-10 0 4 0 0 6', '01-11 0 0 0 0 6', '01-12 0 8 0 0 -2', '01-13 0 0 0 0 -2'],
      uncoveredAt: day('01-12', '10:00'),
      endsOn: '2026-01-12',
    });
  });

  it('at one moment, expired credits pay nothing that is due, and granted credits do', () => {
    const due = [{ at: day('01-12'), credits: credits(5) }];
    expect(forecast({ lots: [lot(1, 6, day('01-12'))], due }).uncoveredAt).toBe(day('01-12'));
    const grants = [{ at: day('01-12'), credits: credits(5), lot: lot(9, 0), ceiling: null }];
    expect(forecast({ lots: [], due, grants }).uncoveredAt).toBeNull();
  });

  it('LOT-08 reduces recurring grants to their ceiling', () => {
    const granted = { ...lot(9, 0), rule: 1 };
    const grants = ['01-11', '01-12', '01-13'].map((date) => ({
      at: day(date),
      credits: credits(5),
      lot: granted,
      ceiling: credits(9),
    }));
    expect(forecast({ grants, heldOfRule: [[1, credits(1)]] }).days).toEqual([
      '01-10 0 0 0 0 10',
      '01-11 0 0 5 0 15',
      '01-12 0 0 3 0 18',
      '01-13 0 0 0 0 18',
    ]);
  });

  it('LOT-08 expires what is left of a recurring grant', () => {
    const grants = [{ at: day('01-11'), credits: credits(5), lot: lot(9, 0, day('01-13')), ceiling: null }];
    expect(forecast({ grants, burn: credits(1) }).days).toEqual([
      '01-10 1 0 0 0 9',
      '01-11 1 0 5 0 13',
      '01-12 1 0 0 0 12',
      '01-13 1 0 0 3 8',
    ]);
  });

  it('uses nothing and never ends if a partner pays or the workspace is exempt', () => {
    const due = [{ at: day('01-11'), credits: credits(50) }];
    expect(forecast({ isPaid: false, burn: credits(9), due })).toMatchObject({
      days: ['01-10 0 0 0 0 10', '01-11 0 50 0 0 10', '01-12 0 0 0 0 10', '01-13 0 0 0 0 10'],
      uncoveredAt: null,
      endsOn: null,
    });
  });
});
