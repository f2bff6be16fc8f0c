import { chmodSync, existsSync, lstatSync } from 'node:fs';
import { DatabaseSync } from '@photostructure/sqlite';
import { backupExists } from '#event-store/copy/copy-refusals.js';
import { StoreUnusable } from '#kernel/ports/event-store.port.js';
import { refusal } from '#kernel/values/refusal.js';
import type { Settings } from './settings.js';
import { withUnfinishedFile } from './unfinished-file.js';

const networkOnServer = refusal({
  code: 'network-on-server',
  kind: 'conflicting',
  detail: 'The observed network is in a MongoDB: back it up with mongodump.',
});

export type NetworkBackup = { readonly file: string; readonly observations: number; readonly polls: number };

/**
 * Writes the observed network as it is now into a new file, with the service up or down, and reads it back. The file has
 * its name only once it is whole. Throws `backupExists`, `networkOnServer` and `StoreUnusable`.
 */
export async function backupNetwork(from: Settings['networkStore'], file: string): Promise<NetworkBackup> {
  if (from.kind !== 'sqlite') throw networkOnServer();
  if (lstatSync(file, { throwIfNoEntry: false }) !== undefined) throw backupExists({ members: { file } });
  if (!existsSync(from.path)) throw new StoreUnusable(`${from.path} is not there`);
  return withUnfinishedFile(file, async (unfinished) => {
    const db = new DatabaseSync(from.path, { readOnly: true });
    try {
      // One read transaction: later writes are not included.
      db.prepare('VACUUM INTO ?').run(unfinished.path);
    } finally {
      db.close();
    }
    chmodSync(unfinished.path, 0o600);
    const counts = readBack(unfinished.path);
    unfinished.finish();
    return { file, ...counts };
  });
}

function readBack(path: string): Omit<NetworkBackup, 'file'> {
  const db = new DatabaseSync(path, { readOnly: true });
  try {
    const [found] = Object.values(db.prepare('PRAGMA quick_check').get() ?? {});
    if (found !== 'ok') throw new StoreUnusable(`the backup of the network is damaged: ${String(found)}`);
    const count = (table: string): number =>
      Number(Object.values(db.prepare(`SELECT count(*) FROM ${table}`).get() ?? {})[0] ?? 0);
    return { observations: count('observation'), polls: count('poll') };
  } finally {
    db.close();
  }
}
