import { credits } from '#kernel/values/credits.js';
import { rulesOf, stateFrom } from '#kernel/testing/scenario.js';
import {
  ended,
  exempt,
  grantOf,
  held,
  micros,
  partnerBilled,
  selfBilled,
} from '#ledger/testing/sample-entries.js';
import { accountFromJson, accountToJson } from './account-snapshot.js';
import { periodEnd, periodStart } from './cap-periods.js';
import { capReached, spentAt } from './caps.js';
import { LedgerMoved } from './ledger-moved.js';
import { creditAccount, insufficientCredits } from './credit-account.js';
import type { Cause, CreditEvent, Payer } from './credits.events.js';
import { chargeBatch, endBudget, hold, holdAll, holdBatch, shortageOf, type Hold } from './hold-credits.js';
import {
  addCap,
  capOfOperator,
  keyIsCapped,
  removeCap,
  replaceCap,
  tooManyCaps,
  unknownCap,
  type WantedCap,
} from './set-caps.js';
import { capture } from './settle-credits.js';

const deciding = rulesOf(creditAccount);
const MONDAY = '2026-03-02T09:00:00.000Z';
const TUESDAY = '2026-03-03T00:00:00.000Z';
const APRIL = '2026-04-01T00:00:00.000Z';

type CapData = Extract<CreditEvent, { type: 'CapSet' }>['data'];
const cap = (limit: number, more: Partial<CapData> = {}, at = MONDAY) => ({
  type: 'CapSet' as const,
  data: {
    capId: 5,
    scope: 'workspace',
    period: 'day',
    limit: micros(limit),
    setBy: 'workspace',
    ...more,
  } as const,
  at,
});
const reached = (limit: number, spent: number, more: object = {}, resetsAt = TUESDAY): CreditEvent => ({
  type: 'CapReached',
  data: {
    capId: 5,
    scope: 'workspace',
    period: 'day',
    limit: micros(limit),
    spent: micros(spent),
    resetsAt,
    ...more,
  },
});
const cause: Cause = { kind: 'signal', agentId: 17, launchId: 2 };
const wanted = (movementId: number, whole: number, more: Partial<Cause> = {}): Hold => ({
  movementId,
  key: `k${movementId}`,
  credits: credits(whole),
  product: 'keyword_match',
  cause: { ...cause, ...more },
});
const heldAt = (of: Hold, at = MONDAY, payer?: Payer) => ({ ...held(of, payer), at });
const endedAt = (type: Parameters<typeof ended>[0], of: Hold, at = MONDAY) => ({ ...ended(type, of), at });
const funded = [
  { ...selfBilled, at: MONDAY },
  { ...grantOf(1, micros(1_000)), at: MONDAY },
];
const accountAfter = (...events: Parameters<typeof deciding>[0]) => stateFrom(creditAccount, events);
const member = (limit: number, spent: number, more: object = {}) => ({
  scope: 'workspace',
  scope_id: null,
  id: 5,
  period: 'day',
  limit,
  spent,
  resets_at: TUESDAY,
  ...more,
});

describe('CAP-01 the periods of caps', () => {
  it('are calendar days, ISO weeks and calendar months in UTC', () => {
    const at = '2026-03-01T23:59:59.999Z';
    expect([periodStart('day', at), periodEnd('day', at)]).toEqual([
      '2026-03-01T00:00:00.000Z',
      '2026-03-02T00:00:00.000Z',
    ]);
    // A Sunday: the last day of its week.
    expect([periodStart('week', at), periodEnd('week', at)]).toEqual([
      '2026-02-23T00:00:00.000Z',
      '2026-03-02T00:00:00.000Z',
    ]);
    expect([periodStart('month', at), periodEnd('month', '2026-12-31T10:00:00.000Z')]).toEqual([
      '2026-03-01T00:00:00.000Z',
      '2027-01-01T00:00:00.000Z',
    ]);
    expect(periodStart('week', MONDAY)).toBe('2026-03-02T00:00:00.000Z');
  });
});

