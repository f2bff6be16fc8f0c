import { UnreadableEvent } from '#kernel/events/event-codec.js';
import type { Decider } from '#kernel/commands/decider.js';
import { credits } from '#kernel/values/credits.js';
import type { CreditAccount } from '#ledger/domain/account-state.js';
import { creditAccount, type CreditDecision } from '#ledger/domain/credit-account.js';
import { creditEvents } from '#ledger/domain/credits.events.js';
import { holdAll } from '#ledger/domain/hold-credits.js';
import { importOpening } from '#ledger/domain/import-opening.js';
import { adjust, grant } from '#ledger/domain/post-credits.js';
import { operatorOf, sharedLedgerHost } from './ledger-host.js';

/** The ledger in a program older than these entries: none of them is in its vocabulary. */
function before(
  ...unknown: readonly (keyof typeof creditEvents)[]
): Decider<CreditAccount, typeof creditEvents> {
  const known = Object.entries(creditEvents).filter(([type]) => !unknown.some((each) => each === type));
  return { ...creditAccount, vocabulary: Object.fromEntries(known) as typeof creditEvents };
}

const opening = importOpening({
  movementId: 900,
  reason: 'opening balance',
  source: { hash: 'a'.repeat(64), system: 'old', closedAt: '2026-01-04T00:00:00.000Z' },
  plain: credits(5),
  lots: [],
  paid: { count: 0, streams: 0 },
  left: { openHolds: 0, held: 0n, history: 0 },
  readUpTo: -1n,
});
const terms = { expiresAt: '2026-03-01T00:00:00.000Z', priority: 50, promotional: true };
const grantWithTerms = grant({ movementId: 900, credits: credits(5), reason: 'welcome' }, terms);
const adjustmentWithTerms = adjust({ movementId: 900, credits: credits(5), reason: 'lost' }, terms);

describe('an older program beside a newer one', () => {
  const host = sharedLedgerHost();
  let workspaces = 0;

  const hold = (movementId: number): CreditDecision =>
    holdAll([
      { movementId, key: `k${movementId}`, credits: credits(1), product: 'p', cause: { kind: 'operator' } },
    ]);

  it.each([
    ['LOT-04 stops at a grant with terms', 'LotGranted', grantWithTerms],
    ['LOT-04 stops at an adjustment with terms', 'LotAdjusted', adjustmentWithTerms],
    ['IMP-01 stops at an opening', 'OpeningImported', opening],
  ] as const)('%s and spends nothing of it, whatever it has in memory', async (_title, type, decision) => {
    const older = before(type);
    const workspaceId = (workspaces += 1);
    const id = String(workspaceId);
    await host.openWorkspace(workspaceId);
    const options = () => ({ context: operatorOf(workspaceId) });
    const cold = await host.anotherCommandPath();
    const warm = await host.anotherCommandPath();
    // It works on the ledger as long as it knows every entry.
    await warm.handle(older, id, () => [], options());
    await host.commands.handle(creditAccount, id, decision, options());
    const written = (await host.ledger(workspaceId)).length;
    for (const path of [cold, warm]) {
      for (const movementId of [1, 2])
        await expect(path.handle(older, id, hold(movementId), options())).rejects.toThrow(UnreadableEvent);
      await expect(path.load(older, id, () => null)).rejects.toThrow(UnreadableEvent);
    }
    expect(await host.ledger(workspaceId)).toHaveLength(written);
    // The newer program continues beside it.
    await host.commands.handle(creditAccount, id, hold(3), options());
    expect(await host.ledger(workspaceId)).toHaveLength(written + 1);
  });
});
