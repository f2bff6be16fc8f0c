import { history } from '#kernel/testing/scenario.js';
import type { StoredEvent } from '#kernel/ports/event-store.port.js';
import { creditAccount } from '#ledger/domain/credit-account.js';
import { sealOf } from '#ledger/domain/ledger-entry.js';
import { grantOf, selfBilled, withdrawalOf } from '#ledger/testing/sample-entries.js';
import { compareStatement, standingCheck } from './still-standing.js';

const WORKSPACE = 1;
const printed = history(creditAccount, [
  selfBilled,
  grantOf(1, '10'),
  grantOf(2, '20'),
  withdrawalOf(3, '5'),
]);
/** The same first entries, then others: as after a restore from a backup. */
const restored = history(creditAccount, [
  selfBilled,
  grantOf(1, '10'),
  grantOf(4, '20'),
  withdrawalOf(3, '5'),
]);

/** A store with these entries, two in a batch, that counts the entries it was asked for. */
function storeOf(entries: readonly StoredEvent[]) {
  const read: bigint[] = [];
  return {
    read,
    async *readStream(_stream: string, { from = 0n }: { readonly from?: bigint } = {}) {
      const rest = entries.filter(({ revision }) => revision >= from);
      for (let index = 0; index < rest.length; index += 2) {
        const batch = rest.slice(index, index + 2);
        read.push(...batch.map(({ revision }) => revision));
        yield batch;
      }
    },
  };
}
const seal = (entries: readonly StoredEvent[], index: number): string => entries.map(sealOf)[index] ?? '';
const gone = (revision: number, expected: string | null, found: string | null) => ({
  revision,
  what: 'entry of the ledger as it is now',
  expected,
  found,
});

describe('LED-08 printed entries and the ledger as it is now', () => {
  const firstGone = async (ledger: readonly StoredEvent[], ...parts: readonly (readonly StoredEvent[])[]) => {
    const check = standingCheck(storeOf(ledger), WORKSPACE);
    for (const part of parts) await check.compare(part);
    await check.end();
    return check.firstGone();
  };

  it('are the same, from whichever entry they begin and in whichever parts they are read', async () => {
    expect(await firstGone(printed)).toBeNull();
    expect(await firstGone(printed, printed)).toBeNull();
    expect(await firstGone(printed, printed.slice(0, 1), printed.slice(1, 3))).toBeNull();
    expect(await firstGone(printed, printed.slice(2))).toBeNull();
  });

  it('differ in the first entry that another one has replaced, by their seals', async () => {
    const difference = gone(2, seal(printed, 2), seal(restored, 2));
    expect(await firstGone(restored, printed)).toEqual(difference);
    expect(await firstGone(restored, printed.slice(0, 3), printed.slice(3))).toEqual(difference);
    expect(await firstGone(restored, printed.slice(3))).toEqual(gone(3, seal(printed, 3), seal(restored, 3)));
  });

  it('differ in the first entry that the ledger does not have', async () => {
    expect(await firstGone(printed.slice(0, 3), printed)).toEqual(gone(3, seal(printed, 3), null));
    expect(await firstGone([], printed)).toEqual(gone(0, seal(printed, 0), null));
    const without = [...printed.slice(0, 1), ...printed.slice(2)];
    expect(await firstGone(without, printed)).toEqual(gone(1, seal(printed, 1), seal(printed, 2)));
  });

  it('are not read further after the first difference', async () => {
    const store = storeOf(restored.slice(2));
    const check = standingCheck(store, WORKSPACE);
    await check.compare(printed);
    await check.compare(printed.slice(3));
    expect(store.read).toEqual([2n, 3n]);
    expect(check.firstGone()).toMatchObject({ revision: 0 });
  });
});

describe('LED-08 a printed statement and the ledger as it is now', () => {
  const rows = [
    { revision: 1, movementId: 1 },
    { revision: 2, movementId: 2 },
  ];
  const statement = { workspaceId: WORKSPACE, rows, revision: 2, hash: seal(printed, 2) };
  const compared = (ledger: readonly StoredEvent[], more: Partial<typeof statement> = {}) =>
    compareStatement(storeOf(ledger), { ...statement, ...more });

  it('are the same up to its last entry, whatever was added since', async () => {
    expect(await compared(printed.slice(0, 3))).toBeNull();
    expect(await compared(printed)).toBeNull();
  });

  it('differ in a row of another movement, and in the seal of its last entry', async () => {
    expect(await compared(restored)).toEqual(gone(2, 'movement 2', seal(restored, 2)));
    expect(await compared(restored, { rows: rows.slice(0, 1) })).toEqual(
      gone(2, seal(printed, 2), seal(restored, 2)),
    );
  });

  it('differ in the first entry that the ledger does not have', async () => {
    expect(await compared(printed.slice(0, 2))).toEqual(gone(2, seal(printed, 2), null));
    expect(await compared([])).toEqual(gone(0, seal(printed, 2), null));
  });

  it('are the same if it was printed of an empty ledger', async () => {
    const empty = { workspaceId: WORKSPACE, rows: [], revision: null, hash: null };
    expect(await compareStatement(storeOf(printed), empty)).toBeNull();
    expect(await compareStatement(storeOf([]), empty)).toBeNull();
  });
});