describe('a hold under a cap', () => {
  it('CAP-01 P21 is counted once, at its hold, and refused where the cap would be exceeded', () => {
    const first = wanted(11, 20);
    const past = [...funded, cap(25), heldAt(first), endedAt('CreditsCaptured', first)];
    deciding(past, hold(wanted(12, 6)), MONDAY).then(
      capReached({
        members: { credits_required: 6, cap: member(25, 20), other_caps: [] },
      }),
    );
    const last = wanted(12, 5);
    deciding(past, hold(last), MONDAY).then([held(last), reached(25, 25)]);
    deciding(past, hold(first), MONDAY).then([]);
  });

  it('CAP-01 counts in the period in which it is held, to the millisecond', () => {
    const first = wanted(11, 20);
    const past = [...funded, cap(25), heldAt(first)];
    const next = wanted(12, 20);
    deciding(past, hold(next), '2026-03-02T23:59:59.999Z').then(capReached());
    deciding(past, hold(next), TUESDAY).then([held(next)]);
  });

  it('CAP-01 is subtracted from its period if it is released within that period', () => {
    const first = wanted(11, 20);
    const past = [...funded, cap(25), heldAt(first)];
    const next = wanted(12, 25);
    deciding([...past, endedAt('CreditsReleased', first)], hold(next), MONDAY).then([
      held(next),
      reached(25, 25),
    ]);
    const later = [...past, heldAt(wanted(13, 20), TUESDAY), endedAt('CreditsReleased', first, TUESDAY)];
    deciding(later, hold(wanted(14, 6)), TUESDAY).then(
      capReached({ members: { cap: { ...member(25, 20), resets_at: '2026-03-04T00:00:00.000Z' } } }),
    );
  });

  it('CAP-01 counts if it was open when the cap was set in its period; an entry of an earlier version counts no captured ones', () => {
    const [open, spent] = [wanted(11, 20), wanted(12, 20)];
    const account = accountAfter(
      ...funded,
      heldAt(open),
      heldAt(spent),
      endedAt('CreditsCaptured', spent),
      cap(100),
    );
    const set = account.limits.caps.get(5);
    expect(set && spentAt(set, MONDAY)).toBe(credits(20));
    const back = accountAfter(
      ...funded,
      heldAt(open),
      cap(100),
      endedAt('CreditsReleased', open),
    ).limits.caps.get(5);
    expect(back && spentAt(back, MONDAY)).toBe(0n);
  });

  it('CAP-01 counts for a cap of its week if it was opened in the first millisecond of that week, not if before', () => {
    const spent = (at: string) => {
      const week = accountAfter(
        ...funded.map((entry) => ({ ...entry, at: '2026-03-01T09:00:00.000Z' })),
        heldAt(wanted(11, 20), at),
        cap(100, { period: 'week' }),
      ).limits.caps.get(5);
      return week && spentAt(week, MONDAY);
    };
    expect(spent('2026-03-01T23:59:59.999Z')).toBe(0n);
    expect(spent('2026-03-02T00:00:00.000Z')).toBe(credits(20));
  });

  it('CAP-02 counts for its setup or agent and for the API key that requested it, and for no other', () => {
    const scopes: readonly [Partial<CapData>, boolean][] = [
      [{ scope: 'agent', scopeId: 17 }, true],
      [{ scope: 'agent', scopeId: 18 }, false],
      [{ scope: 'setup', scopeId: 17 }, false],
      [{ scope: 'key', scopeId: 4 }, true],
      [{ scope: 'key', scopeId: 17 }, false],
    ];
    for (const [scope, isRefused] of scopes) {
      const next = wanted(12, 10, { keyId: 4 });
      deciding([...funded, cap(9, scope)], hold(next), MONDAY).then(isRefused ? capReached() : [held(next)]);
    }
    // The release of a hold that it does not count changes nothing.
    const [first, other] = [wanted(11, 5), wanted(12, 5, { agentId: 18 })];
    const both = [heldAt(first), heldAt(other), endedAt('CreditsReleased', other)];
    deciding([...funded, cap(9, { scope: 'agent', scopeId: 17 }), ...both], hold(wanted(13, 5)), MONDAY).then(
      capReached({ members: { cap: { limit: 9, spent: 5 } } }),
    );
    // A schedule has no key.
    const scheduled = wanted(12, 10);
    deciding([...funded, cap(9, { scope: 'key', scopeId: 4 })], hold(scheduled), MONDAY).then([
      held(scheduled),
    ]);
  });

  it('CAP-03 is refused by the narrowest cap, which names the others; the balance is checked first', () => {
    const caps = [
      cap(9, { capId: 5 }),
      cap(5, { capId: 6, scope: 'agent', scopeId: 17, period: 'month' }),
      cap(5, { capId: 7, scope: 'agent', scopeId: 17, period: 'week' }),
      cap(5, { capId: 8, scope: 'key', scopeId: 4, period: 'month' }),
    ];
    const asked = wanted(12, 10, { keyId: 4 });
    deciding([...funded, ...caps], hold(asked), MONDAY).then(
      capReached({
        members: {
          cap: member(5, 0, {
            scope: 'api_key',
            scope_id: 4,
            id: 8,
            period: 'month',
            resets_at: APRIL,
          }),
          other_caps: [
            member(5, 0, {
              scope: 'agent',
              scope_id: 17,
              id: 7,
              period: 'week',
              resets_at: '2026-03-09T00:00:00.000Z',
            }),
            member(5, 0, { scope: 'agent', scope_id: 17, id: 6, period: 'month', resets_at: APRIL }),
            member(9, 0),
          ],
        },
      }),
    );
    deciding([{ ...selfBilled, at: MONDAY }, ...caps], hold(asked), MONDAY).then(insufficientCredits());
  });

  it('CAP-03 is counted and refused if a partner pays; not if the workspace is exempt', () => {
    const [first, second] = [wanted(11, 10), wanted(12, 10)];
    deciding([partnerBilled, cap(15), heldAt(first, MONDAY, 'partner:7')], hold(second), MONDAY).then(
      capReached({ members: { cap: member(15, 10) } }),
    );
    deciding([exempt, cap(0)], hold(first), MONDAY).then([]);
  });

  it('P21 is refused with all others of its command, each counted for the next', () => {
    deciding([...funded, cap(25)], holdAll([wanted(11, 10), wanted(12, 10), wanted(13, 10)]), MONDAY).then(
      capReached({ members: { credits_required: 30, cap: member(25, 0) } }),
    );
  });

  it('CAP-03 LOW-01 is cut to the affordable prefix, and one entry per period says that the cap is reached', () => {
    const three = [wanted(11, 10), wanted(12, 10), wanted(13, 10)] as const;
    const past = [...funded, cap(25)];
    const [first, second] = three;
    const prefix = [held(first), held(second)];
    deciding(past, holdBatch(three), MONDAY).then([...prefix, reached(25, 20)]);
    const after = [...past, heldAt(first), heldAt(second), { ...reached(25, 20), at: MONDAY }];
    deciding(after, holdBatch(three), MONDAY).then([]);
    expect(shortageOf(accountAfter(...after), three, MONDAY)).toBe('cap');
    deciding([...funded, cap(10)], chargeBatch([first, second]), MONDAY).then([
      held(first),
      ended('CreditsCaptured', first),
      reached(10, 10),
    ]);
    deciding([...funded, cap(10, { scope: 'agent', scopeId: 17 })], holdBatch([first]), MONDAY).then([
      held(first),
      reached(10, 10, { scope: 'agent', scopeId: 17 }),
    ]);
    // The next period has an entry of its own.
    deciding(after, holdBatch([wanted(14, 30)]), TUESDAY).then([
      reached(25, 0, {}, '2026-03-04T00:00:00.000Z'),
    ]);
  });
});

