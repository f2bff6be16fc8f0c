import type { Commands } from '#kernel/commands/commands.js';
import type { Credits } from '#kernel/values/credits.js';
import { available } from '#ledger/domain/books.js';
import { capReached } from '#ledger/domain/caps.js';
import {
  billingOf,
  creditAccount,
  insufficient,
  insufficientCredits,
} from '#ledger/domain/credit-account.js';

/** What a hold may be refused for, for the documents of endpoints. */
export const holdProblems = [insufficientCredits, capReached];

/** Throws `insufficientCredits` if the workspace pays itself and has less than these credits available. */
export const requireBalance = (
  commands: Pick<Commands, 'load'>,
  workspaceId: number,
  required: Credits,
): Promise<void> =>
  commands.load(creditAccount, String(workspaceId), (account) => {
    if (billingOf(account).mode === 'self' && required > available(account.books))
      throw insufficient(account, required);
  });
