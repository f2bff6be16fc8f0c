import { DatabaseSync, type DatabaseSyncInstance } from '@photostructure/sqlite';
import { timed } from './bench.js';

const ROWS_A_COMMIT = 5_000;

type Made = { readonly name: string; readonly sql: string };

/**
 * The minimal driver time for the rows of one read model, or of all, on one thread: reading and parsing the events takes
 * `readMs`; the same prepared rows are added to a separate file, and the same indexes are built. The rows are read in pieces,
 * which does not count.
 */
export async function driverAlone(
  viewsPath: string,
  floorPath: string,
  readMs: number,
  viewName: string | null = null,
): Promise<{ readonly ms: number; readonly rows: number; readonly tables: number }> {
  const views = new DatabaseSync(viewsPath, { readOnly: true });
  const tables: readonly Made[] = views
    .prepare(
      `SELECT s.name, s.sql FROM sqlite_schema AS s JOIN _generations AS g
       ON s.name = g.view || '_v' || g.version || '_g' || g.generation
       WHERE s.type = 'table' AND g.live = 1 AND g.view = coalesce(?, g.view)`,
    )
    .all(viewName);
  if (tables.length === 0) throw new Error(`${viewName ?? 'no read model'} was not built`);
  const floor = new DatabaseSync(floorPath);
  floor.exec('PRAGMA journal_mode = WAL');
  floor.exec('PRAGMA synchronous = NORMAL');
  floor.exec('PRAGMA cache_size = -131072');
  let [ms, rows] = [readMs, 0];
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

/** Adds rows in one commit. */
function insert(db: DatabaseSyncInstance, table: string, rows: readonly (readonly never[])[]): void {
  const marks = rows[0]?.map(() => '?').join(', ') ?? '';
  const statement = db.prepare(`INSERT INTO "${table}" VALUES (${marks})`);
  db.exec('BEGIN');
  for (const row of rows) statement.run(...row);
  db.exec('COMMIT');
}
