import type { StoredEvent } from '#kernel/ports/event-store.port.js';
import type { Credits } from '#kernel/values/credits.js';
import { DAY_MS } from '#kernel/values/durations.js';
import { ownAccount } from '#ledger/domain/books.js';
import type { LedgerReader } from '#ledger/history/ledger-reader.js';

/** The burn is the greatest of the daily means over these windows. */
const WINDOWS_DAYS = [7, 28] as const;

/**
 * The credits that a workspace recently used in 24 hours (LOW-02): the greater of the daily means over 7 and over 28
 * days of captured credits that the workspace paid, without monitored months, in whole micro-credits. It reads the sums
 * at three positions of the ledger, so its cost does not grow with the ledger.
 */
export async function burnOf(
  ledgers: LedgerReader,
  workspaceId: number,
  head: StoredEvent,
  now: Date,
): Promise<Credits> {
  const spentBefore = async (revision: bigint): Promise<Credits> => {
    const { books, ownMonths } = await ledgers.sumsBefore(workspaceId, revision);
    return ownAccount(books).captured - ownMonths;
  };
  const spent = await spentBefore(head.revision + 1n);
  let burn = 0n;
  for (const days of WINDOWS_DAYS) {
    const since = new Date(now.getTime() - days * DAY_MS).toISOString();
    const first = await ledgers.firstAt(workspaceId, since, head);
    const mean = (spent - (await spentBefore(first))) / BigInt(days);
    if (mean > burn) burn = mean;
  }
  return burn;
}
