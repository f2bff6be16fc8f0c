import type { Group, ReadModels } from '#kernel/ports/read-store.port.js';
import type { Connection } from './connection.js';
import { liveTable } from './generations.js';
import { countSql, findSql, groupsSql } from './query-sql.js';

type DocumentRow = { readonly _key: string; readonly _document: string };
type GroupRow = { readonly count: number; readonly sum: string } & {
  readonly [by: string]: string | number | null;
};

/** Queries on the live generation of a view, looked up in the same snapshot that the query reads. */
export function sqliteViews({ statement, read }: Connection): ReadModels {
  return {
    get: <Document>(view: Parameters<ReadModels['get']>[0], key: string) =>
      read(() => {
        const { documents } = liveTable(statement, view);
        const row = statement(`SELECT _document FROM ${documents} WHERE _key = ?`).get(key) as
          DocumentRow | undefined;
        return row === undefined ? null : (JSON.parse(row._document) as Document);
      }),
    getMany: <Document>(view: Parameters<ReadModels['get']>[0], keys: readonly string[]) =>
      read(() => {
        const { documents } = liveTable(statement, view);
        const rows = statement(
          `SELECT _key, _document FROM ${documents} WHERE _key IN (SELECT value FROM json_each(?))`,
        ).all(JSON.stringify(keys)) as readonly DocumentRow[];
        return new Map(rows.map((row) => [row._key, JSON.parse(row._document) as Document]));
      }),
    find: <Document>(view: Parameters<ReadModels['find']>[0], query: Parameters<ReadModels['find']>[1]) =>
      read(() => {
        const { text, values } = findSql(liveTable(statement, view), query);
        const rows = statement(text).all(...values) as readonly DocumentRow[];
        return rows.map((row) => JSON.parse(row._document) as Document);
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
