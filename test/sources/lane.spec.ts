import { join } from 'node:path';
import type { NetworkStore } from '#network/network-store.js';
import { openSqliteNetwork } from '#network/sqlite/open-sqlite-network.js';
import type { SourceDocument } from '#projections/sources/sources/sources.projection.js';
import { feed } from '#sources/kinds/feed.js';
import { parseHere } from '#sources/parse-here.js';
import type { PoliteClient } from '#sources/polite-client.js';
import { recordedTerms } from '#sources/recorded-terms.js';
import { sourcePolls, type SourcePolls } from '#sources/source-polls.js';
import { temporaryFolder } from '#test/support/temporary-folder.js';
import { greenhouseSource } from './boards.js';

const HOUR_MS = 3_600_000;
const LONGEST_WAIT_MS = 10_000;
const NOW_MS = Date.parse('2026-03-01T00:00:00Z');
const RSS = '<rss version="2.0"><channel><item><guid>1</guid><title>News</title></item></channel></rss>';

/** A feed at this host. */
const feedAt = (id: number, host: string): SourceDocument => {
  const url = `https://${host}/feed/${id}`;
  return { ...greenhouseSource, id, kind: 'feed', boardId: url, url, terms: recordedTerms(feed.terms) };
};
const feeds = (first: number, count: number, host: (id: number) => string): readonly SourceDocument[] =>
  Array.from({ length: count }, (_, index) => feedAt(first + index, host(first + index)));

