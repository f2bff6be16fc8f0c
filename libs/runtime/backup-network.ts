import { existsSync, rmSync } from 'node:fs';
import { StoreDamaged, StoreUnusable } from '#kernel/ports/event-store.port.js';
import { writeNetwork } from '#network/copy-network.js';
import { openSqliteNetworkEnd } from '#network/sqlite/sqlite-network-end.js';
import { openSqliteKeptSecrets } from '#secrets/sqlite/sqlite-secret-store.js';
import { connect, makePrivateFile } from '#sqlite/open-database.js';
import { storeError } from '#sqlite/sqlite-errors.js';
import { openKeptSecrets, openNetworkEnd } from './copy-views.js';
import type { MongoUrl, Settings, StoreUrl } from './settings.js';
import { secretsPlace } from './stores.js';
import { whileOpen } from './while-open.js';
import { finishAfter, requireFreeName, withUnfinishedFile, type OtherBackups } from './unfinished-file.js';

export type NetworkBackup = { readonly file: string; readonly observations: number; readonly polls: number };

/**
 * Writes the current observed network into a new SQLite file, while the service runs or not, and reads it back. The
 * file gets its name only when it is complete and `others` have been written. Throws `backupExists` and `StoreUnusable`.
 */
export async function backupNetwork(
  from: Settings['networkStore'],
  file: string,
  others?: OtherBackups,
): Promise<NetworkBackup> {
  if (from.kind === 'sqlite' && !existsSync(from.path)) throw new StoreUnusable(`${from.path} is not there`);
  const tables = ['observation', 'poll'];
  const [observations, polls] = await backup({ from, file, gather: gatherNetwork, tables, others });
  return { file, observations: observations ?? 0, polls: polls ?? 0 };
}

/** `file` is null if no secret was ever stored: then no file is created. */
export type SecretsBackup = { readonly file: string | null; readonly secrets: number };

/** As `backupNetwork`, of the signing secrets of webhooks as they are stored, wrapped or not. */
export async function backupSecrets(
  settings: Pick<Settings, 'dataDirectory' | 'networkStore'>,
  file: string,
): Promise<SecretsBackup> {
  const from = secretsPlace(settings);
  if (from.kind === 'sqlite' && !existsSync(from.path)) return { file: null, secrets: 0 };
  const [secrets] = await backup({ from, file, gather: gatherSecrets, tables: ['secret'] });
  return { file, secrets: secrets ?? 0 };
}

type Backup = {
  readonly from: StoreUrl | MongoUrl;
  readonly file: string;
  readonly gather: (from: MongoUrl, into: string) => Promise<void>;
  readonly tables: readonly string[];
  readonly others?: OtherBackups | undefined;
};

/** Creates the file and returns the number of rows in its tables. */
function backup({ from, file, gather, tables, others }: Backup): Promise<readonly number[]> {
  requireFreeName(file);
  return withUnfinishedFile(file, async (unfinished) => {
    if (from.kind === 'sqlite') {
      snapshot(from.path, unfinished.path);
    } else {
      const gathered = `${unfinished.path}.gathered`;
      removeFile(gathered);
      try {
        await gather(from, gathered);
        // A single file, without the write-ahead log of an open one.
        snapshot(gathered, unfinished.path);
      } finally {
        removeFile(gathered);
      }
    }
    const counts = readBack(unfinished.path, tables);
    await finishAfter(others, unfinished);
    return counts;
  });
}

/** One read transaction: later writes are not included. */
function snapshot(path: string, into: string): void {
  makePrivateFile(into);
  const db = connect(path, true);
  try {
    db.prepare('VACUUM INTO ?').run(into);
  } catch (error) {
    // Only what was there before can be damaged; all else concerns the file that is written.
    const fault = storeError(error, into);
    throw fault instanceof StoreDamaged ? storeError(error, path) : fault;
  } finally {
    db.close();
  }
}

function removeFile(path: string): void {
  for (const companion of ['', '-wal', '-shm']) rmSync(path + companion, { force: true });
}

async function gatherNetwork(from: MongoUrl, into: string): Promise<void> {
  await whileOpen(
    () => openNetworkEnd(from, () => undefined),
    (source) =>
      whileOpen(
        () => openSqliteNetworkEnd(into),
        (destination) => writeNetwork(source, destination),
      ),
  );
}

async function gatherSecrets(from: MongoUrl, into: string): Promise<void> {
  await whileOpen(
    () => openKeptSecrets(from),
    (source) =>
      whileOpen(
        () => openSqliteKeptSecrets(into),
        async (destination) => destination.add(await source.all()),
      ),
  );
}

function readBack(path: string, tables: readonly string[]): readonly number[] {
  const db = connect(path, true);
  try {
    const [found] = Object.values(db.prepare('PRAGMA quick_check').get() ?? {});
    if (found !== 'ok') throw new StoreUnusable(`the backup is damaged: ${String(found)}`);
    return tables.map((table) =>
      Number(Object.values(db.prepare(`SELECT count(*) FROM ${table}`).get() ?? {})[0] ?? 0),
    );
  } catch (error) {
    throw storeError(error, path);
  } finally {
    db.close();
  }
}
