import { fieldError } from '#kernel/values/refusal.js';
import { rulesOf, stateFrom } from '#kernel/testing/scenario.js';
import { grantOf, selfBilled } from '#ledger/testing/sample-entries.js';
import { accountFromJson, accountToJson } from './account-snapshot.js';
import { endOfMonth, monthNotOver, monthSealedOtherwise, sealMonth, sealOfPeriod } from './close-month.js';
import { creditAccount } from './credit-account.js';
import type { CreditEvent } from './credits.events.js';
import { LedgerMoved } from './ledger-moved.js';

const deciding = rulesOf(creditAccount);
const hash = 'a'.repeat(64);
const end = { month: '2026-01', closing: 5_000_000n, revision: 1, hash, isComplete: true };
const february = '2026-02-01T00:00:00.000Z';
const past = [selfBilled, grantOf(1, '5000000')];
const sealed: CreditEvent = {
  type: 'PeriodSealed',
  data: { month: '2026-01', closing: '5000000', revision: 1, hash },
};

describe('closing a month', () => {
  it('ends in UTC, also at the end of a year and in a leap February', () => {
    expect(endOfMonth('2026-01')).toBe(february);
    expect(endOfMonth('2026-12')).toBe('2027-01-01T00:00:00.000Z');
    expect(endOfMonth('2028-02')).toBe('2028-03-01T00:00:00.000Z');
  });

  it('seals once, from the first moment after the month', () => {
    deciding(past, sealMonth(end, february)).then([sealed]);
    deciding([...past, sealed], sealMonth(end, february)).then([]);
    deciding(past, sealMonth(end, '2026-01-31T23:59:59.999Z')).then(
      monthNotOver({ errors: fieldError('month', `is over at ${february}`) }),
    );
  });

  it('does not seal the last month that a year of four digits has', () => {
    deciding(past, sealMonth({ ...end, month: '9999-12' }, february)).then(
      monthNotOver({ errors: fieldError('month', 'is over at +010000-01-01T00:00:00.000Z') }),
    );
  });

  it('refuses a month that was sealed with another hash, because its history was rewritten', () => {
    const message = `was sealed at revision 1 with hash ${hash}`;
    deciding([...past, sealed], sealMonth({ ...end, hash: 'b'.repeat(64) }, february)).then(
      monthSealedOtherwise({ errors: fieldError('month', message) }),
    );
  });

  it('is read again if an entry was recorded after the end of the month was read', () => {
    const early = { ...end, revision: 0, isComplete: false };
    const account = stateFrom(creditAccount, past);
    expect(() => sealMonth(early, february)(account, february)).toThrow(LedgerMoved);
    expect(sealMonth({ ...early, revision: 1 }, february)(account, february)).toHaveLength(1);
  });

  it('keeps its seals in snapshots, and shows a seal for exactly the period that it sealed', () => {
    const account = stateFrom(creditAccount, [...past, sealed]);
    const json = JSON.parse(JSON.stringify(accountToJson(account)));
    const again = accountFromJson(json, { revision: 2n, position: '2' });
    expect([...again.sealedMonths]).toEqual([...account.sealedMonths]);
    expect(sealOfPeriod(again, '2026-01-01T00:00:00.000Z', february)).toEqual(sealed.data);
    for (const [from, to] of [
      ['2026-01-01T00:00:00.000Z', null],
      [null, february],
      ['2026-01-02T00:00:00.000Z', february],
      ['2026-02-01T00:00:00.000Z', '2026-03-01T00:00:00.000Z'],
    ] as const) {
      expect(sealOfPeriod(again, from, to)).toBeUndefined();
    }
  });
});
