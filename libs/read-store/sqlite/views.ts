import type { Group, ReadModels } from '#kernel/ports/read-store.port.js';
import type { Connection } from './connection.js';
import { documentColumns, documentOfRow } from './document-text.js';
import { liveTable } from './generations.js';
import { countSql, findSql, groupsSql, type SqlValue } from './query-sql.js';

type Row = readonly SqlValue[];
type GroupRow = { readonly count: number; readonly sum: string } & {
  readonly [by: string]: string | number | null;
};

/** Queries on the live generation of a view, looked up in the same snapshot that the query reads. */
export function sqliteViews({ statement, rows, read }: Connection): ReadModels {
  return {
    get: <Document>(view: Parameters<ReadModels['get']>[0], key: string) =>
      read(() => {
        const table = liveTable(statement, view);
        const columns = documentColumns(table).join(', ');
        const row = rows(`SELECT ${columns} FROM ${table.documents} WHERE _key = ?`).get(key) as
          Row | undefined;
        return row === undefined ? null : documentOfRow<Document>(table, row);
      }),
    getMany: <Document>(view: Parameters<ReadModels['get']>[0], keys: readonly string[]) =>
      read(() => {
        const table = liveTable(statement, view);
        const columns = documentColumns(table).join(', ');
        const found = rows(
          `SELECT _key, ${columns} FROM ${table.documents} WHERE _key IN (SELECT value FROM json_each(?))`,
        ).all(JSON.stringify(keys)) as readonly Row[];
        return new Map(found.map((row) => [row[0] as string, documentOfRow<Document>(table, row, 1)]));
      }),
    find: <Document>(view: Parameters<ReadModels['find']>[0], query: Parameters<ReadModels['find']>[1]) =>
      read(() => {
        const table = liveTable(statement, view);
        const { text, values } = findSql(table, query);
        const found = rows(text).all(...values) as readonly Row[];
        return found.map((row) => documentOfRow<Document>(table, row));
      }),
    count: (view, filter) =>
      read(() => {
        const { text, values } = countSql(liveTable(statement, view), filter);
        return (statement(text).get(...values) as GroupRow).count;
      }),
    groups: (view, filter, grouping) =>
      read(() => {
        const { text, values } = groupsSql(liveTable(statement, view), filter, grouping);
        const found = statement(text).all(...values) as readonly GroupRow[];
        return found.map((row): Group => ({
          by: grouping.by.map((_, place) => row[`by_${place}`] ?? null),
          count: row.count,
          sum: BigInt(row.sum),
        }));
      }),
  };
}
