import { history } from '#kernel/testing/scenario.js';
import { asOfView } from '#ledger/answers/as-of.answer.js';
import { creditAccount } from '#ledger/domain/credit-account.js';
import type { CreditEvent } from '#ledger/domain/credits.events.js';
import { addEntry, emptySums } from './ledger-sums.js';
import { isAfter, type Moment } from './moment.js';
import { statementView } from '#ledger/answers/statement.answer.js';
import {
  adjustmentOf,
  endedEarlier,
  grantOf,
  heldEarlier,
  partnerBilled,
  selfBilled,
  withdrawalOf,
} from '#ledger/testing/sample-entries.js';
import { readStatement, statementParts } from './statement.js';

const minute = (index: number) => `2026-01-05T10:0${index}:00.000Z`;
const signal = { kind: 'signal', launchId: 91, setupId: 12, subject: 'post:1' } as const;
const month: readonly CreditEvent[] = [
  selfBilled,
  grantOf(1, '100000000', { key: 'march' }),
  heldEarlier(2, '12500000', { product: 'discovery_custom', cause: signal }),
  heldEarlier(3, '300000', { product: 'other' }),
  endedEarlier('CreditsCaptured', 2),
  endedEarlier('CreditsReleased', 3),
  adjustmentOf(4, '2500000', { reason: 'too much', corrects: 2 }),
  withdrawalOf(5, '50000000', { reason: 'reduced' }),
  partnerBilled,
  heldEarlier(6, '8000000', {
    product: 'other',
    payer: 'partner:7',
    cause: { kind: 'enrichment', requestId: 9 },
  }),
  endedEarlier('CreditsCaptured', 6),
];
const ledger = history(
  creditAccount,
  month.map((event, index) => ({
    ...event,
    at: `2026-01-05T10:${index.toString().padStart(2, '0')}:00.000Z`,
  })),
);
/** Batches, as a store returns them. */
const inBatches = [ledger.slice(0, 4), ledger.slice(4, 5), [], ledger.slice(5)];
const whole = { from: null, to: null };
/** The statement as it is answered. */
const answered = async (...asked: Parameters<typeof readStatement>) =>
  statementView(await readStatement(...asked));

