import { credits } from '#kernel/values/credits.js';
import { fieldError } from '#kernel/values/refusal.js';
import { history, rulesOf, stateAfter, stateFrom } from '#kernel/testing/scenario.js';
import { adjustmentOf, grantOf, heldEarlier, micros, selfBilled } from '#ledger/testing/sample-entries.js';
import { accountToJson } from './account-snapshot.js';
import { available, granted } from './books.js';
import { correctionsExceeded } from './corrections.js';
import { creditAccount, insufficientCredits, movementUnknown } from './credit-account.js';
import type { CreditEvent, StoredShare } from './credits.events.js';
import { hold, holdAll, type Hold } from './hold-credits.js';
import { MOST_OPEN_LOTS } from './lots.js';
import type { LotTerms } from './lot-facts.js';
import {
  adjust,
  expiryPassed,
  grant,
  lotOfGain,
  postingKeyTaken,
  tooManyLots,
  withdraw,
} from './post-credits.js';
import { capture, release, releaseExpired } from './settle-credits.js';

const deciding = rulesOf(creditAccount);
const MARCH = '2026-03-01T00:00:00.000Z';
const APRIL = '2026-04-01T00:00:00.000Z';
const JANUARY = '2026-01-10T00:00:00.000Z';

const plain = (movementId: number, whole: number): CreditEvent => grantOf(movementId, micros(whole));
const lot = (movementId: number, whole: number, terms: Partial<LotTerms> = {}): CreditEvent => {
  const { expiresAt = MARCH, priority = 50, promotional = false } = terms;
  const end = expiresAt === null ? {} : { expiresAt };
  return {
    type: 'LotGranted',
    data: { movementId, credits: micros(whole), reason: 'welcome', ...end, priority, promotional },
  };
};
const share = (of: number, whole: number, expiresAt: string | null = MARCH): StoredShare => ({
  lot: of,
  credits: micros(whole),
  ...(expiresAt === null ? {} : { expiresAt }),
});
const wanted = (movementId: number, whole: number): Hold => ({
  movementId,
  key: `k${movementId}`,
  credits: credits(whole),
  product: 'keyword_match',
  cause: { kind: 'operator' },
});
const held = (movementId: number, whole: number, ...lots: readonly StoredShare[]): CreditEvent =>
  heldEarlier(movementId, micros(whole), {
    product: 'keyword_match',
    endCarriesAmount: true,
    ...(lots.length === 0 ? {} : { lots }),
  });
const end = (movementId: number, whole: number, reason?: string) =>
  ({ movementId, key: `k${movementId}`, reason, credits: micros(whole), payer: 'workspace' }) as const;
const expiry = (movementId: number, whole: number, expiresAt = MARCH): CreditEvent => ({
  type: 'LotExpired',
  data: { movementId, credits: micros(whole), expiresAt },
});
const posting = { movementId: 9, reason: 'r' };

