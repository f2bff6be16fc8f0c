import { statusOf } from './account-statuses.js';

const unit = (
  personaId: number,
  status: 'monitored' | 'not_covered' | 'stopped',
  coveredUntil: string | null,
  lapsesAt: string | null = coveredUntil,
) =>
  ({
    personaId,
    status,
    coveredUntil,
    lapsesAt,
    refusal: status === 'not_covered' ? 'not_observable' : null,
  }) as const;

describe('the status of an account', () => {
  it('MON-42 MON-51 is that of the business unit itself', () => {
    expect(statusOf([unit(4, 'monitored', 'b'), unit(5, 'not_covered', 'a')], 4)).toEqual({
      status: 'monitored',
      coveredUntil: 'b',
      notCoveredSince: null,
      notCoveredReason: null,
    });
    expect(statusOf([unit(4, 'monitored', 'b'), unit(5, 'not_covered', 'a')], 5)).toEqual({
      status: 'not_covered',
      coveredUntil: 'a',
      notCoveredSince: 'a',
      notCoveredReason: 'not_observable',
    });
  });

  it('MON-43 is monitored elsewhere only if another business unit has it monitored', () => {
    expect(statusOf([unit(5, 'monitored', 'b')], 4).status).toBe('monitored_elsewhere');
    expect(statusOf([unit(5, 'not_covered', 'b')], 4).status).toBe('not_monitored');
    expect(statusOf([unit(4, 'stopped', 'a', null), unit(5, 'monitored', 'b')], 4)).toEqual({
      status: 'monitored_elsewhere',
      coveredUntil: 'a',
      notCoveredSince: null,
      notCoveredReason: null,
    });
    expect(statusOf([unit(4, 'not_covered', 'a'), unit(5, 'monitored', 'b')], 4).status).toBe('not_covered');
  });

  it('OP-26 of all business units is the first of not covered, monitored, not monitored; with several, the earliest', () => {
    const all = [unit(3, 'monitored', 'a'), unit(4, 'not_covered', 'c'), unit(5, 'not_covered', 'b')];
    expect(statusOf(all, null)).toEqual({
      status: 'not_covered',
      coveredUntil: 'b',
      notCoveredSince: 'b',
      notCoveredReason: 'not_observable',
    });
    expect(
      statusOf([unit(3, 'monitored', 'b'), unit(4, 'monitored', 'a'), unit(5, 'stopped', '0', null)], null),
    ).toEqual({ status: 'monitored', coveredUntil: 'a', notCoveredSince: null, notCoveredReason: null });
    expect(statusOf([unit(5, 'stopped', 'a', null)], null)).toEqual({
      status: 'not_monitored',
      coveredUntil: 'a',
      notCoveredSince: null,
      notCoveredReason: null,
    });
    expect(statusOf([], null).status).toBe('not_monitored');
  });
});
