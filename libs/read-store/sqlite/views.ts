import type { Group, ReadModels } from '#kernel/ports/read-store.port.js';
import type { Connection } from './connection.js';
import { documentColumns, documentOfRow, type DocumentColumns } from './document-text.js';
import { liveTable } from './generations.js';
import { countSql, findSql, groupsSql } from './query-sql.js';

type GroupRow = { readonly count: number; readonly sum: string } & {
  readonly [by: string]: string | number | null;
};

/** Queries on the live generation of a view, looked up in the same snapshot that the query reads. */
export function sqliteViews({ statement, read }: Connection): ReadModels {
  return {
    get: <Document>(view: Parameters<ReadModels['get']>[0], key: string) =>
      read(() => {
        const table = liveTable(statement, view);
        const columns = documentColumns(table).join(', ');
        const row = statement(`SELECT ${columns} FROM ${table.documents} WHERE _key = ?`).get(key) as
          DocumentColumns | undefined;
        return row === undefined ? null : documentOfRow<Document>(table, row);
      }),
    getMany: <Document>(view: Parameters<ReadModels['get']>[0], keys: readonly string[]) =>
      read(() => {
        const table = liveTable(statement, view);
        const columns = documentColumns(table).join(', ');
        const rows = statement(
          `SELECT _key, ${columns} FROM ${table.documents} WHERE _key IN (SELECT value FROM json_each(?))`,
        ).all(JSON.stringify(keys)) as readonly (DocumentColumns & { readonly _key: string })[];
        return new Map(rows.map((row) => [row._key, documentOfRow<Document>(table, row)]));
      }),
    find: <Document>(view: Parameters<ReadModels['find']>[0], query: Parameters<ReadModels['find']>[1]) =>
      read(() => {
        const table = liveTable(statement, view);
        const { text, values } = findSql(table, query);
        const rows = statement(text).all(...values) as readonly DocumentColumns[];
        return rows.map((row) => documentOfRow<Document>(table, row));
      }),
    count: (view, filter) =>
      read(() => {
        const { text, values } = countSql(liveTable(statement, view), filter);
        return (statement(text).get(...values) as GroupRow).count;
      }),
    groups: (view, filter, grouping) =>
      read(() => {
        const { text, values } = groupsSql(liveTable(statement, view), filter, grouping);
        const rows = statement(text).all(...values) as readonly GroupRow[];
        return rows.map((row): Group => ({
          by: grouping.by.map((_, place) => row[`by_${place}`] ?? null),
          count: row.count,
          sum: BigInt(row.sum),
        }));
      }),
  };
}
