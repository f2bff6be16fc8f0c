import type { RefusalReason } from './domain/account-monitoring.events.js';
import { lapseOf, type UnitStanding } from './domain/coverage-facts.js';
import { monthFrom, monthKey, monthKeyOf, type Month } from './domain/months-facts.js';

/** All events of one account and business unit, each kind in the order of the log. */
export type UnitHistory = {
  readonly companyId: number;
  readonly personaId: number;
  readonly wishes: readonly { readonly source: string; readonly isWanted: boolean; readonly at: string }[];
  /** `key` and whether it was captured for a paid month; null for a free one. */
  readonly months: readonly (Month & { readonly movement: PaidMovement | null })[];
  readonly refusals: readonly {
    readonly since: string;
    readonly triedAt: string;
    readonly reason: RefusalReason;
  }[];
};

export type PaidMovement = {
  readonly key: string;
  readonly product: string;
  readonly status: 'held' | 'captured' | 'released';
};

export type RecountDifference = {
  readonly what: string;
  readonly expected: string | null;
  readonly found: string | null;
};

/** The state of an account and business unit, computed from its whole history. */
export type Recounted = Omit<UnitStanding, 'refusal'> & {
  readonly coveredUntil: string | null;
  /** Why it is not covered; null if it is. */
  readonly reason: RefusalReason | null;
};

/** Recounts from the whole history, without folding step by step as the read model does. */
export function recountUnit({ wishes, months, refusals }: UnitHistory): Recounted {
  const coveredUntil = months.map(({ until }) => until).reduce(latest, null);
  const wantedSince = sinceWhenWanted(wishes);
  if (wantedSince === null) return { status: 'stopped', lapsesAt: null, coveredUntil, reason: null };
  const lapsesAt = lapseOf(coveredUntil, wantedSince);
  const refused = refusals.findLast(({ since, triedAt }) => since === lapsesAt && triedAt >= wantedSince);
  const status = refused === undefined ? 'monitored' : 'not_covered';
  return { status, lapsesAt, coveredUntil, reason: refused?.reason ?? null };
}

const latest = (one: string | null, other: string): string => (one === null || other > one ? other : one);

/** The moment since which there always was a reason; null if there is none now. */
function sinceWhenWanted(wishes: UnitHistory['wishes']): string | null {
  const open = new Set<string>();
  let since: string | null = null;
  for (const { source, isWanted, at } of wishes) {
    if (isWanted) open.add(source);
    else open.delete(source);
    if (open.size === 0) since = null;
    else since ??= at;
  }
  return since;
}

/**
 * The faults of the months themselves: each must be paid once, captured, with its own key, and not lie within
 * another.
 */
export function monthDifferences({
  companyId,
  personaId,
  months,
}: UnitHistory): readonly RecountDifference[] {
  const name = `months of company ${companyId}, persona ${personaId}`;
  const inOrder = months.toSorted((one, other) => (one.from < other.from ? -1 : 1));
  return inOrder.flatMap((month, index): readonly RecountDifference[] => {
    const { from, until, anchorDay, movement } = month;
    const before = inOrder[index - 1];
    const differences: RecountDifference[] = [];
    const differ = (what: string, expected: string, found: string): void => {
      if (expected !== found) differences.push({ what: `${name}: ${what} of ${from}`, expected, found });
    };
    // A free month may end with the month that was paid in another system.
    if (movement !== null) differ('the end', monthFrom(from, anchorDay).until, until);
    if (before !== undefined && before.until > from) differ('the start', before.until, from);
    if (movement !== null) {
      differ('the key', monthKey(companyId, personaId, from.slice(0, 7)), monthKeyOf(movement.key));
      differ('the status', 'captured', movement.status);
      differ('the product', 'account_monitoring', movement.product);
    }
    return differences;
  });
}
