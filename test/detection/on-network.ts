import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { NetworkStore } from '#network/network-store.js';
import { openSqliteNetwork } from '#network/sqlite/open-sqlite-network.js';

type Rejected = Awaited<ReturnType<NetworkStore['ingest']>>['rejected'];

/** Works on a network of these observations, of which some may be rejected; it is removed afterwards. */
export async function onNetwork<Result>(
  observations: readonly object[],
  work: (store: NetworkStore, rejected: Rejected) => Promise<Result>,
): Promise<Result> {
  const folder = mkdtempSync(join(tmpdir(), 'network-'));
  const path = join(folder, 'network.db');
  const store = await openSqliteNetwork({ path, networkBaseUrl: 'https://n.example' });
  async function* lines() {
    for (const observed of observations) yield Buffer.from(`${JSON.stringify(observed)}\n`);
  }
  try {
    const { rejected } = await store.ingest(lines(), {});
    return await work(store, rejected);
  } finally {
    await store.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** The same when no observation may be rejected. */
export const onWholeNetwork = <Result>(
  observations: readonly object[],
  work: (store: NetworkStore) => Promise<Result>,
): Promise<Result> =>
  onNetwork(observations, (store, rejected) => {
    expect(rejected).toEqual([]);
    return work(store);
  });
