import type { Credits } from '#kernel/values/credits.js';
import type { CreditAccount } from './account-state.js';
import { availableAt } from './books.js';
import { capsOver, spentAt, type Cap } from './caps.js';
import { billingOf } from './credit-account.js';
import type { Cause } from './credits.events.js';
import { headroom } from './hold-credits.js';

/** The maximum for charges with one cause. */
export type Spendable = {
  /** In credits; null without billing, so that nothing limits it. */
  readonly credits: Credits | null;
  /** Available credits of the workspace, without lots that have expired by then. */
  readonly balance: Credits;
  /** True if the balance of the workspace pays. */
  readonly isOwn: boolean;
  /** The limit: the cap with the least remaining credits, if that is below the balance. */
  readonly by: 'balance' | 'cap';
  /** The caps that count these charges, by id. */
  readonly caps: readonly Cap[];
};

/** The maximum for charges with a cause at `at`, which is not before the last entry (QUO-01). */
export function spendable(account: CreditAccount, cause: Cause, at: string): Spendable {
  const { books, limits } = account;
  const { mode, ...billing } = billingOf(account);
  const balance = availableAt(books, at);
  const isOwn = mode === 'self';
  const common = { balance, isOwn };
  if (mode === 'exempt') return { ...common, credits: null, by: 'balance', caps: [] };
  const caps = capsOver(limits.caps, cause);
  const paid = 'partnerId' in billing ? headroom(account, `partner:${billing.partnerId}`) : balance;
  const remaining = caps.map((cap) => cap.limit - spentAt(cap, at));
  const credits = [paid, ...remaining].reduce((least, each) => (each < least ? each : least));
  return { ...common, credits: credits < 0n ? 0n : credits, by: credits < paid ? 'cap' : 'balance', caps };
}
