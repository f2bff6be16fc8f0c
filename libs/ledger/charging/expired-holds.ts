import type { CommandContext } from '#kernel/commands/decider.js';
import { sha256Hex } from '#kernel/values/hash.js';
import { DAY_MS } from '#kernel/values/durations.js';
import { creditAccount } from '#ledger/domain/credit-account.js';
import { releaseExpired } from '#ledger/domain/settle-credits.js';
import type { ExpiredHolds, HoldOwner, OwnerHost } from './hold-owner.js';

/** The maximum age of an open hold (OP-64). */
export const HOLD_LIFETIME_MS = DAY_MS;

/**
 * Ends the holds of one piece of work that have expired at `now`. The work is fenced first, so that it can record
 * nothing more. Then holds of recorded results are captured and the rest is released. A late capture is decided on
 * the same stream, so only one of the two ends a hold.
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
  // A hold has expired from the millisecond at which its lifetime ends.
  const heldBefore = new Date(now.getTime() - HOLD_LIFETIME_MS + 1).toISOString();
  const decision = releaseExpired({ movementIds, heldBefore, recorded });
  await host.commands.handle(creditAccount, String(expired.workspaceId), decision, {
    context: context(`end:${sha256Hex(movementIds.join()).slice(0, 32)}`),
  });
}
