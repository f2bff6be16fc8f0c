import { given, stateFrom } from '#kernel/testing/scenario.js';
import type { EventOf } from '#kernel/events/event.js';
import type { AccountMonitoringEvents, RefusalReason } from './account-monitoring.events.js';
import {
  accountMonitoring,
  begins,
  begun,
  followed,
  refuseMonths,
  retried,
  retryAtNewPrice,
} from './account-monitoring.js';

type Event = EventOf<AccountMonitoringEvents>;

const at = (time: string): string => `2026-02-28T${time}.000Z`;
const unit = { companyId: 9, personaId: 4, since: at('10:00:00') };
const refused = (reason: RefusalReason = 'credits') => ({
  units: [unit],
  reason,
  triedAt: at('10:00:05'),
});
const wasRefused: Event = { type: 'MonthsRefused', data: refused() };
const retryAt = (time: string | null, wakes = 0): Event => ({
  type: 'MonthsRetrySet',
  data: { retryAt: time === null ? null : at(time), wakes, reasons: wakes },
});
const seen = (wakes: number) => ({ wakes, reasons: wakes });

describe('months that could not be paid', () => {
  it('MON-54 are retried an hour after the oldest was due', () => {
    given(accountMonitoring, [])
      .when(refuseMonths(refused(), seen(2)))
      .then([wasRefused, retryAt('11:00:00', 2)]);
    const late = { ...refused(), triedAt: at('12:30:00') };
    given(accountMonitoring, [])
      .when(refuseMonths(late, seen(0)))
      .then([{ type: 'MonthsRefused', data: late }, retryAt('13:00:00')]);
  });

  it('CAP-03 are retried at the end of the day if a cap refuses them and that is sooner', () => {
    const late = { ...refused('cap'), units: [{ ...unit, since: at('23:20:00') }], triedAt: at('23:20:01') };
    const midnight = '2026-03-01T00:00:00.000Z';
    given(accountMonitoring, [])
      .when(refuseMonths(late, seen(0)))
      .then([
        { type: 'MonthsRefused', data: late },
        { type: 'MonthsRetrySet', data: { retryAt: midnight, wakes: 0, reasons: 0 } },
      ]);
    given(accountMonitoring, [])
      .when(refuseMonths(refused('cap'), seen(0)))
      .then([{ type: 'MonthsRefused', data: refused('cap') }, retryAt('11:00:00')]);
    // For another reason the end of a day changes nothing.
    const credits = { ...late, reason: 'credits' } as const;
    given(accountMonitoring, [])
      .when(refuseMonths(credits, seen(0)))
      .then([
        { type: 'MonthsRefused', data: credits },
        { type: 'MonthsRetrySet', data: { retryAt: '2026-03-01T00:20:00.000Z', wakes: 0, reasons: 0 } },
      ]);
  });

  it('MON-54 are retried an hour after the oldest of several was due', () => {
    const units = ['09:50:00', '09:40:00', '09:45:00'].map((time) => ({ ...unit, since: at(time) }));
    const several = { ...refused(), units };
    given(accountMonitoring, [])
      .when(refuseMonths(several, seen(0)))
      .then([{ type: 'MonthsRefused', data: several }, retryAt('10:40:00')]);
  });

  it('MON-54 join those that already wait', () => {
    given(accountMonitoring, [wasRefused, retryAt('10:30:00')])
      .when(refuseMonths(refused(), seen(0)))
      .then([wasRefused]);
  });

  for (const [rule, reason] of [
    ['OP-27', 'blocked'],
    ['MON-62', 'not_observable'],
  ] as const) {
    it(`${rule} rest if they are ${reason}, and record what was known before`, () => {
      const rests: Event = { type: 'MonthsRefused', data: { ...refused(reason), reasons: 1 } };
      for (const past of [[], [wasRefused, retryAt('10:30:00')]])
        given(accountMonitoring, past)
          .when(refuseMonths(refused(reason), seen(1)))
          .then([rests]);
    });
  }
});

describe('a retry', () => {
  const retry = (more: Partial<Parameters<typeof retried>[0]> = {}) =>
    retried({ isLeft: true, refusals: 1, ...seen(0), now: at('11:00:02'), ...more });

  it('MON-54 is followed by the next whole hour after the one that was due, however late it ran', () => {
    given(accountMonitoring, [wasRefused, retryAt('11:00:00')])
      .when(retry())
      .then([retryAt('12:00:00')]);
    given(accountMonitoring, [wasRefused, retryAt('11:00:00')])
      .when(retry({ now: at('15:20:00') }))
      .then([retryAt('16:00:00')]);
  });

  it('CAP-03 refused by a cap is followed by one at the end of the day, if that is sooner', () => {
    const midnight = '2026-03-01T00:00:00.000Z';
    const past = [wasRefused, retryAt('22:50:00')] as const;
    given(accountMonitoring, past)
      .when(retry({ isCapped: true, now: at('23:00:02') }))
      .then([retryAt('23:50:00')]);
    given(accountMonitoring, [wasRefused, retryAt('23:50:00')])
      .when(retry({ isCapped: true, now: at('23:50:01') }))
      .then([{ type: 'MonthsRetrySet', data: { retryAt: midnight, wakes: 0, reasons: 0 } }]);
  });

  it('OP-27 before its hour, because credits were granted, does not change the hour', () => {
    given(accountMonitoring, [wasRefused, retryAt('11:00:00')])
      .when(retry({ now: at('10:20:00'), ...seen(1) }))
      .then([retryAt('11:00:00', 1)]);
  });

  it('MON-55 that covers everything is the last, unless more was refused meanwhile', () => {
    given(accountMonitoring, [wasRefused, retryAt('11:00:00')])
      .when(retry({ isLeft: false }))
      .then([retryAt(null)]);
    given(accountMonitoring, [wasRefused, retryAt('11:00:00'), wasRefused])
      .when(retry({ isLeft: false }))
      .then([]);
    given(accountMonitoring, [wasRefused, retryAt('11:00:00'), wasRefused])
      .when(retry())
      .then([retryAt('12:00:00')]);
  });
});

