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
  const floor = openFloor(floorPath);
  floor.exec(table.sql);
  const ms = await timed(() => {
    insert(floor, table.name, rows);
    for (const { sql } of indexes) floor.exec(sql);
  });
  floor.close();
  return { ms: ms + readMs, rows: rows.length };
}

/**
 * The same for all live generations, without reading the events; the rows are read in pieces, which does not count.
 */
export async function driverAloneForAll(
  viewsPath: string,
  floorPath: string,
): Promise<{ readonly ms: number; readonly rows: number; readonly tables: number }> {
  const views = new DatabaseSync(viewsPath, { readOnly: true });
  const tables: readonly Made[] = views
    .prepare(
      `SELECT s.name, s.sql FROM sqlite_schema AS s JOIN _generations AS g
       ON s.name = g.view || '_v' || g.version || '_g' || g.generation WHERE s.type = 'table' AND g.live = 1`,
    )
    .all();
  const floor = openFloor(floorPath);
  let [ms, rows] = [0, 0];
  for (const { name, sql } of tables) {
    floor.exec(sql);
    const indexes: readonly Made[] = views
      .prepare("SELECT sql FROM sqlite_schema WHERE type = 'index' AND tbl_name = ? AND sql IS NOT NULL")
      .all(name);
    const piece: (readonly never[])[] = [];
    const flush = async (): Promise<void> => {
      rows += piece.length;
      ms += await timed(() => insert(floor, name, piece));
      piece.length = 0;
    };
    for (const row of views.prepare(`SELECT * FROM "${name}"`, { returnArrays: true }).iterate()) {
      piece.push(row);
      if (piece.length === ROWS_A_COMMIT) await flush();
    }
    if (piece.length > 0) await flush();
    for (const index of indexes) ms += await timed(() => floor.exec(index.sql));
  }
  views.close();
  floor.close();
  return { ms, rows, tables: tables.length };
}

function openFloor(path: string): DatabaseSyncInstance {
  const floor = new DatabaseSync(path);
  floor.exec('PRAGMA journal_mode = WAL');
  floor.exec('PRAGMA synchronous = NORMAL');
  floor.exec('PRAGMA cache_size = -131072');
  return floor;
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