describe('ledger.statement', () => {
  it('OP-71 has a row for each change with the running balance, opening, closing and totals', async () => {
    const statement = await answered(1, inBatches, whole);
    const row = { key: null, product: null, payer: 'workspace', spend: 0 };
    const held2 = { movement_id: 2, key: 'k2', product: 'discovery_custom', payer: 'workspace' };
    const held3 = { movement_id: 3, key: 'k3', product: 'other', payer: 'workspace', spend: 0 };
    const held6 = {
      movement_id: 6,
      key: 'k6',
      product: 'other',
      payer: 'partner:7',
      credits: 0,
      balance: 40,
    };
    const cause2 = { kind: 'signal', launch_id: 91, signal_setup_id: 12, subject: 'post:1' };
    const cause6 = { kind: 'enrichment', request_id: 9 };
    expect(statement).toEqual({
      workspace_id: 1,
      from: null,
      to: null,
      opening: 0,
      rows: [
        {
          ...row,
          movement_id: 1,
          at: minute(1),
          revision: 1,
          kind: 'grant',
          credits: 100,
          balance: 100,
          key: 'march',
          cause: { kind: 'operator', reason: 'contract' },
        },
        {
          ...held2,
          at: minute(2),
          revision: 2,
          kind: 'hold',
          credits: -12.5,
          spend: 0,
          balance: 87.5,
          cause: cause2,
        },
        {
          ...held3,
          at: minute(3),
          revision: 3,
          kind: 'hold',
          credits: -0.3,
          balance: 87.2,
          cause: { kind: 'operator' },
        },
        {
          ...held2,
          at: minute(4),
          revision: 4,
          kind: 'capture',
          credits: 0,
          spend: 12.5,
          balance: 87.2,
          cause: cause2,
        },
        {
          ...held3,
          at: minute(5),
          revision: 5,
          kind: 'release',
          credits: 0.3,
          balance: 87.5,
          cause: { kind: 'operator' },
        },
        {
          ...row,
          movement_id: 4,
          at: minute(6),
          revision: 6,
          kind: 'adjustment',
          credits: 2.5,
          balance: 90,
          cause: { kind: 'operator', reason: 'too much', corrects: 2 },
        },
        {
          ...row,
          movement_id: 5,
          at: minute(7),
          revision: 7,
          kind: 'withdrawal',
          credits: -50,
          balance: 40,
          cause: { kind: 'operator', reason: 'reduced' },
        },
        { ...held6, at: minute(9), revision: 9, kind: 'hold', spend: 0, cause: cause6 },
        { ...held6, at: '2026-01-05T10:10:00.000Z', revision: 10, kind: 'capture', spend: 8, cause: cause6 },
      ],
      totals: {
        by_product: { discovery_custom: 12.5, other: 8 },
        by_cause: { enrichment: 8, signal: 12.5 },
        by_payer: { 'partner:7': 8, workspace: 12.5 },
      },
      closing: 40,
      revision: 10,
      hash: ledger[10]?.metadata['hash'],
    });
  });

  it('opens with the closing of the previous period, from inclusive and to exclusive', async () => {
    const first = await answered(1, inBatches, { from: null, to: minute(4) });
    const second = await answered(1, inBatches, { from: minute(4), to: minute(6) });
    const third = await answered(1, inBatches, { from: minute(6), to: null });
    expect([
      first.opening,
      first.closing,
      second.opening,
      second.closing,
      third.opening,
      third.closing,
    ]).toEqual([0, 87.2, 87.2, 87.5, 87.5, 40]);
    expect([first, second, third].map(({ rows }) => rows.length)).toEqual([3, 2, 4]);
    expect(first).toMatchObject({ revision: 3, hash: ledger[3]?.metadata['hash'] });
    expect(second.totals.by_product).toEqual({ discovery_custom: 12.5 });
  });

  it('is always the same bytes, whatever is written after its revision and in any batch size', async () => {
    const then = JSON.stringify(await answered(1, [ledger.slice(0, 6)], whole));
    const revision = 5n;
    expect(JSON.stringify(await answered(1, inBatches, { ...whole, asOf: { revision } }))).toBe(then);
    expect(
      JSON.stringify(
        await answered(
          1,
          ledger.map((event) => [event]),
          { ...whole, asOf: { revision } },
        ),
      ),
    ).toBe(then);
  });

  it('of an empty ledger or period is empty', async () => {
    const nothing = { rows: [], totals: { by_product: {}, by_cause: {}, by_payer: {} } };
    expect(await answered(1, [], whole)).toMatchObject({
      ...nothing,
      opening: 0,
      closing: 0,
      revision: null,
      hash: null,
    });
    const later = { from: '2027-01-01T00:00:00.000Z', to: null };
    expect(await answered(1, inBatches, later)).toMatchObject({
      ...nothing,
      opening: 40,
      closing: 40,
      revision: 10,
    });
  });

  it('reads no further than its period and returns each row as it is read', async () => {
    let batchesRead = 0;
    function* counted() {
      for (const event of ledger) {
        batchesRead += 1;
        yield [event];
      }
    }
    const kinds: string[] = [];
    for await (const part of statementParts(counted(), { from: minute(1), to: minute(3) })) {
      kinds.push(`${part.part} after ${batchesRead}`);
    }
    expect(kinds).toEqual(['opening after 2', 'row after 2', 'row after 3', 'end after 4']);
  });
});

describe('ledger.as_of', () => {
  const asOf = (moment: Moment) => {
    const sums = emptySums();
    for (const entry of ledger) if (!isAfter(entry, moment)) addEntry(sums, entry);
    return asOfView(sums, moment);
  };

  it('shows balance, open holds and spending at a moment', () => {
    const before = asOf({ at: minute(5) });
    expect(before).toEqual({
      at: minute(5),
      revision: 4,
      balance: {
        balance: 87.2,
        held: 0.3,
        captured: 12.5,
        granted: 100,
        is_billed: true,
        billing: 'self',
        updated_at: minute(4),
      },
      open_holds: [
        {
          movement_id: 3,
          key: 'k3',
          credits: 0.3,
          product: 'other',
          payer: 'workspace',
          created_at: minute(3),
        },
      ],
      spend_by_product: { discovery_custom: 12.5 },
    });
    expect(asOf({ revision: 4n })).toEqual({ ...before, at: minute(4) });
  });

  it('includes the entries recorded before the moment, and is the newest state without a moment', () => {
    expect(asOf({ at: minute(1) })).toMatchObject({
      revision: 0,
      balance: { balance: 0 },
    });
    expect(asOf({ at: minute(0) })).toMatchObject({ revision: null });
    expect(asOf({})).toMatchObject({
      revision: 10,
      spend_by_product: { discovery_custom: 12.5, other: 8 },
    });
  });
});
