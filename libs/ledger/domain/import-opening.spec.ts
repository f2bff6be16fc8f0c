import { history, stateAfter, stateFrom } from '#kernel/testing/scenario.js';
import { Forgotten } from '#kernel/ports/recall.port.js';
import { Refusal } from '#kernel/values/refusal.js';
import {
  adjustmentOf,
  ended,
  endedEarlier,
  grantOf,
  held,
  heldEarlier,
  partnerBilled,
  selfBilled,
  withdrawalOf,
} from '#ledger/testing/sample-entries.js';
import { accountFromJson, accountToJson } from './account-snapshot.js';
import { available } from './books.js';
import { LedgerMoved } from './ledger-moved.js';
import { correctionsExceeded } from './corrections.js';
import { creditAccount, creditAccountUnknown, creditLimitExceeded } from './credit-account.js';
import type { CreditEvent } from './credits.events.js';
import { holdAll, type Hold } from './hold-credits.js';
import {
  importOpening,
  ledgerHasMovements,
  noOpening,
  openingReversed,
  openingUsed,
  reverseOpening,
  type OpeningImport,
} from './import-opening.js';
import { askCorrections, forgetOld } from './ledger-memory.js';
import { lotSpender, MOST_OPEN_LOTS } from './lots.js';
import { divideSubjects, paidSubjects, paidSubjectsId, placeOf, stageSubjects } from './paid-subjects.js';
import { adjust, expiryPassed, grant, tooManyLots } from './post-credits.js';

const AT = '2026-01-05T10:00:00.000Z';
const HASH = 'a'.repeat(64);
const opened = [selfBilled];

const wanted = (change: Partial<OpeningImport> = {}): OpeningImport => ({
  movementId: 10,
  reason: 'opening balance',
  source: { hash: HASH, system: 'old', closedAt: '2026-01-04T00:00:00.000Z' },
  plain: 100_000_000n,
  lots: [
    {
      id: 11,
      credits: 30_000_000n,
      expiresAt: '2026-03-01T00:00:00.000Z',
      priority: 10,
      promotional: true,
      grantedAt: '2025-12-01T00:00:00.000Z',
    },
  ],
  paid: { count: 3, streams: 1 },
  left: { openHolds: 1, held: 5_000_000n, history: 2 },
  readUpTo: -1n,
  ...change,
});
const accountAfter = (events: readonly CreditEvent[]) => stateFrom(creditAccount, events);
const importedOf = (change: Partial<OpeningImport> = {}): readonly CreditEvent[] =>
  importOpening(wanted(change))(accountAfter(opened), AT);

function refusalOf(decide: () => unknown): unknown {
  try {
    decide();
  } catch (error) {
    if (error instanceof Refusal) return error.declaration;
    throw error;
  }
  return null;
}