describe('caps', () => {
  const newCap = (more: Partial<WantedCap> = {}): WantedCap => ({
    capId: 5,
    scope: 'workspace',
    scopeId: null,
    period: 'day',
    limit: credits(25),
    ...more,
  });
  const decided = ({ type, data }: ReturnType<typeof cap>) => ({ type, data });
  const me = { keyId: 4 };

  it('are set, replaced by their id and removed; setting an equal cap adds no entry', () => {
    deciding(funded, addCap(newCap(), me)).then([decided(cap(25))]);
    deciding([...funded, cap(25)], replaceCap(newCap(), me)).then([]);
    deciding([...funded, cap(25)], replaceCap(newCap({ limit: credits(30) }), me)).then([decided(cap(30))]);
    deciding([...funded, cap(25)], removeCap(5, me)).then([{ type: 'CapRemoved', data: { capId: 5 } }]);
    // Two calls with one key at the same time have the id of the first.
    deciding([...funded, cap(25)], addCap(newCap(), me)).then([]);
    for (const decision of [removeCap(6, me), replaceCap(newCap({ capId: 6 }), me)])
      deciding([...funded, cap(25)], decision).then(unknownCap());
  });

  it('CAP-01 lowered below the spending refuse only new holds, and keep their count if scope and period stay', () => {
    const first = wanted(11, 20);
    const past = [...funded, cap(25), heldAt(first), cap(10)];
    deciding(past, hold(wanted(12, 1)), MONDAY).then(capReached({ members: { cap: member(10, 20) } }));
    deciding(past, capture({ movementId: 11 }), MONDAY).then([ended('CreditsCaptured', first)]);
    deciding([...past, cap(30)], hold(wanted(12, 10)), MONDAY).then([held(wanted(12, 10)), reached(30, 30)]);
  });

  it('CAP-01 count anew if they get another agent, setup or period', () => {
    const ofAgent = { scope: 'agent', scopeId: 17 } as const;
    const past = [...funded, cap(25, ofAgent), heldAt(wanted(11, 20)), cap(25, { ...ofAgent, scopeId: 18 })];
    const other = wanted(12, 25, { agentId: 18 });
    deciding(past, hold(other), MONDAY).then([held(other), reached(25, 25, { scope: 'agent', scopeId: 18 })]);
    const kept = newCap({ scope: 'agent', scopeId: 19 });
    deciding(past, replaceCap(kept, me), MONDAY).then([decided(cap(25, { scope: 'agent', scopeId: 19 }))]);
  });

  it('CAP-01 begin with what was captured in the running period: what was read, and what the ledger has captured since', () => {
    const [first, open] = [wanted(11, 20), wanted(12, 4)];
    const past = [...funded, heldAt(first), endedAt('CreditsCaptured', first), heldAt(open)];
    const upTo = BigInt(past.length - 1);
    const earlier = { from: '2026-03-02T00:00:00.000Z', upTo, captured: credits(20) };
    const begun = cap(25, { spentBefore: micros(20) });
    deciding(past, addCap(newCap(), me, earlier), MONDAY).then([decided(begun)]);
    deciding([...past, begun], hold(wanted(13, 2)), MONDAY).then(
      capReached({ members: { cap: member(25, 24) } }),
    );
    deciding([...past, begun], hold(wanted(13, 24)), TUESDAY).then([held(wanted(13, 24))]);
    const other = newCap({ period: 'week' });
    deciding([...past, cap(25)], replaceCap(other, me, earlier), MONDAY).then([
      decided(cap(25, { period: 'week', spentBefore: micros(20) })),
    ]);
    const ofAgent17 = cap(25, { scope: 'agent', scopeId: 17 });
    const ofSetup17 = newCap({ scope: 'setup', scopeId: 17 });
    deciding([...past, ofAgent17], replaceCap(ofSetup17, me, { ...earlier, captured: 0n }), MONDAY).then([
      decided(cap(25, { scope: 'setup', scopeId: 17 })),
    ]);
    // Held after the reading: it is open, so the cap counts it with the open holds.
    const heldSince = heldAt(wanted(15, 1));
    deciding([...past, heldSince], addCap(newCap(), me, earlier), MONDAY).then([decided(begun)]);
    // The last entry that was read is a capture.
    deciding(past.slice(0, -1), addCap(newCap(), me, { ...earlier, upTo: upTo - 1n }), MONDAY).then([
      decided(begun),
    ]);
    const ledger = accountAfter(...past);
    const later = accountAfter(...past, endedAt('CreditsCaptured', open));
    expect(() => addCap(newCap(), me)(ledger, MONDAY)).toThrow(LedgerMoved);
    expect(() => addCap(newCap(), me, earlier)(ledger, TUESDAY)).toThrow(LedgerMoved);
    expect(addCap(newCap(), me, earlier)(later, MONDAY)).toMatchObject([
      { data: cap(25, { spentBefore: micros(24) }).data },
    ]);
    const [since, others] = [
      wanted(13, 1),
      { ...wanted(14, 2), cause: { kind: 'signal', agentId: 9 } as const },
    ];
    const both = accountAfter(
      ...past,
      ...[since, others].flatMap((each) => [heldAt(each), endedAt('CreditsCaptured', each)]),
    );
    expect(addCap(newCap(), me, earlier)(both, MONDAY)).toMatchObject([
      { data: { spentBefore: micros(23) } },
    ]);
    const ofAgent = newCap({ scope: 'agent', scopeId: 9 });
    expect(addCap(ofAgent, me, { ...earlier, captured: 0n })(both, MONDAY)).toMatchObject([
      { data: { spentBefore: micros(2) } },
    ]);
    // Of two holds that are captured since, one was made in the last millisecond before the day, one in its first.
    const [before, atOnce] = [wanted(16, 3), wanted(17, 5)];
    const midnight = accountAfter(
      ...past,
      heldAt(before, '2026-03-02T23:59:59.999Z'),
      heldAt(atOnce, TUESDAY),
      ...[before, atOnce].map((each) => endedAt('CreditsCaptured', each, TUESDAY)),
    );
    const nothingRead = { from: TUESDAY, upTo, captured: 0n };
    expect(addCap(newCap(), me, nothingRead)(midnight, TUESDAY)).toMatchObject([
      { data: { spentBefore: micros(5) } },
    ]);
    // The hold of Monday that is captured on Tuesday counts for Monday only.
    const captured = accountAfter(...past, endedAt('CreditsCaptured', open, TUESDAY));
    const tuesday = { from: TUESDAY, upTo, captured: 0n };
    expect(addCap(newCap(), me, tuesday)(captured, TUESDAY)).toEqual([decided(cap(25))]);
    const known = accountFromJson(accountToJson(ledger), { revision: upTo, position: '9' });
    expect(addCap(newCap(), me, earlier)(known, MONDAY)).toEqual([decided(begun)]);
    const restored = accountFromJson(accountToJson(later), { revision: upTo + 1n, position: '9' });
    expect(() => addCap(newCap(), me, earlier)(restored, MONDAY)).toThrow(LedgerMoved);
  });

  it('CAP-02 set by an operator are changed only by operators', () => {
    deciding(funded, addCap(newCap(), 'operator')).then([decided(cap(25, { setBy: 'operator' }))]);
    const past = [...funded, cap(25, { setBy: 'operator' })];
    for (const decision of [replaceCap(newCap({ limit: credits(5) }), me), removeCap(5, me)])
      deciding(past, decision).then(capOfOperator());
    deciding(past, replaceCap(newCap({ limit: credits(5) }), 'operator')).then([
      decided(cap(5, { setBy: 'operator' })),
    ]);
    deciding([...funded, cap(25)], replaceCap(newCap({ limit: credits(5) }), 'operator')).then([
      decided(cap(5)),
    ]);
  });

  it('CAP-02 let a key that has a cap of its own lower that cap and do nothing else', () => {
    const own = { scope: 'key', scopeId: 4 } as const;
    const past = [...funded, cap(25, own), cap(9, { capId: 6 })];
    for (const decision of [
      addCap(newCap({ capId: 7 }), me),
      replaceCap(newCap({ ...own, limit: credits(26) }), me),
      replaceCap(newCap({ ...own, limit: credits(5), period: 'month' }), me),
      replaceCap(newCap({ limit: credits(5) }), me),
      replaceCap(newCap({ capId: 6, limit: credits(5) }), me),
      removeCap(5, me),
      removeCap(6, me),
    ])
      deciding(past, decision).then(keyIsCapped());
    deciding(past, replaceCap(newCap({ ...own, limit: credits(24) }), me)).then([decided(cap(24, own))]);
    deciding(past, replaceCap(newCap(own), me)).then([]);
    // An agent with the number of the key is another thing.
    const ofAgent = cap(9, { capId: 6, scope: 'agent', scopeId: 4 });
    deciding([...funded, ofAgent], addCap(newCap(), me)).then([decided(cap(25))]);
    deciding(
      [...past, ofAgent],
      replaceCap(newCap({ capId: 6, scope: 'agent', scopeId: 4, limit: 0n }), me),
    ).then(keyIsCapped());
    deciding(past, removeCap(6, { keyId: 5 })).then([{ type: 'CapRemoved', data: { capId: 6 } }]);
  });

  it('CAP-02 are limited to a hundred', () => {
    const many = Array.from({ length: 100 }, (_, index) => cap(1, { capId: 100 + index }));
    deciding([...funded, ...many], addCap(newCap(), me)).then(tooManyCaps());
    deciding([...funded, ...many.slice(1)], addCap(newCap(), me)).then([decided(cap(25))]);
  });
});

