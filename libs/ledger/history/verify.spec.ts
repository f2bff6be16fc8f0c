import type { StoredEvent } from '#kernel/ports/event-store.port.js';
import { history } from '#kernel/testing/scenario.js';
import { creditAccount } from '#ledger/domain/credit-account.js';
import type { CreditEvent } from '#ledger/domain/credits.events.js';
import { sealEntry } from '#ledger/domain/seal.js';
import { endedEarlier, grantOf, heldEarlier, selfBilled } from '#ledger/testing/sample-entries.js';
import { ENTRIES_A_MARK } from './ledger-reader.js';
import { addEntry, emptySums, toStoredSums, type StoredSums } from './ledger-sums.js';
import {
  MAX_DIFFERENCES,
  newProof,
  proveEntry,
  verifyLedger,
  type LedgerReadModels,
  type MovementRow,
} from './verify.js';

const held = (movementId: number): CreditEvent => heldEarlier(movementId, '10000000');
const ledger = history(creditAccount, [
  selfBilled,
  grantOf(1, '30000000'),
  held(2),
  held(3),
  held(4),
  endedEarlier('CreditsCaptured', 2),
  endedEarlier('CreditsReleased', 3),
]);
const row = (id: number, status: MovementRow['status']): MovementRow => ({
  id,
  key: `k${id}`,
  credits: '10000000',
  product: 'p',
  payer: 'workspace',
  createdAt: ledger[id]?.metadata['recordedAt'] ?? '',
  status,
});
const rows = [row(2, 'captured'), row(3, 'released'), row(4, 'held')];
const balance = { granted: '30000000', held: '10000000', captured: '10000000', revision: 6 };
const readModels = (shown: readonly MovementRow[] = rows, shownBalance = balance): LedgerReadModels => ({
  rows: async (ids) => new Map(shown.filter(({ id }) => ids.includes(id)).map((one) => [one.id, one])),
  countRows: async () => shown.length,
  balance: async () => shownBalance,
});
/** The ledger with one stored entry changed. */
const tampered = (revision: number, change: (entry: StoredEvent) => StoredEvent) =>
  ledger.map((entry, index) => (index === revision ? change(entry) : entry));
const restamped = (changes: object) => (entry: StoredEvent) => ({
  ...entry,
  metadata: { ...entry.metadata, ...changes },
});
const halved = (entry: StoredEvent) => ({ ...entry, data: { ...entry.data, credits: '5000000' } });
const headOf = (events: readonly StoredEvent[], revision: number) => events[revision]?.metadata['hash'] ?? '';

/** Seals every entry again, like an attacker who rewrites the whole history. */
function resealed(events: readonly StoredEvent[]): readonly StoredEvent[] {
  let hash = '';
  return events.map((entry) => {
    hash = sealEntry(hash, entry);
    return restamped({ hash })(entry);
  });
}

