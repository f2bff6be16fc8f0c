import type { CreditPayloads } from '#domain/credits/credits.events.js';
import { fromStored, toStored } from '#kernel/values/credits.js';
import type { Recorded } from '#kernel/events/event.js';
import { projection } from '#kernel/projections/projection.js';
import { recordedAtOf } from '#kernel/events/recorded-at.js';
import { workspaceIdOf } from '#kernel/events/workspace-scope.js';

/** What a workspace pays itself, as micro-credits in stored text. What can be spent is granted − held − captured. */
export type CreditBalanceDocument = {
  readonly workspaceId: number;
  readonly billing: 'self' | 'partner' | 'exempt';
  readonly granted: string;
  readonly held: string;
  readonly captured: string;
  /** Amounts by movement id of those of the workspace's own open holds whose end will not carry its amount. */
  readonly openHolds: { readonly [movementId: string]: string };
  readonly updatedAt: string;
  /** Revision of the last ledger entry in it. */
  readonly revision: number;
};

/** What a workspace can spend: what it was granted and neither holds nor has paid. */
export const availableCredits = ({
  granted,
  held,
  captured,
}: Pick<CreditBalanceDocument, 'granted' | 'held' | 'captured'>): bigint =>
  fromStored(granted) - fromStored(held) - fromStored(captured);

export const creditBalances = projection<CreditBalanceDocument, CreditPayloads>()({
  name: 'credit-balances',
  version: 2,
  indexes: {},
  key: (event) => String(workspaceIdOf(event)),
  on: {
    BillingModeSet: (before, event) => ({ ...opened(before, event), billing: event.data.billing }),
    CreditsGranted: (before, event) => withGranted(opened(before, event), fromStored(event.data.credits)),
    CreditsWithdrawn: (before, event) => withGranted(opened(before, event), -fromStored(event.data.credits)),
    CreditsAdjusted: (before, event) => withGranted(opened(before, event), fromStored(event.data.credits)),
    CreditsHeld: (before, event) => {
      const balance = opened(before, event);
      const { movementId, credits, payer, endCarriesAmount } = event.data;
      if (payer !== 'workspace') return balance;
      const held = plus(balance.held, fromStored(credits));
      return endCarriesAmount === true
        ? { ...balance, held }
        : { ...balance, held, openHolds: { ...balance.openHolds, [movementId]: credits } };
    },
    CreditsCaptured: (before, event) => {
      const balance = opened(before, event);
      const credits = ownCredits(balance, event.data);
      return { ...withoutHold(balance, event.data), captured: plus(balance.captured, credits) };
    },
    CreditsReleased: (before, event) => withoutHold(opened(before, event), event.data),
    PeriodSealed: (before, event) => opened(before, event),
  },
});

function opened(before: CreditBalanceDocument | null, event: Recorded<unknown>): CreditBalanceDocument {
  const empty = { billing: 'self', granted: '0', held: '0', captured: '0', openHolds: {} } as const;
  return {
    ...(before ?? { ...empty, workspaceId: workspaceIdOf(event) }),
    updatedAt: recordedAtOf(event),
    revision: Number(event.revision),
  };
}

function withGranted(balance: CreditBalanceDocument, credits: bigint): CreditBalanceDocument {
  return { ...balance, granted: plus(balance.granted, credits) };
}

type End = CreditPayloads['CreditsCaptured'];

/** What the workspace had on hold for a movement that ends: nothing, where a partner pays it. */
function ownCredits({ openHolds }: CreditBalanceDocument, { movementId, credits, payer }: End): bigint {
  if (credits === undefined) return fromStored(openHolds[movementId] ?? '0');
  return payer === 'workspace' ? fromStored(credits) : 0n;
}

function withoutHold(balance: CreditBalanceDocument, end: End): CreditBalanceDocument {
  const held = plus(balance.held, -ownCredits(balance, end));
  if (!(end.movementId in balance.openHolds)) return { ...balance, held };
  const { [end.movementId]: _ended, ...openHolds } = balance.openHolds;
  return { ...balance, held, openHolds };
}

function plus(stored: string, credits: bigint): string {
  return toStored(fromStored(stored) + credits);
}