describe('P22 the budget of a launch', () => {
  const budget = { launchId: 2, limit: credits(25) };
  const opened: CreditEvent = { type: 'BudgetOpened', data: { launchId: 2, credits: micros(25) } };
  const [first, second, third] = [wanted(11, 10), wanted(12, 10), wanted(13, 10)] as const;

  it('QUO-02 is opened with the first hold, and cuts holds to its rest', () => {
    deciding(funded, holdBatch([first, second, third], budget), MONDAY).then([
      opened,
      held(first),
      held(second),
    ]);
    deciding(funded, holdBatch([wanted(11, 26)], budget), MONDAY).then([]);
  });

  it('QUO-02 counts each charge key once for all runs of the launch, and subtracts released holds', () => {
    const past = [...funded, { ...opened, at: MONDAY }, heldAt(first), heldAt(second)];
    deciding(past, holdBatch([first, second, third], budget), MONDAY).then([]);
    expect(shortageOf(accountAfter(...past), [third], MONDAY, budget)).toBe('budget');
    deciding([...past, endedAt('CreditsReleased', first)], holdBatch([third], budget), MONDAY).then([
      held(third),
    ]);
  });

  it('P22 allows no hold after the end of its launch', () => {
    const past = [...funded, { ...opened, at: MONDAY }, heldAt(first)];
    const closed: CreditEvent = { type: 'BudgetClosed', data: { launchId: 2 } };
    deciding(past, endBudget(2), MONDAY).then([closed]);
    deciding([...past, closed], endBudget(2), MONDAY).then([]);
    deciding([...past, closed], holdBatch([second], budget), MONDAY).then([]);
    deciding(funded, endBudget(2), MONDAY).then([]);
  });

  it('QUO-02 is removed two days after the end of its launch, when another budget is opened', () => {
    const closed = { type: 'BudgetClosed' as const, data: { launchId: 2 }, at: MONDAY };
    const other = (at: string) => ({
      type: 'BudgetOpened' as const,
      data: { launchId: 3, credits: micros(25) },
      at,
    });
    const past = [...funded, { ...opened, at: MONDAY }, closed];
    const kept = accountAfter(...past, other('2026-03-04T09:00:00.000Z')).limits.budgets;
    expect([...kept.keys()]).toEqual([2, 3]);
    const gone = accountAfter(...past, other('2026-03-04T09:00:00.001Z')).limits.budgets;
    expect([...gone.keys()]).toEqual([3]);
  });
});

