import { fromStored, toJsonNumber, toStored, type Credits } from '#kernel/values/credits.js';
import type { Recorded } from '#kernel/events/event.js';
import type { JsonObject } from '#kernel/values/json.js';
import type { JournaledMap } from '#kernel/commands/journaled-map.js';
import { recordedAtOf } from '#kernel/events/recorded-at.js';
import { refusal } from '#kernel/values/refusal.js';
import type { OpenHold } from './books.js';
import { periodEnd, periodStart, type CapPeriod } from './cap-periods.js';
import type { CapScope, CapSetter, Cause, CreditEvent, CreditPayloads } from './credits.events.js';

/** A limit on what may be held in each period, with what was held in the last period in which anything was. */
export type Cap = {
  readonly id: number;
  readonly scope: CapScope;
  /** The setup, agent or API key; null where the scope is the workspace. */
  readonly scopeId: number | null;
  readonly period: CapPeriod;
  readonly limit: Credits;
  readonly setBy: CapSetter;
  /** `spent` of the period that began at `from`; null before anything was counted. `isReached`: an entry says so. */
  readonly counted: { readonly from: string; readonly spent: Credits; readonly isReached: boolean } | null;
};

export type Caps = JournaledMap<number, Cap>;

/** More would make every hold look through too many. */
export const MOST_CAPS = 100;

export const capReached = refusal({
  code: 'cap-reached',
  slug: 'cap-reached',
  title: 'Cap reached',
  kind: 'unpayable',
  detail: 'A cap on spending does not allow this.',
});

/** Whether what is charged for this cause counts for the cap. */
function isCounted({ scope, scopeId }: Pick<Cap, 'scope' | 'scopeId'>, cause: Cause): boolean {
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

/** The caps that charges for this cause count for, by id. */
export const capsOver = (caps: ReadonlyMap<number, Cap>, cause: Cause): readonly Cap[] =>
  [...caps.values()].filter((cap) => isCounted(cap, cause)).sort((left, right) => left.id - right.id);

/** What was spent under a cap in the period that runs at `at`. */
export const spentAt = ({ period, counted }: Cap, at: string): Credits =>
  counted?.from === periodStart(period, at) ? counted.spent : 0n;

/**
 * Sets or replaces a cap. A new cap, or one whose scope or period changes, counts from here on; what is held now and was
 * held in the running period counts too, so that a release of it gives back what was counted.
 */
export function setCap(
  caps: Caps,
  entry: Recorded<CreditPayloads['CapSet']>,
  openHolds: Iterable<OpenHold>,
): void {
  const { capId: id, scope, scopeId = null, period, limit, setBy } = entry.data;
  const cap = { id, scope, scopeId, period, limit: fromStored(limit), setBy };
  const before = caps.get(id);
  const isSame = before?.scope === scope && before.scopeId === scopeId && before.period === period;
  if (isSame) {
    caps.set(id, { ...cap, counted: before.counted });
    return;
  }
  const from = periodStart(period, recordedAtOf(entry));
  let spent = 0n;
  for (const { heldAt, cause, credits } of openHolds)
    if (heldAt >= from && isCounted(cap, cause)) spent += credits;
  caps.set(id, { ...cap, counted: { from, spent, isReached: false } });
}

/** Counts a hold for every cap that it is under; a period that has ended is folded away. */
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

/** Gives a released hold back to the period in which it was held, while that period runs. */
export function uncountHold(caps: Caps, { cause, credits, heldAt }: OpenHold, at: string): void {
  for (const cap of caps.values()) {
    const { counted, period } = cap;
    const from = periodStart(period, at);
    if (counted?.from !== from || periodStart(period, heldAt) !== from || !isCounted(cap, cause)) continue;
    caps.set(cap.id, { ...cap, counted: { ...counted, spent: counted.spent - credits } });
  }
}

/** Remembers that an entry says of this period that the cap is reached. */
export function markReached(caps: Caps, entry: Recorded<CreditPayloads['CapReached']>): void {
  const cap = caps.get(entry.data.capId);
  if (cap === undefined) return;
  const from = periodStart(cap.period, recordedAtOf(entry));
  const spent = cap.counted?.from === from ? cap.counted.spent : 0n;
  caps.set(cap.id, { ...cap, counted: { from, spent, isReached: true } });
}

/** Watches the caps while charges are taken one after another at one moment. */
export type CapMeter = {
  /** The caps that refuse a charge, the narrowest first; none: it may be taken. */
  readonly refusing: (charge: Charged) => readonly Cap[];
  readonly take: (charge: Charged) => void;
  /** The entries of the caps that are used up now, or that have `refused`, and of whose period no entry says so yet. */
  readonly entries: (refused: readonly Cap[]) => readonly CreditEvent[];
};
type Charged = { readonly credits: Credits; readonly cause: Cause };

const NO_CAPS: CapMeter = { refusing: () => [], take: () => undefined, entries: () => [] };

/** A meter of the caps as they stand at `at`. */
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

/** The refusal by the narrowest of these caps, with the others (CAP-03). */
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

/** A cap as problem documents show it. */
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

/** What callers call the scopes. */
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
