import { brotliCompressSync, gzipSync } from 'node:zlib';
import { readCidrs } from '#outbound/addresses.js';
import { createOutbound } from '#outbound/outbound.js';
import { parseThread, type ParseThread } from '#sources/parse-thread.js';
import { whole } from '#sources/pieces.js';
import { politeClient } from '#sources/polite-client.js';
import { readSource } from '#sources/read-source.js';
import { kindOf, sourceKinds } from '#sources/source-kinds.js';
import { startWebServer, type WebAnswer, type WebServer } from '../support/web-server.js';
import { expectNone } from '#test/house/expect-none.js';
import { answering, hostTurns } from './boards.js';

const HOUR_MS = 3_600_000;
const signal = new AbortController().signal;

/** An answer of each provider with one item, in its documented shape, and its answer for a second page. */
type Provider = {
  readonly boardId: string;
  readonly body: string;
  readonly isXml: boolean;
  readonly next?: string;
  /** Whether only changed content is requested. */
  readonly isConditional: boolean;
};

const CIK = '0001234567';
const ACCESSION = '0001234567-26-000001';
const job = {
  id: 1,
  title: 'Engineer',
  content: 'x',
  absolute_url: 'https://boards.greenhouse.io/acme/jobs/1',
};
const providers: Readonly<Record<string, Provider>> = {
  greenhouse: {
    boardId: 'acme',
    body: JSON.stringify({ jobs: [job], meta: { total: 1 } }),
    isXml: false,
    isConditional: true,
  },
  lever: {
    boardId: 'acme',
    body: JSON.stringify([{ id: 'a', text: 'Engineer', hostedUrl: 'https://jobs.lever.co/acme/a' }]),
    isXml: false,
    isConditional: false,
  },
  ashby: {
    boardId: 'acme',
    body: JSON.stringify({
      jobs: [{ id: 'a', title: 'Engineer', isListed: true, jobUrl: 'https://jobs.ashbyhq.com/acme/a' }],
    }),
    isXml: false,
    isConditional: true,
  },
  recruitee: {
    boardId: 'acme.recruitee.com',
    body: JSON.stringify({
      offers: [
        { id: 1, title: 'Engineer', status: 'published', careers_url: 'https://acme.recruitee.com/o/a' },
      ],
    }),
    isXml: false,
    isConditional: true,
  },
  teamtailor: {
    boardId: 'acme.teamtailor.com',
    body: '<rss version="2.0"><channel><item><title>Engineer</title><guid>1</guid><link>https://acme.teamtailor.com/jobs/1</link></item></channel></rss>',
    next: '<rss version="2.0"><channel><title>Acme</title></channel></rss>',
    isXml: true,
    isConditional: false,
  },
  personio: {
    boardId: 'acme.jobs.personio.de',
    body: '<workzag-jobs><position><id>1</id><name>Engineer</name></position></workzag-jobs>',
    isXml: true,
    isConditional: true,
  },
  jsonld: {
    boardId: 'https://acme.example/jobs',
    body: `<!doctype html><html><script type="application/ld+json">${JSON.stringify({ '@type': 'JobPosting', identifier: '1', title: 'Engineer', description: 'x' })}</script></html>`,
    isXml: false,
    isConditional: false,
  },
  feed: {
    boardId: 'https://acme.example/feed',
    body: '<rss version="2.0"><channel><title>News</title><item><guid>1</guid><title>News</title></item></channel></rss>',
    isXml: true,
    isConditional: true,
  },
  'form-d': {
    boardId: CIK,
    body: `<feed xmlns="http://www.w3.org/2005/Atom"><entry><content type="text/xml"><accession-number>${ACCESSION}</accession-number><filing-date>2026-02-01</filing-date><filing-type>D</filing-type></content></entry></feed>`,
    next: '<edgarSubmission><primaryIssuer><entityName>ACME</entityName></primaryIssuer><offeringData><offeringSalesAmounts><totalAmountSold>5</totalAmountSold></offeringSalesAmounts></offeringData></edgarSubmission>',
    isXml: true,
    isConditional: true,
  },
};

