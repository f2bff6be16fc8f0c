import { credits } from '#kernel/values/credits.js';
import { spendGroups } from './spend-groups.js';
import type { StatementRow } from './statement.js';

const row = (kind: StatementRow['kind'], spend: number, cause: object): StatementRow => ({
  movementId: 1,
  revision: 1,
  at: '2026-01-31T10:00:00.000Z',
  kind,
  credits: 0,
  spend,
  balance: 0,
  key: null,
  cause: { kind: 'monitoring', ...cause },
  product: null,
  payer: 'workspace',
});
const month = (companyId: number, personaId: number, of: string) => ({ companyId, personaId, month: of });

const rows = [
  row('hold', 0, month(9, 4, '2026-01')),
  row('capture', 5.1, month(9, 4, '2026-01')),
  row('capture', 5.2, month(9, 4, '2026-02')),
  row('capture', 5, month(8, 4, '2026-01')),
  row('capture', 10, { kind: 'signal' }),
];

describe('spending by account, business unit and month', () => {
  it('adds up exactly, in the order of the values, with missing values last', () => {
    expect(spendGroups(rows, ['account'])).toEqual([
      { of: { account: 8 }, movements: 1, spend: credits(5) },
      { of: { account: 9 }, movements: 2, spend: 10_300_000n },
      { of: { account: null }, movements: 1, spend: credits(10) },
    ]);
  });

  it('groups by several members', () => {
    expect(spendGroups(rows, ['month', 'account']).map(({ of }) => of)).toEqual([
      { month: '2026-01', account: 8 },
      { month: '2026-01', account: 9 },
      { month: '2026-02', account: 9 },
      { month: null, account: null },
    ]);
  });
});
