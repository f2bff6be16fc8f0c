import { closeSync, mkdtempSync, openSync, readFileSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync, type DatabaseSyncInstance } from '@photostructure/sqlite';
import { startCheckpointer, type Checkpointer } from '#sqlite/checkpointer.js';
import { soon } from '#test/support/event-stores.js';

const NEVER_MS = 1_000_000_000;
const OFTEN_MS = 5;
const HEADER_BYTES = 100;
const NOT_A_DATABASE = expect.stringContaining('not a database');

describe('a checkpointer whose thread cannot start', () => {
  let folder: string;
  let path: string;
  let db: DatabaseSyncInstance;
  let header: Buffer;
  let reported: (string | null)[];
  let checkpointer: Checkpointer;

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'signal-ledger-'));
    path = join(folder, 'data.db');
    db = new DatabaseSync(path);
    for (const statement of [
      'PRAGMA journal_mode = WAL',
      'PRAGMA wal_autocheckpoint = 0',
      'CREATE TABLE notes (text TEXT)',
      'PRAGMA wal_checkpoint(TRUNCATE)',
      "INSERT INTO notes VALUES ('in the log')",
    ])
      db.exec(statement);
    header = readFileSync(path).subarray(0, HEADER_BYTES);
    reported = [];
    // The thread reads the header when it starts, and ends with an error.
    writeHeader(Buffer.alloc(HEADER_BYTES, 'x'));
  });
  afterEach(async () => {
    await checkpointer.close();
    writeHeader(header);
    db.close();
    rmSync(folder, { recursive: true });
  });

  /** In place, because a replaced file is not read. */
  function writeHeader(bytes: Buffer): void {
    const file = openSync(path, 'r+');
    writeSync(file, bytes, 0, bytes.length, 0);
    closeSync(file);
  }

  function start(intervalMs: number, onReport = (): void => {}): void {
    const onTrouble = (reason: string | null): void => {
      reported.push(reason);
      onReport();
    };
    checkpointer = startCheckpointer({ path, intervalMs, checkpointAtBytes: 1, onTrouble });
  }

  it('reports the reason once, for any number of checks', async () => {
    start(NEVER_MS);
    for (let looks = 0; looks < 3; looks += 1) await soon('a look', checkpointer.check());
    expect(reported).toEqual([NOT_A_DATABASE]);
    expect(checkpointer.copies()).toBe(0);
  });

  it('tries again at the next heartbeat, and reports when a check succeeds', async () => {
    const succeeded = new Promise<void>((resolve) =>
      start(OFTEN_MS, () => {
        if (reported.length === 1) writeHeader(header);
        else resolve();
      }),
    );
    await soon('a look that succeeds', succeeded);
    expect(reported).toEqual([NOT_A_DATABASE, null]);
    expect(checkpointer.copies()).toBeGreaterThan(0);
  });

  it('can be closed while the thread fails', async () => {
    start(NEVER_MS);
    const looking = checkpointer.check();
    await soon('the end of the checkpointer', checkpointer.close());
    await looking;
    expect(reported).toEqual([NOT_A_DATABASE]);
  });
});
