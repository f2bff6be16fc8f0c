import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { openMongoNetwork } from '#network/mongodb/open-mongo-network.js';
import { openSqliteNetwork } from '#network/sqlite/open-sqlite-network.js';
import { backupNetwork, backupSecrets } from '#runtime/backup-network.js';
import { copySecretStore } from '#runtime/copy-views.js';
import { openSqliteSecretStore } from '#secrets/sqlite/sqlite-secret-store.js';
import { wrapping } from '#secrets/wrapping.js';
import { NETWORK_BASE_URL } from './mongo-network.fixture.js';
import { dropDatabase, freshDatabaseUrl, mongoServer } from './mongo-read-store.fixture.js';
import { copiesContract, type NetworkPlace } from './network-store/copies.js';
import { allPages, always, ingest, worksAt } from './network-store/observed.js';
import { temporaryFolder } from '#test/support/temporary-folder.js';

if (mongoServer !== null) {
  const server = mongoServer;
  const folder = temporaryFolder('mongo-network-copy');
  let files = 0;
  const newFile = (): NetworkPlace => {
    files += 1;
    const path = join(folder, `network-${files}.db`);
    return {
      place: { kind: 'sqlite', path },
      open: () => openSqliteNetwork({ path, networkBaseUrl: NETWORK_BASE_URL }),
      remove: async () => {
        for (const end of ['', '-wal', '-shm']) rmSync(path + end, { force: true });
      },
    };
  };
  const newDatabase = (): NetworkPlace => {
    const url = freshDatabaseUrl(server);
    return {
      place: { kind: 'mongodb', url },
      open: () => openMongoNetwork({ url, networkBaseUrl: NETWORK_BASE_URL }),
      remove: () => dropDatabase(url),
    };
  };
  copiesContract('from SQLite to MongoDB', { from: newFile, to: newDatabase });
  copiesContract('from MongoDB to SQLite', { from: newDatabase, to: newFile });

  it('a backup of a MongoDB is an SQLite network with all of its data', async () => {
    const { place, open, remove } = newDatabase();
    const store = await open();
    await ingest(store, [
      {
        kind: 'person',
        ref: 'p',
        rev: 1,
        handle: 'p',
        observed_at: '2026-01-01T00:00:00Z',
        ...worksAt('c:a'),
      },
      {
        kind: 'person',
        ref: 'p',
        rev: 2,
        handle: 'p',
        observed_at: '2026-01-02T00:00:00Z',
        ...worksAt('c:b'),
      },
    ]);
    await store.polls.claim('feed:a', 'one', 1, 2);
    await store.polls.settle('feed:a', 'one', { etag: '"1"' });
    const file = join(folder, 'backup.db');
    expect(await backupNetwork(place, file)).toEqual({ file, observations: 1, polls: 1 });
    await store.close();
    await remove();
    const restored = await openSqliteNetwork({ path: file, networkBaseUrl: NETWORK_BASE_URL });
    const moves = await allPages((position) => restored.source.moves({ ...always, limit: 5, position }));
    expect(moves).toMatchObject([{ personRef: 'p', rev: 2, change: 'new_company' }]);
    expect(await restored.polls.memories(['feed:a'])).toEqual(new Map([['feed:a', { etag: '"1"' }]]));
    await restored.close();
  });

  it('DLV-04 signing secrets are copied to a MongoDB and back, and backed up from there', async () => {
    const { place, remove } = newDatabase();
    const file = (name: string) => ({ kind: 'sqlite', path: join(folder, name) }) as const;
    const key = wrapping(new Uint8Array(32).fill(7));
    const first = await openSqliteSecretStore(file('secrets.db').path, key);
    await first.put('endpoint-1', 'whsec_one');
    await first.close();
    expect(await copySecretStore(file('secrets.db'), place)).toEqual({ secrets: 1, alreadyThere: 0 });
    expect(await copySecretStore(file('secrets.db'), place)).toEqual({ secrets: 1, alreadyThere: 1 });
    const backup = join(folder, 'secrets-backup.db');
    const settings = { dataDirectory: folder, networkStore: place };
    expect(await backupSecrets(settings, backup)).toEqual({ file: backup, secrets: 1 });
    expect(await copySecretStore(place, file('back.db'))).toEqual({ secrets: 1, alreadyThere: 0 });
    for (const name of ['back.db', 'secrets-backup.db']) {
      const store = await openSqliteSecretStore(file(name).path, key);
      expect(await store.get(['endpoint-1'])).toEqual(new Map([['endpoint-1', 'whsec_one']]));
      await store.close();
    }
    await remove();
  });
}
