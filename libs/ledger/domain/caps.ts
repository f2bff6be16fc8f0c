import { fromStored, toJsonNumber, toStored, type Credits } from '#kernel/values/credits.js';
import type { Recorded } from '#kernel/events/event.js';
import type { JsonObject } from '#kernel/values/json.js';
import type { JournaledMap } from '#kernel/commands/journaled-map.js';
import { recordedAtOf } from '#kernel/events/recorded-at.js';
import { refusal } from '#kernel/values/refusal.js';
import type { OpenHold } from './books.js';
import { periodEnd, periodStart, type CapPeriod } from './cap-periods.js';
import type { CapCause } from './charges.js';
import type { CapScope, CapSetter, Cause, CreditEvent, CreditPayloads } from './credits.events.js';

/** A limit on the credits held in each period, with the count of the last period that had any. */
export type Cap = {
  readonly id: number;
  readonly scope: CapScope;
  /** The setup, agent or API key; null if the scope is the workspace. */
  readonly scopeId: number | null;
  readonly period: CapPeriod;
  readonly limit: Credits;
  readonly setBy: CapSetter;
  /**
   * `spent` in the period that began at `from`; null before anything was counted. `isReached`: an entry records that
   * the cap is reached.
   */
  readonly counted: { readonly from: string; readonly spent: Credits; readonly isReached: boolean } | null;
};

export type Caps = JournaledMap<number, Cap>;

/** Limits the caps that every hold has to check. */
export const MOST_CAPS = 100;

export const capReached = refusal({
  code: 'cap-reached',
  slug: 'cap-reached',
  title: 'Cap reached',
  kind: 'unpayable',
  detail: 'A cap on spending does not allow this.',
});

/** Whether a charge with this cause counts for the cap. */
export function isCounted({ scope, scopeId }: Pick<Cap, 'scope' | 'scopeId'>, cause: CapCause): boolean {
  switch (scope) {
    case 'workspace':
      return true;
    case 'setup':
      return cause.setupId === scopeId;
    case 'agent':
      return cause.agentId === scopeId;
    case 'key':
      return cause.keyId === scopeId;
  }
}

/** The caps that count charges with this cause, by id. */
export const capsOver = (caps: ReadonlyMap<number, Cap>, cause: Cause): readonly Cap[] =>
  [...caps.values()].filter((cap) => isCounted(cap, cause)).sort((left, right) => left.id - right.id);

/** Credits counted by a cap in the period that contains `at`. */
export const spentAt = ({ period, counted }: Cap, at: string): Credits =>
  counted?.from === periodStart(period, at) ? counted.spent : 0n;

/**
 * Sets or replaces a cap. A new cap, or one with a changed scope or period, begins with the movements of the current
 * period: the captured ones are in the entry, the open ones in the books, because a release subtracts them.
 */
export function setCap(
  caps: Caps,
  entry: Recorded<CreditPayloads['CapSet']>,
  openHolds: Iterable<OpenHold>,
): void {
  const { capId: id, scope, scopeId = null, period, limit, setBy, spentBefore = '0' } = entry.data;
  const cap = { id, scope, scopeId, period, limit: fromStored(limit), setBy };
  const before = caps.get(id);
  const isSame = before?.scope === scope && before.scopeId === scopeId && before.period === period;
  if (isSame) {
    caps.set(id, { ...cap, counted: before.counted });
    return;
  }
  const from = periodStart(period, recordedAtOf(entry));
  let spent = fromStored(spentBefore);
  for (const { heldAt, cause, credits } of openHolds)
    if (heldAt >= from && isCounted(cap, cause)) spent += credits;
  caps.set(id, { ...cap, counted: { from, spent, isReached: false } });
}

/** Counts a hold for every cap that covers it, and resets the count if its period has ended. */
export function countHold(caps: Caps, cause: Cause, credits: Credits, at: string): void {
  for (const cap of caps.values()) {
    if (!isCounted(cap, cause)) continue;
    const { counted } = cap;
    const from = periodStart(cap.period, at);
    const runs = counted?.from === from;
    const spent = (runs ? counted.spent : 0n) + credits;
    caps.set(cap.id, { ...cap, counted: { from, spent, isReached: runs && counted.isReached } });
  }
}

/** Subtracts a released hold from the period in which it was held, while that period lasts. */
export function uncountHold(caps: Caps, { cause, credits, heldAt }: OpenHold, at: string): void {
  for (const cap of caps.values()) {
    const { counted, period } = cap;
    const from = periodStart(period, at);
    if (counted?.from !== from || periodStart(period, heldAt) !== from || !isCounted(cap, cause)) continue;
    caps.set(cap.id, { ...cap, counted: { ...counted, spent: counted.spent - credits } });
  }
}

