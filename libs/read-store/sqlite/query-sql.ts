import type { Condition, Filter, Grouping, Query, Scalar, Sort } from '#kernel/ports/read-store.port.js';
import {
  atLeastZero,
  groupedFields,
  rangesInOrder,
  refuseInstants,
  requirePlace,
  sortingIndex,
} from '#kernel/projections/view-indexes.js';
import { documentColumns } from './document-text.js';
import { instantColumn } from './instants.js';
import { columnOf, type Table } from './tables.js';

export type SqlValue = string | number | null;

/** A statement or a part of one, with the values of its question marks. Equal shapes give equal texts. */
export type Sql = { readonly text: string; readonly values: readonly SqlValue[] };

/** Above this many ranges some occur twice, so that few different texts are compiled and cached. */
const RANGES_A_STEP = 4;

export function findSql(table: Table, query: Query): Sql {
  const parts = rangeParts(table, query);
  return parts.length === 0 ? oneRangeSql(table, query) : mergedSql(table, query, parts);
}

function oneRangeSql(table: Table, query: Query): Sql {
  const sort = query.sort ?? [];
  const where = all([filterSql(table, query), ...afterSql(table, sort, query.after)]);
  // Named in the statement: without statistics SQLite may prefer an index that reads and sorts all matching rows, and
  // the cost of a page would grow with the history.
  const index = sortingIndex(table.indexes, query);
  const last = sort.at(-1)?.[1] ?? 'asc';
  const order = [...sort.map(([field, direction]) => `${columnOf(table, field)} ${sqlOf(direction)}`)];
  return {
    text:
      `SELECT ${documentColumns(table).join(', ')} FROM ${table.documents}${index === null ? '' : ` INDEXED BY ${index.name}`}` +
      ` WHERE ${where.text} ORDER BY ${[...order, `_key ${sqlOf(last)}`].join(', ')} LIMIT ? OFFSET ?`,
    values: [...where.values, ...pageValues(query)],
  };
}

/** The sort keys of the requested rows in each range of an index, in the order of the sort. */
function rangeParts(table: Table, query: Query): readonly Sql[] {
  const { sort = [], after } = query;
  const columns = [...sort.map(([field]) => columnOf(table, field)), '_key', 'rowid'];
  const shown = columns.map((column, place) => `${column} AS at_${place}`).join(', ');
  const behindLast = afterSql(table, sort, after);
  return rangesInOrder(table.indexes, query).map(({ index, filter }): Sql => {
    const where = all([filterSql(table, filter), ...behindLast]);
    return {
      text: `SELECT ${shown} FROM ${table.documents} INDEXED BY ${index.name} WHERE ${where.text}`,
      values: where.values,
    };
  });
}

/**
 * Merges ranges while their rows are read, each as far as the page needs it. A row in two ranges occurs once: `UNION`
 * compares the sort keys, whose last part is the row's own. Measured: 5 to 90 us for pages that took 20 to 110 ms
 * (docs/adr/0043).
 */
function mergedSql(table: Table, query: Query, parts: readonly Sql[]): Sql {
  const { sort = [] } = query;
  const steps = parts.length <= RANGES_A_STEP ? 1 : RANGES_A_STEP;
  const padded = [...parts, ...parts.slice(0, (steps - (parts.length % steps)) % steps)];
  const way = sqlOf(sort.at(-1)?.[1] ?? 'asc');
  const order = Array.from({ length: sort.length + 2 }, (_, place) => `at_${place} ${way}`).join(', ');
  const row = `at_${sort.length + 1}`;
  return {
    text:
      `SELECT ${documentColumns(table).join(', ')} FROM (${padded.map(({ text }) => text).join(' UNION ')} ORDER BY ${order} LIMIT ? OFFSET ?)` +
      ` CROSS JOIN ${table.documents} ON rowid = ${row} ORDER BY ${order}`,
    values: [...padded.flatMap(({ values }) => values), ...pageValues(query)],
  };
}

function pageValues({ limit, skip }: Query): readonly SqlValue[] {
  return [atLeastZero('limit', limit) ?? -1, atLeastZero('skip', skip) ?? 0];
}

export function countSql(table: Table, filter: Filter): Sql {
  const where = filterSql(table, filter);
  return {
    text: `SELECT count(*) AS count FROM ${table.documents} WHERE ${where.text}`,
    values: where.values,
  };
}

/** The sum is read as text: the binding would round a 64-bit integer. */
export function groupsSql(table: Table, filter: Filter, grouping: Grouping): Sql {
  const { by, sum, limit } = grouping;
  const where = filterSql(table, filter);
  refuseInstants(table.view, groupedFields(grouping));
  const columns = by.map((field) => columnOf(table, field));
  const total = sum === undefined ? '0' : `coalesce(sum(CAST(${columnOf(table, sum)} AS INTEGER)), 0)`;
  const groups = columns.length === 0 ? '' : ` GROUP BY ${columns.join(', ')} ORDER BY ${columns.join(', ')}`;
  return {
    text:
      `SELECT ${columns.map((column, place) => `${column} AS by_${place}, `).join('')}` +
      `count(*) AS count, CAST(${total} AS TEXT) AS sum` +
      ` FROM ${table.documents} WHERE ${where.text}${groups} LIMIT ?`,
    values: [...where.values, atLeastZero('limit', limit) ?? -1],
  };
}