describe('P23 the budget of a quote', () => {
  const quote = 'nonce-1';
  const [first, second] = [wanted(11, 10), wanted(12, 10)] as const;
  const opened: CreditEvent = { type: 'BudgetOpened', data: { launchId: 2, credits: micros(15), quote } };
  const past = [...funded, { ...opened, at: MONDAY }, heldAt(first)];

  it('QUO-02 is opened under its nonce, and is never exceeded', () => {
    deciding(funded, holdBatch([first, second], { launchId: 2, limit: credits(15), quote }), MONDAY).then([
      opened,
      held(first),
    ]);
  });

  it('QUO-02 is held by its own launch in several steps', () => {
    const rest = wanted(12, 5);
    deciding(past, holdBatch([rest], { launchId: 2, limit: credits(15), quote }), MONDAY).then([held(rest)]);
  });

  it('QUO-02 belongs to one launch: another launch with the same nonce holds nothing, even after the first has ended', () => {
    const again = holdBatch([second], { launchId: 3, limit: credits(15), quote });
    deciding(past, again, MONDAY).then([]);
    const closed = { type: 'BudgetClosed' as const, data: { launchId: 2 }, at: MONDAY };
    deciding([...past, closed], again, MONDAY).then([]);
    const other = holdBatch([second], { launchId: 3, limit: credits(15), quote: 'nonce-2' });
    const openedOther: CreditEvent = {
      type: 'BudgetOpened',
      data: { launchId: 3, credits: micros(15), quote: 'nonce-2' },
    };
    deciding(past, other, MONDAY).then([openedOther, held(second)]);
  });
});

