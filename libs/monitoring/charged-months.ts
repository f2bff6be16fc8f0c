import type { Commands } from '#kernel/commands/commands.js';
import type { Clock } from '#kernel/ports/clock.js';
import type { Credits } from '#kernel/values/credits.js';
import { availableAt } from '#ledger/domain/books.js';
import { chargedSince, newestCharge } from '#ledger/domain/charged-since.js';
import { creditAccount } from '#ledger/domain/credit-account.js';
import { companyOfMonthKey } from './domain/months-facts.js';

/** The position in a ledger before some work: later charges belong to the work. */
export const markLedger = (commands: Commands, workspaceId: number): Promise<bigint> =>
  commands.load(creditAccount, String(workspaceId), newestCharge);

/**
 * The credits charged for months of these companies since the mark, and the credits left. Read from the ledger,
 * because a worker may have paid a month of this request first.
 */
export async function chargedMonths(
  { commands, clock }: { readonly commands: Commands; readonly clock: Clock },
  workspaceId: number,
  mark: bigint,
  companyIds: ReadonlySet<number>,
): Promise<{ readonly charged: Credits; readonly remaining: Credits }> {
  const isMeant = (key: string): boolean => companyIds.has(companyOfMonthKey(key) ?? 0);
  return commands.load(creditAccount, String(workspaceId), (account) => ({
    charged: chargedSince(account, mark, isMeant),
    remaining: availableAt(account.books, clock.now().toISOString()),
  }));
}