describe('ledger.verify', () => {
  it('verifies a ledger and its read models', async () => {
    const proven = { ok: true, revision: 6, movements: 3, hash: headOf(ledger, 6), differences: [] };
    expect(await verifyLedger([ledger.slice(0, 3), ledger.slice(3)], readModels())).toEqual(proven);
    expect(await verifyLedger([ledger], null, { revision: 4, hash: headOf(ledger, 4) })).toEqual(proven);
    expect(await verifyLedger([], null)).toEqual({
      ok: true,
      revision: null,
      movements: 0,
      hash: null,
      differences: [],
    });
  });

  it('names the first revision whose amount, actor, time or seal was changed', async () => {
    const changes: readonly ((entry: StoredEvent) => StoredEvent)[] = [
      halved,
      restamped({ actorId: 'somebody' }),
      restamped({ recordedAt: '2026-01-01T00:00:02.500Z' }),
      restamped({ hash: '0'.repeat(64) }),
    ];
    for (const change of changes) {
      const { ok, differences } = await verifyLedger([tampered(3, change)], null);
      expect(ok).toBe(false);
      expect(differences[0]).toMatchObject({ revision: 3, what: 'hash' });
    }
  });

  it('finds an entry that was sealed again, by the next entry', async () => {
    const forged = tampered(3, (entry) => {
      const changed = halved(entry);
      return restamped({ hash: sealEntry(headOf(ledger, 2), changed) })(changed);
    });
    const { differences } = await verifyLedger([forged], null);
    expect(differences.map(({ revision, what }) => [revision, what])).toEqual([[4, 'hash']]);
  });

  it('finds a history that was rewritten as a whole, by a head that was printed before', async () => {
    const rewritten = resealed(tampered(3, halved));
    expect((await verifyLedger([rewritten], null)).ok).toBe(true);
    const printed = { revision: 6, hash: headOf(ledger, 6) };
    expect((await verifyLedger([rewritten], null, printed)).differences).toEqual([
      { revision: 6, what: 'hash printed earlier', expected: printed.hash, found: headOf(rewritten, 6) },
    ]);
    expect((await verifyLedger([ledger.slice(0, 6)], null, printed)).differences).toEqual([
      { revision: null, what: 'revision printed earlier', expected: '6', found: '5' },
    ]);
  });

  it('finds a missing entry, a decreasing time and a movement that ends twice', async () => {
    const without = ledger.filter((_, index) => index !== 4);
    expect((await verifyLedger([without], null)).differences[0]).toEqual({
      revision: 5,
      what: 'revision',
      expected: '4',
      found: '5',
    });
    const back = resealed(tampered(3, restamped({ recordedAt: '2025-01-01T00:00:00.000Z' })));
    expect((await verifyLedger([back], null)).differences).toMatchObject([
      { revision: 3, what: 'recordedAt' },
    ]);
    const twice = resealed(tampered(6, (entry) => ({ ...entry, data: { movementId: 2, key: 'k2' } })));
    expect((await verifyLedger([twice], null)).differences).toMatchObject([
      { revision: 6, what: 'entry', found: 'movement 2 is not open' },
    ]);
  });

  it('finds spending without a grant and an entry of an unknown type', async () => {
    const poor = resealed(
      tampered(1, (entry) => ({ ...entry, data: { ...entry.data, credits: '20000000' } })),
    );
    expect((await verifyLedger([poor], null)).differences[0]).toEqual({
      revision: 4,
      what: 'available',
      expected: 'at least 0',
      found: '-10000000',
    });
    const foreign = resealed(tampered(6, (entry) => ({ ...entry, type: 'CreditsBurnt' })));
    expect((await verifyLedger([foreign], null)).differences).toMatchObject([{ revision: 6, what: 'entry' }]);
  });

  it('finds a read model row that differs, is missing or is superfluous, with its revision', async () => {
    const differing = await verifyLedger([ledger], readModels([row(2, 'held'), ...rows.slice(1)]));
    expect(differing.differences).toEqual([
      {
        revision: 5,
        what: 'read model row of movement 2',
        expected: '{"status":"captured"}',
        found: '{"status":"held"}',
      },
    ]);
    const cheaper = await verifyLedger(
      [ledger],
      readModels([...rows.slice(0, 2), { ...row(4, 'held'), credits: '1' }]),
    );
    expect(cheaper.differences).toMatchObject([{ revision: 4, what: 'read model row of movement 4' }]);
    const ended = await verifyLedger([ledger], readModels([...rows.slice(0, 2), row(4, 'captured')]));
    expect(ended.differences).toMatchObject([{ expected: 'held', found: 'captured' }]);
    const missing = await verifyLedger([ledger], readModels(rows.slice(0, 2)));
    expect(missing.differences[0]).toMatchObject({ revision: 4, found: null });
    const extra = await verifyLedger([ledger], readModels([...rows, row(5, 'held')]));
    expect(extra.differences).toEqual([
      { revision: null, what: 'read model rows', expected: '3', found: '4' },
    ]);
  });

  it('finds a balance that differs', async () => {
    const { differences } = await verifyLedger([ledger], readModels(rows, { ...balance, held: '0' }));
    expect(differences).toMatchObject([{ revision: null, what: 'read model balance' }]);
  });

  it('finds a mark whose sums differ from those of the entries up to it, and ignores one of another history', async () => {
    const grants = Array.from({ length: ENTRIES_A_MARK }, (_, index) => grantOf(index + 1, '1000000'));
    const long = history(creditAccount, [selfBilled, ...grants]);
    const sums = emptySums();
    for (const entry of long.slice(0, ENTRIES_A_MARK)) addEntry(sums, entry);
    const right = toStoredSums(sums);
    const shown = { granted: `${ENTRIES_A_MARK}000000`, held: '0', captured: '0', revision: ENTRIES_A_MARK };
    const asked: bigint[] = [];
    const differencesWith = async (mark: StoredSums | null) => {
      const models = {
        ...readModels([], shown),
        mark: async (revision: bigint) => {
          asked.push(revision);
          return mark;
        },
      };
      const { differences } = await verifyLedger([long], models);
      return differences.map(({ revision, what }) => [revision, what]);
    };
    expect(await differencesWith(right)).toEqual([]);
    expect(asked).toEqual([BigInt(ENTRIES_A_MARK - 1)]);
    expect(await differencesWith({ ...right, adjustments: '1' })).toEqual([[ENTRIES_A_MARK - 1, 'mark']]);
    expect(await differencesWith({ ...right, adjustments: '1', hash: headOf(long, 1) })).toEqual([]);
    expect(await differencesWith(null)).toEqual([]);
  });

  it('begun within a ledger compares the seals of its first month and later ones, and of none before', async () => {
    const at = (day: string) => ({ at: `2026-${day}T00:00:00.000Z` });
    const begun = history(creditAccount, [
      { ...selfBilled, ...at('01-10') },
      { ...grantOf(1, '30000000'), ...at('01-20') },
      { ...grantOf(2, '5000000'), ...at('02-01') },
    ]);
    /** The differences of a seal of January behind the first entries, verified from the entry after the first `before` ones. */
    const differencesOf = (first: number, before: number, closing: string) => {
      const past = begun.slice(0, first);
      const data = { month: '2026-01', closing, revision: 1, hash: headOf(begun, 1) };
      const sealing = history(creditAccount, [{ type: 'PeriodSealed', data, ...at('02-03') }], past);
      const sums = emptySums();
      for (const entry of past.slice(0, before)) addEntry(sums, entry);
      const proof = newProof(sums);
      for (const entry of [...past, ...sealing].slice(before)) proveEntry(proof, entry, null);
      return proof.differences.map(({ revision, what }) => [revision, what]);
    };
    for (const before of [0, 1, 2]) {
      expect(differencesOf(2, before, '30000000')).toEqual([]);
      expect(differencesOf(2, before, '30000001')).toEqual([[2, 'seal of 2026-01']]);
    }
    // The sums of the end of January are not known here.
    expect(differencesOf(3, 3, '30000001')).toEqual([]);
  });

  it('stops collecting differences after the first hundred', async () => {
    const many = Array.from({ length: 150 }, () => ledger[0]).flatMap((entry) => entry ?? []);
    expect((await verifyLedger([many], null)).differences).toHaveLength(MAX_DIFFERENCES);
  });
});
