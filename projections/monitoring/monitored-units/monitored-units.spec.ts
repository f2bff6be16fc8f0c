import { foldAll, type HappenedEvent } from '#kernel/testing/project.js';
import { sourceOfKey } from '#monitoring/domain/monitoring.events.js';
import { isCoveredAt, notCovered } from '#monitoring/domain/coverage-facts.js';
import { monitoredUnits, unitName, wantedByAt } from './monitored-units.projection.js';

const at = (day: string): string => `${day}T10:00:00.000Z`;
const stream = 'monitoring-1_9';
const source = { kind: 'list', listId: 12, memberId: 31 };

const wanted = (day: string, more: object = source): HappenedEvent => ({
  type: 'MonitoringWanted',
  stream,
  data: { personaId: 4, source: more, wantedAt: at(day) },
});
const unwanted = (day: string, more: object = source): HappenedEvent => ({
  type: 'MonitoringUnwanted',
  stream,
  data: { personaId: 4, source: more, unwantedAt: at(day) },
});
const paid = (from: string, until: string, kind = 'monitoring'): HappenedEvent => ({
  type: 'CreditsHeld',
  data: {
    movementId: 1,
    key: `monitoring:9:4:${from.slice(0, 7)}`,
    credits: '5000000',
    product: 'account_monitoring',
    payer: 'workspace',
    cause: { kind, companyId: 9, personaId: 4, from: at(from), until: at(until), anchorDay: 31 },
  },
});
const free = (from: string, until: string): HappenedEvent => ({
  type: 'MonitoringMonthFree',
  stream,
  data: { personaId: 4, from: at(from), until: at(until), anchorDay: 31 },
});
const refused = (since: string, triedAt: string, reason = 'credits'): HappenedEvent => ({
  type: 'MonthsRefused',
  data: {
    units: [
      { companyId: 8, personaId: 4, since: at(since) },
      { companyId: 9, personaId: 4, since: at(since) },
    ],
    reason,
    triedAt: at(triedAt),
  },
});

function unitAfter(...events: HappenedEvent[]) {
  const [unit, ...others] = foldAll(monitoredUnits, events).values();
  if (unit === undefined || others.length > 0) throw new Error('these events are about one unit');
  return unit;
}

