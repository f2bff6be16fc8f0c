import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFile, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { StoreUnusable } from '#kernel/ports/event-store.port.js';
import type { NetworkStore } from '#network/network-store.js';
import { openSqliteNetwork } from '#network/sqlite/open-sqlite-network.js';
import { weekOf, wordQuery } from '#network/sqlite/word-index.js';
import { connect } from '#sqlite/open-database.js';
import { houseRoot } from '#test/house/house.js';
import { networkReadsContract } from './network-reads.contract.js';
import { networkStoreContract } from './network-store.contract.js';
import { expectBroughtUpToDate } from './network-store/brought-up-to-date.js';
import { allPages, always, ingest } from './network-store/observed.js';

let folder = '';
let files = 0;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'network-store-'));
});
afterAll(() => rm(folder, { recursive: true }));

const open = (path: string): Promise<NetworkStore> =>
  openSqliteNetwork({ path, networkBaseUrl: 'https://n.example' });
const freshPath = (): string => join(folder, `network-${++files}.db`);

networkStoreContract('SQLite', { open: () => open(freshPath()) });
networkReadsContract('SQLite', { open: () => open(freshPath()) });

describe('network store on SQLite, its file', () => {
  it('exists after a close', async () => {
    const path = freshPath();
    const first = await open(path);
    await ingest(first, [{ kind: 'company', ref: 'c:1', handle: 'acme', name: 'Acme' }]);
    await first.close();
    const second = await open(path);
    expect((await second.directory.companies(['c:1'])).get('c:1')?.name).toBe('Acme');
    await second.close();
  });

  it('is complete without its log after a close, also if another connection stays open', async () => {
    const [path, alone] = [freshPath(), freshPath()];
    const first = await open(path);
    const beside = await openSqliteNetwork({ path, networkBaseUrl: 'https://n.example', isBeside: true });
    await ingest(first, [{ kind: 'company', ref: 'c:1', handle: 'acme', name: 'Acme' }]);
    await first.close();
    await copyFile(path, alone);
    const copied = await open(alone);
    expect((await copied.directory.companies(['c:1'])).get('c:1')?.name).toBe('Acme');
    await copied.close();
    await beside.close();
  });

  it('is left unchanged if it is not ours', async () => {
    const path = freshPath();
    await writeFile(path, 'something else entirely'.repeat(100));
    await expect(open(path)).rejects.toThrow(StoreUnusable);
  });

  it('of version 1 is migrated at the first start, with the progress and what it never stored', async () => {
    const path = freshPath();
    await copyFile(join(houseRoot, 'test/contract/network-store/version-1/network.db'), path);
    const messages: string[] = [];
    const opening = {
      path,
      networkBaseUrl: 'https://n.example',
      onMigration: (line: string) => messages.push(line),
    };
    const store = await openSqliteNetwork(opening);
    const lines = [...messages];
    await expectBroughtUpToDate(store, lines);
    expect(lines.slice(1, -1)).toEqual([
      `${path}: comments and reactions know their posts`,
      `${path}: comments on comments know their posts`,
      expect.stringMatching(/: (\d+) of \1 texts are indexed by week \(100 %\)$/),
    ]);
    await store.close();
    await (await openSqliteNetwork(opening)).close();
    expect(messages).toEqual(lines);
    // It has the tables and indexes of a new file.
    const fresh = freshPath();
    await (await open(fresh)).close();
    expect(schemaOf(path)).toEqual(schemaOf(fresh));
  });

  it('of version 2 is migrated at the first start', async () => {
    const path = freshPath();
    await copyFile(join(houseRoot, 'test/contract/network-store/version-2/network.db'), path);
    const messages: string[] = [];
    const opening = {
      path,
      networkBaseUrl: 'https://n.example',
      onMigration: (line: string) => messages.push(line),
    };
    const store = await openSqliteNetwork(opening);
    const found = await allPages((position) => store.source.jobPostings({ ...always, position, limit: 100 }));
    expect(found.map(({ ref }) => ref)).toEqual(['j:2', 'j:1']);
    await store.close();
    await (await openSqliteNetwork(opening)).close();
    expect(messages).toEqual([
      `${path}: 5 observations are migrated from version 2 to 7; an interrupted migration starts again`,
      `${path}: 3 of 3 texts are indexed by week (100 %)`,
      `${path} was migrated: it can store observations of sources`,
    ]);
    const db = connect(path, true);
    const hits = db.prepare('SELECT count(*) AS hits FROM post_words WHERE post_words MATCH ?');
    const week = weekOf(Date.parse('2026-01-03T00:00:00Z') / 1_000);
    expect(hits.get(wordQuery([['we', 'ship']], 'any', week)).hits).toBe(1);
    db.close();
    const fresh = freshPath();
    await (await open(fresh)).close();
    expect(schemaOf(path)).toEqual(schemaOf(fresh));
  });

  it('has no words of revised texts', async () => {
    const path = freshPath();
    const store = await open(path);
    const post = { kind: 'post', ref: 'post:1', published_at: '2026-01-01T00:00:00Z' };
    await ingest(store, [{ ...post, text: 'alpha' }]);
    await ingest(store, [{ ...post, text: 'beta', rev: 2 }]);
    const db = connect(path, true);
    const hits = db.prepare('SELECT count(*) AS hits FROM post_words WHERE post_words MATCH ?');
    const week = weekOf(Date.parse('2026-01-01T00:00:00Z') / 1_000);
    expect(['alpha', 'beta'].map((word) => hits.get(wordQuery([[word]], 'any', week)).hits)).toEqual([0, 1]);
    db.close();
    await store.close();
  });

  it('finds a second with more hits than one query reads, and what follows it', async () => {
    const store = await open(freshPath());
    const posts = Array.from({ length: 5_000 }, (_, index) => ({
      kind: 'post',
      ref: `post:${index}`,
      text: index % 10 === 0 ? 'rare shared' : 'shared',
      published_at: index < 4_500 ? '2026-01-01T00:00:00Z' : '2026-03-01T00:00:00Z',
    }));
    await ingest(store, posts);
    for (const [word, count] of [
      ['shared', 5_000],
      ['rare', 500],
    ] as const) {
      const keywords = [word];
      const found = await allPages((position) =>
        store.source.posts({ ...always, keywords, position, limit: 700 }),
      );
      expect(found.length).toBe(count);
      expect(new Set(found.map(({ ref }) => ref)).size).toBe(count);
    }
    await store.close();
  });

  it('accepts concurrent ingestions of two connections, and each sees the writes of the other', async () => {
    const path = freshPath();
    const [left, right] = [await open(path), await open(path)];
    const posts = Array.from({ length: 1_000 }, (_, index) => ({
      kind: 'post',
      ref: `post:${index}`,
      text: 'shared',
      published_at: '2026-01-01T00:00:00Z',
    }));
    const [one, two] = await Promise.all([ingest(left, posts), ingest(right, [...posts].reverse())]);
    expect(one.accepted + two.accepted).toBe(1_000);
    expect(one.unchanged + two.unchanged).toBe(1_000);
    for (const store of [left, right]) {
      const page = await store.source.posts({
        after: new Date(0),
        until: new Date('2027-01-01'),
        keywords: ['shared'],
        limit: 2_000,
      });
      expect(page.items.length).toBe(1_000);
      await store.close();
    }
  });

  it('D-01 continues the search of another connection with what was ingested since its own last search', async () => {
    const path = freshPath();
    const [left, right] = [await open(path), await open(path)];
    const post = (minute: number, text: string) => ({
      kind: 'post',
      ref: `post:${minute}`,
      text,
      published_at: new Date(Date.UTC(2026, 0, 1, 0, minute)).toISOString(),
    });
    await ingest(left, [
      ...Array.from({ length: 300 }, (_, index) => post(index * 2, 'noise')),
      post(101, 'a rare word'),
    ]);
    const search = { after: new Date(0), keywords: ['rare'], limit: 1 };
    const [yesterday, today] = [new Date('2026-02-01'), new Date('2026-02-02')];
    expect((await right.source.posts({ ...search, until: yesterday })).items.length).toBe(1);
    await ingest(left, [post(401, 'another rare word')]);
    const { next } = await left.source.posts({ ...search, until: today });
    const rest = await right.source.posts({ ...search, until: today, position: next });
    expect(rest.items.map(({ ref }) => ref)).toEqual(['post:401']);
    await left.close();
    await right.close();
  });

  it('survives kill -9 in the middle of an ingestion: reported lines are stored, the rest can be sent again', async () => {
    const path = freshPath();
    const child = spawn(
      process.execPath,
      [fileURLToPath(new URL('./ingest-without-end.js', import.meta.url)), path],
      {
        stdio: ['ignore', 'pipe', 'inherit'],
      },
    );
    let reported = 0;
    for await (const chunk of child.stdout) {
      for (const line of String(chunk).split('\n')) reported = Math.max(reported, Number(line));
      if (reported >= 1_000) break;
    }
    child.kill('SIGKILL');
    await once(child, 'exit');

    const store = await open(path);
    const search = { after: new Date(0), until: new Date('2027-01-01'), limit: 5_000 };
    const found = (await store.source.posts({ ...search, keywords: ['endless'] })).items;
    expect(found.length).toBeGreaterThanOrEqual(Math.min(reported, 5_000));
    const again = await ingest(
      store,
      Array.from({ length: 1_200 }, (_, index) => endlessPost(index)),
    );
    expect(again.accepted + again.unchanged).toBe(1_200);
    expect(again.unchanged).toBeGreaterThanOrEqual(1_000);
    await store.close();
  });
});

/** Columns and indexes, in any order of creation. */
function schemaOf(path: string): readonly unknown[] {
  const db = connect(path, true);
  const tables = db.prepare(
    `SELECT tables.name, columns.name AS column_name, columns.type, columns."notnull"
     FROM sqlite_schema AS tables JOIN pragma_table_info(tables.name) AS columns
     WHERE tables.type = 'table' ORDER BY 1, 2`,
  );
  const indexes = db.prepare(
    `SELECT name, sql FROM sqlite_schema WHERE type = 'index' AND sql IS NOT NULL ORDER BY 1`,
  );
  const schema = [...tables.all(), ...indexes.all()];
  db.close();
  return schema;
}

/** As ingest-without-end.ts writes them. */
function endlessPost(index: number) {
  return {
    kind: 'post',
    ref: `post:${index}`,
    text: `endless ${index}`,
    published_at: '2026-01-01T00:00:00Z',
  };
}
