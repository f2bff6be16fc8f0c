import { setImmediate } from 'node:timers/promises';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { readCidrs } from '#outbound/addresses.js';
import { createOutbound } from '#outbound/outbound.js';
import { MalformedAnswer } from '#sources/answer-fields.js';
import { textIn, type AnswerBody } from '#sources/answer-text.js';
import { parseHere } from '#sources/parse-here.js';
import { parseThread } from '#sources/parse-thread.js';
import { whole } from '#sources/pieces.js';
import { politeClient, type Answer } from '#sources/polite-client.js';
import { readSource } from '#sources/read-source.js';
import type { ParsedAnswer, ParseOf } from '#sources/source-kind.js';
import { kindOf } from '#sources/source-kinds.js';
import { startWebServer, type WebServer } from '../support/web-server.js';
import { answering, hostTurns } from './boards.js';

const HOUR_MS = 3_600_000;
const signal = new AbortController().signal;
const of: ParseOf = {
  boardId: 'acme',
  url: 'https://acme.example/feed',
  baseUrl: null,
  match: null,
  mapping: null,
  redactsContacts: true,
  subjectRef: 'c:acme',
};

describe('the defence of a reader against hosts', () => {
  let server: WebServer;
  let other: WebServer;
  let nowMs: number;
  beforeEach(async () => {
    server = await startWebServer();
    other = await startWebServer();
    nowMs = 1_000_000;
    polls.of.clear();
  });
  afterEach(async () => {
    await server.close();
    await other.close();
  });

  const polls = hostTurns();
  const client = politeClient({
    outbound: createOutbound({ allowed: readCidrs('127.0.0.0/8') ?? [] }),
    polls,
    contact: 'ops@acme.example',
    nowMs: () => nowMs,
    // Time passes only while it is waited for.
    pause: async (ms) => {
      await setImmediate();
      nowMs += ms;
    },
  });
  const get = (path = '/', origin = server.origin): Promise<Answer> =>
    client.get(`${origin}${path}`, { validators: null, paceMs: 1_000, signal });
  const textAt = async (): Promise<string> => {
    const answer = await get();
    return answer.outcome === 'read' ? textIn(answer.body) : answer.outcome;
  };
  it('a bomb of zeros is read up to the cap and no further, in either packing', async () => {
    const zeros = Buffer.alloc(64 * 1024 * 1024);
    for (const [encoding, body] of [
      ['gzip', gzipSync(zeros)],
      ['br', brotliCompressSync(zeros)],
    ] as const) {
      server.answer = answering(200, { 'content-encoding': encoding }, body);
      expect(await get()).toMatchObject({ outcome: 'failed', why: 'answered with more than 33554432 bytes' });
    }
  });

  it('packed answers are read, and truncated ones are not', async () => {
    const packed = gzipSync('[1,2,3]');
    server.answer = answering(200, { 'content-encoding': 'gzip' }, packed);
    expect(await get()).toMatchObject({ outcome: 'read' });
    expect(await textAt()).toBe('[1,2,3]');
    server.answer = answering(200, { 'content-encoding': 'gzip' }, packed.subarray(0, 12));
    expect(await get()).toMatchObject({ outcome: 'failed', why: 'the body is incomplete' });
    server.answer = answering(200, { 'content-encoding': 'gzip' }, 'no gzip');
    expect(await get()).toMatchObject({ outcome: 'failed', why: 'the body cannot be unpacked' });
  });

  it('an overloaded host gets no request of any source for as long as it asks', async () => {
    server.answer = answering(429, { 'retry-after': '82800' });
    expect(await get('/one')).toMatchObject({
      outcome: 'failed',
      why: 'answered 429',
      notBeforeMs: nowMs + 23 * HOUR_MS,
    });
    const asked = server.requests.length;
    server.answer = answering(200);
    expect(await get('/two')).toEqual({ outcome: 'later', notBeforeMs: nowMs + 23 * HOUR_MS });
    expect(server.requests).toHaveLength(asked);
    expect(await get('/', other.origin)).toMatchObject({ outcome: 'read' });
    nowMs += 23 * HOUR_MS;
    expect(await get('/two')).toMatchObject({ outcome: 'read' });
  });

  it('a host that is overloaded at the request for its robots.txt gets no other request for as long as it asks', async () => {
    for (const status of [429, 503]) {
      await using host = await startWebServer(({ url }, response) => {
        if (url !== '/robots.txt') return void response.end();
        const until = new Date(nowMs + 23 * HOUR_MS).toUTCString();
        response.writeHead(status, { 'retry-after': until }).end();
      });
      const beganMs = nowMs;
      const notBeforeMs = nowMs + 23 * HOUR_MS;
      expect(await get('/one', host.origin)).toMatchObject({ outcome: 'failed', notBeforeMs });
      nowMs += HOUR_MS;
      expect(await get('/two', host.origin)).toMatchObject({ outcome: 'failed', notBeforeMs });
      expect(host.requests).toHaveLength(1);
      expect(polls.of.get(new URL(host.origin).host)).toBe(notBeforeMs);
      nowMs = notBeforeMs;
      host.answer = (_, response) => void response.end();
      expect(await get('/two', host.origin)).toMatchObject({ outcome: 'read' });
      nowMs = beganMs;
    }
  });

  it('no host stops a source for more than a week, whatever it asks', async () => {
    for (const asked of ['99999999', 'Sat, 13 Sep 275760 00:00:00 GMT']) {
      server.answer = answering(500, { 'retry-after': asked });
      const answer = await get();
      expect([asked, answer]).toMatchObject([
        asked,
        { why: 'answered 500', notBeforeMs: nowMs + 168 * HOUR_MS },
      ]);
    }
  });

  it('a fresh answer is not requested again before its time', async () => {
    server.answer = answering(200, { 'cache-control': 'public, max-age=7200', age: '3600' });
    expect(await get()).toMatchObject({ notBeforeMs: nowMs + HOUR_MS });
    server.answer = answering(200, { 'cache-control': 'no-store' });
    expect(await get()).toMatchObject({ notBeforeMs: 0 });
  });

  it('SRC-09 redirects lead to no private address, and to no host that forbids it', async () => {
    for (const location of [
      'http://10.0.0.1/',
      'http://169.254.169.254/latest/meta-data/',
      'http://[::1]/',
      'ftp://x/',
    ]) {
      server.answer = answering(302, { location });
      const answer = await get();
      expect([location, answer.outcome]).toEqual([location, 'failed']);
    }
    other.answer = (_, response) => void response.end('User-agent: *\nDisallow: /');
    server.answer = answering(302, { location: `${other.origin}/secret` });
    expect(await get()).toMatchObject({ why: 'robots.txt of its host does not allow it' });
    expect(other.requests.map(({ url }) => url)).toEqual(['/robots.txt']);
  });

  it('SRC-03 an address has moved permanently if all its redirects say so, and not in circles', async () => {
    const paths: Record<string, readonly [number, string]> = {
      '/old': [301, '/newer'],
      '/newer': [308, '/new'],
      '/mixed': [301, '/for-now'],
      '/for-now': [302, '/new'],
      '/round': [301, '/round'],
    };
    server.answer = (request, response) => {
      const [status, location] = paths[request.url ?? ''] ?? [request.url === '/robots.txt' ? 404 : 200, ''];
      response.writeHead(status, { location }).end('here');
    };
    expect(await get('/old')).toMatchObject({ outcome: 'read', movedTo: `${server.origin}/new` });
    expect(await get('/mixed')).toMatchObject({ outcome: 'read', movedTo: `${server.origin}/for-now` });
    expect(await get('/new')).toMatchObject({ movedTo: null });
    expect(await get('/round')).toMatchObject({ outcome: 'failed', why: 'redirects too often' });
  });

  it('a reservation of text and data mining is honoured, in a header and in the head of a page', async () => {
    const why = expect.stringContaining('TDM-Reservation');
    for (const status of [200, 304]) {
      server.answer = answering(status, { 'tdm-reservation': '1' }, status === 200 ? '[]' : '');
      expect(await get()).toMatchObject({ outcome: 'failed', why });
    }
    const page = (content: string) =>
      `<!doctype html><head><meta name="tdm-reservation" content="${content}"></head>`;
    server.answer = answering(200, {}, page('1'));
    expect(await get()).toMatchObject({ outcome: 'failed', why });
    server.answer = answering(200, {}, page('0'));
    expect(await get()).toMatchObject({ outcome: 'read' });
  });

  it('a reservation is honoured in a page that begins with a comment or as XHTML', async () => {
    const meta = '<head><META content=1 name=tdm-reservation></head>';
    for (const begin of [
      '<!-- built at noon -->\n<html>',
      '\ufeff<?xml version="1.0"?>\n<!DOCTYPE html><html>',
      '<meta charset="utf-8">',
    ]) {
      server.answer = answering(200, {}, begin + meta);
      expect([begin, await get()]).toMatchObject([begin, { outcome: 'failed' }]);
    }
    // A feed that only writes about it reserves nothing.
    server.answer = answering(200, {}, `<rss><title><![CDATA[${meta}]]></title></rss>`);
    expect(await get()).toMatchObject({ outcome: 'read' });
  });

  it('gets no request before its turn: for the next address, and for a redirect', async () => {
    server.answer = (request, response) =>
      request.url === '/old'
        ? void response.writeHead(301, { location: '/new' }).end()
        : void response.end(request.url === '/robots.txt' ? 'User-agent: *\nCrawl-delay: 7' : 'here');
    const sentAt: number[] = [];
    for (const path of ['/one', '/two', '/old', '/three']) {
      const answer = await get(path);
      if (answer.outcome === 'read') sentAt.push(answer.sentAtMs - 1_000_000);
    }
    expect(sentAt).toEqual([0, 7_000, 21_000, 28_000]);
  });

  it('is not waited for by a poll that could begin only after a minute, and by one that has begun until its end', async () => {
    server.answer = answering(200, {}, 'here');
    const asked = { validators: null, paceMs: 600_000, signal, pollEndsAtMs: nowMs + HOUR_MS / 2 };
    const next = (isBegun: boolean) => client.get(`${server.origin}/`, { ...asked, isBegun });
    await next(false);
    expect(await next(false)).toEqual({ outcome: 'later', notBeforeMs: 1_600_000 });
    expect([await next(true), nowMs]).toMatchObject([{ outcome: 'read' }, 1_600_000]);
  });

  it('is asked whether something has changed by each of the validators that it gave', async () => {
    const day = 'Sun, 01 Feb 2026 10:00:00 GMT';
    for (const [given, validators, sent] of [
      [{ 'last-modified': day }, { etag: null, lastModified: day }, { 'if-modified-since': day }],
      [{ etag: '"1"' }, { etag: '"1"', lastModified: null }, { 'if-none-match': '"1"' }],
      [{}, { etag: null, lastModified: null }, {}],
    ] as const) {
      server.answer = answering(200, given, 'here');
      expect(await get()).toMatchObject({ validators });
      await client.get(server.origin, { validators, paceMs: 0, signal });
      const { 'if-none-match': match, 'if-modified-since': since } = server.requests.at(-1)?.headers ?? {};
      expect({ 'if-none-match': match, 'if-modified-since': since }).toEqual(sent);
    }
  });

  it('a Crawl-delay is respected up to a day, and causes no endless requests', async () => {
    for (const [delay, pauseMs] of [
      ['7', 7_000],
      ['1e30', 24 * HOUR_MS],
      ['Infinity', 24 * HOUR_MS],
      ['-5', 1_000],
      ['soon', 1_000],
    ] as const) {
      await using host = await startWebServer((request, response) => {
        response.end(
          request.url === '/robots.txt' ? `User-agent: *\nCrawl-delay: ${delay}\nDisallow:` : 'here',
        );
      });
      await get('/one', host.origin);
      expect([delay, polls.of.get(new URL(host.origin).host)]).toEqual([delay, nowMs + pauseMs]);
    }
  });

  it('a robots.txt that would take seconds to evaluate allows nothing', async () => {
    const rules = 'Disallow: /*a*a*a*a*a*b\n'.repeat(20_000);
    server.answer = (request, response) =>
      void response.end(request.url === '/robots.txt' ? `User-agent: *\n${rules}` : 'here');
    expect(await get(`/${'a'.repeat(1_900)}`)).toMatchObject({
      why: 'robots.txt of its host is too long to be compared with the address',
    });
    // An address of the usual length is evaluated.
    expect(await get('/feed')).toMatchObject({ outcome: 'read' });
  });

  it('texts are read in any charset that they declare', async () => {
    const cases: readonly (readonly [Record<string, string>, Uint8Array])[] = [
      [{ 'content-type': 'text/xml; charset=iso-8859-1' }, Buffer.from('<a>é</a>', 'latin1')],
      [{}, Buffer.from('<?xml version="1.0" encoding="windows-1252"?><a>é</a>', 'latin1')],
      [{ 'content-type': 'text/xml; charset=klingon' }, Buffer.from('<a>é</a>')],
      [{ 'content-type': 'text/xml; charset=utf-8' }, Buffer.from('\ufeff<a>é</a>', 'utf16le')],
      // The default of some servers, although the file says otherwise.
      [{ 'content-type': 'text/xml; charset=iso-8859-1' }, Buffer.from('\ufeff<a>é</a>')],
      [
        { 'content-type': 'text/html' },
        Buffer.from('<!doctype html><meta charset="iso-8859-1"><a>é</a>', 'latin1'),
      ],
      [
        {},
        Buffer.from(
          '<html><head><META http-equiv=Content-Type content="text/html; charset=windows-1252"></head><a>é</a>',
          'latin1',
        ),
      ],
      // In a page that is not HTML it is a text about HTML.
      [{}, Buffer.from('{"html":"<meta charset=iso-8859-1>"} <a>é</a>')],
    ];
    for (const [headers, body] of cases) {
      server.answer = answering(200, headers, body);
      expect(await textAt()).toMatch(/<a>é<\/a>$/);
    }
  });

  it('a host that cannot be reached, or answers HTML instead of JSON, fails the reading', async () => {
    const greenhouse = kindOf('greenhouse');
    if (greenhouse === null) throw new Error('there is such a kind');
    const by = {
      client,
      parse: parseHere,
      validators: null,
      known: [],
      readsKnownAgain: false,
      signal,
      onRequest: () => undefined,
      nowMs: () => 1,
      onBytes: () => undefined,
      refsOf: async () => ({ domains: new Map(), handles: new Map() }),
    };
    const read = (baseUrl: string) => readSource(greenhouse, { ...of, baseUrl }, by);
    server.answer = answering(200, {}, '<!doctype html><p>Down for maintenance</p>');
    expect(await read(server.origin)).toMatchObject({
      outcome: 'failed',
      why: 'answered HTML or XML and no JSON',
    });
    const { origin } = other;
    await other.close();
    const robots = 'robots.txt of its host cannot be read: ';
    const why = `${robots}${new URL(origin).host} could not be reached`;
    expect(await read(origin)).toMatchObject({ outcome: 'failed', why });
    other = await startWebServer();
  });

  it('SRC-09 a host without an allowed address is named as such, and not as one whose robots.txt forbids it', async () => {
    expect(await get('/', 'https://10.0.0.1')).toMatchObject({
      why: 'robots.txt of its host cannot be read: 10.0.0.1 has no address to which the service may connect',
    });
  });
});