describe('monitored-units', () => {
  it('MON-51 are monitored from the request on, and covered until their month ends', () => {
    const due = unitAfter(wanted('2026-01-31'));
    expect(due).toMatchObject({ status: 'monitored', lapsesAt: at('2026-01-31'), coveredUntil: null });
    const unit = unitAfter(wanted('2026-01-31'), paid('2026-01-31', '2026-02-28'));
    expect(unit).toMatchObject({
      workspaceId: 1,
      companyId: 9,
      personaId: 4,
      unit: unitName(9, 4),
      status: 'monitored',
      lapsesAt: at('2026-02-28'),
      coveredUntil: at('2026-02-28'),
      anchorDay: 31,
    });
  });

  it('MON-53 MON-55 are not covered since the end of their month, from the refusal until the payment', () => {
    const month = [wanted('2026-01-31'), paid('2026-01-31', '2026-02-28')];
    const without = unitAfter(...month, refused('2026-02-28', '2026-03-02'));
    expect(without).toMatchObject({ status: 'not_covered', refusal: 'credits' });
    expect(notCovered(without)?.since).toBe(at('2026-02-28'));
    // It counted as covered until the first try (OP-27).
    expect(isCoveredAt(without, at('2026-03-01'))).toBe(true);
    expect(isCoveredAt(without, at('2026-03-02'))).toBe(false);
    const again = unitAfter(...month, refused('2026-02-28', '2026-03-02'), paid('2026-03-05', '2026-04-05'));
    expect(again).toMatchObject({ status: 'monitored', refusal: null, lapsesAt: at('2026-04-05') });
    expect(notCovered(again)).toBeNull();
    expect(isCoveredAt(again, at('2026-03-04'))).toBe(false);
    expect(isCoveredAt(again, at('2026-03-05'))).toBe(true);
    expect(again).toMatchObject({
      covered: [
        { from: at('2026-01-31'), until: at('2026-03-02') },
        { from: at('2026-03-05'), until: at('2026-04-05') },
      ],
      coveredTo: at('2026-04-05'),
    });
  });

  it('OP-27 ignore a refusal of a unit that was paid or stopped before', () => {
    const month = [wanted('2026-01-31'), paid('2026-01-31', '2026-02-28')];
    const renewed = unitAfter(
      ...month,
      paid('2026-02-28', '2026-03-31'),
      refused('2026-02-28', '2026-02-28'),
    );
    expect(renewed).toMatchObject({ status: 'monitored', lapsesAt: at('2026-03-31') });
    const stopped = unitAfter(...month, unwanted('2026-02-20'), refused('2026-02-28', '2026-02-28'));
    expect(stopped.status).toBe('stopped');
    // The same refusal names another company, whose month ended at the time at which the renewed one ends.
    const units = [
      { companyId: 9, personaId: 4, since: at('2026-02-28') },
      { companyId: 8, personaId: 4, since: at('2026-03-31') },
      { companyId: 9, personaId: 5, since: at('2026-03-31') },
    ];
    const both = { type: 'MonthsRefused', data: { units, reason: 'credits', triedAt: at('2026-03-31') } };
    const [unit] = foldAll(monitoredUnits, [...month, paid('2026-02-28', '2026-03-31'), both]).values();
    expect(unit).toMatchObject({ companyId: 9, personaId: 4, status: 'monitored', refusal: null });
  });

  it('MON-56 D-16 keep the paid month after a stop', () => {
    const stopped = unitAfter(wanted('2026-01-31'), paid('2026-01-31', '2026-02-28'), unwanted('2026-02-10'));
    expect(stopped).toMatchObject({ status: 'stopped', lapsesAt: null, coveredUntil: at('2026-02-28') });
    expect(isCoveredAt(stopped, at('2026-02-27'))).toBe(true);
    expect(isCoveredAt(stopped, at('2026-02-28'))).toBe(false);
  });

  it('MON-56 stay stopped if their month is paid by a request that the stop overtook', () => {
    const late = unitAfter(wanted('2026-01-31'), unwanted('2026-02-01'), paid('2026-01-31', '2026-02-28'));
    expect(late).toMatchObject({ status: 'stopped', lapsesAt: null, coveredUntil: at('2026-02-28') });
    expect(isCoveredAt(late, at('2026-02-27'))).toBe(true);
  });

  it('D-16 OP-27 were covered until the stop if they were stopped before their due month was tried', () => {
    const month = [wanted('2026-01-31'), paid('2026-01-31', '2026-02-28')];
    const stopped = unitAfter(...month, unwanted('2026-03-02'));
    expect(isCoveredAt(stopped, at('2026-03-01'))).toBe(true);
    expect(isCoveredAt(stopped, at('2026-03-02'))).toBe(false);
    expect(stopped.coveredTo).toBe(at('2026-03-02'));
  });

  it('MON-58 need nothing if they are requested again within a paid month, and a month when that is over', () => {
    const stopped = [wanted('2026-01-31'), paid('2026-01-31', '2026-02-28'), unwanted('2026-02-10')];
    expect(unitAfter(...stopped, wanted('2026-02-20')).lapsesAt).toBe(at('2026-02-28'));
    expect(unitAfter(...stopped, wanted('2026-03-20')).lapsesAt).toBe(at('2026-03-20'));
  });

  it('OP-26 are requested as long as one reason is left', () => {
    const pick = { kind: 'pick', accountId: 7 };
    const one = unitAfter(wanted('2026-01-31'), wanted('2026-02-01', pick), unwanted('2026-02-02'));
    expect(one).toMatchObject({ status: 'monitored', sources: ['pick:7'], wantedSince: at('2026-01-31') });
    expect(
      unitAfter(wanted('2026-01-31'), wanted('2026-02-01', pick), unwanted('2026-02-02', pick)),
    ).toMatchObject({
      status: 'monitored',
      sources: ['list:12:31'],
    });
  });

  it('OP-27 have free months like paid ones, and of two the later one counts', () => {
    const unit = unitAfter(
      wanted('2026-01-31'),
      free('2026-01-31', '2026-02-28'),
      paid('2026-01-31', '2026-02-27'),
    );
    expect(unit.lapsesAt).toBe(at('2026-02-28'));
  });

  it('D-16 were covered all the time if they were renewed late without a refusal', () => {
    const late = unitAfter(
      wanted('2026-01-31'),
      paid('2026-01-31', '2026-02-28'),
      paid('2026-05-03', '2026-06-03'),
    );
    expect(isCoveredAt(late, at('2026-04-01'))).toBe(true);
    expect(late.covered).toEqual([{ from: at('2026-01-31'), until: at('2026-06-03') }]);
  });

  it('MON-05 show why they were requested when a month began, whatever changed since', () => {
    const pick = { kind: 'pick', accountId: 7 };
    const unit = unitAfter(
      wanted('2026-01-31'),
      paid('2026-01-31', '2026-02-28'),
      paid('2026-02-28', '2026-03-31'),
      wanted('2026-03-02', pick),
      unwanted('2026-03-03'),
      paid('2026-03-31', '2026-04-30'),
    );
    expect(unit.wantedBy).toEqual([
      { since: at('2026-01-31'), sources: ['list:12:31'] },
      { since: at('2026-03-31'), sources: ['pick:7'] },
    ]);
    expect(wantedByAt(unit, at('2026-01-30'))).toEqual([]);
    const other = { ...source, memberId: 32 };
    const exchanged = unitAfter(
      wanted('2026-01-31'),
      wanted('2026-01-31', pick),
      paid('2026-01-31', '2026-02-28'),
      wanted('2026-02-02', other),
      unwanted('2026-02-03', pick),
      paid('2026-02-28', '2026-03-31'),
    );
    expect(exchanged.wantedBy).toEqual([
      { since: at('2026-01-31'), sources: ['list:12:31', 'pick:7'] },
      { since: at('2026-02-28'), sources: ['list:12:31', 'list:12:32'] },
    ]);
    const back = unitAfter(
      wanted('2026-01-31'),
      paid('2026-01-31', '2026-02-28'),
      wanted('2026-02-02', pick),
      paid('2026-02-28', '2026-03-31'),
      unwanted('2026-03-02', pick),
      paid('2026-03-31', '2026-04-30'),
      paid('2026-04-30', '2026-05-31'),
    );
    expect(back.wantedBy.map(({ sources }) => sources)).toEqual([
      ['list:12:31'],
      ['list:12:31', 'pick:7'],
      ['list:12:31'],
    ]);
    expect(wantedByAt(unit, at('2026-02-28')).map(sourceOfKey)).toEqual([source]);
    expect(wantedByAt(unit, at('2026-03-31')).map(sourceOfKey)).toEqual([pick]);
  });

  it('MON-62 wait while nothing can be observed of their company, with the reason of the last try', () => {
    const hidden = unitAfter(wanted('2026-01-31'), refused('2026-01-31', '2026-02-01', 'not_observable'));
    expect(hidden).toMatchObject({ status: 'not_covered', refusal: 'not_observable', rests: true });
    const observable: HappenedEvent = {
      type: 'MonthsObservable',
      data: { units: [{ companyId: 9, personaId: 4, since: at('2026-01-31') }], learnedAt: at('2026-02-02') },
    };
    const events = [wanted('2026-01-31'), refused('2026-01-31', '2026-02-01', 'not_observable'), observable];
    expect(unitAfter(...events)).toMatchObject({
      status: 'not_covered',
      refusal: 'not_observable',
      rests: null,
    });
    // It was said of a month that is no longer the missing one.
    const since = { units: [{ companyId: 9, personaId: 4, since: at('2026-01-30') }] };
    const otherMonth = { type: 'MonthsObservable', data: { ...since, learnedAt: at('2026-02-02') } };
    expect(unitAfter(...events.slice(0, 2), otherMonth).rests).toBe(true);
    expect(unitAfter(wanted('2026-01-31'), observable).rests).toBeNull();
    const short = unitAfter(...events, refused('2026-01-31', '2026-02-02'));
    expect(short).toMatchObject({ status: 'not_covered', refusal: 'credits', rests: null });
    const stopped = unitAfter(...events.slice(0, 2), unwanted('2026-02-02'));
    expect(stopped).toMatchObject({ status: 'stopped', refusal: null, rests: null });
  });

  it('ignore payments for anything else', () => {
    expect(foldAll(monitoredUnits, [paid('2026-01-31', '2026-02-28', 'operator')]).size).toBe(0);
  });

  it('keep when and why a month could not be paid: until one is paid, or until they are no longer requested', () => {
    const gapsOf = (events: readonly HappenedEvent[]) =>
      foldAll(monitoredUnits, events).values().next().value?.gaps;
    const first = [wanted('2026-01-05'), refused('2026-01-05', '2026-01-06')];
    expect(gapsOf(first)).toEqual([{ from: at('2026-01-06'), until: null, reason: 'credits' }]);
    const other = [...first, refused('2026-01-05', '2026-01-07'), refused('2026-01-05', '2026-01-08', 'cap')];
    expect(gapsOf(other)).toEqual([
      { from: at('2026-01-06'), until: at('2026-01-08'), reason: 'credits' },
      { from: at('2026-01-08'), until: null, reason: 'cap' },
    ]);
    expect(gapsOf([...first, paid('2026-01-10', '2026-02-10')])).toEqual([
      { from: at('2026-01-06'), until: at('2026-01-10'), reason: 'credits' },
    ]);
    const twice = [...first, paid('2026-01-10', '2026-02-10'), refused('2026-02-10', '2026-02-11')];
    expect(gapsOf([...twice, refused('2026-02-10', '2026-02-12'), paid('2026-02-13', '2026-03-13')])).toEqual(
      [
        { from: at('2026-01-06'), until: at('2026-01-10'), reason: 'credits' },
        { from: at('2026-02-11'), until: at('2026-02-13'), reason: 'credits' },
      ],
    );
    expect(gapsOf([...first, unwanted('2026-01-09')])).toEqual([
      { from: at('2026-01-06'), until: at('2026-01-09'), reason: 'credits' },
    ]);
  });
});