describe('a grant with terms', () => {
  it('LOT-04 is an entry of its own type; with default terms it is a plain grant', () => {
    const terms = { expiresAt: MARCH, priority: 10, promotional: true };
    deciding(
      [selfBilled],
      grant({ movementId: 2, credits: credits(5), reason: 'welcome' }, terms),
      JANUARY,
    ).then([lot(2, 5, terms)]);
    deciding(
      [selfBilled],
      grant(
        { movementId: 2, credits: credits(5), reason: 'contract' },
        {
          expiresAt: null,
          priority: 50,
          promotional: false,
        },
      ),
      JANUARY,
    ).then([plain(2, 5)]);
    for (const one of [{ expiresAt: MARCH }, { priority: 49 }, { promotional: true }]) {
      const other = { expiresAt: null, priority: 50, promotional: false, ...one };
      deciding(
        [selfBilled],
        grant({ movementId: 2, credits: credits(5), reason: 'welcome' }, other),
        JANUARY,
      ).then([lot(2, 5, other)]);
    }
  });

  it('LOT-03 is refused if it would already have expired, to the millisecond', () => {
    const terms = { expiresAt: MARCH, priority: 50, promotional: false };
    const decision = grant({ movementId: 2, credits: credits(5), reason: 'late' }, terms);
    deciding([selfBilled], decision, MARCH).then(
      expiryPassed({ errors: fieldError('expires_at', 'must lie in the future') }),
    );
    deciding([selfBilled], decision, '2026-02-28T23:59:59.999Z').then([
      {
        type: 'LotGranted',
        data: {
          movementId: 2,
          credits: micros(5),
          reason: 'late',
          expiresAt: MARCH,
          priority: 50,
          promotional: false,
        },
      },
    ]);
  });

  it('LOT-05 is refused with a thousand open lots; a plain grant is not', () => {
    const lots = Array.from({ length: MOST_OPEN_LOTS }, (_, index) => lot(index + 1, 1));
    const next = { movementId: 2_000, credits: credits(1), reason: 'r' };
    const terms = { expiresAt: MARCH, priority: 50, promotional: false };
    deciding([selfBilled, ...lots], grant(next, terms), JANUARY).then(tooManyLots());
    deciding([selfBilled, ...lots], grant(next), JANUARY).then([
      { type: 'CreditsGranted', data: { ...next, credits: micros(1) } },
    ]);
    deciding([selfBilled, ...lots, expiry(1, 1)], grant(next, terms), JANUARY).then([
      { type: 'LotGranted', data: { ...next, credits: micros(1), ...terms } },
    ]);
  });

  it('P6 is one posting for its key, even after it has expired; with other terms the key is refused', () => {
    const terms = { expiresAt: MARCH, priority: 50, promotional: false };
    const first: CreditEvent = {
      type: 'LotGranted',
      data: { movementId: 1, key: 'a', credits: micros(5), reason: 'r', ...terms },
    };
    const again = { movementId: 2, key: 'a', credits: credits(5), reason: 'r' };
    deciding([selfBilled, first, expiry(1, 5)], grant(again, terms), APRIL).then([]);
    for (const [field, other] of [
      ['expires_at', { ...terms, expiresAt: APRIL }],
      ['priority', { ...terms, priority: 1 }],
      ['promotional', { ...terms, promotional: true }],
      ['expires_at', undefined],
    ] as const) {
      deciding([selfBilled, first], grant(again, other), JANUARY).then(
        postingKeyTaken({ errors: fieldError(field, 'is not what this key was used with') }),
      );
    }
  });
});

describe('an adjustment up with terms', () => {
  const terms = { expiresAt: MARCH, priority: 10, promotional: true };
  const added = (movementId: number, more: object = {}): CreditEvent => ({
    type: 'LotAdjusted',
    data: { movementId, credits: micros(5), reason: 'r', ...terms, ...more },
  });
  const up = (more: object = {}) => adjust({ ...posting, credits: credits(5), ...more }, terms);

  it('LOT-06 is an entry of its own type; with default terms it is a plain adjustment', () => {
    deciding([selfBilled, plain(2, 5)], up({ corrects: 2 }), JANUARY).then([added(9, { corrects: 2 })]);
    deciding(
      [selfBilled],
      adjust({ ...posting, credits: credits(5) }, { expiresAt: null, priority: 50, promotional: false }),
      JANUARY,
    ).then([adjustmentOf(9, micros(5), { reason: 'r' })]);
  });

  it('LOT-06 is refused if it would already have expired, to the millisecond, and with a thousand open lots', () => {
    deciding([selfBilled], up(), '2026-02-28T23:59:59.999Z').then([added(9)]);
    deciding([selfBilled], up(), MARCH).then(
      expiryPassed({ errors: fieldError('expires_at', 'must lie in the future') }),
    );
    const full = [
      selfBilled,
      ...Array.from({ length: MOST_OPEN_LOTS }, (_, index) => lot(100 + index, 1, { expiresAt: APRIL })),
    ];
    deciding(full, up(), JANUARY).then(tooManyLots());
    deciding(full, adjust({ ...posting, credits: credits(5) }), JANUARY).then([
      adjustmentOf(9, micros(5), { reason: 'r' }),
    ]);
  });

  it('LOT-06 LED-10 returns no more of a charge than the charge, together with other corrections', () => {
    const charged = [
      selfBilled,
      plain(2, 20),
      held(20, 8),
      { type: 'CreditsCaptured', data: end(20, 8) } satisfies CreditEvent,
      added(7, { corrects: 20 }),
    ];
    const left = correctionsExceeded({
      errors: fieldError('credits', 'is more than is left to correct: 3'),
      members: { credits_left: 3 },
    });
    deciding(charged, up({ corrects: 20 }), JANUARY).then(left);
    deciding(charged, up({ corrects: 20, beyond: 'agreed' }), JANUARY).then([
      added(9, { corrects: 20, beyond: 'agreed' }),
    ]);
  });

  it('P6 is one posting for its key; with other terms the key is refused', () => {
    const past = [selfBilled, added(7, { key: 'again' })];
    deciding(past, up({ key: 'again' }), JANUARY).then([]);
    deciding(past, adjust({ ...posting, key: 'again', credits: credits(5) }), JANUARY).then(
      postingKeyTaken({ errors: fieldError('expires_at', 'is not what this key was used with') }),
    );
  });

  it('LOT-03 P18 is spent in its place in the order, and not from its end on', () => {
    const past = [selfBilled, plain(1, 10), lot(2, 5), added(7)];
    deciding(past, holdAll([wanted(20, 7)]), JANUARY).then([held(20, 7, share(7, 5), share(2, 2))]);
    deciding([...past, expiry(7, 5), expiry(2, 5)], holdAll([wanted(20, 7)]), MARCH).then([held(20, 7)]);
  });
});

