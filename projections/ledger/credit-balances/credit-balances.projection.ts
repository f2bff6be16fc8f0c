import type { CreditPayloads, StoredShare } from '#ledger/domain/credits.events.js';
import { forNotes } from '#ledger/domain/notes-facts.js';
import { fromStored, toStored } from '#kernel/values/credits.js';
import type { Recorded } from '#kernel/events/event.js';
import { projection } from '#kernel/projections/projection.js';
import { recordedAtOf } from '#kernel/events/recorded-at.js';
import { workspaceIdOf } from '#kernel/events/workspace-scope.js';

/**
 * The credits that a workspace itself pays, as micro-credits in stored text. Available is granted − held − captured.
 */
export type CreditBalanceDocument = {
  readonly workspaceId: number;
  readonly billing: 'self' | 'partner' | 'exempt';
  readonly granted: string;
  readonly held: string;
  readonly captured: string;
  /** The workspace's own open holds whose ends do not carry the amount: amounts by movement id. */
  readonly openHolds: { readonly [movementId: string]: string };
  /** Present if a grant had terms: expired credits, already subtracted from `granted`. */
  readonly expired?: string;
  /** Free credits of lots that expire, by expiry time. */
  readonly expiring?: { readonly [expiresAt: string]: string };
  /** The next of these times; null if there is none. */
  readonly expiresNext: string | null;
  readonly updatedAt: string;
  /** Revision of the last ledger entry included. */
  readonly revision: number;
};

/** The available credits of a workspace: granted, minus held and captured, minus expired by `now`. */
export const availableCredits = (balance: CreditBalanceDocument, now: Date): bigint =>
  fromStored(balance.granted) -
  fromStored(balance.held) -
  fromStored(balance.captured) -
  overBy(balance, now.toISOString());

/** Free credits of lots that expire after a time, by expiry time, soonest first. */
export const expiringAfter = (
  { expiring = {} }: CreditBalanceDocument,
  now: string,
): readonly (readonly [expiresAt: string, credits: bigint])[] =>
  Object.entries(expiring)
    .filter(([expiresAt]) => expiresAt > now)
    .map(([expiresAt, credits]) => [expiresAt, fromStored(credits)]);

/** Free credits of lots that have expired by a time without a recorded expiry (LOT-02). */
export function overBy({ expiring = {}, expiresNext }: CreditBalanceDocument, now: string): bigint {
  if (expiresNext === null || expiresNext > now) return 0n;
  return Object.entries(expiring).reduce(
    (sum, [expiresAt, credits]) => (expiresAt <= now ? sum + fromStored(credits) : sum),
    0n,
  );
}

export const creditBalances = projection<CreditBalanceDocument, CreditPayloads>()({
  name: 'credit-balances',
  version: 5,
  indexes: { expiring: ['expiresNext', 'workspaceId'], ofWorkspace: ['workspaceId', 'expiresNext'] },
  // Few workspaces have credits that expire.
  onlyWith: { expiring: 'expiresNext', ofWorkspace: 'expiresNext' },
  key: (event) => String(workspaceIdOf(event)),
  on: {
    BillingModeSet: (before, event) => ({ ...opened(before, event), billing: event.data.billing }),
    CreditsGranted: (before, event) => withGranted(opened(before, event), fromStored(event.data.credits)),
    LotGranted: withLot,
    OpeningImported: (before, event) => {
      const { credits, lots = [] } = event.data;
      const balance = withGranted(opened(before, event), fromStored(credits));
      if (lots.length === 0) return balance;
      return withFree({ ...balance, expired: balance.expired ?? '0' }, lots, 1n);
    },
    OpeningReversed: (before, event) =>
      withFree(withGranted(opened(before, event), -fromStored(event.data.credits)), event.data.lots, -1n),
    LotExpired: (before, event) => {
      const { credits, expiresAt, movementId: lot } = event.data;
      const balance = withGranted(opened(before, event), -fromStored(credits));
      const expired = plus(balance.expired ?? '0', fromStored(credits));
      return withFree({ ...balance, expired }, [{ lot, credits, expiresAt }], -1n);
    },
    CreditsWithdrawn: (before, event) =>
      withFree(withGranted(opened(before, event), -fromStored(event.data.credits)), event.data.lots, -1n),
    CreditsAdjusted: (before, event) =>
      withFree(withGranted(opened(before, event), fromStored(event.data.credits)), event.data.lots, -1n),
    LotAdjusted: withLot,
    CreditsHeld: (before, event) => {
      const { movementId, credits, payer, endCarriesAmount, lots } = event.data;
      const balance = withFree(opened(before, event), lots, -1n);
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
    CreditsReleased: (before, event) =>
      withFree(withoutHold(opened(before, event), event.data), event.data.lots, 1n),
    ...forNotes(opened),
  },
});

function opened(before: CreditBalanceDocument | null, event: Recorded<unknown>): CreditBalanceDocument {
  const empty = {
    billing: 'self',
    granted: '0',
    held: '0',
    captured: '0',
    openHolds: {},
    expiresNext: null,
  } as const;
  return {
    ...(before ?? { ...empty, workspaceId: workspaceIdOf(event) }),
    updatedAt: recordedAtOf(event),
    revision: Number(event.revision),
  };
}

/** Adds the credits of a separate lot. */
function withLot(
  before: CreditBalanceDocument | null,
  event: Recorded<CreditPayloads['LotGranted' | 'LotAdjusted']>,
): CreditBalanceDocument {
  const { credits, expiresAt, movementId: lot } = event.data;
  const balance = withGranted(opened(before, event), fromStored(credits));
  return withFree({ ...balance, expired: balance.expired ?? '0' }, [{ lot, credits, expiresAt }], 1n);
}

function withGranted(balance: CreditBalanceDocument, credits: bigint): CreditBalanceDocument {
  return { ...balance, granted: plus(balance.granted, credits) };
}

/** Adds to the free credits of lots that expire; a negative amount subtracts. */
function withFree(
  balance: CreditBalanceDocument,
  shares: readonly StoredShare[] = [],
  sign: 1n | -1n,
): CreditBalanceDocument {
  const changed = shares.filter(({ expiresAt }) => expiresAt !== undefined);
  if (changed.length === 0) return balance;
  const free = new Map(Object.entries(balance.expiring ?? {}));
  for (const { expiresAt = '', credits } of changed) {
    const rest = plus(free.get(expiresAt) ?? '0', sign * fromStored(credits));
    if (rest === '0') free.delete(expiresAt);
    else free.set(expiresAt, rest);
  }
  const times = [...free.keys()].sort();
  const expiring = Object.fromEntries(times.map((at) => [at, free.get(at) ?? '0']));
  return { ...balance, expiring, expiresNext: times[0] ?? null };
}

type End = CreditPayloads['CreditsCaptured'];

/** The held credits of a movement that ends; nothing if a partner pays it. */
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