describe('importing an opening', () => {
  it('IMP-01 is one entry with lots, totals and the hash of the file', () => {
    expect(importedOf()).toEqual([
      {
        type: 'OpeningImported',
        data: {
          movementId: 10,
          credits: '130000000',
          reason: 'opening balance',
          lots: [
            {
              lot: 11,
              credits: '30000000',
              expiresAt: '2026-03-01T00:00:00.000Z',
              priority: 10,
              promotional: true,
              grantedAt: '2025-12-01T00:00:00.000Z',
            },
          ],
          source: { hash: HASH, system: 'old', closedAt: '2026-01-04T00:00:00.000Z' },
          paid: { count: 3, streams: 1 },
          left: { openHolds: 1, held: '5000000', history: 2 },
        },
      },
    ]);
    const [bare] = importedOf({ lots: [], paid: { count: 0, streams: 0 } });
    expect(Object.keys(bare?.data ?? {})).toEqual(['movementId', 'credits', 'reason', 'source', 'left']);
  });

  it('IMP-01 P28 is refused after any movement, and a repetition adds nothing', () => {
    const refusedAfter = (...events: readonly CreditEvent[]) =>
      refusalOf(() => importOpening(wanted())(accountAfter([...opened, ...events]), AT));
    expect(refusedAfter()).toBe(null);
    expect(refusedAfter({ type: 'ChargesStopped', data: { stream: 'list-1' } })).toBe(null);
    expect(refusedAfter(grantOf(1, '1'))).toBe(ledgerHasMovements);
    expect(refusedAfter(adjustmentOf(15, '5'), adjustmentOf(5, '-5'))).toBe(ledgerHasMovements);
    const charge: Hold = { movementId: 2, key: 'k', credits: 1n, product: 'p', cause: { kind: 'operator' } };
    const payer = 'partner:7';
    expect(
      refusedAfter(partnerBilled, held(charge, payer), ended('CreditsReleased', charge, { payer })),
    ).toBe(ledgerHasMovements);
    expect(refusedAfter(...importedOf({ source: { ...wanted().source, hash: 'b'.repeat(64) } }))).toBe(
      ledgerHasMovements,
    );
    expect(importOpening(wanted({ movementId: 20 }))(accountAfter([...opened, ...importedOf()]), AT)).toEqual(
      [],
    );
  });

  it('IMP-01 is refused after the opening of another file, even if that had no credits', () => {
    const nothing = { plain: 0n, lots: [] };
    const other = wanted({ movementId: 20, source: { ...wanted().source, hash: 'b'.repeat(64) } });
    for (const first of [importedOf(), importedOf(nothing)]) {
      expect(first).toHaveLength(1);
      const account = accountAfter([...opened, ...first]);
      expect(refusalOf(() => importOpening(other)(account, AT))).toBe(ledgerHasMovements);
    }
  });

  it('IMP-01 is read from its start if the ledger has forgotten whether there was an adjustment', () => {
    const events = [...opened, { type: 'ChargesStopped', data: { stream: 'list-1' } } as const];
    const account = accountAfter(events);
    forgetOld(account, { revision: 1n, position: '1' }, 0);
    expect(() => importOpening(wanted())(account, AT)).toThrow(LedgerMoved);
    expect(() => importOpening(wanted({ readUpTo: 0n }))(account, AT)).toThrow(LedgerMoved);
    expect(importOpening(wanted({ readUpTo: 1n }))(account, AT)).toHaveLength(1);
  });

  it('IMP-01 is refused after a grant that the ledger has forgotten', () => {
    const account = accountAfter([...opened, grantOf(1, '1')]);
    forgetOld(account, { revision: 1n, position: '1' }, 0);
    expect(account.postings.byMovement.size).toBe(0);
    expect(refusalOf(() => importOpening(wanted({ readUpTo: 1n }))(account, AT))).toBe(ledgerHasMovements);
  });

  it('IMP-01 is refused after an adjustment with terms that the ledger has forgotten', () => {
    const data = { movementId: 1, credits: '5', reason: 'gift', priority: 10, promotional: false };
    const account = accountAfter([...opened, { type: 'LotAdjusted', data }]);
    forgetOld(account, { revision: 1n, position: '1' }, 0);
    expect(account.postings.byMovement.size).toBe(0);
    expect(refusalOf(() => importOpening(wanted({ readUpTo: 1n }))(account, AT))).toBe(ledgerHasMovements);
  });

  it('IMP-01 is refused with expired lots, too many lots, or more credits than a ledger holds', () => {
    const [lot] = wanted().lots;
    if (lot === undefined) throw new Error('there is a lot');
    expect(refusalOf(() => importedOf({ lots: [{ ...lot, expiresAt: AT }] }))).toBe(expiryPassed);
    const many = Array.from({ length: MOST_OPEN_LOTS + 1 }, (_, index) => ({ ...lot, id: 100 + index }));
    expect(refusalOf(() => importedOf({ lots: many, plain: 0n }))).toBe(tooManyLots);
    expect(refusalOf(() => importedOf({ plain: 10n ** 15n }))).toBe(creditLimitExceeded);
    expect(importedOf({ lots: many.slice(1), plain: 0n })).toHaveLength(1);
    expect(importedOf({ lots: [], plain: 10n ** 15n })).toHaveLength(1);
  });

  it('LOT-05 lots are spent in the order of their old grants', () => {
    const lot = { credits: 10_000_000n, expiresAt: null, priority: 10, promotional: false };
    const lots = [
      { ...lot, id: 11, grantedAt: '2025-06-01T00:00:00.000Z' },
      { ...lot, id: 12, grantedAt: '2025-05-01T00:00:00.000Z' },
    ];
    const account = accountAfter([...opened, ...importedOf({ lots })]);
    const hold = {
      movementId: 20,
      key: 'k',
      credits: 12_000_000n,
      product: 'p',
      cause: { kind: 'operator' as const },
    };
    const [held] = holdAll([hold])(account, AT);
    expect(
      held?.type === 'CreditsHeld' && held.data.lots?.map(({ lot: id, credits }) => [id, credits]),
    ).toEqual([
      [12, '10000000'],
      [11, '2000000'],
    ]);
  });

  it('LOT-05 lots of one old grant time are spent by movement id, whatever their order in the file', () => {
    const lot = { credits: 10n, expiresAt: null, priority: 10, promotional: false };
    const lots = [12, 11].map((id) => ({ ...lot, id, grantedAt: '2025-06-01T00:00:00.000Z' }));
    const { books } = accountAfter([...opened, ...importedOf({ lots })]);
    expect(lotSpender(books.lots, available(books))(15n).map((share) => share.lot)).toEqual([11, 12]);
  });

  it('P8 leaves no trace, like a reversal, if its append failed', () => {
    const steps = [importedOf(), reverseOpening(12, 'wrong')(accountAfter([...opened, ...importedOf()]), AT)];
    let past = history(creditAccount, opened);
    for (const step of steps) {
      const account = stateAfter(creditAccount, past);
      const rewind = creditAccount.rewind?.(account);
      const appended = history(creditAccount, step, past);
      expect(stateAfter(creditAccount, appended, account).openings).not.toEqual(
        stateAfter(creditAccount, past).openings,
      );
      rewind?.();
      const before = stateAfter(creditAccount, past);
      expect([account.openings, account.memory]).toEqual([before.openings, before.memory]);
      past = [...past, ...appended];
    }
  });

  it('P8 is the same state from a snapshot at every entry, and does not change snapshots of other ledgers', () => {
    const imported = [...opened, ...importedOf()];
    const events: readonly CreditEvent[] = [
      ...imported,
      { type: 'ChargesStopped', data: { stream: 'list-1' } },
      ...reverseOpening(12, 'wrong')(accountAfter(imported), AT),
      { type: 'ChargesStopped', data: { stream: 'list-2' } },
    ];
    const stored = history(creditAccount, events);
    const whole = stateAfter(creditAccount, stored);
    for (let split = 1; split <= stored.length; split += 1) {
      const place = { revision: BigInt(split - 1), position: '0' };
      const json = JSON.parse(
        JSON.stringify(accountToJson(stateAfter(creditAccount, stored.slice(0, split)))),
      );
      const restored = stateAfter(creditAccount, stored.slice(split), accountFromJson(json, place));
      expect([restored.books, restored.openings]).toEqual([whole.books, whole.openings]);
    }
    expect(accountToJson(whole)).not.toHaveProperty('sealedMonths');
    expect(accountToJson(accountAfter(opened))).toEqual({
      billing: { mode: 'self' },
      grants: '0',
      withdrawals: '0',
      adjustments: '0',
      accounts: [],
      openHolds: [],
      updatedAt: expect.any(String),
      sealedMonths: [],
    });
  });
});

