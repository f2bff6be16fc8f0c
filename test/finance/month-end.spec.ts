import fc from 'fast-check';
import { history } from '#kernel/testing/scenario.js';
import type { StoredEvent } from '#kernel/ports/event-store.port.js';
import { toJsonNumber } from '#kernel/values/credits.js';
import { endOfMonth } from '#ledger/domain/close-month.js';
import { creditAccount } from '#ledger/domain/credit-account.js';
import { ledgerReader } from '#ledger/history/ledger-reader.js';
import { readMonthEnd } from '#ledger/history/month-end.js';
import { readStatement } from '#ledger/history/statement.js';
import { grantOf, selfBilled, withdrawalOf } from '#ledger/testing/sample-entries.js';
import { randomLedger, recordsInMemory, storeOf } from './random-ledger.js';

const RUNS = { numRuns: Number(process.env['SIMULATION_RUNS'] ?? 100) };
const february = '2026-02-01T00:00:00.000Z';
const past = [selfBilled, grantOf(1, '5000000')];

function readerOf(ledger: readonly StoredEvent[]) {
  const { eventStore, reads } = storeOf(ledger);
  const ledgers = ledgerReader(eventStore, recordsInMemory());
  const head = ledger.at(-1);
  if (head === undefined) throw new Error('the ledger has a last entry');
  return { reads, endOf: (month: string) => readMonthEnd(ledgers, 1, head, month) };
}

describe('the end of a month in a ledger', () => {
  it('reads closing, revision and seal of the last entry before the end', async () => {
    const stored = history(creditAccount, [...past, { ...withdrawalOf(2, '1'), at: february }]);
    const { endOf } = readerOf(stored);
    expect(await endOf('2026-01')).toEqual({
      month: '2026-01',
      closing: 5_000_000n,
      revision: 1,
      hash: stored[1]?.metadata['hash'],
      isComplete: true,
    });
    expect(await endOf('2026-02')).toMatchObject({ closing: 4_999_999n, isComplete: false });
    await expect(endOf('2025-12')).rejects.toThrow('begins after this month');
  });

  it('P9 is the end of the statement of the month, folded from the first entry', async () => {
    await fc.assert(
      fc.asyncProperty(
        randomLedger(),
        fc.constantFrom('2026-01', '2026-02', '2026-03'),
        async (ledger, month) => {
          const whole = await readStatement(1, [ledger], { from: null, to: endOfMonth(month) });
          const { closing, revision, hash, isComplete } = await readerOf(ledger).endOf(month);
          expect([toJsonNumber(closing), revision, hash]).toEqual([
            whole.closing,
            whole.revision,
            whole.hash,
          ]);
          expect(isComplete).toBe(revision < ledger.length - 1);
        },
      ),
      RUNS,
    );
  });

  it('is read at about the same cost from a long ledger, once its sums are stored', async () => {
    const entries = 5_000;
    const begin = Date.parse('2026-01-01T00:00:00.000Z');
    const ledger = history(creditAccount, [
      { ...selfBilled, at: new Date(begin).toISOString() },
      ...Array.from({ length: entries }, (_, index) => ({
        ...grantOf(index + 1, '1'),
        at: new Date(begin + index * 3_600_000).toISOString(),
      })),
    ]);
    const { endOf, reads } = readerOf(ledger);
    await endOf('2026-07');
    reads.entries = 0;
    expect(await endOf('2026-04')).toMatchObject({ revision: 120 * 24, isComplete: true });
    expect(reads.entries).toBeLessThan(100);
  });
});