describe('an answer on a thread', () => {
  const body = (text: string): AnswerBody => ({ bytes: new TextEncoder().encode(text), charset: null });
  const board = (count: number): AnswerBody =>
    body(
      JSON.stringify({
        jobs: Array.from({ length: count }, (_, id) => ({
          id,
          title: `Engineer ${id}`,
          content: '&lt;p&gt;Build&lt;/p&gt;',
          absolute_url: `https://boards.greenhouse.io/acme/jobs/${id}`,
        })),
      }),
    );
  const read = async ({ lines, ...parsed }: ParsedAnswer) => ({ ...parsed, ...(await whole(lines)) });

  it('is parsed as in the caller’s thread', async () => {
    const thread = parseThread({ hereBytes: 0 });
    try {
      const counts = [1, 350, 3];
      const answers = await Promise.all(
        counts.map(async (count) => read(await thread.parse('greenhouse', board(count), of))),
      );
      for (const [index, count] of counts.entries())
        expect(answers[index]).toEqual(await read(await parseHere('greenhouse', board(count), of)));
      await expect(thread.parse('greenhouse', body('<html>'), of)).rejects.toThrow(MalformedAnswer);
      await expect(thread.parse('feed', body('nope'), of)).rejects.toThrow('answered no feed');
    } finally {
      await thread.close();
    }
  });

  it('comes some lines at a time, and leaves the thread to the next one once it is read or given up', async () => {
    const thread = parseThread({ hereBytes: 0 });
    try {
      const sizes: number[] = [];
      for await (const { items } of (await thread.parse('greenhouse', board(350), of)).lines)
        sizes.push(items.length);
      expect(sizes).toEqual([100, 100, 100, 50]);
      // Given up in the middle, and before it begins.
      for await (const { items } of (await thread.parse('greenhouse', board(350), of)).lines) {
        expect(items).toHaveLength(100);
        break;
      }
      await (await thread.parse('greenhouse', board(350), of)).lines.close();
      expect(await read(await thread.parse('greenhouse', board(2), of))).toMatchObject({ items: [{}, {}] });
    } finally {
      await thread.close();
    }
  });

  it('ends only itself when it takes too long', async () => {
    const impatient = parseThread({ hereBytes: 0, longestMs: 1 });
    try {
      await expect(impatient.parse('greenhouse', board(20_000), of)).rejects.toThrow(
        'takes longer than 1 ms to parse',
      );
    } finally {
      await impatient.close();
    }
    const thread = parseThread({ hereBytes: 0 });
    const answer = await thread.parse('greenhouse', board(2), of);
    expect(answer).toMatchObject({ items: 2 });
    await answer.lines.close();
    await thread.close();
    await expect(thread.parse('greenhouse', board(2), of)).rejects.toThrow('is closed');
  });
});
