import { DatabaseSync, type DatabaseSyncInstance } from '@photostructure/sqlite';
import { timed } from './bench.js';

const ROWS_A_COMMIT = 5_000;

type Made = { readonly type: string; readonly name: string; readonly sql: string };

/**
 * The minimal driver time for the rows of a read model on one thread: reading and parsing the events, adding the same
 * prepared rows to a separate file, and building the same indexes.
 */
export async function driverAlone(
  viewsPath: string,
  viewName: string,
  floorPath: string,
  readMs: number,
): Promise<{ readonly ms: number; readonly rows: number }> {
  const views = new DatabaseSync(viewsPath, { readOnly: true });
  const made: readonly Made[] = views
    .prepare('SELECT type, name, sql FROM sqlite_schema WHERE sql IS NOT NULL ORDER BY rowid')
    .all()
    .filter(({ name }: Made) => name.startsWith(`${viewName}_v`) && !name.includes('_deleted'));
  const table = made.findLast(({ type }) => type === 'table');
  if (table === undefined) throw new Error(`${viewName} was not built`);
  const indexes = made.filter(({ type, name }) => type === 'index' && name.startsWith(`${table.name}_`));
  const rows = views.prepare(`SELECT * FROM "${table.name}" ORDER BY rowid`, { returnArrays: true }).all();
  views.close();
  const floor = new DatabaseSync(floorPath);
  floor.exec('PRAGMA journal_mode = WAL');
  floor.exec('PRAGMA synchronous = NORMAL');
  floor.exec('PRAGMA cache_size = -131072');
  floor.exec(table.sql);
  const ms = await timed(() => {
    insert(floor, table.name, rows);
    for (const { sql } of indexes) floor.exec(sql);
  });
  floor.close();
  return { ms: ms + readMs, rows: rows.length };
}

function insert(db: DatabaseSyncInstance, table: string, rows: readonly (readonly never[])[]): void {
  const marks = rows[0]?.map(() => '?').join(', ') ?? '';
  const statement = db.prepare(`INSERT INTO "${table}" VALUES (${marks})`);
  for (let from = 0; from < rows.length; from += ROWS_A_COMMIT) {
    db.exec('BEGIN');
    for (const row of rows.slice(from, from + ROWS_A_COMMIT)) statement.run(...row);
    db.exec('COMMIT');
  }
}