describe('the order of spending', () => {
  it('LOT-05 is priority, expiry, promotional before paid, grant time, movement id', () => {
    const past = [
      selfBilled,
      plain(1, 1),
      lot(2, 1, { priority: 90 }),
      lot(3, 1, { expiresAt: null, promotional: true }),
      lot(4, 1, { expiresAt: APRIL }),
      lot(5, 1),
      lot(6, 1),
      lot(7, 1, { promotional: true }),
      lot(8, 1, { priority: 10, expiresAt: null }),
    ];
    const order = [
      share(8, 1, null),
      share(7, 1),
      share(5, 1),
      share(6, 1),
      share(4, 1, APRIL),
      share(3, 1, null),
    ];
    for (let whole = 1; whole <= order.length; whole += 1) {
      deciding(past, hold(wanted(20, whole)), JANUARY).then([held(20, whole, ...order.slice(0, whole))]);
    }
    // Then credit without terms, and the lot after it.
    deciding(past, hold(wanted(20, 7)), JANUARY).then([held(20, 7, ...order)]);
    deciding(past, hold(wanted(20, 8)), JANUARY).then([held(20, 8, ...order, share(2, 1))]);
  });

  it('LOT-05 is decided at the hold: holds of one command take lots in turn, and a later lot does not change them', () => {
    deciding([selfBilled, plain(1, 10), lot(2, 5)], holdAll([wanted(20, 3), wanted(21, 4)]), JANUARY).then([
      held(20, 3, share(2, 3)),
      held(21, 4, share(2, 2)),
    ]);
    deciding([selfBilled, plain(1, 10), held(20, 3), lot(2, 5)], release({ movementId: 20 }), JANUARY).then([
      { type: 'CreditsReleased', data: end(20, 3) },
    ]);
  });

  it('LOT-04 leaves events and snapshots of a ledger without lots unchanged', () => {
    const past = history(creditAccount, [selfBilled, plain(1, 10), held(20, 3)]);
    expect(JSON.stringify(past.map(({ data }) => data))).not.toContain('lots');
    const stored = accountToJson(stateAfter(creditAccount, past));
    expect(Object.keys(stored)).toEqual([
      'billing',
      'grants',
      'withdrawals',
      'adjustments',
      'accounts',
      'openHolds',
      'updatedAt',
      'sealedMonths',
      // For LED-11: postings without a key of the last day.
      'recentPostings',
    ]);
  });

  it('LOT-04 an earlier version cannot read a snapshot of a ledger with lots, and stops at the grant', () => {
    const past = history(creditAccount, [selfBilled, lot(2, 5)]);
    expect(accountToJson(stateAfter(creditAccount, past))['grants']).toBeUndefined();
  });
});

