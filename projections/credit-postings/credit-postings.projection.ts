import type { CreditPayloads } from '#domain/credits/credits.events.js';
import type { Recorded } from '#kernel/event.js';
import { projection } from '#kernel/projection.js';
import { recordedAtOf } from '#kernel/recorded-at.js';
import { workspaceIdOf } from '#kernel/workspace-scope.js';

/** A grant, withdrawal or adjustment: never changed once it is there. */
export type CreditPostingDocument = {
  readonly id: number;
  readonly workspaceId: number;
  readonly kind: 'grant' | 'withdrawal' | 'adjustment';
  /** Grants and withdrawals share one set of keys, adjustments have their own. */
  readonly keySet: 'grant' | 'adjustment';
  readonly key: string | null;
  /** Micro-credits as stored text; signed for an adjustment. */
  readonly credits: string;
  readonly reason: string;
  readonly corrects: number | null;
  readonly createdAt: string;
};

/** Keys of old postings: together with the movements what a ledger looks up that it has forgotten. */
export const creditPostings = projection<CreditPostingDocument, CreditPayloads>()({
  name: 'credit-postings',
  version: 1,
  critical: true,
  indexes: { byKey: ['workspaceId', 'keySet', 'key'], newestFirst: ['workspaceId', 'createdAt', 'id'] },
  key: (event) =>
    event.type === 'CreditsGranted' || event.type === 'CreditsWithdrawn' || event.type === 'CreditsAdjusted'
      ? String(event.data.movementId)
      : null,
  on: {
    CreditsGranted: (_none, event) => posting('grant', event),
    CreditsWithdrawn: (_none, event) => posting('withdrawal', event),
    CreditsAdjusted: (_none, event) => posting('adjustment', event),
    // These make no document. They are here so that the checkpoint passes every entry of a ledger: only then
    // does it prove which keys there are not.
    BillingModeSet: (none) => none,
    CreditsHeld: (none) => none,
    CreditsCaptured: (none) => none,
    CreditsReleased: (none) => none,
    PeriodSealed: (none) => none,
  },
});

function posting(
  kind: CreditPostingDocument['kind'],
  event: Recorded<CreditPayloads['CreditsAdjusted']>,
): CreditPostingDocument {
  const { movementId, key = null, credits, reason, corrects = null } = event.data;
  return {
    id: movementId,
    workspaceId: workspaceIdOf(event),
    kind,
    keySet: kind === 'adjustment' ? 'adjustment' : 'grant',
    key,
    credits,
    reason,
    corrects,
    createdAt: recordedAtOf(event),
  };
}
