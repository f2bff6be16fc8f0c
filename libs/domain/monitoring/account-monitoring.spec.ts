import { given } from '#kernel/testing/scenario.js';
import type { EventOf } from '#kernel/events/event.js';
import type { AccountMonitoringEvents } from './account-monitoring.events.js';
import { accountMonitoring, followed, refuseMonths, retried, retryAtNewPrice } from './account-monitoring.js';

type Event = EventOf<AccountMonitoringEvents>;

const at = (time: string): string => `2026-02-28T${time}.000Z`;
const unit = { companyId: 9, personaId: 4, since: at('10:00:00') };
const refused = (reason: 'credits' | 'price' | 'blocked' = 'credits') => ({
  units: [unit],
  reason,
  triedAt: at('10:00:05'),
});
const wasRefused: Event = { type: 'MonthsRefused', data: refused() };
const retryAt = (time: string | null, wakes = 0): Event => ({
  type: 'MonthsRetrySet',
  data: { retryAt: time === null ? null : at(time), wakes },
});

describe('months that could not be paid', () => {
  it('MON-54 are tried again an hour after the oldest was due', () => {
    given(accountMonitoring, [])
      .when(refuseMonths(refused(), 2))
      .then([wasRefused, retryAt('11:00:00', 2)]);
    const late = { ...refused(), triedAt: at('12:30:00') };
    given(accountMonitoring, [])
      .when(refuseMonths(late, 0))
      .then([{ type: 'MonthsRefused', data: late }, retryAt('13:00:00')]);
  });

  it('MON-54 join those that wait already', () => {
    given(accountMonitoring, [wasRefused, retryAt('10:30:00')])
      .when(refuseMonths(refused(), 0))
      .then([wasRefused]);
  });

  it('OP-27 rest where the workspace is blocked', () => {
    given(accountMonitoring, [])
      .when(refuseMonths(refused('blocked'), 0))
      .then([{ type: 'MonthsRefused', data: refused('blocked') }]);
  });
});

describe('a retry', () => {
  const retry = (more: Partial<Parameters<typeof retried>[0]> = {}) =>
    retried({ isLeft: true, refusals: 1, wakes: 0, now: at('11:00:02'), ...more });

  it('MON-54 is followed by the next whole hour after the one that was due, however late it came', () => {
    given(accountMonitoring, [wasRefused, retryAt('11:00:00')])
      .when(retry())
      .then([retryAt('12:00:00')]);
    given(accountMonitoring, [wasRefused, retryAt('11:00:00')])
      .when(retry({ now: at('15:20:00') }))
      .then([retryAt('16:00:00')]);
  });

  it('OP-27 before its hour, because credits came, leaves the hour as it is', () => {
    given(accountMonitoring, [wasRefused, retryAt('11:00:00')])
      .when(retry({ now: at('10:20:00'), wakes: 1 }))
      .then([retryAt('11:00:00', 1)]);
  });

  it('MON-55 that covers everything is the last, unless more was refused meanwhile', () => {
    given(accountMonitoring, [wasRefused, retryAt('11:00:00')])
      .when(retry({ isLeft: false }))
      .then([retryAt(null)]);
    given(accountMonitoring, [wasRefused, retryAt('11:00:00'), wasRefused])
      .when(retry({ isLeft: false }))
      .then([retryAt('12:00:00')]);
  });
});

it('OP-27 a price that is set asks for a retry where months were refused, and moves no hour', () => {
  const asked: Event = { type: 'MonthsRetryAsked', data: { because: 'price', askedAt: at('10:20:00') } };
  given(accountMonitoring, [])
    .when(retryAtNewPrice(at('10:20:00')))
    .then([]);
  given(accountMonitoring, [wasRefused, retryAt('11:00:00')])
    .when(retryAtNewPrice(at('10:20:00')))
    .then([asked]);
  given(accountMonitoring, [wasRefused, retryAt('11:00:00'), asked])
    .when(retried({ isLeft: true, refusals: 1, wakes: 1, now: at('10:20:01') }))
    .then([retryAt('11:00:00', 1)]);
});

it('OP-28 what is wanted follows the lists, change by change', () => {
  given(accountMonitoring, [])
    .when(followed(3))
    .then([{ type: 'MonitoringFollowed', data: { upTo: 3 } }]);
  given(accountMonitoring, [{ type: 'MonitoringFollowed', data: { upTo: 3 } }])
    .when(followed(3))
    .then([]);
});
