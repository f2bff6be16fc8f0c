import type { Commands } from '#kernel/commands/commands.js';
import type { Credits } from '#kernel/values/credits.js';
import { available } from '#ledger/domain/books.js';
import { chargedSince, newestCharge } from '#ledger/domain/charged-since.js';
import { creditAccount } from '#ledger/domain/credit-account.js';
import { companyOfMonthKey } from './domain/months-facts.js';

/** The position in a ledger before some work: later charges belong to the work. */
export const markLedger = (commands: Commands, workspaceId: number): Promise<bigint> =>
  commands.load(creditAccount, String(workspaceId), newestCharge);

/**
 * What months of these companies were charged since the mark, and what is left. Asked of the ledger, because the month
 * that a request has begun may have been paid by a worker that found it first.
 */
export async function chargedMonths(
  commands: Commands,
  workspaceId: number,
  mark: bigint,
  companyIds: ReadonlySet<number>,
): Promise<{ readonly charged: Credits; readonly remaining: Credits }> {
  const isMeant = (key: string): boolean => companyIds.has(companyOfMonthKey(key) ?? 0);
  return commands.load(creditAccount, String(workspaceId), (account) => ({
    charged: chargedSince(account, mark, isMeant),
    remaining: available(account.books),
  }));
}
