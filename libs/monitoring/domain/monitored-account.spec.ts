import { given } from '#kernel/testing/scenario.js';
import type { EventOf } from '#kernel/events/event.js';
import { monitoredAccount, takeFreeMonth, wantBecauseOf } from './monitored-account.js';
import type { MonitoringEvents, MonitoringSource } from './monitoring.events.js';

const now = '2026-02-01T10:00:00.000Z';
const member: MonitoringSource = { kind: 'list', listId: 12, memberId: 31 };
const pick: MonitoringSource = { kind: 'pick', accountId: 7 };

type Event = EventOf<MonitoringEvents>;
const wanted = (personaId: number, source = member, wantedAt = now): Event => ({
  type: 'MonitoringWanted',
  data: { personaId, source, wantedAt },
});
const unwanted = (personaId: number, source = member): Event => ({
  type: 'MonitoringUnwanted',
  data: { personaId, source, unwantedAt: now },
});

describe('a monitored account', () => {
  const want = (...personaIds: number[]) => wantBecauseOf(member, new Set(personaIds), now);

  it('MON-27 is requested by each business unit of a reason, in their order', () => {
    given(monitoredAccount, [])
      .when(want(5, 4))
      .then([wanted(4), wanted(5)]);
  });

  it('OP-26 follows its reason: new business units request it, removed ones do not', () => {
    given(monitoredAccount, [wanted(4), wanted(5)])
      .when(want(5, 6))
      .then([unwanted(4), wanted(6)]);
    given(monitoredAccount, [wanted(4)])
      .when(want())
      .then([unwanted(4)]);
    given(monitoredAccount, [wanted(4), unwanted(4)])
      .when(want(4))
      .then([wanted(4)]);
  });

  it('OP-26 is requested once because of one reason, and again because of another', () => {
    given(monitoredAccount, [wanted(4)])
      .when(want(4))
      .then([]);
    given(monitoredAccount, [wanted(4)])
      .when(wantBecauseOf(pick, new Set([4]), now))
      .then([wanted(4, pick)]);
    given(monitoredAccount, [wanted(4), wanted(4, pick)])
      .when(want())
      .then([unwanted(4)]);
  });
});

describe('a free month', () => {
  const month = { from: now, until: '2026-03-01T10:00:00.000Z', anchorDay: 1 };
  const taken: Event = { type: 'MonitoringMonthFree', data: { personaId: 4, ...month } };

  it('OP-27 is taken by a business unit that requests the account', () => {
    given(monitoredAccount, [wanted(4)])
      .when(takeFreeMonth(4, month, null))
      .then([taken]);
  });

  it('OP-27 is not taken twice, nor by a business unit that no longer requests the account', () => {
    given(monitoredAccount, [wanted(4), taken])
      .when(takeFreeMonth(4, { ...month, from: '2026-02-15T10:00:00.000Z' }, null))
      .then([]);
    given(monitoredAccount, [wanted(4), taken])
      .when(takeFreeMonth(4, { ...month, from: month.until }, null))
      .then([{ type: 'MonitoringMonthFree', data: { personaId: 4, ...month, from: month.until } }]);
    given(monitoredAccount, [wanted(4), unwanted(4)])
      .when(takeFreeMonth(4, month, null))
      .then([]);
    given(monitoredAccount, [wanted(4), wanted(4, pick), unwanted(4)])
      .when(takeFreeMonth(4, month, null))
      .then([taken]);
  });
});
