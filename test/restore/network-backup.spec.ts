import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from '@photostructure/sqlite';
import { openSqliteNetwork } from '#network/sqlite/open-sqlite-network.js';
import { backupNetwork, backupSecrets } from '#runtime/backup-network.js';
import { copySecretStore } from '#runtime/copy-views.js';
import { openSqliteSecretStore } from '#secrets/sqlite/sqlite-secret-store.js';
import { wrapping } from '#secrets/wrapping.js';
import { temporaryFolder } from '#test/support/temporary-folder.js';

const lines = async function* (...given: readonly object[]) {
  yield Buffer.from(given.map((line) => `${JSON.stringify(line)}\n`).join(''));
};

describe('a backup of the observed network', () => {
  const folder = temporaryFolder('network-backup');
  const path = join(folder, 'network.db');
  const open = (file: string) => openSqliteNetwork({ path: file, networkBaseUrl: 'https://n.example' });

  it('holds observations and the memory of polls, is private, and is made beside a running service', async () => {
    const network = await open(path);
    await network.ingest(lines({ kind: 'post', ref: 'a', text: 'one' }));
    await network.polls.claim('feed:a', 'one', 1, 2);
    await network.polls.settle('feed:a', 'one', { etag: '"1"' });
    const file = join(folder, 'backup.db');
    expect(await backupNetwork({ kind: 'sqlite', path }, file)).toEqual({ file, observations: 1, polls: 1 });
    expect(statSync(file).mode & 0o077).toBe(0);
    await network.ingest(lines({ kind: 'post', ref: 'b', text: 'later' }));
    await network.close();
    const restored = await open(file);
    expect(await restored.polls.known('post', ['a', 'b'])).toEqual(new Set(['a']));
    expect(await restored.polls.memories(['feed:a'])).toEqual(new Map([['feed:a', { etag: '"1"' }]]));
    await restored.close();
  });

  it('is private before it has its name', async () => {
    const file = join(folder, 'private.db');
    let mode = 0o777;
    await backupNetwork({ kind: 'sqlite', path }, file, async () => {
      mode = statSync(`${file}.unfinished`).mode;
    });
    expect(mode & 0o077).toBe(0);
  });

  it('leaves nothing behind if it fails', async () => {
    const damaged = join(folder, 'damaged.db');
    const db = new DatabaseSync(damaged);
    db.exec('CREATE TABLE observation AS SELECT randomblob(100000) AS bytes');
    db.close();
    writeFileSync(damaged, readFileSync(damaged).fill(0, 4_096));
    const file = join(folder, 'failed.db');
    await expect(backupNetwork({ kind: 'sqlite', path: damaged }, file)).rejects.toThrow();
    expect(readdirSync(folder).filter((name) => name.startsWith('failed.db'))).toEqual([]);
  });

  it('replaces no file, and needs an existing store', async () => {
    const from = { kind: 'sqlite', path } as const;
    await expect(backupNetwork(from, path)).rejects.toMatchObject({ name: 'Refusal' });
    const missing = { kind: 'sqlite', path: join(folder, 'nowhere.db') } as const;
    await expect(backupNetwork(missing, join(folder, 'x.db'))).rejects.toThrow('is not there');
  });
});

describe('signing secrets', () => {
  const folder = temporaryFolder('secrets');
  const key = new Uint8Array(32).fill(7);
  const open = (name: string) => openSqliteSecretStore(join(folder, name), wrapping(key));
  const at = (name: string) => ({ kind: 'sqlite', path: join(folder, name) }) as const;
  const settings = { dataDirectory: folder, networkStore: at('network.db') };

  async function secretsIn(name: string): Promise<unknown> {
    const store = await open(name);
    const found = await store.get(['endpoint-1', 'endpoint-2', 'other']);
    await store.close();
    return Object.fromEntries(found);
  }

  it('DLV-04 are backed up as stored, beside a running service, into a private file', async () => {
    const file = join(folder, 'backup.db');
    expect(await backupSecrets(settings, file)).toEqual({ file: null, secrets: 0 });
    const running = await open('secrets.db');
    await running.put('endpoint-1', 'whsec_one');
    await running.put('endpoint-2', 'whsec_two');
    expect(await backupSecrets(settings, file)).toEqual({ file, secrets: 2 });
    expect(statSync(file).mode & 0o077).toBe(0);
    expect(readFileSync(file).includes('whsec_')).toBe(false);
    await running.close();
    expect(await secretsIn('backup.db')).toEqual({ 'endpoint-1': 'whsec_one', 'endpoint-2': 'whsec_two' });
    await expect(backupSecrets(settings, file)).rejects.toMatchObject({ name: 'Refusal' });
  });

  it('DLV-04 are copied without the key, once, and not into a store that holds others', async () => {
    const copy = () => copySecretStore(at('secrets.db'), at('copy.db'));
    expect(await copy()).toEqual({ secrets: 2, alreadyThere: 0 });
    expect(await copy()).toEqual({ secrets: 2, alreadyThere: 2 });
    expect(await secretsIn('copy.db')).toEqual({ 'endpoint-1': 'whsec_one', 'endpoint-2': 'whsec_two' });
    const other = await open('others.db');
    await other.put('other', 'whsec_other');
    await other.close();
    const refused = copySecretStore(at('secrets.db'), at('others.db'));
    await expect(refused).rejects.toThrow('holds a secret that the source does not hold');
    expect(await secretsIn('others.db')).toEqual({ other: 'whsec_other' });
  });
});
