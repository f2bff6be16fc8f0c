import { monthDifferences, recountUnit, type UnitHistory } from './recount.js';

const at = (day: string): string => `${day}T10:00:00.000Z`;
const paid = (from: string, until: string, more: object = {}): UnitHistory['months'][number] => ({
  from: at(from),
  until: at(until),
  anchorDay: 31,
  movement: {
    key: `monitoring:9:4:${from.slice(0, 7)}`,
    product: 'account_monitoring',
    status: 'captured',
    ...more,
  },
});
const wish = (day: string, isWanted = true, source = 'list:12:31') => ({ source, isWanted, at: at(day) });
const history = (more: Partial<UnitHistory>): UnitHistory => ({
  companyId: 9,
  personaId: 4,
  wishes: [wish('2026-01-31')],
  months: [],
  refusals: [],
  ...more,
});
const refusal = (since: string, triedAt: string) => ({
  since: at(since),
  triedAt: at(triedAt),
  reason: 'credits' as const,
});

describe('OPS-23 a unit recounted', () => {
  it('is monitored until its last month ends, and after that until it is refused', () => {
    const months = [paid('2026-01-31', '2026-02-28')];
    const lapse = { lapsesAt: at('2026-02-28'), coveredUntil: at('2026-02-28') };
    const monitored = { status: 'monitored', ...lapse, reason: null };
    expect(recountUnit(history({ months }))).toEqual(monitored);
    expect(recountUnit(history({ months, refusals: [refusal('2026-02-28', '2026-02-28')] }))).toEqual({
      ...lapse,
      status: 'not_covered',
      reason: 'credits',
    });
    const later = [...months, paid('2026-03-05', '2026-04-05')];
    const renewed = recountUnit(history({ months: later, refusals: [refusal('2026-02-28', '2026-02-28')] }));
    expect(renewed).toEqual({
      status: 'monitored',
      lapsesAt: at('2026-04-05'),
      coveredUntil: at('2026-04-05'),
      reason: null,
    });
  });

  it('is requested since there always was a reason, and stopped if there is none', () => {
    const wishes = [wish('2026-01-31'), wish('2026-02-01', true, 'pick:7'), wish('2026-02-02', false)];
    expect(recountUnit(history({ wishes })).lapsesAt).toBe(at('2026-01-31'));
    const stopped = [...wishes, wish('2026-02-03', false, 'pick:7')];
    expect(recountUnit(history({ wishes: stopped })).status).toBe('stopped');
    expect(recountUnit(history({ wishes: [...stopped, wish('2026-02-04')] })).lapsesAt).toBe(
      at('2026-02-04'),
    );
  });
});

describe('OPS-23 paid months', () => {
  const faultsIn = (...months: UnitHistory['months']): readonly string[] =>
    monthDifferences(history({ months })).map(({ what }) => what.replace(/.*: /, ''));

  it('have no differences if each follows the previous one', () => {
    expect(faultsIn(paid('2026-02-28', '2026-03-31'), paid('2026-01-31', '2026-02-28'))).toEqual([]);
  });

  it('are reported if one is not captured, has another key, end or product, or lies within another', () => {
    const from = at('2026-01-31');
    expect(faultsIn(paid('2026-01-31', '2026-02-28', { status: 'held' }))).toEqual([`the status of ${from}`]);
    expect(faultsIn(paid('2026-01-31', '2026-02-28', { key: 'other' }))).toEqual([`the key of ${from}`]);
    expect(faultsIn(paid('2026-01-31', '2026-02-28', { product: 'x' }))).toEqual([`the product of ${from}`]);
    expect(faultsIn(paid('2026-01-31', '2026-02-27'))).toEqual([`the end of ${from}`]);
    const within = paid('2026-02-20', '2026-03-31');
    expect(faultsIn(paid('2026-01-31', '2026-02-28'), within)).toEqual([`the start of ${at('2026-02-20')}`]);
  });
});
