import { rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as fc from 'fast-check';
import { StoreUnavailable } from '#kernel/ports/event-store.port.js';
import type { NetworkStore } from '#network/network-store.js';
import { openSqliteNetwork } from '#network/sqlite/open-sqlite-network.js';
import { readCidrs } from '#outbound/addresses.js';
import { createOutbound } from '#outbound/outbound.js';
import type { SourceDocument } from '#projections/sources/sources/sources.projection.js';
import { politeClient } from '#sources/polite-client.js';
import { parseHere } from '#sources/parse-here.js';
import { pollSource, type Polled, type PollOptions } from '#sources/poll-source.js';
import { temporaryFolder } from '#test/support/temporary-folder.js';
import { allPages, always, ingest } from '../contract/network-store/observed.js';
import { startWebServer, type WebAnswer, type WebServer } from '../support/web-server.js';
import { answering, board, crashing, greenhouseSource } from './boards.js';

const HOUR_MS = 3_600_000;
const never = new AbortController().signal;

const leverSource: SourceDocument = {
  ...greenhouseSource,
  id: 2,
  kind: 'lever',
  url: 'https://jobs.lever.co/acme',
};

/** A file of people. */
const fileSource = (url: string): SourceDocument => ({
  ...greenhouseSource,
  kind: 'csv',
  boardId: url,
  url,
  subject: null,
  mapping: { kind: 'person', id: 'id', columns: { first_name: 'name' } },
});

describe('a poll of a source', () => {
  const folder = temporaryFolder('polls');
  let server: WebServer;
  let network: NetworkStore;
  let files = 0;
  /** The real time, and the clock of the service. */
  let nowMs: number;
  let clock: string;
  let waits: number[];
  const openNetwork = () =>
    openSqliteNetwork({ path: join(folder, `network-${++files}.db`), networkBaseUrl: 'https://n.example' });
  beforeEach(async () => {
    server = await startWebServer(board());
    network = await openNetwork();
    await ingest(network, [{ kind: 'company', ref: 'c:acme', handle: 'acme', domains: ['acme.com'] }]);
    [nowMs, clock, waits] = [1_000_000, '2026-02-01T00:00:00Z', []];
  });
  afterEach(async () => {
    await server.close();
    await network.close();
  });

  const outbound = createOutbound({ allowed: readCidrs('127.0.0.0/8') ?? [] });
  /** The answers of providers come from the server of the test. */
  const rerouted: typeof outbound = {
    request: (request) =>
      outbound.request({ ...request, url: request.url.replace(/^https:\/\/[^/]+/, server.origin) }),
  };
  const poll = async (
    source: SourceDocument = greenhouseSource,
    parts: {
      readonly network?: NetworkStore;
      readonly holder?: string;
      readonly laterMs?: number;
      readonly isAsked?: boolean;
      readonly hasSeveralWorkspaces?: boolean;
      readonly signal?: AbortSignal;
      readonly onItems?: () => void;
    } = {},
  ): Promise<Polled> => {
    nowMs += parts.laterMs ?? 7 * HOUR_MS;
    const store = parts.network ?? network;
    const client = politeClient({
      outbound: rerouted,
      polls: store.polls,
      contact: 'ops@acme.example',
      nowMs: () => (nowMs += 1),
      pause: async (ms) => void waits.push(ms),
    });
    const holder = parts.holder ?? 'one';
    const polling = { network: store, client, parse: parseHere, holder, random: () => 0.5 };
    const hasSeveralWorkspaces = async (): Promise<boolean> => parts.hasSeveralWorkspaces === true;
    const times = { now: () => new Date(clock), nowMs: () => (nowMs += 1) };
    const options: PollOptions = {
      isAsked: parts.isAsked ?? true,
      signal: parts.signal ?? never,
      onProgress: (_done, _total, what) => what === 'items' && parts.onItems?.(),
    };
    const sourceAt = async () => null;
    return pollSource({ ...polling, ...times, hasSeveralWorkspaces, sourceAt }, source, options);
  };
  const memoryOf = async (...given: Parameters<typeof poll>) => {
    const done = await poll(...given);
    if (done.outcome !== 'polled') throw new Error(`was not polled: ${done.outcome}`);
    return done.memory;
  };
  const open = async (store = network) => {
    const search = { ...always, now: new Date(clock) };
    const found = await allPages((position) => store.source.jobPostings({ ...search, position, limit: 50 }));
    return found.map(({ ref, title, windowAt }) => [ref, title, windowAt.slice(0, 10)]);
  };
  const refs = async () => (await open()).map(([ref]) => ref);
  const asked = () => server.requests.filter(({ url }) => url !== '/robots.txt');

  it('SRC-02 dates new items by the time of reading, and the past of a board by its own dates', async () => {
    server.answer = board({ id: 1 }, { id: 2, on: '2026-01-20' });
    expect(await memoryOf()).toMatchObject({
      items: 2,
      added: 2,
      changed: 0,
      closed: 0,
      failures: 0,
      isRead: true,
    });
    clock = '2026-02-08T00:00:00Z';
    server.answer = board({ id: 1 }, { id: 2, on: '2026-01-20' }, { id: 3, on: '2026-01-30' });
    expect(await memoryOf()).toMatchObject({ items: 3, added: 1, changed: 0, closed: 0 });
    expect(await open()).toEqual([
      ['greenhouse:acme:1', 'Engineer 1', '2026-01-10'],
      ['greenhouse:acme:2', 'Engineer 2', '2026-01-20'],
      ['greenhouse:acme:3', 'Engineer 3', '2026-02-08'],
    ]);
  });

  it('SRC-01 uses the first of two items with one id, so that the same items change nothing at the next poll', async () => {
    const repeated = [{ id: 1 }, { id: 1, title: 'Pilot' }];
    server.answer = board(...repeated);
    expect(await memoryOf()).toMatchObject({ items: 2, added: 1, changed: 0, skipped: 1 });
    server.answer = board(...repeated, { id: 2 });
    expect(await memoryOf()).toMatchObject({ items: 3, added: 1, changed: 0, skipped: 1 });
    expect((await open()).map(([ref, title]) => [ref, title])).toEqual([
      ['greenhouse:acme:1', 'Engineer 1'],
      ['greenhouse:acme:2', 'Engineer 2'],
    ]);

    const url = 'https://acme.example/feed';
    const source: SourceDocument = { ...greenhouseSource, kind: 'feed', boardId: url, url };
    const items = ['One', 'Another']
      .map((title) => `<item><guid>${url}/1</guid><title>${title}</title></item>`)
      .join('');
    server.answer = answering(200, {}, `<rss version="2.0"><channel>${items}</channel></rss>`);
    expect(await memoryOf(source)).toMatchObject({ items: 2, added: 1, changed: 0, skipped: 1 });
    expect(await memoryOf(source)).toMatchObject({ items: 2, added: 0, changed: 0, skipped: 1 });
  });

  it('SRC-02 treats a replaced board as no news', async () => {
    server.answer = board({ id: 1 }, { id: 2 }, { id: 3 });
    await poll();
    clock = '2026-02-08T00:00:00Z';
    server.answer = board({ id: 1 }, { id: 12 }, { id: 13 });
    expect(await memoryOf()).toMatchObject({ added: 2, closed: 2 });
    expect((await open()).map(([ref, , at]) => [ref, at])).toEqual([
      ['greenhouse:acme:1', '2026-01-10'],
      ['greenhouse:acme:12', '2026-01-10'],
      ['greenhouse:acme:13', '2026-01-10'],
    ]);
  });

  it('SRC-02 SRC-06 treats a replaced board as no news, also if the first poll that shows it is stopped', async () => {
    server.answer = board({ id: 1 }, { id: 2 });
    await poll();
    clock = '2026-02-08T00:00:00Z';
    const replaced = Array.from({ length: 150 }, (_, index) => ({ id: index + 10 }));
    server.answer = board(...replaced);
    const stopping = new AbortController();
    await expect(
      poll(greenhouseSource, { signal: stopping.signal, onItems: () => stopping.abort() }),
    ).rejects.toThrow('aborted');
    expect(await memoryOf()).toMatchObject({ added: 50, closed: 2 });
    expect(new Set((await open()).map(([, , at]) => at))).toEqual(new Set(['2026-01-10']));
    clock = '2026-02-09T00:00:00Z';
    server.answer = board(...replaced, { id: 500 });
    await poll();
    expect((await open()).filter(([, , at]) => at === '2026-02-09')).toEqual([
      ['greenhouse:acme:500', 'Engineer 500', '2026-02-09'],
    ]);
  });

  it('SRC-02 SRC-06 treats a replaced board as no news, also after a crash', async () => {
    server.answer = board({ id: 1 }, { id: 2 });
    await poll();
    clock = '2026-02-08T00:00:00Z';
    server.answer = board(...Array.from({ length: 150 }, (_, index) => ({ id: index + 10 })));
    await expect(poll(greenhouseSource, { network: crashing(network, 3) })).rejects.toThrow('crashed');
    expect(await memoryOf()).toMatchObject({ added: 50, closed: 2 });
    expect(new Set((await open()).map(([, , at]) => at))).toEqual(new Set(['2026-01-10']));
  });

  it('requests by name, with a contact, only changed content', async () => {
    server.answer = board({ id: 1 });
    await poll();
    const unchanged = await memoryOf();
    expect(unchanged).toMatchObject({ items: 1, added: 0, changed: 0, closed: 0, failures: 0 });
    expect(unchanged.lastYieldAtMs).toBe(unchanged.lastSuccessAtMs);
    expect(
      asked().map(({ url, headers }) => [url, headers['user-agent'], 'if-none-match' in headers]),
    ).toEqual([
      ['/v1/boards/acme/jobs?content=true', 'signal-ledger/0.1 (+ops@acme.example)', false],
      ['/v1/boards/acme/jobs?content=true', 'signal-ledger/0.1 (+ops@acme.example)', true],
    ]);
    server.answer = board({ id: 1, title: 'Edited' });
    expect(await memoryOf()).toMatchObject({ added: 0, changed: 1, closed: 0 });
    expect((await open()).map(([, title]) => title)).toEqual(['Edited']);
  });

  it('SRC-06 writes three times for an unchanged source: the claim, the time of the reading and the memory', async () => {
    server.answer = board({ id: 1 });
    await poll();
    expect(await memoryOf(greenhouseSource, { network: crashing(network, 3) })).toMatchObject({ items: 1 });
  });

  it('SRC-05 closes the items that a complete reading lacks, and reopens returning ones', async () => {
    server.answer = board({ id: 1 }, { id: 2 }, { id: 3 });
    await poll();
    server.answer = board({ id: 1 }, { id: 3 });
    expect(await memoryOf()).toMatchObject({ items: 2, added: 0, changed: 0, closed: 1 });
    expect(await refs()).toEqual(['greenhouse:acme:1', 'greenhouse:acme:3']);
    server.answer = board({ id: 1 }, { id: 2 }, { id: 3 });
    expect(await memoryOf()).toMatchObject({ changed: 1, closed: 0 });
    expect(await refs()).toHaveLength(3);
  });

  it('accepts an empty answer once it is confirmed', async () => {
    server.answer = board({ id: 1 }, { id: 2 });
    const full = await memoryOf();
    server.answer = board();
    const empty = await memoryOf();
    expect(empty).toMatchObject({ items: 0, closed: 0, failures: 0, lastYieldAtMs: full.lastYieldAtMs });
    expect(empty.lastSuccessAtMs).toBeGreaterThan(full.lastSuccessAtMs ?? 0);
    expect(await refs()).toHaveLength(2);
    server.answer = answering(200, {}, '{"jobs":[]}');
    expect(await memoryOf()).toMatchObject({ closed: 2 });
    expect(await refs()).toEqual([]);
  });

  it('SRC-02 SRC-06 takes an empty answer for its first complete reading only once it is confirmed', async () => {
    server.answer = board();
    expect(await memoryOf()).toMatchObject({ items: 0, isRead: false });
    server.answer = board({ id: 1 }, { id: 2 });
    expect(await memoryOf()).toMatchObject({ added: 2, isRead: true });
    expect((await open()).map(([, , at]) => at)).toEqual(['2026-01-10', '2026-01-10']);
    const store = await openNetwork();
    server.answer = board();
    for (const isRead of [false, true])
      expect(await memoryOf(greenhouseSource, { network: store })).toMatchObject({ isRead });
    server.answer = board({ id: 1 });
    await poll(greenhouseSource, { network: store });
    expect((await open(store)).map(([, , at]) => at)).toEqual(['2026-02-01']);
    await store.close();
  });

  it('SRC-02 SRC-06 reads a board that was added again during a poll completely, as a new source', async () => {
    server.answer = board({ id: 1 }, { id: 2 });
    await poll();
    clock = '2026-03-08T00:00:00Z';
    const again: SourceDocument = { ...greenhouseSource, id: 9, redactsContacts: false };
    expect(await memoryOf(again, { laterMs: 60_000, isAsked: false })).toMatchObject({
      items: 2,
      failures: 0,
    });
    expect(asked().map(({ headers }) => 'if-none-match' in headers)).toEqual([false, false]);
    // From now on it has a memory of its own.
    expect(await poll(again, { laterMs: 60_000, isAsked: false })).toMatchObject({ outcome: 'too early' });
    await poll(again);
    expect(asked().at(-1)?.headers).toHaveProperty('if-none-match');
  });

  it('SRC-02 dates the items of a board that was added again by their own dates', async () => {
    server.answer = board({ id: 1 }, { id: 2 });
    await poll();
    clock = '2026-06-01T00:00:00Z';
    // What it has shown in the months in which it was no source is past.
    server.answer = board({ id: 1 }, { id: 2 }, { id: 3, on: '2026-04-01' });
    const again: SourceDocument = { ...greenhouseSource, id: 9 };
    expect(await memoryOf(again)).toMatchObject({ added: 1 });
    server.answer = board({ id: 1 }, { id: 2 }, { id: 3, on: '2026-04-01' }, { id: 4, on: '2026-04-01' });
    await poll(again);
    expect((await open()).map(([ref, , at]) => [ref, at])).toEqual([
      ['greenhouse:acme:1', '2026-01-10'],
      ['greenhouse:acme:2', '2026-01-10'],
      ['greenhouse:acme:3', '2026-04-01'],
      ['greenhouse:acme:4', '2026-06-01'],
    ]);
  });

  it('SRC-03 has moved also if its new address answers that nothing was modified', async () => {
    const full = board({ id: 1 });
    const url = `${server.origin}/feed`;
    const source: SourceDocument = { ...greenhouseSource, kind: 'feed', boardId: url, url };
    const rss = '<rss version="2.0"><channel><item><guid>1</guid><title>One</title></item></channel></rss>';
    const unmodified: WebAnswer = (request, response) =>
      'if-none-match' in request.headers
        ? void response.writeHead(304).end()
        : answering(200, { etag: '"1"' }, rss)(request, response);
    server.answer = unmodified;
    expect(await poll(source)).toMatchObject({ movedTo: null });
    server.answer = (request, response) =>
      request.url === '/feed'
        ? void response.writeHead(301, { location: '/news' }).end()
        : unmodified(request, response);
    expect(await poll(source)).toMatchObject({ outcome: 'polled', movedTo: `${server.origin}/news` });
    // A board of a provider has no address of its own.
    server.answer = full;
    await poll();
    server.answer = (request, response) =>
      request.url?.startsWith('/v1/') === true
        ? void response.writeHead(301, { location: '/v2/' }).end()
        : full(request, response);
    expect(await poll()).toMatchObject({ outcome: 'polled', movedTo: null });
  });

  it('SRC-06 stays out of the hours that a feed excludes, also while it is unchanged or fails', async () => {
    const url = `${server.origin}/feed`;
    const source: SourceDocument = { ...greenhouseSource, kind: 'feed', boardId: url, url };
    const hours = Array.from({ length: 24 }, (_, hour) => hour).filter((hour) => hour !== 5);
    const excluding = (excluded: readonly number[]): string =>
      `<rss version="2.0"><channel><skipHours>${excluded.map((hour) => `<hour>${hour}</hour>`).join('')}</skipHours><item><guid>1</guid><title>One</title></item></channel></rss>`;
    const nextHour = async (...given: readonly [status: number, body?: string]): Promise<number> => {
      const [status, body = ''] = given;
      server.answer = answering(status, { etag: '"1"' }, body);
      const { nextPollAtMs } = await memoryOf(source);
      return new Date(nextPollAtMs).getUTCHours();
    };
    expect([await nextHour(200, excluding(hours)), await nextHour(304), await nextHour(500)]).toEqual([
      5, 5, 5,
    ]);
    expect(await nextHour(304)).toBe(5);
    // The feed excludes other hours, or none.
    const others = hours.map((hour) => (hour + 1) % 24);
    expect([await nextHour(200, excluding(others)), await nextHour(304)]).toEqual([6, 6]);
    expect(await memoryOf(source)).toMatchObject({ failures: 0, items: 1 });
  });

  it('fails if its host answers 304 to a request without conditions: nothing was read', async () => {
    server.answer = answering(304);
    expect(await memoryOf()).toMatchObject({
      lastFailure: 'answered 304 to an unconditional request',
      lastSuccessAtMs: null,
    });
    server.answer = board({ id: 1 });
    await poll();
    server.answer = board({ id: 1 }, { id: 2 });
    await expect(poll(greenhouseSource, { network: crashing(network, 3) })).rejects.toThrow('crashed');
    server.answer = answering(304);
    expect(await memoryOf()).toMatchObject({ failures: 1 });
  });

  it('closes nothing after a failed answer, and retries at growing intervals', async () => {
    server.answer = board({ id: 1 });
    await poll();
    const bad: readonly (readonly [string, WebAnswer])[] = [
      ['answered 500', answering(500)],
      ['answered HTML or XML and no JSON', answering(200, {}, '<html></html>')],
      ['has no list of jobs', answering(200, {}, '{"error":"maintenance"}')],
      ['says that it has 2 postings and shows 0', answering(200, {}, '{"jobs":[],"meta":{"total":2}}')],
      ['the body is incomplete', answering(200, { 'content-length': '100' }, '{"jobs":[')],
      ['a job has no address in absolute_url', answering(200, {}, '{"jobs":[{"id":1,"title":"x"}]}')],
    ];
    let pauseMs = 0;
    for (const [why, answer] of bad) {
      server.answer = answer;
      const memory = await memoryOf();
      expect([why, memory.lastFailure, await refs()]).toEqual([why, why, ['greenhouse:acme:1']]);
      const nextMs = memory.nextPollAtMs - (memory.lastPollAtMs ?? 0);
      expect(nextMs).toBeGreaterThanOrEqual(pauseMs);
      pauseMs = Math.min(nextMs, 20 * HOUR_MS);
    }
    server.answer = board({ id: 1 });
    expect(await memoryOf()).toMatchObject({ failures: 0, lastFailure: null });
  });

  it('counts an unexpected error as a failure, and retries at growing intervals', async () => {
    server.answer = board({ id: 1 });
    await poll();
    server.answer = board({ id: 2 });
    const failing = (error: Error): NetworkStore => ({ ...network, write: () => Promise.reject(error) });
    const kept = async () => (await network.polls.memories(['greenhouse:acme'])).get('greenhouse:acme');
    let pauseMs = 0;
    for (const failures of [1, 2, 3]) {
      const broken = failing(new Error('a fault of the service'));
      await expect(poll(greenhouseSource, { network: broken })).rejects.toThrow('a fault of the service');
      expect(await kept()).toMatchObject({
        failures,
        lastFailure: 'ended with an error: a fault of the service',
      });
      const nextMs = Number((await kept())?.['nextPollAtMs']) - nowMs;
      expect(nextMs).toBeGreaterThan(pauseMs);
      pauseMs = nextMs;
    }
    // While a store is unavailable the source has not failed: the poll is repeated soon.
    const before = await kept();
    const away = failing(new StoreUnavailable('not reachable'));
    await expect(poll(greenhouseSource, { network: away })).rejects.toThrow(StoreUnavailable);
    expect(await kept()).toEqual(before);
    expect(await memoryOf()).toMatchObject({ failures: 0, lastFailure: null, items: 1 });
  });

  it('comes no sooner than its host allows', async () => {
    server.answer = answering(429, { 'retry-after': '82800' });
    const { notBeforeMs, nextPollAtMs } = await memoryOf();
    expect(nextPollAtMs).toBe(notBeforeMs);
    server.answer = board({ id: 1 });
    expect(await poll()).toMatchObject({ outcome: 'too early', memory: { notBeforeMs } });
    // Nobody has it in hand afterwards.
    expect(await poll(greenhouseSource, { laterMs: 0, holder: 'two' })).toMatchObject({
      outcome: 'too early',
    });
    expect(asked()).toHaveLength(1);
    nowMs += 23 * HOUR_MS;
    expect(await memoryOf()).toMatchObject({ items: 1 });
    server.answer = answering(200, { 'cache-control': 'public, max-age=172800' }, '{"jobs":[]}');
    const fresh = await memoryOf();
    expect(fresh.nextPollAtMs - (fresh.lastPollAtMs ?? 0)).toBeGreaterThan(47 * HOUR_MS);
  });

  it('is gone after three answers of 404, and after one of 410', async () => {
    for (const [status, times] of [
      [404, 3],
      [410, 1],
    ] as const) {
      const store = await openNetwork();
      server.answer = board({ id: 1 });
      await poll(greenhouseSource, { network: store });
      server.answer = answering(status);
      for (let time = 1; time <= times; time += 1) {
        expect(await open(store)).toHaveLength(1);
        const memory = await memoryOf(greenhouseSource, { network: store });
        expect([status, time, memory.isGone]).toEqual([status, time, time === times]);
      }
      expect(await open(store)).toEqual([]);
      await store.close();
    }
  });

  it.each([
    [404, 3, 7 * 24 * HOUR_MS],
    [410, 1, Number.MAX_SAFE_INTEGER],
  ])('SRC-06 stays gone after %s if another failure follows', async (status, times, pauseMs) => {
    server.answer = board({ id: 1 });
    await poll();
    server.answer = answering(status);
    for (let time = 1; time <= times; time += 1) await poll();
    for (const answer of [answering(500), answering(200, {}, '<html></html>'), answering(404)]) {
      server.answer = answer;
      const memory = await memoryOf();
      expect(memory.isGone).toBe(true);
      expect(memory.nextPollAtMs).toBeGreaterThanOrEqual(
        Math.min(Number.MAX_SAFE_INTEGER, (memory.lastPollAtMs ?? 0) + pauseMs - HOUR_MS),
      );
    }
    // An operator asks while the host has no time: nothing is sent, and the pause stays.
    const { nextPollAtMs } = await memoryOf();
    await network.polls.holdBack('boards-api.greenhouse.io', nowMs + 9 * HOUR_MS);
    expect(await poll()).toMatchObject({ outcome: 'too early', memory: { isGone: true, nextPollAtMs } });
    nowMs += 9 * HOUR_MS;
    server.answer = board({ id: 1 });
    expect(await memoryOf()).toMatchObject({ isGone: false, failures: 0, items: 1 });
  });

  it('counts several answers of 404 within half an hour as one', async () => {
    server.answer = board({ id: 1 });
    await poll();
    server.answer = answering(404);
    for (const [laterMs, missing, isGone] of [
      [7 * HOUR_MS, 1, false],
      [60_000, 1, false],
      // Each half hour is counted from the last answer that counted.
      [20 * 60_000, 1, false],
      [20 * 60_000, 2, false],
      [60_000, 2, false],
      [HOUR_MS, 3, true],
    ] as const)
      expect([laterMs, await memoryOf(greenhouseSource, { laterMs })]).toMatchObject([
        laterMs,
        { missing, isGone },
      ]);
    expect(await refs()).toEqual([]);
  });

  it('respects robots.txt and TDM-Reservation', async () => {
    const robots =
      (text: string, headers: Record<string, string> = {}): WebAnswer =>
      (request, response) =>
        void (request.url === '/robots.txt'
          ? response.end(text)
          : response.writeHead(200, headers).end('{"jobs":[]}'));
    server.answer = robots('User-agent: signal-ledger\nDisallow: /v1/\n\nUser-agent: *\nAllow: /\n');
    expect((await memoryOf()).lastFailure).toBe('robots.txt of its host does not allow it');
    expect(asked()).toEqual([]);
    server.answer = (_, response) => void response.writeHead(503).end();
    expect((await memoryOf()).lastFailure).toBe('robots.txt of its host cannot be read: answered 503');
    server.answer = robots('User-agent: *\nDisallow: /embed/\nCrawl-delay: 7\n', { 'tdm-reservation': '1' });
    expect((await memoryOf()).lastFailure).toContain('TDM-Reservation');
    expect(await network.polls.requestTimeOf('boards-api.greenhouse.io', 0, 0, Infinity)).toBeGreaterThan(
      nowMs + 6_000,
    );
  });

  it('SRC-10 reads no unshared file once there is a second workspace', async () => {
    const url = join(folder, 'people.csv');
    await writeFile(url, 'id,name\n1,Ana\n');
    const file = fileSource(url);
    const several = { hasSeveralWorkspaces: true };
    expect(await memoryOf(file, several)).toMatchObject({
      added: 0,
      lastFailure: expect.stringContaining('is not shared'),
    });
    expect(await memoryOf({ ...file, isShared: true }, several)).toMatchObject({ added: 1, failures: 0 });
    expect(await memoryOf(file)).toMatchObject({ items: 1, failures: 0 });
  });

  it('has one poller at a time', async () => {
    server.answer = board({ id: 1 });
    const polled = await Promise.all([
      poll(greenhouseSource, { holder: 'one' }),
      poll(greenhouseSource, { holder: 'two', laterMs: 0 }),
    ]);
    expect(polled.map(({ outcome }) => outcome).toSorted()).toEqual(['in hand', 'polled']);
  });

  describe('of a board in pages', () => {
    const posting = (id: string) => ({
      id,
      text: id,
      hostedUrl: `https://jobs.lever.co/acme/${id}`,
      createdAt: 1_767_225_600_000,
    });
    const ids = (count: number) =>
      Array.from({ length: count }, (_, index) => `p${String(index).padStart(3, '0')}`);
    const pages =
      (pageOf: (skip: number) => readonly string[]): WebAnswer =>
      (request, response) => {
        const { searchParams } = new URL(request.url ?? '', 'http://host');
        const skip = searchParams.get('skip');
        if (skip === null) return void response.writeHead(404).end();
        response.end(JSON.stringify(pageOf(Number(skip)).map(posting)));
      };
    const steady = (all: readonly string[]): WebAnswer => pages((skip) => all.slice(skip, skip + 100));

    it('reads all of them, one request a second', async () => {
      server.answer = steady(ids(250));
      expect(await memoryOf(leverSource)).toMatchObject({ items: 250, added: 250 });
      expect(asked()).toHaveLength(3);
      expect(waits).toHaveLength(2);
      for (const wait of waits) expect(wait).toBeGreaterThan(900);
    });

    /** A host that allows one request in so many seconds. */
    const slowly =
      (delayS: number, answer: WebAnswer): WebAnswer =>
      (request, response) =>
        request.url === '/robots.txt'
          ? void response.end(`User-agent: *\nCrawl-delay: ${delayS}`)
          : answer(request, response);

    it('waits for the turn of each page as long as its host asks, within half an hour', async () => {
      server.answer = slowly(600, steady(ids(250)));
      expect(await memoryOf(leverSource)).toMatchObject({ items: 250, failures: 0 });
      expect(waits.map((ms) => Math.round(ms / 60_000))).toEqual([10, 20]);
    });

    it('waits for the turn of a redirect', async () => {
      const full = board({ id: 1 });
      const moved: WebAnswer = (request, response) =>
        request.url?.includes('moved') === true
          ? full(request, response)
          : void response.writeHead(302, { location: '/moved' }).end();
      server.answer = slowly(600, moved);
      expect(await memoryOf()).toMatchObject({ items: 1, failures: 0 });
      server.answer = slowly(7_200, moved);
      expect(await memoryOf()).toMatchObject({ items: 1, failures: 1 });
    });

    it('fails if its host has no time for the next page within half an hour, and is not read at once again', async () => {
      server.answer = slowly(7_200, steady(ids(250)));
      const memory = await memoryOf(leverSource);
      expect(memory).toMatchObject({ failures: 1, lastSuccessAtMs: null });
      expect(memory.lastFailure).toMatch(/^its host allows no request before 1970-01-01T\d\d:/);
      expect(memory.notBeforeMs).toBeGreaterThan(nowMs + 1.9 * HOUR_MS);
      expect(memory.nextPollAtMs).toBeGreaterThanOrEqual(memory.notBeforeMs);
      expect([asked().length, waits]).toEqual([1, []]);
    });

    it('closes items that two readings lack: an item that moves between two pages is not gone', async () => {
      server.answer = steady(ids(250));
      await poll(leverSource);
      // The first item goes while page two is requested: the first item of page two has moved to page one by then.
      server.answer = pages((skip) => (skip === 0 ? ids(250) : ids(250).slice(1)).slice(skip, skip + 100));
      expect(await memoryOf(leverSource)).toMatchObject({ closed: 0 });
      server.answer = steady(ids(250).slice(1));
      expect(await memoryOf(leverSource)).toMatchObject({ closed: 0 });
      expect(await memoryOf(leverSource)).toMatchObject({ closed: 1 });
      expect(await network.polls.openPostings('lever:acme:')).toEqual(
        ids(250)
          .slice(1)
          .map((id) => `lever:acme:${id}`),
      );
    });

    it('SRC-06 closes items that two readings lack, if the second page shows nothing new', async () => {
      for (const [count, second] of [
        [150, () => []],
        // The last posting moves to the first page, and the first posting to the second page, between two requests.
        [101, () => ids(1)],
      ] as const) {
        const store = await openNetwork();
        server.answer = steady(ids(count));
        await poll(leverSource, { network: store });
        server.answer = pages((skip) => (skip === 0 ? ids(100) : second()));
        const lost = count - 100;
        expect([count, await memoryOf(leverSource, { network: store })]).toMatchObject([
          count,
          { closed: 0, suspects: { length: lost } },
        ]);
        expect(await memoryOf(leverSource, { network: store })).toMatchObject({ closed: lost, suspects: [] });
        await store.close();
      }
    });

    it('SRC-06 closes items that two readings lack, if the second page of a feed is empty', async () => {
      const source: SourceDocument = {
        ...greenhouseSource,
        kind: 'teamtailor',
        boardId: 'acme.teamtailor.com',
        url: 'https://acme.teamtailor.com/',
      };
      const item = (id: string) =>
        `<item><title>${id}</title><guid>${id}</guid><link>https://acme.teamtailor.com/jobs/${id}</link></item>`;
      const feed =
        (...parts: readonly (readonly string[])[]): WebAnswer =>
        (request, response) => {
          if (request.url === '/robots.txt') return void response.writeHead(404).end();
          const { searchParams } = new URL(request.url ?? '', 'http://host');
          const shown = parts[Number(searchParams.get('offset') ?? 0) === 0 ? 0 : 1] ?? [];
          response.end(
            `<rss version="2.0"><channel><title>Acme</title>${shown.map(item).join('')}</channel></rss>`,
          );
        };
      server.answer = feed(ids(70).slice(0, 50), ids(70).slice(50));
      expect(await memoryOf(source)).toMatchObject({ items: 70 });
      server.answer = feed(ids(70).slice(0, 50), []);
      expect(await memoryOf(source)).toMatchObject({ items: 50, closed: 0 });
      expect(await memoryOf(source)).toMatchObject({ items: 50, closed: 20 });
    });

    it('closes items of a board in one page at once', async () => {
      server.answer = steady(ids(60));
      await poll(leverSource);
      server.answer = steady(ids(59));
      expect(await memoryOf(leverSource)).toMatchObject({ closed: 1 });
    });

    it('SRC-06 is an incomplete reading if a later page is missing or gone', async () => {
      server.answer = steady(ids(150));
      await poll(leverSource);
      for (const status of [404, 404, 404, 410]) {
        const full = steady(ids(150));
        server.answer = (request, response) =>
          request.url?.includes('skip=100') === true
            ? void response.writeHead(status).end()
            : full(request, response);
        const memory = await memoryOf(leverSource);
        expect(memory).toMatchObject({
          isGone: false,
          missing: 0,
          lastFailure: `page 2: answered ${status}`,
        });
        expect(memory.nextPollAtMs).toBeLessThan(nowMs + 25 * HOUR_MS);
      }
      expect(await network.polls.openPostings('lever:acme:')).toHaveLength(150);
    });
  });

  describe('of a sitemap', () => {
    const at = (path: string): string => `https://acme.example/${path}`;
    const source: SourceDocument = {
      ...greenhouseSource,
      kind: 'jsonld',
      boardId: at('sitemap.xml'),
      url: at('sitemap.xml'),
    };
    const posting = (id: string): string =>
      `<!doctype html><html><script type="application/ld+json">${JSON.stringify({ '@type': 'JobPosting', identifier: id, title: id, description: 'x' })}</script></html>`;
    const list = (...paths: readonly string[]): string =>
      `<urlset>${paths.map((path) => `<url><loc>${at(path)}</loc></url>`).join('')}</urlset>`;
    /** A number is a status without a body. */
    const site =
      (pages: Readonly<Record<string, string | number>>): WebAnswer =>
      ({ url = '' }, response) => {
        const page = pages[url.slice(1)] ?? 404;
        if (typeof page === 'number') return void response.writeHead(page).end();
        response.end(page);
      };
    const openRefs = () => network.polls.openPostings('jsonld:');

    it('SRC-06 is an incomplete reading if a listed sitemap is missing or gone', async () => {
      const index = `<sitemapindex>${['s1.xml', 's2.xml'].map((path) => `<sitemap><loc>${at(path)}</loc></sitemap>`).join('')}</sitemapindex>`;
      const pages = { 'sitemap.xml': index, 's1.xml': list('1'), '1': posting('1'), '2': posting('2') };
      server.answer = site({ ...pages, 's2.xml': list('2') });
      expect(await memoryOf(source)).toMatchObject({ items: 2 });
      server.answer = site({ ...pages, 's2.xml': '<!doctype html><title>Are you a robot?</title>' });
      expect((await memoryOf(source)).lastFailure).toBe('answered XML with a DOCTYPE or HTML');
      for (const status of [404, 404, 404, 410]) {
        server.answer = site({ ...pages, 's2.xml': status });
        expect(await memoryOf(source)).toMatchObject({
          isGone: false,
          missing: 0,
          lastFailure: `${at('s2.xml')}: answered ${status}`,
        });
      }
      expect(await openRefs()).toHaveLength(2);
    });

    it('SRC-06 closes a posting whose page no longer shows it in two readings', async () => {
      const pages = { 'sitemap.xml': list('1', '2', 'about'), '1': posting('1'), about: '<html></html>' };
      for (const [name, unreadable] of [
        ['a page that asks for a person', '<!doctype html><title>Are you a robot?</title>'],
        ['a truncated page', posting('2').slice(0, 110)],
        ['no JSON', posting('2').replace('"x"', '"x')],
      ] as const) {
        server.answer = site({ ...pages, '2': posting('2') });
        await poll(source);
        expect([name, (await openRefs()).length]).toEqual([name, 2]);
        server.answer = site({ ...pages, '2': unreadable });
        expect([name, await memoryOf(source)]).toMatchObject([name, { items: 1, closed: 0, failures: 0 }]);
        server.answer = site({ ...pages, '2': posting('2') });
        expect([name, await memoryOf(source)]).toMatchObject([name, { closed: 0, suspects: [] }]);
        server.answer = site({ ...pages, '2': unreadable });
        expect([name, await memoryOf(source)]).toMatchObject([name, { closed: 0 }]);
        expect([name, await memoryOf(source)]).toMatchObject([name, { closed: 1 }]);
      }
    });

    it('SRC-02 takes no reading for its first complete one in which nothing is shown and a listed page answers 404', async () => {
      server.answer = site({ 'sitemap.xml': list('1', '2') });
      for (const _ of [1, 2, 3]) expect(await memoryOf(source)).toMatchObject({ items: 0, isRead: false });
      server.answer = site({ 'sitemap.xml': list('1', '2'), '1': posting('1') });
      expect(await memoryOf(source)).toMatchObject({ items: 1, isRead: true });
      server.answer = site({ 'sitemap.xml': list('1', '2') });
      for (const closed of [0, 1]) expect(await memoryOf(source)).toMatchObject({ closed, isRead: true });
    });

    it('SRC-02 takes empty readings for its first complete one if every listed page is gone or shows no posting', async () => {
      server.answer = site({ 'sitemap.xml': list('1', 'about'), '1': 410, about: '<html></html>' });
      expect(await memoryOf(source)).toMatchObject({ items: 0, isRead: false });
      expect(await memoryOf(source)).toMatchObject({ items: 0, isRead: true });
    });

    it('closes a posting that is no longer listed at once, although another page never showed one', async () => {
      const pages = { '1': posting('1'), '2': posting('2'), about: '<html></html>' };
      server.answer = site({ ...pages, 'sitemap.xml': list('1', '2', 'about') });
      await poll(source);
      server.answer = site({ ...pages, 'sitemap.xml': list('1', 'about') });
      expect(await memoryOf(source)).toMatchObject({ items: 1, closed: 1 });
    });
  });

  it('SRC-04 creates an unobserved company, and replaces it by the observed one', async () => {
    const source: SourceDocument = {
      ...greenhouseSource,
      subject: { entity: 'company', by: 'domain', value: 'globex.example' },
    };
    server.answer = board({ id: 1 });
    await poll(source);
    const company = async () => {
      const [posting] = (await network.source.jobPostings({ ...always, limit: 1 })).items;
      return posting?.company?.ref;
    };
    expect(await company()).toBe('domain:globex.example');
    await ingest(network, [
      { kind: 'company', ref: 'c:globex', domains: ['globex.example'], handle: 'globex' },
    ]);
    const identifier = { by: 'domain', domain: 'globex.example' } as const;
    expect(await network.directory.resolveCompanies([identifier])).toMatchObject([
      { outcome: 'found', facts: { ref: 'c:globex' } },
    ]);
    server.answer = board({ id: 1 }, { id: 2 });
    await poll(source);
    expect(await company()).toBe('c:globex');
  });

  it('SRC-04 reads a board again that was not modified, once its company is observed', async () => {
    const source: SourceDocument = {
      ...greenhouseSource,
      subject: { entity: 'company', by: 'domain', value: 'initech.example' },
    };
    const asked = (): readonly boolean[] =>
      server.requests
        .filter(({ url }) => url !== '/robots.txt')
        .map(({ headers }) => 'if-none-match' in headers);
    const unmodified: WebAnswer = (request, response) =>
      'if-none-match' in request.headers
        ? answering(304)(request, response)
        : board({ id: 1 })(request, response);
    server.answer = unmodified;
    await poll(source);
    await ingest(network, [
      { kind: 'company', ref: 'c:initech', domains: ['initech.example'], handle: 'initech' },
    ]);
    await poll(source);
    const [posting] = (await network.source.jobPostings({ ...always, limit: 1 })).items;
    expect(posting?.company?.ref).toBe('c:initech');
    expect(asked()).toEqual([false, false]);
  });

  it('SRC-04 requests known notices again once their company is observed, or the source has another one', async () => {
    const accession = '0001234567-26-000001';
    const content = `<accession-number>${accession}</accession-number><filing-date>2026-01-20</filing-date><filing-type>D</filing-type>`;
    const list = `<feed><entry><content>${content}</content></entry></feed>`;
    const notice =
      '<edgarSubmission><offeringData><offeringSalesAmounts><totalAmountSold>5</totalAmountSold></offeringSalesAmounts></offeringData></edgarSubmission>';
    const sourceOf = (domain: string): SourceDocument => ({
      ...greenhouseSource,
      kind: 'form-d',
      boardId: '0001234567',
      url: 'https://www.sec.gov/cgi-bin/browse-edgar?CIK=1234567',
      subject: { entity: 'company', by: 'domain', value: domain },
    });
    server.answer = (request, response) =>
      answering(200, {}, request.url?.includes('browse-edgar') === true ? list : notice)(request, response);
    const companies = async () => {
      const { items } = await network.source.companyEvents({ ...always, events: ['funding'], limit: 9 });
      return items.map(({ company }) => company?.ref);
    };
    await poll(sourceOf('initech.example'));
    expect(await companies()).toEqual(['domain:initech.example']);
    await ingest(network, [
      { kind: 'company', ref: 'c:initech', domains: ['initech.example'], handle: 'initech' },
    ]);
    await poll(sourceOf('initech.example'));
    expect(await companies()).toEqual(['c:initech']);
    await poll(sourceOf('acme.com'));
    expect(await companies()).toEqual(['c:acme']);
    expect(asked()).toHaveLength(6);
    // Later polls request new notices only.
    await poll(sourceOf('acme.com'));
    expect(asked()).toHaveLength(7);
  });

  it('SRC-04 makes no second company for a domain that an observed one has left, unless the source is added again', async () => {
    const unknown = { by: 'domain', domain: 'acme.com' } as const;
    const resolved = async () => (await network.directory.resolveCompanies([unknown]))[0]?.outcome;
    server.answer = board({ id: 1 });
    await poll();
    await ingest(network, [
      { kind: 'company', ref: 'c:acme', rev: 2, domains: ['acme.example'], handle: 'acme' },
    ]);
    server.answer = board({ id: 1 }, { id: 2 });
    for (let time = 0; time < 2; time += 1)
      expect(await memoryOf()).toMatchObject({
        lastFailure: 'no company that was observed has the domain acme.com any more: it was that of c:acme',
      });
    expect([await resolved(), await refs()]).toEqual(['unknown', ['greenhouse:acme:1']]);
    // The operator says that the board is that of the domain, whoever had it.
    const again = { ...greenhouseSource, id: 9 };
    server.answer = answering(500);
    await poll(again);
    server.answer = board({ id: 1 }, { id: 2 });
    expect(await memoryOf(again)).toMatchObject({ failures: 0, subjectRef: 'domain:acme.com', items: 2 });
    expect(await memoryOf(again)).toMatchObject({ failures: 0 });
    await ingest(network, [
      { kind: 'company', ref: 'c:acme', rev: 3, domains: ['acme.com'], handle: 'acme' },
    ]);
    expect(await memoryOf(again)).toMatchObject({ failures: 0, subjectRef: 'c:acme' });
  });

  it('SRC-04 does not take up again the company that it made before, once the observed one has left the domain', async () => {
    const subject = { entity: 'company', by: 'domain', value: 'globex.example' } as const;
    const source: SourceDocument = { ...greenhouseSource, subject };
    const globex = { kind: 'company', ref: 'c:globex', handle: 'globex' };
    server.answer = board({ id: 1 });
    expect(await memoryOf(source)).toMatchObject({ subjectRef: 'domain:globex.example' });
    await ingest(network, [{ ...globex, domains: ['globex.example'] }]);
    expect(await memoryOf(source)).toMatchObject({ subjectRef: 'c:globex' });
    await ingest(network, [{ ...globex, rev: 2, domains: [] }]);
    server.answer = board({ id: 1 }, { id: 2 });
    expect(await memoryOf(source)).toMatchObject({
      lastFailure: expect.stringContaining('any more: it was that of c:globex'),
      subjectRef: 'c:globex',
    });
    expect(await memoryOf({ ...source, id: 9 })).toMatchObject({ failures: 0, items: 2 });
  });

  it('SRC-04 reads nothing for a ref that is no company', async () => {
    await ingest(network, [{ kind: 'company', ref: 'c:twin', domains: ['acme.com'], handle: 'twin' }]);
    expect((await memoryOf()).lastFailure).toContain('names several');
    expect(server.requests).toEqual([]);
  });

  describe('of a source that returns to its earlier content', () => {
    /** The writes of a poll before those of items: the claim, and the memory without validators. */
    const BEFORE_ITEMS = 2;
    const [earlier, later] = [board({ id: 1 }, { id: 2 }), board({ id: 1 }, { id: 3 })];
    const crashed = async (writes: number, source = greenhouseSource): Promise<void> => {
      await expect(poll(source, { network: crashing(network, writes) })).rejects.toThrow('crashed');
    };

    it('SRC-06 closes a posting that a crashed poll stored', async () => {
      server.answer = earlier;
      await poll();
      server.answer = later;
      await crashed(BEFORE_ITEMS + 1);
      expect(await refs()).toHaveLength(3);
      server.answer = earlier;
      expect(await memoryOf()).toMatchObject({ items: 2, closed: 1 });
      expect(await refs()).toEqual(['greenhouse:acme:1', 'greenhouse:acme:2']);
    });

    it('SRC-06 opens a posting again that a crashed poll closed', async () => {
      server.answer = earlier;
      await poll();
      server.answer = board({ id: 1 });
      await crashed(BEFORE_ITEMS + 3);
      expect(await refs()).toEqual(['greenhouse:acme:1']);
      server.answer = earlier;
      await poll();
      expect(await refs()).toEqual(['greenhouse:acme:1', 'greenhouse:acme:2']);
    });

    it('SRC-06 restores the text of a post that a crashed poll changed', async () => {
      const url = `${server.origin}/feed`;
      const feedSource: SourceDocument = { ...greenhouseSource, kind: 'feed', boardId: url, url };
      const feed = (text: string): WebAnswer => {
        const body = `<rss version="2.0"><channel><item><guid>1</guid><title>${text}</title><pubDate>Sat, 10 Jan 2026 00:00:00 GMT</pubDate></item></channel></rss>`;
        const etag = `"${text}"`;
        return (request, response) =>
          request.headers['if-none-match'] === etag
            ? answering(304)(request, response)
            : answering(200, { etag }, body)(request, response);
      };
      const texts = async () =>
        (await allPages((position) => network.source.posts({ ...always, position, limit: 50 }))).map(
          ({ text }) => text,
        );
      server.answer = feed('First');
      await poll(feedSource);
      server.answer = feed('Second');
      await crashed(BEFORE_ITEMS + 1, feedSource);
      expect(await texts()).toEqual(['Second']);
      server.answer = feed('First');
      await poll(feedSource);
      expect(await texts()).toEqual(['First']);
    });

    it('SRC-06 closes the postings that a stopped poll stored', async () => {
      server.answer = earlier;
      await poll();
      server.answer = board(...Array.from({ length: 150 }, (_, index) => ({ id: index + 1 })));
      const stopping = new AbortController();
      await expect(
        poll(greenhouseSource, { signal: stopping.signal, onItems: () => stopping.abort() }),
      ).rejects.toThrow('aborted');
      expect(await refs()).toHaveLength(100);
      server.answer = earlier;
      expect(await memoryOf()).toMatchObject({ items: 2, closed: 98 });
    });

    it('SRC-06 restores a row that a faulty file changed', async () => {
      const [url, beside] = [join(folder, 'rows.csv'), join(folder, 'rows.earlier.csv')];
      const file = fileSource(url);
      const rows = (name: string): string =>
        Array.from({ length: 150 }, (_, id) => `${id},${name}\n`).join('');
      await writeFile(url, `id,name\n${rows('Ana')}`);
      expect(await memoryOf(file)).toMatchObject({ added: 150 });
      await rename(url, beside);
      await writeFile(url, `id,name\n${rows('Ben')}1,2,3\n`);
      expect(await memoryOf(file)).toMatchObject({ lastFailure: expect.stringContaining('is no CSV') });
      await rename(beside, url);
      expect(await memoryOf(file)).toMatchObject({ items: 150, changed: 100, failures: 0 });
    });

    it('SRC-06 opens the postings of a board that was gone', async () => {
      server.answer = earlier;
      await poll();
      server.answer = answering(410);
      expect(await memoryOf()).toMatchObject({ isGone: true, closed: 2 });
      server.answer = earlier;
      expect(await memoryOf()).toMatchObject({ isGone: false, items: 2 });
      expect(await refs()).toEqual(['greenhouse:acme:1', 'greenhouse:acme:2']);
    });

    it('SRC-06 writes nothing if another process has polled the source in the meantime', async () => {
      server.answer = earlier;
      await poll();
      const suspended = poll(greenhouseSource, {
        holder: 'suspended',
        network: {
          ...network,
          polls: {
            ...network.polls,
            async keep(...given) {
              server.answer = earlier;
              await poll(greenhouseSource, { holder: 'other' });
              return network.polls.keep(...given);
            },
          },
        },
      });
      server.answer = later;
      await expect(suspended).rejects.toThrow('claim of this poll has expired');
      expect(await refs()).toEqual(['greenhouse:acme:1', 'greenhouse:acme:2']);
    });
  });

  describe('with any interruption', () => {
    type Jobs = readonly (readonly [id: number, title: string])[];
    const state = fc.uniqueArray(fc.tuple(fc.nat(6), fc.constantFrom('A', 'B')), {
      selector: ([id]) => id,
      maxLength: 6,
    });
    const step = fc.oneof(
      { weight: 4, arbitrary: state.map((jobs) => ({ does: 'changes', jobs }) as const) },
      { weight: 2, arbitrary: fc.constant({ does: 'changes back' } as const) },
      { weight: 4, arbitrary: fc.constant({ does: 'polls' } as const) },
      { weight: 2, arbitrary: fc.constant({ does: 'polls twice at once' } as const) },
      {
        weight: 2,
        arbitrary: fc.constantFrom(500, 404, 410, 200).map((status) => ({ does: 'fails', status }) as const),
      },
      { weight: 3, arbitrary: fc.nat(7).map((after) => ({ does: 'crashes', after }) as const) },
      { weight: 1, arbitrary: fc.constant({ does: 'loses the network' } as const) },
      { weight: 3, arbitrary: fc.constant({ does: 'runs' } as const) },
    );
    const DAY_MS = 24 * HOUR_MS;
    const jobsOf = (jobs: Jobs) => jobs.map(([id, title]) => ({ id, title }));

    it('SRC-06 it ends like one reading of the last state, closes the items that the board closes, and is paid once', async () => {
      await fc.assert(
        fc.asyncProperty(fc.array(step, { maxLength: 16 }), state, async (steps, last) => {
          let store = await openNetwork();
          const stores = [store];
          let jobs: Jobs = [];
          let jobsBefore: Jobs = [];
          /** The items of the board by the last complete reading; null: unknown after a crash. */
          let shown: ReadonlySet<number> | null = new Set();
          let ranUntil = new Date(clock);
          const paid = new Map<string, number>();
          const idsOf = async (of: NetworkStore) =>
            new Set((await open(of)).map(([ref]) => Number(ref?.split(':').at(-1))));

          async function polledOnce(): Promise<void> {
            const polled = await poll(greenhouseSource, { network: store });
            if (polled.outcome !== 'polled') throw new Error(polled.outcome);
            const { memory } = polled;
            // After another failure it is gone only by an earlier poll, and one that crashed since may have stored items.
            if (memory.lastFailure === 'is gone') shown = new Set();
            else if (memory.failures > 0) return;
            else if (jobs.length > 0) shown = new Set(jobs.map(([id]) => id));
            else if (memory.empty >= 2) shown = new Set();
            if (shown !== null) expect(await idsOf(store)).toEqual(shown);
          }
          async function ran(): Promise<void> {
            const until = new Date(clock);
            const search = { ...always, after: ranUntil, until, now: until };
            const found = await allPages((position) =>
              store.source.jobPostings({ ...search, position, limit: 50 }),
            );
            // A posting is paid by its ref: under the same ref it is the same posting.
            for (const { ref, url } of found) {
              const before = paid.get(ref);
              const id = Number(url?.split('/').at(-1));
              if (before === undefined) expect([...paid.values()]).not.toContain(id);
              paid.set(ref, id);
            }
            ranUntil = until;
          }

          server.answer = board();
          for (const one of steps) {
            // A crashed poller keeps its claim until then.
            nowMs += 2 * HOUR_MS;
            clock = new Date(Date.parse(clock) + DAY_MS).toISOString();
            switch (one.does) {
              case 'changes':
              case 'changes back':
                [jobs, jobsBefore] = [one.does === 'changes' ? one.jobs : jobsBefore, jobs];
                server.answer = board(...jobsOf(jobs));
                break;
              case 'polls':
                await polledOnce();
                break;
              case 'polls twice at once':
                await Promise.all([
                  poll(greenhouseSource, { network: store, holder: 'one' }),
                  poll(greenhouseSource, { network: store, holder: 'two', laterMs: 0 }),
                ]);
                shown = null;
                break;
              case 'crashes':
                shown = null;
                await poll(greenhouseSource, { network: crashing(store, one.after) }).catch(() => undefined);
                break;
              case 'loses the network':
                store = await openNetwork();
                stores.push(store);
                shown = new Set();
                break;
              case 'runs':
                await ran();
                break;
              case 'fails': {
                const { answer } = server;
                server.answer = answering(one.status, {}, 'nonsense');
                await polledOnce();
                server.answer = answer;
              }
            }
          }
          jobs = last;
          server.answer = board(...jobsOf(last));
          // An empty answer is confirmed by the next, and a crashed poller may have taken the first.
          for (let time = 0; time < 2; time += 1) await polledOnce();
          const once = await openNetwork();
          stores.push(once);
          await poll(greenhouseSource, { network: once });
          const bodies = async (of: NetworkStore) =>
            (await open(of)).map(([ref, title]) => [ref, title]).toSorted();
          expect(await bodies(store)).toEqual(await bodies(once));
          expect(await idsOf(store)).toEqual(new Set(last.map(([id]) => id)));
          await ran();
          for (const each of stores) await each.close();
        }),
        { numRuns: 40 },
      );
    });
  });
});