describe('reversing an opening', () => {
  const base = [...opened, ...importedOf()];

  it('IMP-01 takes back all of it, and afterwards only another file is imported', () => {
    const [reversed] = reverseOpening(12, 'wrong')(accountAfter(base), AT);
    expect(reversed).toEqual({
      type: 'OpeningReversed',
      data: {
        movementId: 12,
        credits: '130000000',
        reason: 'wrong',
        reverses: 10,
        lots: [{ lot: 11, credits: '30000000', expiresAt: '2026-03-01T00:00:00.000Z' }],
      },
    });
    const account = accountAfter([...base, ...(reversed === undefined ? [] : [reversed])]);
    expect([available(account.books), account.books.lots.size]).toEqual([0n, 0]);
    expect(refusalOf(() => reverseOpening(13, 'again')(account, AT))).toBe(noOpening);
    expect(refusalOf(() => importOpening(wanted())(account, AT))).toBe(openingReversed);
    const other = wanted({ source: { ...wanted().source, hash: 'b'.repeat(64) } });
    expect(importOpening(other)(account, AT)).toHaveLength(1);
    expect(refusalOf(() => reverseOpening(1, 'none')(accountAfter(opened), AT))).toBe(noOpening);
    expect(refusalOf(() => reverseOpening(1, 'none')(accountAfter([]), AT))).toBe(creditAccountUnknown);
  });

  it('IMP-01 is refused once any of it is held, spent, taken back or expired; additional credits do not matter', () => {
    const after = (...events: readonly CreditEvent[]) =>
      refusalOf(() => reverseOpening(12, 'wrong')(accountAfter([...base, ...events]), AT));
    const charged = heldEarlier(20, '1');
    const expiresAt = '2026-03-01T00:00:00.000Z';
    expect(after(charged)).toBe(openingUsed);
    expect(after(charged, endedEarlier('CreditsCaptured', 20))).toBe(openingUsed);
    expect(after(charged, endedEarlier('CreditsReleased', 20))).toBe(null);
    expect(after(withdrawalOf(20, '1'))).toBe(openingUsed);
    expect(after(adjustmentOf(20, '-1'))).toBe(openingUsed);
    expect(after({ type: 'LotExpired', data: { movementId: 11, credits: '30000000', expiresAt } })).toBe(
      openingUsed,
    );
    expect(after(grantOf(20, '5'))).toBe(null);
  });

  it('IMP-01 is refused although credits granted later cover what was held, taken back or has expired', () => {
    const afterGrant = (event: CreditEvent) =>
      refusalOf(() =>
        reverseOpening(12, 'wrong')(accountAfter([...base, grantOf(20, '30000000'), event]), AT),
      );
    const expiresAt = '2026-03-01T00:00:00.000Z';
    const charged = heldEarlier(22, '5');
    const spent = [...base, grantOf(20, '30000000'), charged, endedEarlier('CreditsCaptured', 22)];
    expect(refusalOf(() => reverseOpening(12, 'wrong')(accountAfter(spent), AT))).toBe(openingUsed);
    const refused: readonly CreditEvent[] = [
      heldEarlier(21, '5'),
      withdrawalOf(21, '5'),
      { type: 'LotExpired', data: { movementId: 11, credits: '30000000', expiresAt } },
    ];
    for (const event of refused) expect([event.type, afterGrant(event)]).toEqual([event.type, openingUsed]);
  });

  it('IMP-01 is reversed although a later grant was used, if all of its credits are in lots', () => {
    const lotsOnly = [...opened, ...importedOf({ plain: 0n })];
    const shareOfLot = { lot: 11, credits: '5', expiresAt: '2026-03-01T00:00:00.000Z' };
    const after = (...events: readonly CreditEvent[]) =>
      refusalOf(() => reverseOpening(12, 'wrong')(accountAfter([...lotsOnly, ...events]), AT));
    for (const use of [heldEarlier(21, '5'), withdrawalOf(21, '5')])
      expect([use.type, after(grantOf(20, '10'), use)]).toEqual([use.type, null]);
    for (const use of [
      heldEarlier(21, '5', { endCarriesAmount: true, lots: [shareOfLot] }),
      withdrawalOf(21, '5', { lots: [shareOfLot] }),
    ])
      expect([use.type, after(grantOf(20, '10'), use)]).toEqual([use.type, openingUsed]);
    // Without that grant its lots are whole, but the balance is less than the opening.
    expect(after(heldEarlier(21, '5'))).toBe(openingUsed);
  });

  it('IMP-01 is refused once a part of one of several lots is held', () => {
    const lots = [11, 12].map((id) => ({
      id,
      credits: 30_000_000n,
      expiresAt: null,
      priority: id,
      promotional: false,
      grantedAt: '2025-12-01T00:00:00.000Z',
    }));
    const several = [...opened, ...importedOf({ plain: 0n, lots }), grantOf(20, '10')];
    for (const lot of [11, 12]) {
      const use = heldEarlier(21, '5', { endCarriesAmount: true, lots: [{ lot, credits: '5' }] });
      const account = accountAfter([...several, use]);
      expect([lot, refusalOf(() => reverseOpening(22, 'wrong')(account, AT))]).toEqual([lot, openingUsed]);
    }
    expect(reverseOpening(22, 'wrong')(accountAfter(several), AT)).toHaveLength(1);
  });

  it('IMP-01 is refused once a correction took back a part of it, whichever credits paid for the correction', () => {
    const lotsOnly = [...opened, ...importedOf({ plain: 0n })];
    const after = (first: readonly CreditEvent[], ...events: readonly CreditEvent[]) =>
      refusalOf(() =>
        reverseOpening(22, 'wrong')(accountAfter([...first, grantOf(20, '50'), ...events]), AT),
      );
    // Credits granted later pay for it: all lots are still whole, and the balance covers the opening.
    for (const [first, corrects] of [
      [base, 10],
      [base, 11],
      [lotsOnly, 10],
      [lotsOnly, 11],
    ] as const) {
      expect([corrects, after(first, adjustmentOf(21, '-20', { corrects }))]).toEqual([
        corrects,
        openingUsed,
      ]);
    }
    // An adjustment took the credits back, and a later one added them again.
    const undone = [adjustmentOf(21, '-20', { corrects: 11 }), adjustmentOf(23, '20', { corrects: 11 })];
    expect(after(lotsOnly, ...undone)).toBe(null);
    // A correction of the other grant; without terms the credits may have been imported ones.
    expect(after(lotsOnly, adjustmentOf(21, '-20', { corrects: 20 }))).toBe(null);
    expect(after(base, adjustmentOf(21, '-20', { corrects: 20 }))).toBe(openingUsed);
    expect(after(base, adjustmentOf(21, '-20'), adjustmentOf(23, '30'))).toBe(openingUsed);
    expect(after(base, adjustmentOf(21, '30'))).toBe(null);
  });

  it('IMP-01 is reversed after reading the ledger, if the ledger has forgotten whether there was an adjustment', () => {
    const forgetful = (events: readonly CreditEvent[], revision: bigint) => {
      const account = accountAfter(events);
      forgetOld(account, { revision, position: '9' }, 0);
      for (const movementId of [10, 11]) account.memory.absent.add(askCorrections(movementId));
      return account;
    };
    const account = forgetful([...base, grantOf(20, '50')], 2n);
    expect(() => reverseOpening(21, 'wrong')(account, AT)).toThrow(LedgerMoved);
    expect(() => reverseOpening(21, 'wrong', 1n)(account, AT)).toThrow(LedgerMoved);
    expect(reverseOpening(21, 'wrong', 2n)(account, AT)).toHaveLength(1);
    // Nothing after the opening is forgotten.
    expect(reverseOpening(21, 'wrong')(forgetful(base, 1n), AT)).toHaveLength(1);
    const lotsOnly = forgetful([...opened, ...importedOf({ plain: 0n }), grantOf(20, '50')], 2n);
    expect(reverseOpening(21, 'wrong')(lotsOnly, AT)).toHaveLength(1);
    lotsOnly.memory.absent.clear();
    expect(() => reverseOpening(21, 'wrong')(lotsOnly, AT)).toThrow(Forgotten);
  });

  it('LED-10 corrections take nothing back from an opening that was reversed', () => {
    const reversed = reverseOpening(12, 'wrong')(accountAfter(base), AT);
    const account = accountAfter([...base, ...reversed, grantOf(20, '200000000')]);
    for (const corrects of [10, 11]) {
      const correction = { movementId: 30, reason: 'counted twice', credits: -1n, corrects };
      expect([corrects, refusalOf(() => adjust(correction)(account, AT))]).toEqual([
        corrects,
        correctionsExceeded,
      ]);
    }
  });

  it('LED-10 corrections of a reversal give back no more than it took', () => {
    const reversed = reverseOpening(12, 'wrong')(accountAfter(base), AT);
    const account = accountAfter([...base, ...reversed]);
    const back = { movementId: 30, reason: 'agreed', credits: 130_000_000n, corrects: 12 };
    expect(adjust(back)(account, AT)).toHaveLength(1);
    expect(refusalOf(() => adjust({ ...back, credits: 130_000_001n })(account, AT))).toBe(
      correctionsExceeded,
    );
  });

  it('P17 corrections of an opening do not exceed its parts', () => {
    const account = accountAfter(base);
    const correction = { movementId: 30, reason: 'counted twice', credits: -100_000_000n, corrects: 10 };
    expect(adjust(correction)(account, AT)).toHaveLength(1);
    expect(refusalOf(() => adjust({ ...correction, credits: -100_000_001n })(account, AT))).not.toBe(null);
    expect(adjust({ ...correction, credits: -30_000_000n, corrects: 11, lot: 11 })(account, AT)).toHaveLength(
      1,
    );
    expect(grant({ movementId: 31, credits: 1n, reason: 'more' })(account, AT)).toHaveLength(1);
  });
});