const zeros = Buffer.alloc(40 * 1024 * 1024);
const bombs = { gzip: gzipSync(zeros), br: brotliCompressSync(zeros) };

type Case = {
  readonly name: string;
  readonly answer: (provider: Provider) => WebAnswer;
  readonly outcome: string;
  /** Outcomes that differ from those of all others. */
  readonly outcomes?: Readonly<Record<string, string>>;
  readonly isFor?: (provider: Provider) => boolean;
};

const text =
  (body: string): Case['answer'] =>
  () =>
    answering(200, {}, body);
const deep = '<a>'.repeat(5_000);
const cases: readonly Case[] = [
  {
    name: 'nothing has changed',
    answer: () => answering(304),
    outcome: 'unchanged',
    isFor: ({ isConditional }) => isConditional,
  },
  { name: 'too many requests', answer: () => answering(429, { 'retry-after': '82800' }), outcome: 'failed' },
  { name: 'a fault of the host', answer: () => answering(500), outcome: 'failed' },
  { name: 'the host is away', answer: () => answering(503, { 'retry-after': '120' }), outcome: 'failed' },
  { name: 'not allowed', answer: () => answering(403), outcome: 'failed' },
  { name: 'not there', answer: () => answering(404), outcome: 'missing' },
  { name: 'gone', answer: () => answering(410), outcome: 'gone' },
  {
    name: 'a body that breaks off',
    answer:
      ({ body }) =>
      (_, response) => {
        response.writeHead(200, { 'content-length': String(body.length + 100) });
        response.write(body.slice(0, body.length / 2), () => response.destroy());
      },
    outcome: 'failed',
  },
  {
    name: 'half of the answer',
    answer: ({ body }) => answering(200, {}, body.slice(0, 40)),
    outcome: 'failed',
    outcomes: { jsonld: 'read' },
  },
  { name: 'nothing at all', answer: text(''), outcome: 'failed' },
  {
    name: 'HTML',
    answer: text('<!doctype html><title>Down</title>'),
    outcome: 'failed',
    outcomes: { jsonld: 'read' },
  },
  { name: 'null', answer: text('null'), outcome: 'failed' },
  { name: 'a number', answer: text('17'), outcome: 'failed' },
  { name: 'a message', answer: text('{"message":"slow down"}'), outcome: 'failed' },
  { name: 'lists of other things', answer: text('{"jobs":[1],"offers":["a"]}'), outcome: 'failed' },
  { name: 'an object for a list', answer: text('{"jobs":{"id":1},"offers":{}}'), outcome: 'failed' },
  {
    name: 'items without what names them',
    answer: text('{"jobs":[{"title":"x"}],"offers":[{"title":"x"}]}'),
    outcome: 'failed',
  },
  {
    name: 'a bomb of gzip',
    answer: () => answering(200, { 'content-encoding': 'gzip' }, bombs.gzip),
    outcome: 'failed',
  },
  {
    name: 'a bomb of brotli',
    answer: () => answering(200, { 'content-encoding': 'br' }, bombs.br),
    outcome: 'failed',
  },
  {
    name: 'a packing that was not asked for',
    answer: () => answering(200, { 'content-encoding': 'zstd' }, 'x'),
    outcome: 'failed',
  },
  ...[
    'http://10.0.0.1/',
    'http://169.254.169.254/latest/',
    'http://[::1]:1/',
    'http://[::ffff:10.0.0.1]/',
    'file:///etc/passwd',
  ].map((location): Case => ({
    name: `leads to ${location}`,
    answer: () => answering(302, { location }),
    outcome: 'failed',
  })),
  {
    name: 'entities of its own',
    answer: ({ body }) =>
      answering(
        200,
        {},
        `<?xml version="1.0"?><!DOCTYPE r [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;">]>${body.replace(/Engineer|News/g, '&b;')}`,
      ),
    outcome: 'failed',
    // A feed may have a DOCTYPE; its declarations are not expanded.
    outcomes: { feed: 'read' },
    isFor: ({ isXml }) => isXml,
  },
  {
    name: 'elements without an end',
    answer: ({ body }) => answering(200, {}, body.replace(/(<item>|<position>|<entry>)/, `$1${deep}`)),
    outcome: 'failed',
    isFor: ({ isXml }) => isXml,
  },
  {
    name: 'a reservation',
    answer: ({ body }) => answering(200, { 'tdm-reservation': '1' }, body),
    outcome: 'failed',
  },
];

