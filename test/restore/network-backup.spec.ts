import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openSqliteNetwork } from '#network/sqlite/open-sqlite-network.js';
import { backupNetwork } from '#runtime/backup-network.js';

const lines = async function* (...given: readonly object[]) {
  yield Buffer.from(given.map((line) => `${JSON.stringify(line)}\n`).join(''));
};

describe('a backup of the observed network', () => {
  const folder = mkdtempSync(join(tmpdir(), 'network-backup-'));
  const path = join(folder, 'network.db');
  const open = (file: string) => openSqliteNetwork({ path: file, networkBaseUrl: 'https://n.example' });
  afterAll(() => rmSync(folder, { recursive: true }));

  it('holds what was observed and what polls remember, is private, and is made beside a running service', async () => {
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

  it('takes the place of no file, and is not made of what is not there or on a server', async () => {
    const from = { kind: 'sqlite', path } as const;
    await expect(backupNetwork(from, path)).rejects.toMatchObject({ name: 'Refusal' });
    const missing = { kind: 'sqlite', path: join(folder, 'nowhere.db') } as const;
    await expect(backupNetwork(missing, join(folder, 'x.db'))).rejects.toThrow('is not there');
    const server = { kind: 'mongodb', url: 'mongodb://server/network' } as const;
    await expect(backupNetwork(server, join(folder, 'x.db'))).rejects.toThrow('mongodump');
  });
});
