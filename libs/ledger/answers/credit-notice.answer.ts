import { fromStored, toJsonNumber } from '#kernel/values/credits.js';
import { Day, Id, Nullable, Timestamp, Type } from '#kernel/values/schema.js';
import { SHOWN_SCOPES } from '#ledger/domain/caps.js';
import type { CreditNoticeDocument } from '#projections/ledger/credit-notices/credit-notices.projection.js';
import { Amount } from '#kernel/values/amounts.js';
import { spentCap } from './cap.answer.js';

/** A crossed threshold; either `credits` or `days` is set. */
export const CreditsLowAnswer = Type.Object(
  {
    threshold_credits: Nullable(Amount),
    threshold_days: Nullable(Type.Integer({ minimum: 1, maximum: 90 })),
    /** The forecast day on which the balance ends; null if the threshold is in credits. */
    ends_on: Nullable(Day),
    /** Available credits when the threshold was crossed. */
    balance: Amount,
  },
  { title: 'CreditsLow' },
);

export const CreditsRunOutAnswer = Type.Object({ balance: Amount }, { title: 'CreditsRunOut' });

export const CreditsExpiringAnswer = Type.Object(
  { movement_id: Id, credits: Amount, expires_at: Timestamp },
  { title: 'CreditsExpiring' },
);

export const CapReachedAnswer = Type.Object(spentCap, { title: 'ReachedCap' });

const amount = (stored: string): number => toJsonNumber(fromStored(stored));

/** A notice about the credits of a workspace, as the `data` of an event. */
export function creditNoticeView({ type, data }: CreditNoticeDocument) {
  switch (type) {
    case 'CreditsLow':
      return {
        threshold_credits: data.credits === undefined ? null : amount(data.credits),
        threshold_days: data.days ?? null,
        ends_on: data.endsOn ?? null,
        balance: amount(data.balance),
      };
    case 'CreditsRunOut':
      return { balance: amount(data.balance) };
    case 'CreditsExpiring':
      return {
        movement_id: data.movementId,
        credits: amount(data.credits),
        expires_at: data.expiresAt,
      };
    case 'CapReached':
      return {
        id: data.capId,
        scope: SHOWN_SCOPES[data.scope],
        scope_id: data.scopeId ?? null,
        period: data.period,
        limit: amount(data.limit),
        spent: amount(data.spent),
        resets_at: data.resetsAt,
      };
  }
}
