import { parseCredits, type Credits } from '#kernel/values/credits.js';
import type { StatementRow } from './statement.js';

/**
 * The members by which the spending of a statement can be grouped: account, business unit and month of monitored
 * months.
 */
export const GROUPINGS = ['account', 'persona', 'month'] as const;
export type SpendGrouping = (typeof GROUPINGS)[number];

/**
 * Credits spent on one account, business unit and month, for the members that are grouped by; null: the charges have
 * no such value.
 */
export type SpendGroup = {
  readonly of: { readonly [By in SpendGrouping]?: number | string | null };
  readonly movements: number;
  readonly spend: Credits;
};

/** Groups the captures of a statement. The groups are sorted by value and add up to the spending. */
export function spendGroups(
  rows: readonly StatementRow[],
  by: readonly SpendGrouping[],
): readonly SpendGroup[] {
  const groups = new Map<string, SpendGroup>();
  for (const { kind, spend, cause } of rows) {
    if (kind !== 'capture') continue;
    const values = {
      account: cause.companyId ?? null,
      persona: cause.personaId ?? null,
      month: cause.month ?? null,
    };
    const of = Object.fromEntries(by.map((name) => [name, values[name]]));
    const name = JSON.stringify(by.map((each) => values[each]));
    const known = groups.get(name) ?? { of, movements: 0, spend: 0n };
    groups.set(name, {
      of,
      movements: known.movements + 1,
      spend: known.spend + (parseCredits(spend) ?? 0n),
    });
  }
  return [...groups.values()].sort((one, other) => inOrder(by, one, other));
}

/** Groups without a value come last. */
function inOrder(by: readonly SpendGrouping[], one: SpendGroup, other: SpendGroup): number {
  for (const name of by) {
    const [left = null, right = null] = [one.of[name], other.of[name]];
    if (left === right) continue;
    if (left === null || right === null) return left === null ? 1 : -1;
    return left < right ? -1 : 1;
  }
  return 0;
}
