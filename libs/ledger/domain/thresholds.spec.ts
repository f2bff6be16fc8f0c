import { credits } from '#kernel/values/credits.js';
import { history, rulesOf, stateAfter, stateFrom } from '#kernel/testing/scenario.js';
import {
  adjustmentOf,
  ended,
  exempt,
  grantOf,
  held,
  micros,
  partnerBilled,
  selfBilled,
  withdrawalOf,
} from '#ledger/testing/sample-entries.js';
import { accountFromJson, accountToJson } from './account-snapshot.js';
import { chargesMark, creditAccount } from './credit-account.js';
import type { CreditEvent } from './credits.events.js';
import type { Hold } from './hold-credits.js';
import {
  expiringFrom,
  setThresholds,
  notifyDaysLeft,
  notifyExpiring,
  thresholdsOf,
  type Outlook,
} from './set-thresholds.js';
import { followingLow } from './thresholds.js';

const deciding = rulesOf(creditAccount);
let movement = 0;
const granted = (whole: number): CreditEvent => grantOf((movement += 1), micros(whole));
const withdrawn = (whole: number): CreditEvent => withdrawalOf((movement += 1), micros(whole));
const adjusted = (whole: number): CreditEvent => adjustmentOf((movement += 1), micros(whole));
const watched = (inCredits: readonly number[], days: readonly number[] = []): CreditEvent => ({
  type: 'ThresholdsSet',
  data: { credits: inCredits.map(micros), days: [...days] },
});
const low = (threshold: number, balance: number): CreditEvent => ({
  type: 'CreditsLow',
  data: { credits: micros(threshold), balance: micros(balance) },
});
const runOut = (balance: string): CreditEvent => ({ type: 'CreditsRunOut', data: { balance } });
const lowDays = (days: number, endsOn: string, balance: number): CreditEvent => ({
  type: 'CreditsLow',
  data: { days, endsOn, balance: micros(balance) },
});

/** The events, each with the entries that follow it, as the command path writes them. */
function written(...events: readonly CreditEvent[]): readonly CreditEvent[] {
  const all: CreditEvent[] = [];
  for (const event of events) {
    all.push(event);
    all.push(...followingLow(stateFrom(creditAccount, all)));
  }
  return all;
}
const noticesAfter = (...events: readonly CreditEvent[]): readonly CreditEvent[] =>
  written(...events).filter(({ type }) => type === 'CreditsLow' || type === 'CreditsRunOut');
const stateOf = (...events: readonly CreditEvent[]) => stateFrom(creditAccount, written(...events));

const holdOf = (amount: number): Hold => ({
  movementId: 900,
  key: 'k',
  credits: credits(amount),
  product: 'p',
  cause: { kind: 'operator' },
});

