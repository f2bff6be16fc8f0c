import type { StoredEvent } from '#kernel/ports/event-store.port.js';
import type { Credits } from '#kernel/values/credits.js';
import { ownAccount } from '#ledger/domain/books.js';
import type { LedgerReader } from '#ledger/history/ledger-reader.js';

const DAY_MS = 86_400_000;
/** The burn is the greatest of the daily means of these. */
const WINDOWS_DAYS = [7, 28] as const;

/**
 * What a workspace uses in 24 hours, as lately (LOW-02): the greater of the daily means of 7 and of 28 days of what was
 * captured, without monitored months, in whole micro-credits. It reads the sums at three places of the ledger, however
 * long that is.
 */
export async function burnOf(
  ledgers: LedgerReader,
  workspaceId: number,
  head: StoredEvent,
  now: Date,
): Promise<Credits> {
  const spentBefore = async (revision: bigint): Promise<Credits> => {
    const { books, spending } = await ledgers.sumsBefore(workspaceId, revision);
    return ownAccount(books).captured - (spending.cause.get('monitoring') ?? 0n);
  };
  const spent = await spentBefore(head.revision + 1n);
  let burn = 0n;
  for (const days of WINDOWS_DAYS) {
    const since = new Date(now.getTime() - days * DAY_MS).toISOString();
    const first = await ledgers.firstAt(workspaceId, since, head);
    // A partner that paid months meanwhile makes the difference smaller than what was used, and maybe negative.
    const mean = (spent - (await spentBefore(first))) / BigInt(days);
    if (mean > burn) burn = mean;
  }
  return burn;
}
