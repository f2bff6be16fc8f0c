import { credits, toStored } from '#kernel/values/credits.js';
import { fieldError } from '#kernel/values/refusal.js';
import { history, rulesOf, stateAfter, stateFrom } from '#kernel/testing/scenario.js';
import { ended, grantOf, micros, selfBilled } from '#ledger/testing/sample-entries.js';
import { accountFromJson, accountToJson } from './account-snapshot.js';
import { creditAccount } from './credit-account.js';
import type { CreditEvent } from './credits.events.js';
import { hold, type Hold } from './hold-credits.js';
import { MOST_OPEN_LOTS } from './lots.js';
import {
  addRecurring,
  GrantFellDue,
  giveDue,
  MOST_RECURRING,
  recurringGrantRepeated,
  recurringGrantUnknown,
  recurringKeyTaken,
  ruleOfKey,
  stopRecurring,
  tooManyRecurringGrants,
  type NewRule,
} from './recurring-grants.js';
import { countDue, dueAt, expiryOfDue } from './recurring-facts.js';
import { KEYS_OF_OVER_RULES } from './recurring-rules.js';

const deciding = rulesOf(creditAccount);
const day = (date: string): string => `2026-${date}T00:00:00.000Z`;
const terms: NewRule = {
  credits: micros(10),
  reason: 'allowance',
  every: 'day',
  from: day('01-10'),
  priority: 50,
  promotional: false,
};
const added = (rule = 1, more: Partial<NewRule> = {}): CreditEvent => ({
  type: 'RecurringGrantAdded',
  data: { rule, ...terms, ...more },
});
const lot = (movementId: number, due: string, whole = 10, expiresAt?: string): CreditEvent => ({
  type: 'LotGranted',
  data: {
    movementId,
    key: `recurring:1:${due}`,
    credits: micros(whole),
    reason: 'allowance',
    ...(expiresAt === undefined ? {} : { expiresAt }),
    priority: 50,
    promotional: false,
    recurring: { rule: 1, due },
  },
});
const skipped = (due: string, why: 'over' | 'ceiling' | 'lots' | 'total'): CreditEvent => ({
  type: 'RecurringGrantSkipped',
  data: { rule: 1, due, why },
});

describe('when a recurring grant is due', () => {
  it('LOT-08 months use the last day of a shorter month and return to the anchor day; until is exclusive', () => {
    const monthly = { every: 'month', from: day('01-31'), until: day('05-31') } as const;
    expect([0, 1, 2, 3, 4].map((index) => dueAt(monthly, index))).toEqual([
      day('01-31'),
      day('02-28'),
      day('03-31'),
      day('04-30'),
      null,
    ]);
    expect(expiryOfDue({ ...monthly, lifetime: { unit: 'month', count: 1 } }, day('01-31'))).toBe(
      day('02-28'),
    );
  });

  it('LOT-08 weeks and days have 24 hours, starting at the first time of day', () => {
    const from = '2026-02-26T10:30:00.000Z';
    expect(dueAt({ every: 'week', from }, 1)).toBe('2026-03-05T10:30:00.000Z');
    expect(dueAt({ every: 'day', from }, 3)).toBe('2026-03-01T10:30:00.000Z');
    const lifetime = { unit: 'day', count: 30 } as const;
    expect(expiryOfDue({ every: 'day', from, lifetime }, from)).toBe('2026-03-28T10:30:00.000Z');
  });
});

it('LOT-08 the grants that are due are counted after those that were passed, up to a maximum and to the end', () => {
  const daily = { every: 'day', from: day('01-10'), until: day('01-15') } as const;
  const due = (passed: number, at: string, most = 100) => countDue(daily, passed, day(at), most);
  expect([due(0, '01-09'), due(0, '01-10'), due(0, '01-12')]).toEqual([0, 1, 3]);
  expect([due(1, '01-12'), due(2, '01-12'), due(3, '01-12')]).toEqual([2, 1, 0]);
  expect([due(0, '01-14', 2), due(1, '03-01'), due(5, '03-01')]).toEqual([2, 4, 0]);
});

