import type { CreditPayloads } from '#ledger/domain/credits.events.js';
import type { MoneyEntry } from '#ledger/domain/notes-facts.js';
import { fromStored, toStored } from '#kernel/values/credits.js';
import type { Recorded } from '#kernel/events/event.js';
import { projection } from '#kernel/projections/projection.js';
import { recordedAtOf } from '#kernel/events/recorded-at.js';
import { workspaceIdOf } from '#kernel/events/workspace-scope.js';

type Sums = {
  /** Grants, imported openings, and adjustments above zero. */
  readonly granted: string;
  /** Withdrawals, reversed openings, and adjustments below zero. */
  readonly taken: string;
  readonly expired: string;
  readonly held: string;
  readonly released: string;
  readonly captured: string;
};

/**
 * The grants and payments of a workspace itself on a day (UTC), as micro-credits in stored text. The balance after a
 * day is the sum of `granted - taken - expired - held + released` of all days up to it.
 */
export type CreditDayDocument = Sums & {
  readonly workspaceId: number;
  /** `2026-06-01`; empty in the document of old holds. */
  readonly day: string;
  /** Revision of the last included ledger entry that moves credits. */
  readonly revision: number;
  /** In the document of old holds: open holds whose ends do not carry the amount, as amounts by movement. */
  readonly openHolds?: { readonly [movementId: string]: string };
  /** In the document of old holds: the amounts that their ends add to days. */
  readonly ends?: { readonly [day: string]: { readonly released: string; readonly captured: string } };
};

/** The key of the one document of holds whose ends do not carry their amount (version 1). */
export const OLD_HOLDS = '';

export const creditDayKey = (workspaceId: number, day: string): string => `${workspaceId}_${day}`;

/** Entries that move credits; no other entry changes a sum. */
type Credits = Pick<CreditPayloads, Exclude<MoneyEntry, 'BillingModeSet'>>;

/** The sums of a ledger by day, the source of its charts (CON-04). */
export const creditDays = projection<CreditDayDocument, Credits>()({
  name: 'credit-days',
  version: 2,
  indexes: { byDay: ['workspaceId', 'day'] },
  key(event) {
    const workspaceId = workspaceIdOf(event);
    const day = creditDayKey(workspaceId, recordedAtOf(event).slice(0, 10));
    const old = creditDayKey(workspaceId, OLD_HOLDS);
    switch (event.type) {
      case 'CreditsHeld':
        return event.data.payer === 'workspace' && event.data.endCarriesAmount !== true ? [day, old] : day;
      case 'CreditsCaptured':
      case 'CreditsReleased':
        return event.data.credits === undefined ? [day, old] : day;
      case 'CreditsGranted':
      case 'LotGranted':
      case 'OpeningImported':
      case 'OpeningReversed':
      case 'LotExpired':
      case 'CreditsWithdrawn':
      case 'CreditsAdjusted':
      case 'LotAdjusted':
        return day;
    }
  },
  on: {
    CreditsGranted: (before, event, key) => plus(before, event, key, 'granted', event.data.credits),
    LotGranted: (before, event, key) => plus(before, event, key, 'granted', event.data.credits),
    OpeningImported: (before, event, key) => plus(before, event, key, 'granted', event.data.credits),
    OpeningReversed: (before, event, key) => plus(before, event, key, 'taken', event.data.credits),
    LotExpired: (before, event, key) => plus(before, event, key, 'expired', event.data.credits),
    CreditsWithdrawn: (before, event, key) => plus(before, event, key, 'taken', event.data.credits),
    CreditsAdjusted(before, event, key) {
      const credits = fromStored(event.data.credits);
      return credits < 0n
        ? plus(before, event, key, 'taken', toStored(-credits))
        : plus(before, event, key, 'granted', event.data.credits);
    },
    LotAdjusted: (before, event, key) => plus(before, event, key, 'granted', event.data.credits),
    CreditsHeld(before, event, key) {
      const { payer, credits, movementId } = event.data;
      if (!isOld(key)) return plus(before, event, key, 'held', payer === 'workspace' ? credits : '0');
      const known = opened(before, event, key);
      return { ...known, openHolds: { ...known.openHolds, [movementId]: credits } };
    },
    CreditsCaptured: (before, event, key) => ended(before, event, key, 'captured'),
    CreditsReleased: (before, event, key) => ended(before, event, key, 'released'),
  },
});

const isOld = (key: string): boolean => key.endsWith('_');

function opened(before: CreditDayDocument | null, event: Recorded<unknown>, key: string): CreditDayDocument {
  const sums = { granted: '0', taken: '0', expired: '0', held: '0', released: '0', captured: '0' };
  const workspaceId = workspaceIdOf(event);
  const day = key.slice(String(workspaceId).length + 1);
  return { ...(before ?? { ...sums, workspaceId, day }), revision: Number(event.revision) };
}

function plus(
  before: CreditDayDocument | null,
  event: Recorded<unknown>,
  key: string,
  sum: keyof Sums,
  credits: string,
): CreditDayDocument {
  const known = opened(before, event, key);
  return { ...known, [sum]: toStored(fromStored(known[sum]) + fromStored(credits)) };
}

function ended(
  before: CreditDayDocument | null,
  event: Recorded<Credits['CreditsCaptured']>,
  key: string,
  how: 'captured' | 'released',
): CreditDayDocument {
  const { movementId, credits, payer } = event.data;
  if (!isOld(key)) return plus(before, event, key, how, payer === 'workspace' ? (credits ?? '0') : '0');
  const known = opened(before, event, key);
  const { [movementId]: amount, ...openHolds } = known.openHolds ?? {};
  // A partner pays it.
  if (amount === undefined) return known;
  const day = recordedAtOf(event).slice(0, 10);
  const ends = known.ends?.[day] ?? { released: '0', captured: '0' };
  const sum = toStored(fromStored(ends[how]) + fromStored(amount));
  return { ...known, openHolds, ends: { ...known.ends, [day]: { ...ends, [how]: sum } } };
}
