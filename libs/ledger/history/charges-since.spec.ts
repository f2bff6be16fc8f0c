import type { Commands } from '#kernel/commands/commands.js';
import { history, stateAfter } from '#kernel/testing/scenario.js';
import { creditAccount } from '#ledger/domain/credit-account.js';
import type { CreditEvent } from '#ledger/domain/credits.events.js';
import type { Hold } from '#ledger/domain/hold-credits.js';
import { forgetOld } from '#ledger/domain/ledger-memory.js';
import { ended, grantOf, held, selfBilled } from '#ledger/testing/sample-entries.js';
import { chargesSince, markLedger } from './charges-since.js';

const keyOf = (companyId: number): string => `month:${companyId}`;
const month = (companyId: number): Hold => ({
  movementId: 100 + companyId,
  key: keyOf(companyId),
  credits: 5n,
  product: 'account_monitoring',
  cause: { kind: 'monitoring', companyId },
});
const paid = (companyId: number): readonly CreditEvent[] => [
  held(month(companyId)),
  ended('CreditsCaptured', month(companyId)),
];
const clock = { now: () => new Date('2026-01-05T10:00:00.000Z') };

/** A ledger that has forgotten its charges up to a revision; null: none. */
function hostOf(events: readonly CreditEvent[], forgottenUpTo: bigint | null) {
  const stored = history(creditAccount, events);
  const account = stateAfter(creditAccount, stored);
  if (forgottenUpTo !== null) forgetOld(account, { revision: forgottenUpTo, position: '9' }, 0);
  let read = 0;
  return {
    clock,
    // The ledger is the only stream that is loaded.
    commands: { load: async (_decider, _stream, look) => look(account as never) } as Pick<Commands, 'load'>,
    ledgers: {
      async *entriesFrom(_workspaceId: number, revision: bigint) {
        const later = stored.slice(Number(revision));
        read += later.length;
        yield later;
      },
    },
    entriesRead: () => read,
  };
}

describe('the charge of a request for months', () => {
  const before = [selfBilled, grantOf(1, '100'), ...paid(1)];
  const keys = new Set([1, 2, 3, 4].map(keyOf));
  const isMeant = (key: string): boolean => keys.has(key);
  const released = [held(month(4)), ended('CreditsReleased', month(4))];
  const after = [...before, ...paid(2), ...paid(3), ...paid(9), ...released];

  it('USE-24 is the sum of the months of its accounts that were paid since it began', async () => {
    const mark = await markLedger(hostOf(before, null).commands, 1);
    const host = hostOf(after, null);
    expect(await chargesSince(host, 1, mark, isMeant)).toEqual({ charged: 10n, remaining: 80n });
    expect(host.entriesRead()).toBe(0);
  });

  it('USE-24 is read from the entries if the ledger has forgotten months of the request meanwhile', async () => {
    const mark = await markLedger(hostOf(before, null).commands, 1);
    const last = BigInt(after.length - 1);
    for (const forgotten of [mark + 2n, last]) {
      const host = hostOf(after, forgotten);
      expect(await chargesSince(host, 1, mark, isMeant)).toEqual({ charged: 10n, remaining: 80n });
      expect(host.entriesRead()).toBe(after.length - before.length);
    }
  });

  it('USE-24 reads no entries if the ledger has forgotten only what was charged before', async () => {
    const mark = await markLedger(hostOf(before, BigInt(before.length - 1)).commands, 1);
    expect(mark).toBe(BigInt(before.length - 1));
    const host = hostOf(after, mark);
    expect(await chargesSince(host, 1, mark, isMeant)).toEqual({ charged: 10n, remaining: 80n });
    expect(host.entriesRead()).toBe(0);
  });
});