describe('LOW-01 thresholds in credits', () => {
  it('are notified when the balance falls to them, highest first, and each once', () => {
    expect(
      noticesAfter(selfBilled, granted(100), watched([50, 20]), withdrawn(49), withdrawn(1), withdrawn(1)),
    ).toEqual([low(50, 50)]);
    expect(noticesAfter(selfBilled, granted(100), watched([50, 20]), withdrawn(85), withdrawn(5))).toEqual([
      low(50, 15),
      low(20, 15),
    ]);
  });

  it('are armed again by a grant or a positive adjustment that ends above them, and by nothing else', () => {
    const start = [selfBilled, granted(100), watched([50]), withdrawn(60)];
    expect(noticesAfter(...start, granted(10), withdrawn(1))).toEqual([low(50, 40)]);
    expect(noticesAfter(...start, granted(11), withdrawn(1))).toEqual([low(50, 40), low(50, 50)]);
    expect(noticesAfter(...start, adjusted(11), adjusted(-1))).toEqual([low(50, 40), low(50, 50)]);
    const first = holdOf(60);
    const released = ended('CreditsReleased', first);
    const again = held({ ...first, movementId: 901, key: 'l' });
    expect(noticesAfter(selfBilled, granted(100), watched([50]), held(first), released, again)).toEqual([
      low(50, 40),
    ]);
  });

  it('are not armed when they are set at or above the balance, until the balance was above them', () => {
    const start = [selfBilled, granted(30), watched([50])];
    expect(noticesAfter(...start, withdrawn(1))).toEqual([]);
    expect(noticesAfter(...start, granted(30), withdrawn(10))).toEqual([low(50, 50)]);
  });

  it('leave the snapshot of a ledger without thresholds unchanged', () => {
    expect(noticesAfter(selfBilled, granted(100), withdrawn(100))).toEqual([]);
    expect(accountToJson(stateOf(selfBilled, granted(100), withdrawn(100)))).not.toHaveProperty('later');
  });

  it('are silent while a partner pays or the workspace is exempt, and are checked at once when the balance pays again', () => {
    const start = [selfBilled, granted(100), watched([50]), exempt, withdrawn(60)];
    expect(noticesAfter(...start)).toEqual([]);
    expect(noticesAfter(...start, selfBilled)).toEqual([low(50, 40)]);
  });

  it('keep their state when other thresholds are set', () => {
    const start = [selfBilled, granted(100), watched([50]), withdrawn(60), watched([50, 30])];
    expect(noticesAfter(...start, withdrawn(10))).toEqual([low(50, 40), low(30, 30)]);
  });

  it('notify last, once per arming, that the balance is below one credit', () => {
    const part: CreditEvent = {
      type: 'CreditsWithdrawn',
      data: { movementId: 800, credits: '1', reason: 'rounding' },
    };
    const start = [selfBilled, granted(20), watched([10]), withdrawn(19)];
    expect(noticesAfter(...start)).toEqual([low(10, 1)]);
    expect(noticesAfter(...start, part, withdrawn(0))).toEqual([low(10, 1), runOut('999999')]);
    expect(noticesAfter(...start, part, adjusted(1), withdrawn(1))).toEqual([
      low(10, 1),
      runOut('999999'),
      runOut('999999'),
    ]);
    const spent = [selfBilled, granted(20), watched([10, 5], [7]), withdrawn(20)];
    expect(noticesAfter(...spent)).toEqual([low(10, 0), low(5, 0), runOut('0')]);
    expect(thresholdsOf(stateOf(...spent)).runOut.isArmed).toBe(false);
  });

  it('are restored from a snapshot, which an older program cannot read', () => {
    const account = stateOf(selfBilled, granted(100), watched([50, 20], [7]), withdrawn(60));
    const json = JSON.parse(JSON.stringify(accountToJson(account)));
    expect(json).not.toHaveProperty('sealedMonths');
    const back = accountFromJson(json, { revision: 9n, position: '9' });
    expect([...back.watch.marks]).toEqual([...account.watch.marks]);
    expect(followingLow(back)).toEqual([]);
    expect(thresholdsOf(back)).toMatchObject({
      credits: [
        { credits: credits(50), isArmed: false },
        { credits: credits(20), isArmed: true },
      ],
      days: [{ days: 7, isArmed: true }],
      runOut: { isArmed: true },
    });
  });

  it('are rolled back with a decision whose append failed', () => {
    const account = stateOf(selfBilled, granted(100), watched([50]));
    const before = [...account.watch.marks];
    const rewind = creditAccount.rewind?.(account);
    const past = history(creditAccount, written(selfBilled, granted(100), watched([50])));
    stateAfter(creditAccount, history(creditAccount, [withdrawn(60), low(50, 40)], past), account);
    expect([...account.watch.marks]).not.toEqual(before);
    rewind?.();
    expect([...account.watch.marks]).toEqual(before);
  });
});

describe('setting thresholds', () => {
  const wanted = { credits: [credits(20), credits(50), credits(20)], days: [7, 14] };
  it('LOW-01 replaces all of them, sorted highest first and without duplicates', () => {
    deciding([selfBilled, watched([5])], setThresholds(wanted)).then([watched([50, 20], [14, 7])]);
  });

  it('LOW-01 changes nothing if they are already set, and starts the watch if there are none', () => {
    deciding([selfBilled, watched([50, 20], [14, 7])], setThresholds(wanted)).then([]);
    const fewer = { credits: [credits(50)], days: [14] };
    deciding([selfBilled, watched([50, 20], [14, 7])], setThresholds(fewer)).then([watched([50], [14])]);
    const past = [selfBilled, watched([50, 20], [14, 7])];
    deciding(past, setThresholds({ ...wanted, days: [14] })).then([watched([50, 20], [14])]);
    deciding(past, setThresholds({ ...wanted, credits: [credits(50)] })).then([watched([50], [14, 7])]);
    deciding(past, setThresholds({ ...wanted, credits: [credits(51), credits(20)] })).then([
      watched([51, 20], [14, 7]),
    ]);
    const none = { credits: [], days: [] };
    deciding([selfBilled], setThresholds(none)).then([watched([])]);
    deciding([selfBilled, watched([])], setThresholds(none)).then([]);
  });
});