describe('a hold that outlives its lot', () => {
  const past = [selfBilled, plain(1, 10), lot(2, 5), { ...held(20, 8, share(2, 5)), at: JANUARY }];

  it('LOT-03 is captured whole at any time', () => {
    deciding(past, capture({ movementId: 20 }), APRIL).then([{ type: 'CreditsCaptured', data: end(20, 8) }]);
  });

  it('LOT-03 is released, and its part of the lot expires in the same append', () => {
    const released: CreditEvent = { type: 'CreditsReleased', data: { ...end(20, 8), lots: [share(2, 5)] } };
    deciding(past, release({ movementId: 20 }), MARCH).then([released, expiry(2, 5)]);
    deciding(past, release({ movementId: 20 }), '2026-02-28T23:59:59.999Z').then([released]);
    deciding(past, releaseExpired({ movementIds: [20], heldBefore: APRIL }), APRIL).then([
      { type: 'CreditsReleased', data: { ...end(20, 8, 'expired'), lots: [share(2, 5)] } },
      expiry(2, 5),
    ]);
  });
});

describe('credits that are taken back', () => {
  const past = [selfBilled, plain(1, 10), lot(2, 5), lot(3, 5, { expiresAt: APRIL })];

  it('LOT-06 come from the lots in the order of spending', () => {
    deciding(past, withdraw({ ...posting, credits: credits(7) }), JANUARY).then([
      {
        type: 'CreditsWithdrawn',
        data: { ...posting, credits: micros(7), lots: [share(2, 5), share(3, 2, APRIL)] },
      },
    ]);
    deciding(past, adjust({ ...posting, credits: credits(-3) }), JANUARY).then([
      { type: 'CreditsAdjusted', data: { ...posting, credits: micros(-3), lots: [share(2, 3)] } },
    ]);
  });

  it('LOT-06 P18 are no longer in the lot, after a withdrawal and after an adjustment', () => {
    const data = { movementId: 8, credits: micros(3), reason: 'r', lots: [share(2, 3)] };
    for (const taken of [
      { type: 'CreditsWithdrawn', data },
      { type: 'CreditsAdjusted', data: { ...data, credits: micros(-3) } },
    ] as const) {
      const books = stateFrom(creditAccount, [selfBilled, lot(2, 10), plain(3, 10), taken]).books;
      expect([taken.type, books.lots.get(2)]).toMatchObject([
        taken.type,
        { free: credits(7), withdrawn: credits(3) },
      ]);
      expect(available(books)).toBe(credits(17));
    }
  });

  it('LOT-06 come from the named lot, which must have them free', () => {
    deciding(past, withdraw({ ...posting, credits: credits(5), lot: 3 }), JANUARY).then([
      {
        type: 'CreditsWithdrawn',
        data: { ...posting, credits: micros(5), lots: [share(3, 5, APRIL)], lot: 3 },
      },
    ]);
    deciding(past, withdraw({ ...posting, credits: credits(6), lot: 3 }), JANUARY).then(
      insufficientCredits({ members: { credits_required: 6, credits_available: 5, credits_held: 0 } }),
    );
    deciding(past, adjust({ ...posting, credits: credits(1), lot: 3 }), JANUARY).then(
      lotOfGain({ errors: fieldError('lot', 'cannot be named with more credits') }),
    );
  });

  it('P6 come from the same lot for the same key', () => {
    const named = { ...posting, key: 'a', credits: credits(5) };
    const taken: CreditEvent = {
      type: 'CreditsWithdrawn',
      data: { ...named, credits: micros(5), lots: [share(3, 5, APRIL)], lot: 3 },
    };
    deciding([...past, taken], withdraw({ ...named, lot: 3 }), JANUARY).then([]);
    for (const other of [{ lot: 2 }, {}])
      deciding([...past, taken], withdraw({ ...named, ...other }), JANUARY).then(
        postingKeyTaken({ errors: fieldError('lot', 'is not the lot this key was used for') }),
      );
  });

  it('LOT-06 cannot come from a movement that granted no lot', () => {
    const unknown = movementUnknown({
      errors: fieldError('lot', 'is not a grant with terms of this workspace'),
    });
    for (const name of [1, 77]) {
      const named = { ...posting, lot: name };
      deciding(past, withdraw({ ...named, credits: credits(1) }), JANUARY).then(unknown);
      deciding(past, adjust({ ...named, credits: credits(-1) }), JANUARY).then(unknown);
    }
  });

  it('LOT-06 LED-10 corrections of a grant take back only what has not expired', () => {
    const refusedWith = (left: number) =>
      correctionsExceeded({
        errors: fieldError('credits', `is more than is left to correct: ${left}`),
        members: { credits_left: left },
      });
    const back = (whole: number, more: object = {}) =>
      adjust({ ...posting, credits: credits(-whole), corrects: 2, ...more });
    const over = [...past, expiry(2, 5)];
    deciding(over, back(5), MARCH).then(refusedWith(0));
    deciding(over, back(1, { beyond: 'agreed' }), MARCH).then([
      {
        type: 'CreditsAdjusted',
        data: {
          ...posting,
          credits: micros(-1),
          corrects: 2,
          beyond: 'agreed',
          lots: [share(3, 1, APRIL)],
        },
      },
    ]);
    // 2 of its 5 credits are on hold when the rest expires; these 2 expire when they are released.
    const onHold = [...past, held(20, 2, share(2, 2)), expiry(2, 3)];
    deciding(onHold, back(3), MARCH).then(refusedWith(2));
    const released: CreditEvent = { type: 'CreditsReleased', data: { ...end(20, 2), lots: [share(2, 2)] } };
    deciding([...onHold, released, expiry(2, 2)], back(1), MARCH).then(refusedWith(0));
    // A correction upwards is credit that was not there before, and can be taken back again.
    deciding([...over, adjustmentOf(8, micros(3), { corrects: 2 })], back(4), MARCH).then(refusedWith(3));
  });

  it('LOT-06 are no expired credits; an upward correction of an expired grant is credit without terms', () => {
    const over = [...past, expiry(2, 5)];
    deciding(over, withdraw({ ...posting, credits: credits(1), lot: 2 }), MARCH).then(
      insufficientCredits({ members: { credits_required: 1, credits_available: 0, credits_held: 0 } }),
    );
    deciding(over, adjust({ ...posting, credits: credits(5), corrects: 2 }), MARCH).then([
      { type: 'CreditsAdjusted', data: { ...posting, credits: micros(5), corrects: 2 } },
    ]);
  });
});

