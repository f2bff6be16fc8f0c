import type { Commands } from '#kernel/commands/commands.js';
import { availableAt, decisionTime } from '#ledger/domain/books.js';
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

/** Throws the refusal of a hold of all of these charges at `now`: by the balance, or by a cap. */
export async function requireAffordable(
  commands: Ledgers,
  workspaceId: number,
  charges: readonly Pick<Charge, 'credits' | 'cause'>[],
  now: string,
): Promise<void> {
  const required = charges.reduce((sum, { credits }) => sum + credits, 0n);
  if (required === 0n) return;
  await commands.load(creditAccount, String(workspaceId), (account) => {
    const { mode } = billingOf(account);
    if (mode === 'exempt') return;
    const at = decisionTime(account.books, now);
    const free = availableAt(account.books, at);
    if (mode === 'self' && free < required) throw insufficient(account, required, free);
    const meter = capMeter(account.limits.caps, at);
    for (const charge of charges) {
      const refusing = charge.credits === 0n ? [] : meter.refusing(charge);
      if (refusing.length > 0) throw unaffordable(account, required, refusing, at);
      meter.take(charge);
    }
  });
}
