import type { Commands } from '#kernel/commands/commands.js';
import type { Credits } from '#kernel/values/credits.js';
import { available, decisionTime } from '#ledger/domain/books.js';
import { capMeter, capReached } from '#ledger/domain/caps.js';
import {
  billingOf,
  creditAccount,
  insufficient,
  insufficientCredits,
} from '#ledger/domain/credit-account.js';
import { unaffordable } from '#ledger/domain/hold-credits.js';
import type { Charge } from './charges.js';

type Ledgers = Pick<Commands, 'load'>;

/** The refusals of a hold, for the documents of endpoints. */
export const holdProblems = [insufficientCredits, capReached];

/** Whether the workspace or a partner pays for the charges of the workspace. */
export const isBilled = (commands: Ledgers, workspaceId: number): Promise<boolean> =>
  commands.load(creditAccount, String(workspaceId), (account) => billingOf(account).mode !== 'exempt');

/** Throws `insufficientCredits` if the workspace pays itself and has less than these credits available. */
export const requireBalance = (commands: Ledgers, workspaceId: number, required: Credits): Promise<void> =>
  commands.load(creditAccount, String(workspaceId), (account) => {
    if (billingOf(account).mode === 'self' && required > available(account.books))
      throw insufficient(account, required);
  });

/** Throws the refusal of a hold of one charge at `now`: by the balance, or by a cap. */
export async function requireAffordable(
  commands: Ledgers,
  workspaceId: number,
  charge: Pick<Charge, 'credits' | 'cause'>,
  now: string,
): Promise<void> {
  const { credits } = charge;
  if (credits === 0n) return;
  await commands.load(creditAccount, String(workspaceId), (account) => {
    const { mode } = billingOf(account);
    if (mode === 'exempt') return;
    if (mode === 'self' && available(account.books) < credits) throw insufficient(account, credits);
    const at = decisionTime(account.books, now);
    const refusing = capMeter(account.limits.caps, at).refusing(charge);
    if (refusing.length > 0) throw unaffordable(account, credits, refusing, at);
  });
}
