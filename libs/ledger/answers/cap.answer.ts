import { toJsonNumber } from '#kernel/values/credits.js';
import { Id, Nullable, OneOf, Timestamp, Type, type Static } from '#kernel/values/schema.js';
import { decisionTime } from '#ledger/domain/books.js';
import type { CreditAccount } from '#ledger/domain/account-state.js';
import { periodEnd } from '#ledger/domain/cap-periods.js';
import { SHOWN_SCOPES, spentAt, type Cap } from '#ledger/domain/caps.js';
import { Amount } from '#kernel/values/amounts.js';

/** A cap with its spending. */
export const spentCap = {
  id: Id,
  scope: OneOf('workspace', 'signal_setup', 'agent', 'api_key'),
  /** The setup, agent or API key; null for the whole workspace. */
  scope_id: Nullable(Id),
  period: OneOf('day', 'week', 'month'),
  limit: Amount,
  /** Credits held in the period. */
  spent: Amount,
  resets_at: Timestamp,
};

/** A cap as it is shown to callers and operators. */
export const CapAnswer = Type.Object(
  { ...spentCap, set_by: OneOf('workspace', 'operator') },
  { title: 'Cap' },
);
export type CapAnswer = Readonly<Static<typeof CapAnswer>>;

/** The cap at `at`, which must not be before the last entry of the ledger. */
export const capView = (cap: Cap, at: string): CapAnswer => ({
  id: cap.id,
  scope: SHOWN_SCOPES[cap.scope],
  scope_id: cap.scopeId,
  period: cap.period,
  limit: toJsonNumber(cap.limit),
  spent: toJsonNumber(spentAt(cap, at)),
  resets_at: periodEnd(cap.period, at),
  set_by: cap.setBy,
});

/** All caps of a ledger, by id. If the clock is behind the ledger, the time of the last entry is used. */
export const capViews = ({ limits, books }: Pick<CreditAccount, 'limits' | 'books'>, now: string) => {
  const at = decisionTime(books, now);
  return [...limits.caps.values()].sort((left, right) => left.id - right.id).map((cap) => capView(cap, at));
};