/** The column value for a value of a field. Booleans are 0 and 1, instants are milliseconds. */
export function sqlValue({ view, instants }: Table, field: string, value: Scalar): SqlValue {
  if (value !== null && instants.has(field)) {
    if (typeof value === 'string') return instantColumn(value);
    throw new Error(`${field} of ${view.name} holds instants, ${value} is none`);
  }
  if (typeof value === 'boolean') return value ? 1 : 0;
  if (typeof value === 'number' && !Number.isFinite(value))
    throw new Error(`${value} cannot be stored or compared`);
  return value;
}

function filterSql(table: Table, filter: Filter): Sql {
  const fields = Object.entries(filter.where ?? {}).map(([field, condition]) =>
    conditionSql(table, field, condition),
  );
  const alternatives =
    filter.anyOf === undefined ? [] : [any(filter.anyOf.map((part) => filterSql(table, part)))];
  return all([...fields, ...alternatives]);
}

function conditionSql(table: Table, field: string, condition: Condition): Sql {
  // A missing workspace id must be refused: if it were omitted, the query would show every workspace.
  if (condition === undefined)
    throw new Error(`the condition on ${field} of ${table.view.name} is undefined`);
  if (condition === null || typeof condition !== 'object') return equalsSql(table, field, condition);
  return all(
    Object.entries(condition)
      .filter(([, operand]) => operand !== undefined)
      .map(([operator, operand]) => operatorSql(table, field, operator, operand)),
  );
}

const COMPARISONS: ReadonlyMap<string, string> = new Map([
  ['gt', '>'],
  ['gte', '>='],
  ['lt', '<'],
  ['lte', '<='],
]);

function operatorSql(
  table: Table,
  field: string,
  operator: string,
  operand: Scalar | readonly Scalar[],
): Sql {
  const column = columnOf(table, field);
  const isList = typeof operand === 'object' && operand !== null;
  if (isList) {
    if (operator === 'in') return inSql(table, field, operand);
  } else {
    const comparison = COMPARISONS.get(operator);
    if (comparison !== undefined && operand !== null) {
      return { text: `${column} ${comparison} ?`, values: [sqlValue(table, field, operand)] };
    }
    if (operator === 'ne') return { text: `${column} IS NOT ?`, values: [sqlValue(table, field, operand)] };
    if (operator === 'contains' && typeof operand === 'string') {
      refuseInstants(table.view, [field]);
      return { text: `instr(${column}, ?) > 0`, values: [operand] };
    }
  }
  throw new Error(
    `the condition ${operator} ${JSON.stringify(operand)} on ${field} of ${table.view.name} means nothing`,
  );
}

function equalsSql(table: Table, field: string, value: Scalar): Sql {
  const column = columnOf(table, field);
  return value === null
    ? { text: `${column} IS NULL`, values: [] }
    : { text: `${column} = ?`, values: [sqlValue(table, field, value)] };
}

/** One parameter for any number of values: one statement to compile, and no limit on their number. */
function inSql(table: Table, field: string, list: readonly Scalar[]): Sql {
  const values = list.filter((value) => value !== null);
  const [first] = values;
  const parts: Sql[] = [];
  if (first !== undefined && values.length === 1) parts.push(equalsSql(table, field, first));
  if (values.length > 1) {
    parts.push({
      text: `${columnOf(table, field)} IN (SELECT value FROM json_each(?))`,
      values: [JSON.stringify(values.map((value) => sqlValue(table, field, value)))],
    });
  }
  if (values.length < list.length) parts.push(equalsSql(table, field, null));
  return any(parts);
}

/** "Behind these values" in the order of the sort. */
function afterSql(table: Table, sort: Sort, after: Query['after']): readonly Sql[] {
  if (after === undefined) return [];
  requirePlace(table.view, sort, after);
  const columns = sort.map(([field]) => columnOf(table, field));
  const values = sort.map(([field], place) => sqlValue(table, field, after[place] ?? null));
  const [direction] = sort.map(([, own]) => own);
  if (direction !== undefined && sort.every(([, own]) => own === direction)) {
    const marks = columns.map(() => '?').join(', ');
    return [{ text: `(${columns.join(', ')}) ${behind(direction)} (${marks})`, values }];
  }
  // Directions differ: equal in the first fields, greater in the next one. The bound on the first field is implied,
  // but only with it the index read starts at the right key.
  const steps = sort.map(([, own], place): Sql => ({
    text: columns
      .slice(0, place + 1)
      .map((column, step) => `${column} ${step < place ? '=' : behind(own)} ?`)
      .join(' AND '),
    values: values.slice(0, place + 1),
  }));
  const bound = `${columns[0]} ${behind(direction ?? 'asc')}= ?`;
  return [{ text: bound, values: values.slice(0, 1) }, any(steps)];
}

function all(parts: readonly Sql[]): Sql {
  return joined(parts, ' AND ', 'true');
}

function any(parts: readonly Sql[]): Sql {
  return joined(parts, ' OR ', 'false');
}

function joined(parts: readonly Sql[], word: ' AND ' | ' OR ', none: 'true' | 'false'): Sql {
  const [only] = parts;
  if (only === undefined) return { text: none, values: [] };
  if (parts.length === 1) return only;
  return {
    text: parts
      .map(({ text }) => (text.includes(' OR ') || text.includes(' AND ') ? `(${text})` : text))
      .join(word),
    values: parts.flatMap(({ values }) => values),
  };
}

function sqlOf(direction: 'asc' | 'desc'): 'ASC' | 'DESC' {
  return direction === 'asc' ? 'ASC' : 'DESC';
}

function behind(direction: 'asc' | 'desc'): '>' | '<' {
  return direction === 'asc' ? '>' : '<';
}
