import type { Credits } from '#kernel/values/credits.js';
import type { CreditAccount } from './account-state.js';
import { available } from './books.js';
import { capsOver, spentAt, type Cap } from './caps.js';
import { billingOf } from './credit-account.js';
import type { Cause } from './credits.events.js';
import { headroom } from './hold-credits.js';
import { dueLots } from './lots.js';

/** What charges for a cause may come to. */
export type Spendable = {
  /** In credits; null: nobody pays, so that nothing limits it. */
  readonly credits: Credits | null;
  /** What the workspace can spend itself, without what has expired by then. */
  readonly balance: Credits;
  /** True where the balance pays. */
  readonly isOwn: boolean;
  /** What limits it: the cap with the least room, where that is less than the balance has. */
  readonly by: 'balance' | 'cap';
  /** The caps that count these charges, by id. */
  readonly caps: readonly Cap[];
};

/** What charges for a cause may come to at `at`, which is not before the last entry (QUO-01). */
export function spendable(account: CreditAccount, cause: Cause, at: string): Spendable {
  const { books, limits } = account;
  const { mode, ...billing } = billingOf(account);
  const expired = dueLots(books.lots, at).reduce((sum, { free }) => sum + free, 0n);
  const balance = available(books) - expired;
  const isOwn = mode === 'self';
  const common = { balance, isOwn };
  if (mode === 'exempt') return { ...common, credits: null, by: 'balance', caps: [] };
  const caps = capsOver(limits.caps, cause);
  const paid = 'partnerId' in billing ? headroom(account, `partner:${billing.partnerId}`) : balance;
  const room = caps.map((cap) => cap.limit - spentAt(cap, at));
  const credits = [paid, ...room].reduce((least, each) => (each < least ? each : least));
  return { ...common, credits: credits < 0n ? 0n : credits, by: credits < paid ? 'cap' : 'balance', caps };
}
