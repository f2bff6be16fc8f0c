import type { CommandContext } from '#kernel/commands/decider.js';
import { sha256Hex } from '#kernel/values/hash.js';
import { creditAccount } from '#ledger/domain/credit-account.js';
import { releaseExpired } from '#ledger/domain/settle-credits.js';
import type { ExpiredHolds, HoldOwner, OwnerHost } from './hold-owner.js';

/** How long a hold may stay without an end (OP-64). */
export const HOLD_LIFETIME_MS = 24 * 60 * 60 * 1_000;

/**
 * Ends holds of one piece of work that are due at `now`. The work is fenced first, so that nothing more can be
 * recorded; what it had recorded is captured and the rest given back, at the same decision point as a late capture:
 * one of them wins.
 */
export async function endExpiredHolds(
  host: OwnerHost,
  owner: HoldOwner,
  expired: ExpiredHolds,
  now: Date,
  context: (step: string) => CommandContext,
): Promise<void> {
  await owner.fence(host, expired, context);
  const recorded = await owner.recorded(host, expired);
  const movementIds = expired.holds.map(({ id }) => id);
  // Due is the whole instant at which the time is over.
  const heldBefore = new Date(now.getTime() - HOLD_LIFETIME_MS + 1).toISOString();
  const decision = releaseExpired({ movementIds, heldBefore, recorded });
  await host.commands.handle(creditAccount, String(expired.workspaceId), decision, {
    context: context(`end:${sha256Hex(movementIds.join()).slice(0, 32)}`),
    answer: () => null,
  });
}