describe('expired credits', () => {
  it('LOT-07 are subtracted from the granted credits and from the balance', () => {
    const { books } = stateFrom(creditAccount, [selfBilled, plain(1, 10), lot(2, 5), expiry(2, 5)]);
    expect([granted(books), available(books), books.expired]).toEqual([credits(10), credits(10), credits(5)]);
    expect(books.lots.size).toBe(0);
  });

  it('LOT-07 are back in their lot if their expiry is rolled back, because its append failed', () => {
    const past = history(creditAccount, [selfBilled, plain(1, 10), lot(2, 5)]);
    const account = stateAfter(creditAccount, past);
    const before = accountToJson(account);
    const rewind = creditAccount.rewind?.(account);
    stateAfter(creditAccount, history(creditAccount, [expiry(2, 5)], past), account);
    expect(available(account.books)).toBe(credits(10));
    rewind?.();
    expect(accountToJson(account)).toEqual(before);
    expect(available(account.books)).toBe(credits(15));
  });

  it('LOT-01 are recorded from the millisecond of the expiry, each lot at its own time, oldest first', () => {
    const account = stateFrom(creditAccount, [
      selfBilled,
      lot(2, 5, { expiresAt: APRIL }),
      lot(3, 5),
      held(20, 2, share(3, 2)),
    ]);
    const due = (at: string) => creditAccount.due?.(account, at);
    expect(due('2026-02-28T23:59:59.999Z')).toEqual([]);
    expect(due(MARCH)).toEqual([{ event: expiry(3, 3), at: MARCH }]);
    expect(due(APRIL)).toEqual([
      { event: expiry(3, 3), at: MARCH },
      { event: expiry(2, 5, APRIL), at: APRIL },
    ]);
  });

  it('P20 no history takes credits from an expired lot, or more than the lot has', () => {
    const over = { ...held(20, 2, share(2, 2)), at: MARCH };
    const tooMuch = held(20, 6, share(2, 6));
    for (const entry of [over, tooMuch]) {
      expect(() => stateFrom(creditAccount, [selfBilled, plain(1, 9), lot(2, 5), entry])).toThrow('lot 2');
    }
  });
});