describe('LOW-01 thresholds in days', () => {
  const start = [selfBilled, granted(100), watched([], [14, 7])];
  const soon = { endsOn: '2026-02-10', daysLeft: 10 };

  /** Decides on the ledger that was forecast, or on it with later events. */
  const foreseen = (
    past: readonly CreditEvent[],
    outlook: Pick<Outlook, 'endsOn' | 'daysLeft'>,
    ...later: readonly CreditEvent[]
  ) => deciding([...past, ...later], notifyDaysLeft({ ...outlook, mark: chargesMark(stateOf(...past)) }));

  it('are notified if the balance is forecast to end within them, once per arming', () => {
    foreseen(start, soon).then([lowDays(14, '2026-02-10', 100)]);
    const once = [...start, lowDays(14, '2026-02-10', 100)];
    foreseen(once, soon).then([]);
    foreseen(start, { endsOn: null, daysLeft: null }).then([]);
    foreseen(start, { endsOn: '2026-02-15', daysLeft: 15 }).then([]);
    foreseen(start, { endsOn: '2026-02-14', daysLeft: 14 }).then([lowDays(14, '2026-02-14', 100)]);
    foreseen(start, { endsOn: '2026-02-07', daysLeft: 7 }).then([
      lowDays(14, '2026-02-07', 100),
      lowDays(7, '2026-02-07', 100),
    ]);
  });

  it('are armed again if credits were added and the balance is forecast to last longer', () => {
    const once = [...start, lowDays(14, '2026-02-10', 100)];
    const later = { endsOn: '2026-03-30', daysLeft: 40 };
    const armed: CreditEvent = { type: 'ThresholdArmed', data: { days: 14 } };
    foreseen(once, later).then([]);
    foreseen([...once, adjusted(-10)], later).then([]);
    const raised = [...once, granted(1_000)];
    foreseen(raised, soon).then([]);
    foreseen(raised, later).then([armed]);
    foreseen([...raised, armed], soon).then([lowDays(14, '2026-02-10', 1_100)]);
  });

  it('are not notified by a forecast from before a grant or a positive adjustment', () => {
    foreseen(start, soon, granted(10_000)).then([]);
    foreseen(start, soon, adjusted(10_000)).then([]);
    const use = holdOf(10);
    foreseen(start, soon, held(use)).then([lowDays(14, '2026-02-10', 90)]);
  });
});

describe('LOW-01 lots that expire soon', () => {
  const lot = (movementId: number, expiresAt: string): CreditEvent => ({
    type: 'LotGranted',
    data: { movementId, credits: micros(5), reason: 'gift', expiresAt, priority: 50, promotional: false },
  });
  const expiring = (movementId: number, expiresAt: string): CreditEvent => ({
    type: 'CreditsExpiring',
    data: { movementId, credits: micros(5), expiresAt },
  });
  const NOON = '2026-03-01T12:00:00.000Z';
  const LAST = '2026-03-08T12:00:00.000Z';
  const BEYOND = '2026-03-08T12:00:00.001Z';
  const lots = [selfBilled, lot(501, LAST), lot(502, BEYOND), lot(503, '2026-03-02T00:00:00.000Z')];

  it('are notified 7 days before they expire, soonest first, once each, whoever pays, also after a snapshot', () => {
    const soon = [expiring(503, '2026-03-02T00:00:00.000Z'), expiring(501, LAST)];
    deciding(lots, notifyExpiring, NOON).then(soon);
    deciding([...lots, ...soon], notifyExpiring, NOON).then([]);
    for (const payer of [partnerBilled, exempt]) deciding([...lots, payer], notifyExpiring, NOON).then(soon);
    const json = accountToJson(stateOf(...lots, ...soon));
    const back = accountFromJson(json, { revision: 9n, position: '9' });
    expect(notifyExpiring(back, BEYOND)).toEqual([expiring(502, BEYOND)]);
  });

  it('are notified by movement if they expire at the same time', () => {
    deciding([selfBilled, lot(502, LAST), lot(501, LAST)], notifyExpiring, NOON).then([
      expiring(501, LAST),
      expiring(502, LAST),
    ]);
  });

  it('are looked for next 7 days before the next of them expires, if that was not notified', () => {
    const nextAfter = (now: string, ...more: readonly CreditEvent[]) =>
      expiringFrom(stateOf(...lots, lot(504, '2026-04-08T00:00:00.000Z'), grantOf(505, '1'), ...more), now);
    expect(nextAfter('2026-02-20T00:00:00.000Z')).toBe('2026-02-23T00:00:00.000Z');
    expect(nextAfter('2026-02-23T00:00:00.000Z')).toBe(NOON);
    expect(nextAfter(NOON)).toBe('2026-03-01T12:00:00.001Z');
    expect(nextAfter(NOON, expiring(502, BEYOND))).toBe('2026-04-01T00:00:00.000Z');
    expect(nextAfter('2026-04-01T00:00:00.000Z')).toBeNull();
  });

  it('are notified once some of their credits are free', () => {
    const use = { ...holdOf(5), movementId: 901 };
    const all = held(use);
    const shares = { lots: [{ lot: 501, credits: micros(5), expiresAt: LAST }] };
    const whole: CreditEvent = { ...all, data: { ...all.data, ...shares } } as CreditEvent;
    const back = ended('CreditsReleased', use, shares);
    const past = [selfBilled, lot(501, LAST), whole];
    deciding(past, notifyExpiring, NOON).then([]);
    deciding([...past, back], notifyExpiring, NOON).then([expiring(501, LAST)]);
  });
});