describe('subjects that were paid for elsewhere', () => {
  it('IMP-01 are found in the streams of earlier versions: the place of a subject never changes', () => {
    const placesOf = (subject: string) => [1, 2, 8, 65_536].map((streams) => placeOf(subject, streams));
    expect(placesOf('lead:1')).toEqual([0, 1, 7, 64_455]);
    expect(placesOf('post:urn:li:activity:7')).toEqual([0, 0, 6, 51_974]);
    expect(paidSubjectsId(5, '0123456789abcdef'.repeat(4), 3)).toBe('5_0123456789abcdef0123456789abcdef_3');
  });

  it('IMP-01 are stored once; other subjects for the same stream are a fault', () => {
    const subjects = [{ subject: 'lead:1' }, { subject: 'lead:2' }];
    const staged = { type: 'PaidSubjectsStaged', data: { subjects } } as const;
    const state = stateFrom(paidSubjects, [staged]);
    expect(stageSubjects(subjects)(paidSubjects.initial())).toEqual([staged]);
    expect(stageSubjects(subjects)(state)).toEqual([]);
    expect(() => stageSubjects(subjects.slice(1))(state)).toThrow(
      'divided the subjects of this file otherwise',
    );
  });

  it('IMP-01 are stored in streams of at most 500, each in the stream where it is looked up', () => {
    const subjects = Array.from({ length: 7_000 }, (_, index) => ({ subject: `post:p${index}` }));
    const streams = divideSubjects(subjects) ?? [];
    expect(streams.length).toBeGreaterThan(13);
    expect(streams.flat()).toHaveLength(7_000);
    for (const [place, stream] of streams.entries()) {
      expect(stream.length).toBeLessThanOrEqual(500);
      for (const { subject } of stream) expect(placeOf(subject, streams.length)).toBe(place);
    }
    expect(divideSubjects([])).toEqual([]);
    const same = Array.from({ length: 501 }, (_, agentId) => ({ subject: 'post:1', agentId: agentId + 1 }));
    expect(divideSubjects(same)).toBe(null);
    expect(divideSubjects(same.slice(1))).toHaveLength(1);
  });
});