describe('adding and stopping a recurring grant', () => {
  it('LOT-08 numbers the rules of a ledger, also after one has ended', () => {
    deciding([selfBilled], addRecurring(terms, false), day('01-10')).then([added(1)]);
    const stop: CreditEvent = { type: 'RecurringGrantStopped', data: { rule: 1 } };
    deciding([selfBilled, added(1), stop], addRecurring(terms, false), day('01-10')).then([added(2)]);
  });

  it('LOT-08 is refused if one with the same terms runs, unless `again` is set', () => {
    const past = [selfBilled, added(1)];
    deciding(past, addRecurring({ ...terms, from: day('01-11') }, false), day('01-10')).then(
      recurringGrantRepeated({
        errors: fieldError('again', 'the recurring grant 1 has the same terms'),
        members: { rule_id: 1 },
      }),
    );
    deciding(past, addRecurring(terms, true), day('01-10')).then([added(2)]);
    deciding(past, addRecurring({ ...terms, credits: micros(11) }, false), day('01-10')).then([
      added(2, { credits: micros(11) }),
    ]);
    const lifetime = { unit: 'month', count: 1 } as const;
    deciding(past, addRecurring({ ...terms, lifetime }, false), day('01-10')).then([added(2, { lifetime })]);
    for (const other of [
      { unit: 'month', count: 2 },
      { unit: 'day', count: 1 },
    ] as const)
      deciding(
        [selfBilled, added(1, { lifetime })],
        addRecurring({ ...terms, lifetime: other }, false),
        day('01-10'),
      ).then([added(2, { lifetime: other })]);
  });

  it('LOT-08 is added once for its key, also next to others, after it has ended, and with another time of asking', () => {
    const keyed = { ...terms, key: 'plan', until: day('01-11') };
    const past = [selfBilled, added(1, keyed)];
    const stop: CreditEvent = { type: 'RecurringGrantStopped', data: { rule: 1 } };
    for (const ended of [[], [stop], [lot(5, day('01-10'))], [skipped(day('01-10'), 'over')]]) {
      const later = [...past, ...ended, added(2, { ...keyed, key: 'another' })];
      deciding(later, addRecurring(keyed, true), day('01-10')).then([]);
      deciding(later, addRecurring({ ...keyed, from: day('01-09') }, true, true), day('01-10')).then([]);
    }
    deciding(past, addRecurring({ ...keyed, key: 'plan 2' }, true), day('01-10')).then([
      added(2, { ...keyed, key: 'plan 2' }),
    ]);
  });

  it('LOT-08 with a key that was used for other terms is refused, naming the term', () => {
    const past = [selfBilled, added(1, { key: 'plan' })];
    const others: readonly (readonly [string, Partial<NewRule>])[] = [
      ['credits', { credits: micros(11) }],
      ['every', { every: 'week' }],
      ['expires_after', { lifetime: { unit: 'day', count: 1 } }],
      ['from', { from: day('01-11') }],
      ['ceiling', { ceiling: micros(100) }],
    ];
    for (const [field, other] of others) {
      deciding(past, addRecurring({ ...terms, key: 'plan', ...other }, true), day('01-10')).then(
        recurringKeyTaken({ errors: fieldError(field, 'is not what this key was used with') }),
      );
    }
  });

  it('LOT-08 remembers the keys of the newest hundred ended rules, also in a snapshot', () => {
    const stop = (rule: number): CreditEvent => ({ type: 'RecurringGrantStopped', data: { rule } });
    const events = Array.from({ length: KEYS_OF_OVER_RULES + 1 }, (_, index) => index + 1).flatMap((rule) => [
      added(rule, { key: `key ${rule}` }),
      stop(rule),
    ]);
    const state = stateFrom(creditAccount, [selfBilled, ...events]);
    const place = { revision: BigInt(events.length), position: '0' };
    const restored = accountFromJson(JSON.parse(JSON.stringify(accountToJson(state))), place);
    for (const account of [state, restored])
      expect([1, 2, KEYS_OF_OVER_RULES + 1].map((rule) => ruleOfKey(account, `key ${rule}`)?.rule)).toEqual([
        undefined,
        2,
        KEYS_OF_OVER_RULES + 1,
      ]);
  });

  it('LOT-08 is refused if a hundred are running', () => {
    const rules = Array.from({ length: MOST_RECURRING }, (_, index) => added(index + 1));
    deciding([selfBilled, ...rules], addRecurring(terms, true), day('01-10')).then(tooManyRecurringGrants());
  });

  it('LOT-08 is stopped once; an unknown one is refused', () => {
    const past = [selfBilled, added(1)];
    const stop: CreditEvent = { type: 'RecurringGrantStopped', data: { rule: 1, reason: 'over' } };
    deciding(past, stopRecurring(1, 'over'), day('01-09')).then([stop]);
    deciding([...past, stop], stopRecurring(1), day('01-10')).then([]);
    deciding(past, stopRecurring(2), day('01-10')).then(recurringGrantUnknown());
    deciding([...past, stop], giveDue(1, [5]), day('01-20')).then([]);
  });
});

describe('stopping a rule of which a grant is due', () => {
  it('LOT-08 is decided again after the grant was made', () => {
    const past = [selfBilled, added(1)];
    const stopped = (...given: readonly CreditEvent[]) =>
      stopRecurring(1)(stateFrom(creditAccount, [...past, ...given]), day('01-10'));
    expect(() => stopped()).toThrow(GrantFellDue);
    expect(stopped(lot(5, day('01-10')))).toHaveLength(1);
  });
});

