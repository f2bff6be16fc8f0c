import { toJsonNumber } from '#kernel/values/credits.js';
import { Type, type Static } from '#kernel/values/schema.js';
import type { Immutable } from '#kernel/events/event.js';
import type { CreditAccount } from '#ledger/domain/account-state.js';
import { thresholdsOf } from '#ledger/domain/set-thresholds.js';
import { Amount } from '#kernel/values/amounts.js';

/** The thresholds of a workspace, highest first. A notice is sent when an armed threshold is crossed. */
export const ThresholdsAnswer = Type.Object(
  {
    credits: Type.Array(
      Type.Object({ threshold: Amount, armed: Type.Boolean() }, { title: 'CreditsThreshold' }),
    ),
    days: Type.Array(
      Type.Object(
        { threshold: Type.Integer({ minimum: 1, maximum: 90 }), armed: Type.Boolean() },
        { title: 'DaysThreshold' },
      ),
    ),
    /**
     * The threshold at the end of the balance, below one credit; not armed before thresholds are set for the first
     * time.
     */
    run_out: Type.Object({ threshold: Amount, armed: Type.Boolean() }, { title: 'RunOutThreshold' }),
  },
  { title: 'CreditThresholds' },
);
export type ThresholdsView = Immutable<Static<typeof ThresholdsAnswer>>;

export function thresholdsView(account: Pick<CreditAccount, 'watch'>): ThresholdsView {
  const { credits, days, runOut } = thresholdsOf(account);
  return {
    credits: credits.map((mark) => ({ threshold: toJsonNumber(mark.credits), armed: mark.isArmed })),
    days: days.map((mark) => ({ threshold: mark.days, armed: mark.isArmed })),
    run_out: { threshold: toJsonNumber(runOut.below), armed: runOut.isArmed },
  };
}