describe('P8 a snapshot of a ledger with caps and budgets', () => {
  const past = [
    ...funded,
    cap(25),
    cap(40, { capId: 6, scope: 'agent', scopeId: 17, period: 'month' }),
    {
      type: 'BudgetOpened' as const,
      data: { launchId: 2, credits: micros(25), quote: 'nonce-1' },
      at: MONDAY,
    },
    heldAt(wanted(11, 20)),
  ];

  it('restores the same state', () => {
    const account = accountAfter(...past);
    const json = JSON.parse(JSON.stringify(accountToJson(account)));
    const restored = accountFromJson(json, { revision: 5n, position: '5' });
    expect(restored.limits).toEqual(account.limits);
    expect(accountToJson(restored)).toEqual(accountToJson(account));
  });

  it('restores the lots beside them', () => {
    const terms = { expiresAt: APRIL, priority: 10, promotional: true };
    const data = { movementId: 2, credits: micros(30), reason: 'welcome', ...terms };
    const account = accountAfter(...past, { type: 'LotGranted', data, at: MONDAY });
    const json = JSON.parse(JSON.stringify(accountToJson(account)));
    const restored = accountFromJson(json, { revision: 6n, position: '6' });
    expect([restored.books, restored.limits]).toEqual([account.books, account.limits]);
  });

  it('cannot be read by a program that does not know caps: the granted sum is stored only with them', () => {
    const json = accountToJson(accountAfter(...past));
    expect(json).not.toHaveProperty('grants');
    expect(json).not.toHaveProperty('withLots');
    expect(accountToJson(accountAfter(...funded))).toHaveProperty('grants', micros(1_000));
  });
});