it('OP-27 is requested by a new price if months were refused, without changing the hour', () => {
  const asked: Event = { type: 'MonthsRetryAsked', data: { because: 'price', askedAt: at('10:20:00') } };
  given(accountMonitoring, [])
    .when(retryAtNewPrice(at('10:20:00')))
    .then([]);
  given(accountMonitoring, [wasRefused, retryAt('11:00:00')])
    .when(retryAtNewPrice(at('10:20:00')))
    .then([asked]);
  given(accountMonitoring, [wasRefused, retryAt('11:00:00'), asked])
    .when(retried({ isLeft: true, refusals: 1, ...seen(1), now: at('10:20:01') }))
    .then([retryAt('11:00:00', 1)]);
});

it('OP-28 advances the number of followed changes, never back', () => {
  given(accountMonitoring, [])
    .when(followed(3))
    .then([{ type: 'MonitoringFollowed', data: { upTo: 3 } }]);
  given(accountMonitoring, [{ type: 'MonitoringFollowed', data: { upTo: 3 } }])
    .when(followed(3))
    .then([]);
});

describe('requests that begin together', () => {
  const opened = (begin: string, beginsAt: string, listId?: number): Event => ({
    type: 'MonitoringBegins',
    data: { begin, ...(listId === undefined ? {} : { listId }), beginsAt },
  });

  it('OP-27 take the time of an open beginning of the same list or of picks', () => {
    const another = { begin: 'b', listId: null, beginsAt: at('10:00:01') };
    given(accountMonitoring, [opened('a', at('10:00:00'))])
      .when(begins(another))
      .then([opened('b', at('10:00:00'))]);
    given(accountMonitoring, [opened('a', at('10:00:00'), 12)])
      .when(begins(another))
      .then([opened('b', at('10:00:01'))]);
    given(accountMonitoring, [
      opened('a', at('10:00:00')),
      { type: 'MonitoringBegun', data: { begins: ['a'] } },
    ])
      .when(begins(another))
      .then([opened('b', at('10:00:01'))]);
  });

  it('OP-27 of one list have the earliest of its times, and name the list', () => {
    given(accountMonitoring, [
      opened('a', at('10:00:02'), 12),
      opened('b', at('10:00:01'), 12),
      opened('c', at('10:00:00'), 13),
    ])
      .when(begins({ begin: 'd', listId: 12, beginsAt: at('10:00:03') }))
      .then([opened('d', at('10:00:01'), 12)]);
  });

  it('OP-27 change nothing else of the progress', () => {
    const before: Event[] = [
      { type: 'MonitoringFollowed', data: { upTo: 3 } },
      wasRefused,
      retryAt('11:00:00'),
    ];
    const first = opened('a', at('10:00:00'), 12);
    const second = opened('b', at('10:00:01'));
    const done: Event = { type: 'MonitoringBegun', data: { begins: ['a'] } };
    const open = { begin: 'b', listId: null, beginsAt: at('10:00:01') };
    const progress = { followedUpTo: 3, retryAt: at('11:00:00'), refusals: 1 };
    expect(stateFrom(accountMonitoring, [...before, first, second])).toEqual({
      ...progress,
      beginning: [{ begin: 'a', listId: 12, beginsAt: at('10:00:00') }, open],
      beginnings: 2,
    });
    expect(stateFrom(accountMonitoring, [...before, first, second, done])).toEqual({
      ...progress,
      beginning: [open],
      beginnings: 3,
    });
  });

  it('OP-27 are recorded once', () => {
    given(accountMonitoring, [opened('a', at('10:00:00'))])
      .when(begins({ begin: 'a', listId: null, beginsAt: at('10:00:01') }))
      .then([]);
  });

  it('OP-27 are recorded as complete once', () => {
    given(accountMonitoring, [opened('a', at('10:00:00'))])
      .when(begun(['a', 'b']))
      .then([{ type: 'MonitoringBegun', data: { begins: ['a'] } }]);
    given(accountMonitoring, [])
      .when(begun(['a']))
      .then([]);
  });

  it('OP-27 are counted when they begin and when they are complete, so that a reader notices both', () => {
    const done: Event = { type: 'MonitoringBegun', data: { begins: ['a', 'b'] } };
    const counts = [[], [opened('a', at('10:00:00'))], [opened('a', at('10:00:00')), done]].map(
      (past) => stateFrom(accountMonitoring, past).beginnings,
    );
    expect(counts).toEqual([0, 1, 2]);
  });

  it('OP-27 are restored from a snapshot, with the time of the next retry; an older snapshot has none open', () => {
    const { snapshot, initial } = accountMonitoring;
    const place = { revision: 0n, position: '0' };
    const state = {
      ...initial(),
      retryAt: at('11:00:00'),
      beginning: [{ begin: 'a', listId: 12, beginsAt: at('10:00:00') }],
      beginnings: 1,
    };
    expect(snapshot?.fromJson(snapshot.toJson(state), place)).toEqual(state);
    expect(snapshot?.fromJson({ followedUpTo: 0, retryAt: null, refusals: 0 }, place)).toEqual(initial());
  });
});
