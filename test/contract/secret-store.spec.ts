import { randomBytes } from 'node:crypto';
import { copyFileSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { SecretStore } from '#kernel/ports/secret-store.port.js';
import { openMongoSecretStore } from '#secrets/mongodb/mongo-secret-store.js';
import { openSqliteSecretStore } from '#secrets/sqlite/sqlite-secret-store.js';
import { wrapping } from '#secrets/wrapping.js';
import { dropDatabase, freshDatabaseUrl, mongoServer } from './mongo-read-store.fixture.js';

type Place = {
  readonly open: (key: Uint8Array | null) => Promise<SecretStore>;
  readonly remove: () => Promise<void> | void;
};

function onMongo(server: string): Place {
  const url = freshDatabaseUrl(server);
  return { open: (key) => openMongoSecretStore(url, wrapping(key)), remove: () => dropDatabase(url) };
}

const places: readonly (readonly [name: string, make: () => Place])[] = [
  [
    'SQLite',
    () => {
      const folder = mkdtempSync(join(tmpdir(), 'secrets-'));
      const path = join(folder, 'secrets.db');
      return {
        open: (key) => openSqliteSecretStore(path, wrapping(key)),
        remove: () => rmSync(folder, { recursive: true }),
      };
    },
  ],
  ...(mongoServer === null ? [] : [['MongoDB', () => onMongo(mongoServer ?? '')] as const]),
];

describe.each(places)('DLV-04 a secret store: %s', (_, make) => {
  const key = randomBytes(32);
  const open: SecretStore[] = [];
  let place: Place;
  beforeEach(() => {
    place = make();
  });
  afterEach(async () => {
    for (const store of open.splice(0)) await store.close();
    await place.remove();
  });
  async function store(of: Uint8Array | null = null): Promise<SecretStore> {
    const opened = await place.open(of);
    open.push(opened);
    return opened;
  }

  it('returns secrets by name, keeps the first secret of a name, and leaves out missing ones', async () => {
    const secrets = await store();
    await secrets.put('a', 'one');
    await secrets.put('a', 'two');
    await secrets.put('b', 'three');
    expect(await (await store()).get(['a', 'b', 'c'])).toEqual(
      new Map([
        ['a', 'one'],
        ['b', 'three'],
      ]),
    );
    await secrets.delete(['a', 'c']);
    expect(await secrets.get(['a', 'b'])).toEqual(new Map([['b', 'three']]));
  });

  it('reveals nothing of a wrapped secret, reads older ones with a key, and nothing with another key or none', async () => {
    await (await store()).put('old', 'in the open');
    const secrets = await store(key);
    await secrets.put('new', 'hidden');
    expect([...(await secrets.get(['old', 'new'])).values()].toSorted()).toEqual(['hidden', 'in the open']);
    await secrets.delete(['old']);
    for (const wrong of [randomBytes(32), null]) {
      const reading = (async () => (await store(wrong)).get(['new']))();
      await expect(reading).rejects.toThrow(/SECRETS_KEY_FILE/);
    }
  });

  it('is not opened with another key or none, also if older secrets are not wrapped', async () => {
    await (await store()).put('a', 'in the open');
    await (await store(key)).put('b', 'hidden');
    for (const wrong of [randomBytes(32), null])
      await expect(place.open(wrong)).rejects.toThrow(/SECRETS_KEY_FILE/);
    expect([...(await (await store(key)).get(['a', 'b'])).values()].toSorted()).toEqual([
      'hidden',
      'in the open',
    ]);
  });
});

describe('DLV-04 the file of the secrets', () => {
  it('is readable only by its owner', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'secrets-'));
    const path = join(folder, 'secrets.db');
    const secrets = await openSqliteSecretStore(path, wrapping(randomBytes(32)));
    await secrets.put('a', 'nobody sees this');
    await secrets.close();
    expect(statSync(path).mode & 0o077).toBe(0);
    expect(readFileSync(path).includes('nobody sees this')).toBe(false);
    rmSync(folder, { recursive: true });
  });

  it('is complete without its log after a close, also if another connection stays open', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'secrets-'));
    const [path, alone] = [join(folder, 'secrets.db'), join(folder, 'alone.db')];
    const secrets = await openSqliteSecretStore(path, wrapping(null));
    const beside = await openSqliteSecretStore(path, wrapping(null), true);
    await secrets.put('a', 'one');
    await secrets.close();
    copyFileSync(path, alone);
    const copied = await openSqliteSecretStore(alone, wrapping(null));
    expect(await copied.get(['a'])).toEqual(new Map([['a', 'one']]));
    await copied.close();
    await beside.close();
    rmSync(folder, { recursive: true });
  });
});
