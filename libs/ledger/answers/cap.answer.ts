import { toJsonNumber } from '#kernel/values/credits.js';
import { Id, Nullable, OneOf, Timestamp, Type, type Static } from '#kernel/values/schema.js';
import type { CreditAccount } from '#ledger/domain/account-state.js';
import { periodEnd } from '#ledger/domain/cap-periods.js';
import { SHOWN_SCOPES, spentAt, type Cap } from '#ledger/domain/caps.js';
import { Amount } from '#kernel/values/amounts.js';

/** A cap as callers and operators see it. */
export const CapAnswer = Type.Object(
  {
    id: Id,
    scope: OneOf('workspace', 'signal_setup', 'agent', 'api_key'),
    /** The setup, agent or API key; null: all of the workspace. */
    scope_id: Nullable(Id),
    period: OneOf('day', 'week', 'month'),
    limit: Amount,
    /** What was held in the period that runs. */
    spent: Amount,
    resets_at: Timestamp,
    set_by: OneOf('workspace', 'operator'),
  },
  { title: 'Cap' },
);
export type CapAnswer = Readonly<Static<typeof CapAnswer>>;

/** A cap at `at`, which is not before the last entry of its ledger. */
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

/** All caps of a ledger, by id. A clock that is behind the ledger is as late as its last entry. */
export const capViews = ({ limits, books }: Pick<CreditAccount, 'limits' | 'books'>, now: string) => {
  const at = now > (books.updatedAt ?? '') ? now : (books.updatedAt ?? '');
  return [...limits.caps.values()].sort((left, right) => left.id - right.id).map((cap) => capView(cap, at));
};