/** Records that an entry says that the cap is reached in this period. */
export function markReached(caps: Caps, entry: Recorded<CreditPayloads['CapReached']>): void {
  const cap = caps.get(entry.data.capId);
  if (cap === undefined) return;
  const from = periodStart(cap.period, recordedAtOf(entry));
  const spent = cap.counted?.from === from ? cap.counted.spent : 0n;
  caps.set(cap.id, { ...cap, counted: { from, spent, isReached: true } });
}

/** Counts charges against the caps while they are taken one after another at one moment. */
export type CapMeter = {
  /** The caps that refuse a charge, narrowest first; empty if the charge is allowed. */
  readonly refusing: (charge: Charged) => readonly Cap[];
  readonly take: (charge: Charged) => void;
  /**
   * The entries for caps that are used up now or that have `refused`, if no entry of the current period says so yet.
   */
  readonly entries: (refused: readonly Cap[]) => readonly CreditEvent[];
};
type Charged = { readonly credits: Credits; readonly cause: Cause };

const NO_CAPS: CapMeter = { refusing: () => [], take: () => undefined, entries: () => [] };

/** A meter for the caps at `at`. */
export function capMeter(caps: ReadonlyMap<number, Cap>, at: string): CapMeter {
  if (caps.size === 0) return NO_CAPS;
  const taken = new Map<number, Credits>();
  const spentOf = (cap: Cap): Credits => spentAt(cap, at) + (taken.get(cap.id) ?? 0n);
  return {
    refusing: ({ credits, cause }) =>
      [...caps.values()]
        .filter((cap) => isCounted(cap, cause) && spentOf(cap) + credits > cap.limit)
        .sort(byNarrowness),
    take({ credits, cause }) {
      for (const cap of caps.values())
        if (isCounted(cap, cause)) taken.set(cap.id, (taken.get(cap.id) ?? 0n) + credits);
    },
    entries(refused) {
      const usedUp = [...caps.values()].filter((cap) => taken.has(cap.id) && spentOf(cap) >= cap.limit);
      return [...new Set([...usedUp, ...refused])]
        .filter((cap) => !isReachedAt(cap, at))
        .map((cap) => reachedEntry(cap, spentOf(cap), at));
    },
  };
}

/** The refusal by the narrowest of these caps, with the others as members (CAP-03). */
export function refusedBy([narrowest, ...others]: readonly Cap[], at: string, members: JsonObject) {
  if (narrowest === undefined) throw new Error('no cap refuses');
  return capReached({
    members: {
      ...members,
      cap: capMember(narrowest, at),
      other_caps: others.map((cap) => capMember(cap, at)),
    },
  });
}

/** A cap as a member of a problem document. */
function capMember(cap: Cap, at: string): JsonObject {
  return {
    scope: SHOWN_SCOPES[cap.scope],
    scope_id: cap.scopeId,
    id: cap.id,
    period: cap.period,
    limit: toJsonNumber(cap.limit),
    spent: toJsonNumber(spentAt(cap, at)),
    resets_at: periodEnd(cap.period, at),
  };
}

/** The public names of the scopes. */
export const SHOWN_SCOPES = {
  workspace: 'workspace',
  setup: 'signal_setup',
  agent: 'agent',
  key: 'api_key',
} as const satisfies { readonly [Scope in CapScope]: string };

const NARROWNESS: { readonly [Scope in CapScope]: number } = { key: 0, setup: 1, agent: 1, workspace: 2 };
const PERIODS: readonly CapPeriod[] = ['day', 'week', 'month'];

function byNarrowness(left: Cap, right: Cap): number {
  return (
    NARROWNESS[left.scope] - NARROWNESS[right.scope] ||
    PERIODS.indexOf(left.period) - PERIODS.indexOf(right.period) ||
    Number(left.limit - right.limit) ||
    left.id - right.id
  );
}

const isReachedAt = ({ period, counted }: Cap, at: string): boolean =>
  counted?.isReached === true && counted.from === periodStart(period, at);

function reachedEntry(cap: Cap, spent: Credits, at: string): CreditEvent {
  const { id: capId, scope, scopeId, period, limit } = cap;
  return {
    type: 'CapReached',
    data: {
      capId,
      scope,
      ...(scopeId === null ? {} : { scopeId }),
      period,
      limit: toStored(limit),
      spent: toStored(spent),
      resetsAt: periodEnd(period, at),
    },
  };
}
