import type {
  Condition,
  Filter,
  Grouping,
  Query,
  Scalar,
  Sort,
  ViewShape,
} from '../ports/read-store.port.js';

/** One index of a view; `onlyWith`: it leaves out documents in which this field is null. */
export type ViewIndex = {
  readonly name: string;
  readonly fields: readonly string[];
  readonly onlyWith: string | null;
};

/**
 * The declared indexes of a view. Throws if `onlyWith` names an unknown index, or a field that is not in the index, and if
 * `instants` names a field that is in no index.
 */
export function indexesOfView({
  name: view,
  indexes,
  onlyWith = {},
  instants = [],
}: ViewShape): readonly ViewIndex[] {
  for (const field of instants) {
    if (!Object.values(indexes).some((fields) => fields.includes(field)))
      throw new Error(`${view} has no index with the field ${JSON.stringify(field)}`);
  }
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

/** The declaration that stored documents depend on, as a catalogue stores it to detect changes under one version. */
export function indexLists(view: ViewShape): string {
  const lists = indexesOfView(view).map(({ name, fields, onlyWith }) => [
    name,
    onlyWith === null ? fields : { fields, onlyWith },
  ]);
  // No index has these names, because they are not words.
  const forms = [
    ...(view.compact === true ? [['*', 'compact']] : []),
    ...(view.instants === undefined ? [] : [['*instants', view.instants]]),
  ];
  return JSON.stringify(Object.fromEntries([...lists, ...forms]));
}

/** The fields that a grouping reads. */
export const groupedFields = ({ by, sum }: Grouping): readonly string[] =>
  sum === undefined ? by : [...by, sum];

/** Throws for a field of instants: stores compare them, and do nothing else with them (`ViewShape`). */
export function refuseInstants({ name, instants = [] }: ViewShape, fields: readonly string[]): void {
  const field = fields.find((each) => instants.includes(each));
  if (field !== undefined) throw new Error(`${field} of ${name} holds instants, which are only compared`);
}

type Where = NonNullable<Filter['where']>;

/** A part of a result that is one range of an index, in the order of the sort. */
export type IndexRange<Index extends ViewIndex> = { readonly index: Index; readonly filter: Filter };

/** All ranges are opened before the first document is known; more ranges cost more than they save for most pages. */
const MOST_RANGES = 128;

/**
 * The index that returns the documents in sort order: equality fields, then exactly the sort fields. Of several the
 * longest is used, and of these the first. An index that leaves out documents that the query may match is not used.
 */
export function sortingIndex<Index extends ViewIndex>(
  indexes: readonly Index[],
  { where = {}, sort = [] }: Query,
): Index | null {
  return fitting(indexes, sort, where, isEquality)[0] ?? null;
}

/**
 * The ranges that a store merges into the sorted result: one per combination of the values that fields may have, so the
 * cost of a page does not depend on the number of documents per value. A document may be in two ranges. Empty if one
 * range is enough, or if there would be too many.
 */
export function rangesInOrder<Index extends ViewIndex>(
  indexes: readonly Index[],
  { where = {}, anyOf, sort = [] }: Query,
): readonly IndexRange<Index>[] {
  if (new Set(sort.map(([, direction]) => direction)).size !== 1) return [];
  const whole = rangesOf(indexes, sort, anyOf === undefined ? { where } : { where, anyOf });
  const parts = alternativesOf(where, anyOf).map((part) => rangesOf(indexes, sort, part));
  // Separate alternatives are used if the index of each is more selective than the index of all together.
  const apart = parts.flat();
  const narrowed =
    parts.length > 0 &&
    parts.every((ranges) => isMoreSelective(indexes, ranges, whole)) &&
    apart.length <= MOST_RANGES;
  const ranges = narrowed ? apart : whole;
  return ranges.length > 1 && ranges.length <= MOST_RANGES ? ranges : [];
}

/** Refuses a number of documents that cannot be one. */
export function atLeastZero(name: string, count: number | undefined): number | undefined {
  if (count !== undefined && !(Number.isSafeInteger(count) && count >= 0)) {
    throw new Error(`${name} counts documents, ${count} does not`);
  }
  return count;
}

/** Refuses a beginning of a page that is no place in the order of the sort. */
export function requirePlace({ name }: ViewShape, sort: Sort, after: NonNullable<Query['after']>): void {
  if (sort.length === 0 || after.length !== sort.length || after.some((value) => value === null)) {
    throw new Error(`a page of ${name} starts behind one value for each sort field, none of them null`);
  }
}

/** Whether these ranges are of a longer index, or of one of the same length that is declared earlier. */
function isMoreSelective<Index extends ViewIndex>(
  indexes: readonly Index[],
  [one]: readonly IndexRange<Index>[],
  [other]: readonly IndexRange<Index>[],
): boolean {
  if (one === undefined || other === undefined) return one !== undefined;
  const longer = one.index.fields.length - other.index.fields.length;
  return longer > 0 || (longer === 0 && indexes.indexOf(one.index) < indexes.indexOf(other.index));
}

/** The alternatives, each with the common conditions; none if a field would have two conditions. */
function alternativesOf(where: Where, anyOf: readonly Filter[] = []): readonly Filter[] {
  const areApart = anyOf.every((part) => Object.keys(part.where ?? {}).every((field) => !(field in where)));
  return areApart ? anyOf.map((part) => ({ ...part, where: { ...where, ...part.where } })) : [];
}

/** The ranges of the most selective index for the filter; of several, of the one that is declared first. */
function rangesOf<Index extends ViewIndex>(
  indexes: readonly Index[],
  sort: NonNullable<Query['sort']>,
  filter: Filter,
): readonly IndexRange<Index>[] {
  const { where = {} } = filter;
  const known = fitting(indexes, sort, where, (condition) => valuesOf(condition) !== null);
  const index = known.find((one) => countOf(one, where) <= MOST_RANGES);
  if (index === undefined) return [];
  return index.fields.reduce<readonly IndexRange<Index>[]>(spread, [{ index, filter }]);
}

/** One range for each value that the field may have. */
function spread<Index extends ViewIndex>(
  ranges: readonly IndexRange<Index>[],
  field: string,
): readonly IndexRange<Index>[] {
  return ranges.flatMap((range) => {
    const { index, filter } = range;
    const values = valuesOf(filter.where?.[field]) ?? [];
    if (values.length < 2) return [range];
    return values.map((value) => ({
      index,
      filter: { ...filter, where: { ...filter.where, [field]: value } },
    }));
  });
}

const countOf = ({ fields }: ViewIndex, where: Where): number =>
  fields.reduce((count, field) => count * (valuesOf(where[field])?.length ?? 1), 1);

/** The indexes that end with the sort and begin with fields of which enough is known, longest first. */
function fitting<Index extends ViewIndex>(
  indexes: readonly Index[],
  sort: NonNullable<Query['sort']>,
  where: Where,
  isKnown: (condition: Condition | undefined) => boolean,
): readonly Index[] {
  if (sort.length === 0) return [];
  return indexes
    .filter(({ fields, onlyWith }) => {
      const start = fields.length - sort.length;
      return (
        start >= 0 &&
        (onlyWith === null || asksForValue(where[onlyWith])) &&
        fields.every((field, place) =>
          place < start ? isKnown(where[field]) : field === sort[place - start]?.[0],
        )
      );
    })
    .toSorted((left, right) => right.fields.length - left.fields.length);
}

function isEquality(condition: Condition | undefined): boolean {
  if (condition === undefined) return false;
  return condition === null || typeof condition !== 'object' || condition.in?.length === 1;
}

/** The values that a field may have; null if the condition does not list them. */
function valuesOf(condition: Condition | undefined): readonly Scalar[] | null {
  if (condition === undefined) return null;
  if (condition === null || typeof condition !== 'object') return [condition];
  const { in: list = [], ...others } = condition;
  const isAlone = Object.values(others).every((operand) => operand === undefined);
  return list.length === 1 || (isAlone && list.length > 1) ? [...new Set(list)] : null;
}

/** It holds for no document without a value there, and stores see that it does. */
function asksForValue(condition: Condition | undefined): boolean {
  if (condition === undefined || condition === null) return false;
  if (typeof condition !== 'object') return true;
  const { in: list, gt, gte, lt, lte } = condition;
  if (list !== undefined && list.length > 0 && !list.includes(null)) return true;
  return [gt, gte, lt, lte].some((bound) => bound !== undefined);
}
