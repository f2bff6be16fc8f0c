import type { Document } from 'mongodb';
import type { Condition, Filter, Query, Scalar, Sort } from '#kernel/ports/read-store.port.js';
import {
  rangesInOrder,
  refuseInstants,
  requirePlace,
  sortingIndex,
} from '#kernel/projections/view-indexes.js';
import type { GenerationCollection } from './catalogue.js';
import { comparable } from './stored-document.js';

/** A query in the form of the server. Servers compare text by its UTF-8 bytes, which is by code point. */
export type FindPlan = {
  readonly filter: Document;
  readonly sort: Record<string, 1 | -1>;
  /** The index that gives the answer in order, if there is one. */
  readonly hint: string | null;
};

/** Documents that are alive and meet the filter. */
export function aliveFilter(table: GenerationCollection, filter: Filter): Document {
  return { _alive: true, ...all(conditions(table, filter)) };
}

export function findPlan(table: GenerationCollection, query: Query): FindPlan {
  const sort = query.sort ?? [];
  const last = sort.at(-1)?.[1] ?? 'asc';
  const fields = sort.map(([field, direction]) => [indexed(table, field), way(direction)] as const);
  const parts = [...conditions(table, query), ...behind(table, sort, query.after)];
  return {
    filter: { _alive: true, ...all(parts) },
    sort: Object.fromEntries([...fields, ['_id', way(last)]]),
    hint: indexFor(table, query),
  };
}

/** The field, if an index list contains it. */
export function indexed({ view, fields }: GenerationCollection, field: string): string {
  if (!fields.has(field)) {
    throw new Error(
      `view ${view.name} version ${view.version} has no index with the field ${JSON.stringify(field)}`,
    );
  }
  return field;
}

function conditions(table: GenerationCollection, { where = {}, anyOf }: Filter): readonly Document[] {
  const fields = Object.entries(where).flatMap(([field, condition]) => fieldFilters(table, field, condition));
  if (anyOf === undefined) return fields;
  // The server refuses an empty list of alternatives; an empty list matches nothing.
  if (anyOf.length === 0) return [...fields, { _id: { $in: [] } }];
  return [...fields, { $or: anyOf.map((part) => all(conditions(table, part))) }];
}

function fieldFilters(table: GenerationCollection, field: string, condition: Condition): readonly Document[] {
  indexed(table, field);
  // A missing workspace id must be refused: if it were omitted, the query would show every workspace.
  if (condition === undefined) {
    throw new Error(`the condition on ${field} of ${table.view.name} is undefined`);
  }
  if (condition === null || typeof condition !== 'object')
    return [{ [field]: { $eq: comparable(condition) } }];
  return Object.entries(condition)
    .filter(([, operand]) => operand !== undefined)
    .map(([operator, operand]) => ({ [field]: operatorFilter(table, field, operator, operand) }));
}

const COMPARISONS: ReadonlySet<string> = new Set(['gt', 'gte', 'lt', 'lte']);

function operatorFilter(
  table: GenerationCollection,
  field: string,
  operator: string,
  operand: Scalar | readonly Scalar[],
): Document {
  if (typeof operand === 'object' && operand !== null) {
    if (operator === 'in') return { $in: operand.map(comparable) };
  } else {
    if (COMPARISONS.has(operator) && operand !== null) return { [`$${operator}`]: comparable(operand) };
    if (operator === 'ne') return { $ne: comparable(operand) };
    if (operator === 'contains' && typeof operand === 'string') {
      refuseInstants(table.view, [field]);
      return { $regex: literalPattern(operand) };
    }
  }
  throw new Error(
    `the condition ${operator} ${JSON.stringify(operand)} on ${field} of ${table.view.name} means nothing`,
  );
}

/** A pattern that matches exactly this text: special characters are escaped, and NUL cannot occur. */
function literalPattern(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&').replaceAll('\0', '\\x00');
}

/** "Behind these values" in the order of the sort. */
function behind(table: GenerationCollection, sort: Sort, after: Query['after']): readonly Document[] {
  if (after === undefined) return [];
  requirePlace(table.view, sort, after);
  const values = after.map(comparable);
  // Equal in the first fields, greater in the next one. The bound on the first field is implied, but only with it the
  // index read starts at the right key.
  const steps = sort.map(([, direction], place) =>
    Object.fromEntries(
      sort
        .slice(0, place + 1)
        .map(([field], step) => [
          field,
          step < place ? { $eq: values[step] } : { [direction === 'asc' ? '$gt' : '$lt']: values[step] },
        ]),
    ),
  );
  const [first] = sort;
  if (first === undefined || sort.length === 1) return steps;
  const [field, direction] = first;
  return [{ [field]: { [direction === 'asc' ? '$gte' : '$lte']: values[0] } }, { $or: steps }];
}

/**
 * The index of a sort with one direction. The query names the index, so that the cost of a page depends neither on
 * the history nor on the cached plan of the server. If a field may have several values, the server merges the ranges
 * of one index itself.
 */
function indexFor({ indexes }: GenerationCollection, query: Query): string | null {
  if (new Set(query.sort?.map(([, direction]) => direction)).size !== 1) return null;
  const { anyOf: _beside, ...together } = query;
  const [range] = rangesInOrder(indexes, together);
  return (range?.index ?? sortingIndex(indexes, query))?.name ?? null;
}

function all(parts: readonly Document[]): Document {
  return parts.length === 0 ? {} : { $and: parts };
}

function way(direction: 'asc' | 'desc'): 1 | -1 {
  return direction === 'asc' ? 1 : -1;
}
