import type { DatabaseSyncInstance } from '@photostructure/sqlite';
import type { SecretStore } from '#kernel/ports/secret-store.port.js';
import { retryWhileBusy } from '#sqlite/busy.js';
import { closeWithEmptyLog } from '#sqlite/empty-log.js';
import { openDatabase } from '#sqlite/open-database.js';
import { storeError } from '#sqlite/sqlite-errors.js';
import { inWriteTransaction } from '#sqlite/transaction.js';
import type { KeptSecrets } from '../copy-secrets.js';
import { OPEN, type Wrapping } from '../wrapping.js';

/** `SecD` as a signed number, in the header of the file. */
export const SECRETS_FILE = 0x53656344;
const SCHEMA_VERSION = 1;

/**
 * Secrets in a file that only its owner may read; several processes may have it open. `isOpenHere`: another connection of
 * this process has it open. Rejects with `StoreUnusable` if its wrapped secrets cannot be unwrapped.
 */
export async function openSqliteSecretStore(
  path: string,
  { wrap, unwrap }: Wrapping,
  isOpenHere = false,
): Promise<SecretStore> {
  const db = await openSecretsDatabase(path, isOpenHere);
  const valueOf = db.prepare('SELECT value FROM secret WHERE name = ?');
  const insert = db.prepare('INSERT INTO secret (name, value) VALUES (?, ?) ON CONFLICT DO NOTHING');
  const remove = db.prepare('DELETE FROM secret WHERE name = ?');

  function stored(name: string): string | null {
    const value: unknown = valueOf.get(name)?.['value'];
    return typeof value === 'string' ? value : null;
  }
  /** Translates errors of SQLite into those of stores. */
  async function asked<Result>(work: () => Result): Promise<Result> {
    try {
      return work();
    } catch (error) {
      throw storeError(error, path);
    }
  }

  const wrapped = db.prepare('SELECT name, value FROM secret WHERE instr(value, ?) <> 1 LIMIT 1').get(OPEN);
  try {
    if (wrapped !== undefined) unwrap(String(wrapped['name']), String(wrapped['value']));
  } catch (error) {
    db.close();
    throw error;
  }
  return {
    put: (name, secret) => asked(() => void insert.run(name, wrap(name, secret))),
    async get(names) {
      const found = await asked(() => names.map((name) => [name, stored(name)] as const));
      return new Map(found.flatMap(([name, value]) => (value === null ? [] : [[name, unwrap(name, value)]])));
    },
    delete: (names) => asked(() => names.forEach((name) => void remove.run(name))),
    async close() {
      // A connection of a worker thread may stay open longer, so that closing this one does not empty the log.
      closeWithEmptyLog(db, path);
    },
  };
}

/** The same file as one end of a copy. */
export async function openSqliteKeptSecrets(path: string): Promise<KeptSecrets> {
  const db = await openSecretsDatabase(path);
  const every = db.prepare('SELECT name, value FROM secret ORDER BY name');
  const insert = db.prepare('INSERT INTO secret (name, value) VALUES (?, ?)');
  return {
    all: () =>
      retryWhileBusy(
        path,
        () => new Map(every.all().map(({ name, value }) => [String(name), String(value)])),
      ),
    add: (secrets) =>
      retryWhileBusy(path, () =>
        inWriteTransaction(db, () => secrets.forEach((value, name) => void insert.run(name, value))),
      ),
    async close() {
      db.close();
    },
  };
}

function openSecretsDatabase(path: string, isOpenHere = false): Promise<DatabaseSyncInstance> {
  return openDatabase({
    path,
    isOpenHere,
    applicationId: SECRETS_FILE,
    schemaVersion: SCHEMA_VERSION,
    migrate,
    synchronous: 'FULL',
    // Few writes: the writing connection checkpoints the log itself.
    pragmas: ['wal_autocheckpoint = 100'],
  });
}

function migrate(db: DatabaseSyncInstance): void {
  db.exec('CREATE TABLE secret (name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID');
}
