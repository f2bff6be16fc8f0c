import { accountFromJson, accountToJson } from '#ledger/domain/account-snapshot.js';
import { creditAccount } from '#ledger/domain/credit-account.js';
import { ledgerReader } from '#ledger/history/ledger-reader.js';
import { emptySums, addEntry, toStoredSums } from '#ledger/history/ledger-sums.js';
import { verifyLedger } from '#ledger/history/verify.js';
import { stateAfter } from '#kernel/testing/scenario.js';
import { recordsInMemory, storeOf } from '../finance/random-ledger.js';
import { yearOf } from './year-of-lots.js';

const YEARS = Number(process.env['SIMULATION_RUNS'] ?? 3);

describe('a year of daily grants that expire', () => {
  const years = Array.from({ length: YEARS }, (_, seed) => yearOf(seed + 1));

  it('LOT-01..07 P18 P19 equals an independent model after every step', async () => {
    for (const { stored, model, passed } of await Promise.all(years)) {
      expect(passed).toBeGreaterThan(20);
      const expiries = stored
        .filter(({ type }) => type === 'LotExpired')
        .map(({ data, metadata }) => `${data['movementId']} ${data['credits']} ${metadata['recordedAt']}`);
      expect(expiries).toEqual(model.expiries);
      expect(expiries.length).toBeGreaterThan(100);
      const times = stored.map(({ metadata }) => metadata['recordedAt'] ?? '');
      expect(times).toEqual(times.toSorted());
      // P18: for every lot, all granted credits are accounted for.
      for (const lot of model.lots.values())
        expect(lot.granted).toBe(lot.free + lot.held + lot.captured + lot.withdrawn + lot.expired);
    }
  }, 120_000);

  it('P20 no hold takes from a lot at or after its expiry, and some are released across it', async () => {
    let across = 0;
    for (const { stored } of await Promise.all(years)) {
      for (const { type, data, metadata } of stored) {
        if (type !== 'CreditsHeld' && type !== 'CreditsReleased') continue;
        const at = metadata['recordedAt'] ?? '';
        for (const { expiresAt } of (data['lots'] ?? []) as { expiresAt?: string }[]) {
          if (expiresAt === undefined || expiresAt > at) continue;
          expect(type).toBe('CreditsReleased');
          across += 1;
        }
      }
    }
    expect(across).toBeGreaterThan(YEARS);
  });

  it('P8 folds to the same state from every snapshot and mark, and is verified', async () => {
    for (const { stored } of await Promise.all(years)) {
      expect(await verifyLedger([stored], null)).toMatchObject({ ok: true, differences: [] });
      const whole = stateAfter(creditAccount, stored);
      for (let split = 50; split < stored.length; split += 97) {
        const place = { revision: BigInt(split - 1), position: '0' };
        const json = JSON.parse(
          JSON.stringify(accountToJson(stateAfter(creditAccount, stored.slice(0, split)))),
        );
        const restored = stateAfter(creditAccount, stored.slice(split), accountFromJson(json, place));
        expect(restored.books).toEqual(whole.books);
      }
      const { eventStore } = storeOf(stored);
      const reader = ledgerReader(eventStore, recordsInMemory());
      const sums = emptySums();
      for (const entry of stored) {
        if (entry.revision % 41n === 0n) {
          const before = toStoredSums(await reader.sumsBefore(1, entry.revision));
          expect(before).toEqual(toStoredSums(sums));
        }
        addEntry(sums, entry);
      }
    }
  }, 60_000);
});