describe('the lane of polls', () => {
  const folder = temporaryFolder('lane');
  let network: NetworkStore;
  let networks = 0;
  /** Addresses in the order of their requests, and those that wait for an answer. */
  let asked: string[];
  let waiting: Map<string, () => void>;
  /** Hosts that give no answer until they are released. */
  let isSilent: (host: string) => boolean;
  let errors: unknown[];
  let polled: number;
  /** Addresses whose requests were aborted. */
  let aborted: string[];
  let viewMoved: () => void;
  const running: SourcePolls[] = [];

  beforeEach(async () => {
    const path = join(folder, `network-${++networks}.db`);
    network = await openSqliteNetwork({ path, networkBaseUrl: 'https://n.example' });
    [asked, waiting, errors, polled, aborted] = [[], new Map(), [], 0, []];
    isSilent = () => false;
  });
  afterEach(async () => {
    for (const polls of running.splice(0)) await polls.stop();
    await network.close();
    expect(errors).toEqual([]);
  });

  const client: PoliteClient = {
    async get(url, { signal }) {
      asked.push(url);
      if (isSilent(new URL(url).host))
        await new Promise<void>((resolve, reject) => {
          waiting.set(url, resolve);
          signal.addEventListener('abort', () => {
            aborted.push(url);
            reject(signal.reason);
          });
        });
      waiting.delete(url);
      const body = { bytes: new TextEncoder().encode(RSS), charset: null };
      const validators = { etag: null, lastModified: null };
      return { outcome: 'read', body, validators, sentAtMs: NOW_MS, notBeforeMs: 0, movedTo: null, url };
    },
  };
  function worker(name: string, sources: readonly SourceDocument[]): SourcePolls {
    const polls = sourcePolls({
      network,
      client,
      parse: parseHere,
      holder: name,
      now: () => new Date(NOW_MS),
      nowMs: () => NOW_MS,
      random: () => 0.5,
      hasSeveralWorkspaces: async () => false,
      // A page of 500 contains all of them.
      readModels: { find: async () => JSON.parse(JSON.stringify(sources)) },
      commands: { handle: () => Promise.reject(new Error('polls decide nothing here')) },
      mayAsk: true,
      watch: (_views, moved) => {
        viewMoved = moved;
        return () => undefined;
      },
      onPolled: () => void (polled += 1),
      onError: (_, error) => errors.push(error),
    });
    running.push(polls);
    polls.start();
    return polls;
  }
  async function until(isSo: () => boolean): Promise<void> {
    const startedAt = performance.now();
    while (!isSo()) {
      if (performance.now() - startedAt > LONGEST_WAIT_MS) throw new Error('waited too long');
      await new Promise(setImmediate);
    }
  }
  /** Each has answered before and is due. */
  async function answeredBefore(sources: readonly SourceDocument[]): Promise<void> {
    for (const { kind, boardId } of sources) {
      const key = `${kind}:${boardId}`;
      await network.polls.claim(key, 'before', NOW_MS, NOW_MS + HOUR_MS);
      const lastSuccessAtMs = NOW_MS - HOUR_MS;
      await network.polls.settle(key, 'before', { isRead: true, lastSuccessAtMs, nextPollAtMs: NOW_MS - 1 });
    }
  }
  const countOf = (host: string): number => asked.filter((url) => url.includes(host)).length;

  it('delays no source that answers, however many hosts are silent', async () => {
    const silent = feeds(1, 20, (id) => `silent-${id}.example`);
    const good = feeds(21, 20, (id) => `good-${id}.example`);
    await answeredBefore(good);
    isSilent = (host) => host.startsWith('silent');
    worker('one', [...silent, ...good]);
    await until(() => countOf('good') === good.length);
    // They have half of the slots, and get no more when others are free.
    await until(() => waiting.size === 8);
    expect(countOf('silent')).toBe(8);
  });

  it('requests one source at a time from each host', async () => {
    isSilent = () => true;
    const ofTwo = [...feeds(1, 3, () => 'one.example'), ...feeds(4, 2, () => 'two.example')];
    const sources = [...ofTwo, feedAt(6, 'three.example')];
    await answeredBefore(sources);
    worker('one', sources);
    const hosts = () => asked.map((url) => new URL(url).host);
    const answerAll = () => {
      for (const answer of waiting.values()) answer();
    };
    // The last one is polled while the first of the two hosts is awaited: the others of those hosts were passed over.
    await until(() => countOf('three.example') === 1);
    expect(hosts()).toEqual(['one.example', 'two.example', 'three.example']);
    answerAll();
    await until(() => asked.length === 5);
    expect(hosts().slice(3).toSorted()).toEqual(['one.example', 'two.example']);
    await until(() => waiting.size === 2);
    answerAll();
    await until(() => asked.length === sources.length);
    expect(countOf('one.example')).toBe(3);
  });

  it('polls no source before its time after a restart, and new ones at once', async () => {
    const sources = feeds(1, 5, (id) => `host-${id}.example`);
    const first = worker('one', sources);
    await until(() => polled === sources.length);
    await first.stop();
    const later = feeds(6, 2, (id) => `host-${id}.example`);
    [asked, polled] = [[], 0];
    worker('two', [...sources, ...later]);
    await until(() => polled >= later.length);
    expect(asked.toSorted()).toEqual(later.map(({ url }) => url));
  });

  it('SRC-06 ends the poll of a source that is paused or removed, and counts no failure', async () => {
    const sources = [...feeds(1, 2, (id) => `host-${id}.example`)];
    isSilent = () => true;
    worker('one', sources);
    await until(() => waiting.size === 2);
    const [removed, left] = sources.splice(0, 2);
    if (removed === undefined || left === undefined) throw new Error('there are two');
    sources.push(left);
    viewMoved();
    await until(() => aborted.length === 1);
    expect(aborted).toEqual([removed.url]);
    const key = `feed:${removed.boardId}`;
    let claim: Awaited<ReturnType<typeof network.polls.claim>> = null;
    while (claim === null) claim = await network.polls.claim(key, 'other', NOW_MS, NOW_MS + HOUR_MS);
    expect(claim.memory).toMatchObject({ failures: 0, lastPollAtMs: null, isRead: false });
    waiting.get(left.url)?.();
    await until(() => polled === 1);
  });

  it('is shared by workers: each source is polled once', async () => {
    const sources = feeds(1, 20, (id) => `host-${id}.example`);
    worker('one', sources);
    worker('two', sources);
    await until(() => polled >= sources.length);
    expect(asked.toSorted()).toEqual(sources.map(({ url }) => url).toSorted());
  });
});
