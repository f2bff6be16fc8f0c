import type { Condition, Filter, Group, Grouping, Query, Scalar } from '#kernel/ports/read-store.port.js';

export type Row = { readonly key: string; readonly document: { readonly [field: string]: Scalar } };

/** The meaning of a query in the port, implemented as simply as possible: the reference for every adapter. */
export function naiveFind(rows: readonly Row[], query: Query): readonly Row['document'][] {
  const sort = query.sort ?? [];
  const { after } = query;
  const last = sort.at(-1)?.[1] ?? 'asc';
  const sorted = rows
    .filter(({ document }) => matches(document, query))
    .sort((left, right) => {
      for (const [field, direction] of sort) {
        const order = compare(left.document[field] ?? null, right.document[field] ?? null);
        if (order !== 0) return direction === 'asc' ? order : -order;
      }
      return last === 'asc' ? compare(left.key, right.key) : compare(right.key, left.key);
    })
    .map(({ document }) => document);
  const behind =
    after === undefined
      ? sorted
      : sorted.filter((document) => {
          for (const [place, [field, direction]] of sort.entries()) {
            const order = compare(document[field] ?? null, after[place] ?? null);
            if (order !== 0) return direction === 'asc' ? order > 0 : order < 0;
          }
          return false;
        });
  const start = query.skip ?? 0;
  return behind.slice(start, query.limit === undefined ? undefined : start + query.limit);
}

export function naiveGroups(rows: readonly Row[], filter: Filter, grouping: Grouping): readonly Group[] {
  const groups = new Map<string, Group>();
  if (grouping.by.length === 0) groups.set('[]', { by: [], count: 0, sum: 0n });
  for (const { document } of rows.filter((row) => matches(row.document, filter))) {
    const by = grouping.by.map((field) => document[field] ?? null);
    const group = groups.get(JSON.stringify(by)) ?? { by, count: 0, sum: 0n };
    const amount = grouping.sum === undefined ? null : (document[grouping.sum] ?? null);
    groups.set(JSON.stringify(by), { by, count: group.count + 1, sum: group.sum + BigInt(amount ?? 0) });
  }
  return [...groups.values()]
    .sort((left, right) => {
      const place = left.by.findIndex((value, at) => value !== right.by[at]);
      return place < 0 ? 0 : compare(left.by[place] ?? null, right.by[place] ?? null);
    })
    .slice(0, grouping.limit);
}

export function matches(document: Row['document'], filter: Filter): boolean {
  return (
    Object.entries(filter.where ?? {}).every(([field, condition]) =>
      holds(document[field] ?? null, condition),
    ) &&
    (filter.anyOf === undefined || filter.anyOf.some((part) => matches(document, part)))
  );
}

function holds(value: Scalar, condition: Condition): boolean {
  if (condition === null || typeof condition !== 'object') return value === condition;
  const { in: list, ne, gt, gte, lt, lte, contains } = condition;
  const known = value !== null;
  return (
    (list === undefined || list.includes(value)) &&
    (ne === undefined || value !== ne) &&
    (gt === undefined || (known && compare(value, gt) > 0)) &&
    (gte === undefined || (known && compare(value, gte) >= 0)) &&
    (lt === undefined || (known && compare(value, lt) < 0)) &&
    (lte === undefined || (known && compare(value, lte) <= 0)) &&
    (contains === undefined || (typeof value === 'string' && value.includes(contains)))
  );
}

/** Null first, false before true, numbers by size, text by code point (JavaScript's `<` compares UTF-16 units). */
function compare(left: Scalar, right: Scalar): number {
  if (left === right) return 0;
  if (left === null) return -1;
  if (right === null) return 1;
  if (typeof left === 'string' && typeof right === 'string') {
    return Buffer.compare(Buffer.from(left, 'utf8'), Buffer.from(right, 'utf8'));
  }
  return Number(left) - Number(right);
}