describe('giving what is due', () => {
  it('LOT-08 gives missed periods in order, each once, under the key of its due time', () => {
    const past = [selfBilled, added()];
    deciding(past, giveDue(1, [5, 6, 7]), day('01-11')).then([lot(5, day('01-10')), lot(6, day('01-11'))]);
    deciding([...past, lot(5, day('01-10')), lot(6, day('01-11'))], giveDue(1, [8, 9]), day('01-11')).then(
      [],
    );
  });

  it('LOT-08 counts the expiry from the due time, and skips a grant that would already have expired, with an entry', () => {
    const lifetime = { unit: 'day', count: 2 } as const;
    deciding([selfBilled, added(1, { lifetime })], giveDue(1, [5, 6, 7]), day('01-12')).then([
      skipped(day('01-10'), 'over'),
      lot(6, day('01-11'), 10, day('01-13')),
      lot(7, day('01-12'), 10, day('01-14')),
    ]);
  });

  it('LOT-08 reduces a grant to the rest below the ceiling, and skips it if nothing is left', () => {
    const past = [selfBilled, added(1, { ceiling: micros(25) })];
    deciding(past, giveDue(1, [5, 6, 7, 8]), day('01-13')).then([
      lot(5, day('01-10')),
      lot(6, day('01-11')),
      lot(7, day('01-12'), 5),
      skipped(day('01-13'), 'ceiling'),
    ]);
  });

  it('LOT-08 counts held credits for the ceiling, but not spent credits or credits from other grants', () => {
    const rule = [selfBilled, added(1, { ceiling: micros(25) }), lot(5, day('01-10')), lot(6, day('01-11'))];
    const other: CreditEvent = {
      type: 'LotGranted',
      data: { movementId: 4, credits: micros(99), reason: 'other', priority: 60, promotional: false },
    };
    const wanted: Hold = {
      movementId: 20,
      key: 'k',
      credits: credits(8),
      product: 'p',
      cause: { kind: 'operator' },
    };
    const state = stateFrom(creditAccount, [...rule, other]);
    const held = hold(wanted)(state, day('01-11'));
    deciding([...rule, other, ...held], giveDue(1, [7]), day('01-12')).then([lot(7, day('01-12'), 5)]);
    const captured = ended('CreditsCaptured', wanted);
    deciding([...rule, other, ...held, captured], giveDue(1, [7]), day('01-12')).then([lot(7, day('01-12'))]);
  });

  it('LOT-05 LOT-08 skips with an entry if the workspace has a thousand open lots, or the total would be too large', () => {
    const others = Array.from({ length: MOST_OPEN_LOTS }, (_, index): CreditEvent => ({
      type: 'LotGranted',
      data: { movementId: 100 + index, credits: '1', reason: 'r', priority: 60, promotional: false },
    }));
    deciding([selfBilled, added(), ...others], giveDue(1, [5]), day('01-10')).then([
      skipped(day('01-10'), 'lots'),
    ]);
    const most = grantOf(2, toStored(999_999_995_000_000n));
    deciding([selfBilled, added(), most], giveDue(1, [5]), day('01-10')).then([
      skipped(day('01-10'), 'total'),
    ]);
    const upToTheMost = grantOf(2, toStored(999_999_990_000_000n));
    deciding([selfBilled, added(), upToTheMost], giveDue(1, [5]), day('01-10')).then([lot(5, day('01-10'))]);
    // The grants of one command count for each other.
    deciding([selfBilled, added(), ...others.slice(2)], giveDue(1, [5, 6]), day('01-11')).then([
      lot(5, day('01-10')),
      lot(6, day('01-11')),
    ]);
    deciding([selfBilled, added(), ...others.slice(1)], giveDue(1, [5, 6]), day('01-11')).then([
      lot(5, day('01-10')),
      skipped(day('01-11'), 'lots'),
    ]);
    const much = grantOf(2, toStored(999_999_985_000_000n));
    deciding([selfBilled, added(), much], giveDue(1, [5, 6]), day('01-11')).then([
      lot(5, day('01-10')),
      skipped(day('01-11'), 'total'),
    ]);
  });

  it('LOT-08 a rule whose last grant was given has ended and leaves the state', () => {
    const past = [selfBilled, added(1, { until: day('01-11') }), lot(5, day('01-10'))];
    const { recurring } = stateFrom(creditAccount, past);
    expect([recurring.last, recurring.open.size]).toEqual([1, 0]);
  });
});

describe('a recurring grant whose append failed', () => {
  it('LOT-08 leaves no rule, and the next one gets its number', () => {
    const account = stateFrom(creditAccount, [selfBilled]);
    const rewind = creditAccount.rewind?.(account);
    const failed = history(creditAccount, [added()], history(creditAccount, [selfBilled]));
    expect(stateAfter(creditAccount, failed, account).recurring.open.size).toBe(1);
    rewind?.();
    expect(account.recurring.open.size).toBe(0);
    expect(addRecurring(terms, false)(account, day('01-10'))).toEqual([added(1)]);
  });
});

describe('a snapshot of a ledger with a recurring grant', () => {
  it('LOT-08 restores the rules, and a program that does not know rules cannot read it', () => {
    const past = history(creditAccount, [selfBilled, added(), lot(5, day('01-10'))]);
    const json = accountToJson(stateAfter(creditAccount, past));
    expect(json['sealedMonths']).toBeUndefined();
    const restored = accountFromJson(JSON.parse(JSON.stringify(json)), { revision: 2n, position: '0' });
    expect(restored.recurring).toEqual(stateAfter(creditAccount, past).recurring);
    expect([...restored.books.lots.values()][0]?.rule).toBe(1);
  });
});
