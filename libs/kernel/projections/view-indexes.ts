import type { Condition, Query, ViewShape } from '../ports/read-store.port.js';

/** One index of a view; `onlyWith`: it holds the documents alone that have a value in this field. */
export type ViewIndex = {
  readonly name: string;
  readonly fields: readonly string[];
  readonly onlyWith: string | null;
};

/** The indexes of a view as they are declared. Throws where `onlyWith` names no index, or a field that its index has not. */
export function indexesOfView({ name: view, indexes, onlyWith = {} }: ViewShape): readonly ViewIndex[] {
  for (const [name, field] of Object.entries(onlyWith)) {
    if (indexes[name]?.includes(field) !== true) {
      throw new Error(`${view} has no index ${JSON.stringify(name)} with the field ${JSON.stringify(field)}`);
    }
  }
  return Object.entries(indexes).map(([name, fields]) => ({
    name,
    fields,
    onlyWith: onlyWith[name] ?? null,
  }));
}

/** The declaration as a catalogue keeps it, to notice that it changed under one version. */
export function indexLists(view: ViewShape): string {
  const lists = indexesOfView(view).map(({ name, fields, onlyWith }) => [
    name,
    onlyWith === null ? fields : { fields, onlyWith },
  ]);
  return JSON.stringify(Object.fromEntries(lists));
}

/**
 * The index that gives the sorted answer without sorting: fields compared for equality, then exactly the sort
 * fields; the longest of several. Never one that leaves out documents which the query may ask for.
 */
export function sortingIndex<Index extends ViewIndex>(
  indexes: readonly Index[],
  { where = {}, sort = [] }: Query,
): Index | null {
  if (sort.length === 0) return null;
  const fitting = indexes
    .filter(({ fields, onlyWith }) => {
      const start = fields.length - sort.length;
      return (
        start >= 0 &&
        (onlyWith === null || asksForValue(where[onlyWith])) &&
        fields.every((field, place) =>
          place < start ? isEquality(where[field]) : field === sort[place - start]?.[0],
        )
      );
    })
    .sort((left, right) => right.fields.length - left.fields.length);
  return fitting[0] ?? null;
}

function isEquality(condition: Condition | undefined): boolean {
  if (condition === undefined) return false;
  return condition === null || typeof condition !== 'object' || condition.in?.length === 1;
}

/** It holds for no document without a value there, and stores see that it does. */
function asksForValue(condition: Condition | undefined): boolean {
  if (condition === undefined || condition === null) return false;
  if (typeof condition !== 'object') return true;
  const { in: list, gt, gte, lt, lte } = condition;
  if (list !== undefined && list.length > 0 && !list.includes(null)) return true;
  return [gt, gte, lt, lte].some((bound) => bound !== undefined);
}
