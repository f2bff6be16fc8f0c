import type { Document } from 'mongodb';
import type { Group, Grouping, Scalar } from '#kernel/ports/read-store.port.js';
import { groupedFields } from '#kernel/projections/view-indexes.js';

/** A row of the server: how often one combination of values and amount occurs. */
export type CountedRow = {
  readonly _id: { readonly [part: string]: Scalar } | null;
  readonly count: number;
};

/** The stages that count how often each amount occurs in each group; `groupsOf` creates the groups from their rows. */
export function groupStages(filter: Document, grouping: Grouping): readonly Document[] {
  const parts = groupedFields(grouping).map((field, place) => [`p${place}`, `$${field}`] as const);
  return [
    { $match: filter },
    { $group: { _id: parts.length === 0 ? null : Object.fromEntries(parts), count: { $sum: 1 } } },
  ];
}

/**
 * Groups with exact sums. The server counts how often each amount occurs in each group, and the amounts are
 * multiplied and added here as integers: no sum passes through a float with any types and operators of the server.
 */
export function groupsOf(rows: readonly CountedRow[], { by, sum, limit }: Grouping): readonly Group[] {
  const groups = new Map<string, Group>();
  if (by.length === 0) groups.set('[]', { by: [], count: 0, sum: 0n });
  for (const { _id, count } of rows) {
    const values = by.map((_, place) => _id?.[`p${place}`] ?? null);
    const amount = sum === undefined ? null : (_id?.[`p${by.length}`] ?? null);
    const name = JSON.stringify(values);
    const known = groups.get(name) ?? { by: values, count: 0, sum: 0n };
    groups.set(name, {
      by: values,
      count: known.count + count,
      sum: known.sum + BigInt(amount ?? 0) * BigInt(count),
    });
  }
  return [...groups.values()].sort(byTheirValues).slice(0, limit);
}

function byTheirValues(left: Group, right: Group): number {
  for (const [place, value] of left.by.entries()) {
    const order = compared(value, right.by[place] ?? null);
    if (order !== 0) return order;
  }
  return 0;
}

/** Null first, false before true, numbers by size, text by code point (`<` would go by UTF-16 units). */
function compared(left: Scalar, right: Scalar): number {
  if (left === right) return 0;
  if (left === null) return -1;
  if (right === null) return 1;
  if (typeof left === 'string' && typeof right === 'string') {
    return Buffer.compare(Buffer.from(left), Buffer.from(right));
  }
  return Number(left) - Number(right);
}