describe('each provider, simulated in its documented shape', () => {
  let server: WebServer;
  let thread: ParseThread;
  let nowMs: number;
  beforeAll(async () => {
    server = await startWebServer();
    // As a service parses large answers.
    thread = parseThread({ hereBytes: 0 });
  });
  afterAll(async () => {
    await thread.close();
    await server.close();
  });
  beforeEach(() => void (nowMs = 1_000_000));

  const outbound = createOutbound({ allowed: readCidrs('127.0.0.0/8') ?? [] });
  async function reading(name: string, provider: Provider, answer: WebAnswer) {
    const kind = kindOf(name);
    if (kind === null) throw new Error(`there is no ${name}`);
    let asked = 0;
    server.answer = (request, response) => {
      if (request.url === '/robots.txt') return void response.writeHead(404).end();
      asked += 1;
      if (asked > 1 && provider.next !== undefined) return void response.end(provider.next);
      answer(request, response);
    };
    const client = politeClient({
      outbound,
      polls: hostTurns(),
      contact: 'ops@acme.example',
      nowMs: () => nowMs,
      pause: async (ms) => void (nowMs += ms),
    });
    const of = {
      boardId: provider.boardId,
      url: `${server.origin}/page`,
      baseUrl: server.origin,
      match: null,
      mapping: null,
      redactsContacts: true,
      subjectRef: 'c:acme',
    };
    const read = await readSource(kind, of, {
      client,
      parse: thread.parse,
      validators: { etag: '"a"', lastModified: null },
      known: [],
      readsKnownAgain: false,
      signal,
      nowMs: () => nowMs,
      onRequest: () => undefined,
      onBytes: () => undefined,
      refsOf: async () => ({ domains: new Map(), handles: new Map() }),
    });
    return read.outcome === 'read' ? { ...read, lines: (await whole(read.lines)).items } : read;
  }

  it('has its sample', () => {
    const asked = sourceKinds.filter(({ isFile }) => !isFile).map(({ name }) => name);
    expectNone(
      asked.filter((name) => !Object.hasOwn(providers, name)),
      'add a simulated provider of these kinds to `providers` of this spec',
    );
    expect(Object.keys(providers).filter((name) => !asked.includes(name))).toEqual([]);
  });

  describe.each(Object.entries(providers))('%s', (name, provider) => {
    it('is read', async () => {
      expect(await reading(name, provider, answering(200, {}, provider.body))).toMatchObject({
        outcome: 'read',
        items: 1,
        lines: [{ line: { ref: expect.stringContaining(name) } }],
      });
    });

    it.each(cases.filter(({ isFor }) => isFor?.(provider) ?? true))(
      '$name',
      async ({ answer, outcome, outcomes }) => {
        const read = await reading(name, provider, answer(provider));
        expect(read.outcome).toBe(outcomes?.[name] ?? outcome);
        // An undocumented shape never counts as an empty answer.
        if (read.outcome === 'read' && outcomes?.[name] === undefined) expect(read.lines).not.toEqual([]);
        if (read.outcome === 'read') expect(JSON.stringify(read.lines)).not.toContain('aaaaaaaaaa');
      },
    );

    it('gets no request for hours if it asks for that', async () => {
      const busy = answering(429, { 'retry-after': '82800' });
      expect(await reading(name, provider, busy)).toMatchObject({ notBeforeMs: nowMs + 23 * HOUR_MS });
    });
  });
});
