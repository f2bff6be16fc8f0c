import { runCommand } from '#ops/support/run-command.js';
import { sourceAdd } from '#sources/commands/source-add.js';
import { sourceFigures } from '#sources/source-figures.js';
import { scene } from '../support/scene.js';
import { NDJSON, startTestService, type Answer } from '../support/service.js';
import { startWebServer, type WebServer } from '../support/web-server.js';

const rss = (items: string): string =>
  `<rss version="2.0"><channel><title>News</title>${items}</channel></rss>`;
const post = (id: string): string =>
  `<item><guid isPermaLink="false">${id}</guid><title>Post ${id}</title><pubDate>Mon, 05 Jan 2026 09:00:00 GMT</pubDate></item>`;

describe('operator commands of sources', () => {
  const service = scene({
    settings: {
      OUTBOUND_ALLOW_CIDRS: '127.0.0.0/8',
      SOURCE_CONTACT: 'https://acme.example/bot',
    },
    network: [
      { kind: 'company', ref: 'c:acme', handle: 'acme', domains: ['acme.com', 'acme.de'] },
      { kind: 'company', ref: 'c:twin-1', handle: 'twin-1', domains: ['twin.example'] },
      { kind: 'company', ref: 'c:twin-2', handle: 'twin-2', domains: ['twin.example'] },
      { kind: 'person', ref: 'p:ana', handle: 'ana', first_name: 'Ana' },
    ],
  });
  let host: WebServer;

  beforeAll(async () => {
    host = await startWebServer((request, response) => {
      const answers: Record<string, [number, Record<string, string>, string]> = {
        '/robots.txt': [404, {}, ''],
        '/feed': [200, {}, rss(post('1') + post('2') + '<item><guid>3</guid></item>')],
        '/old/feed': [301, { location: '/new/feed' }, ''],
        '/new/feed': [200, { 'cache-control': 'max-age=3600' }, rss(post('1'))],
        '/there/feed': [200, {}, rss(post('1') + post('2'))],
        '/moved/feed': [301, { location: '/there/feed' }, ''],
        '/gone/feed': [410, {}, ''],
        '/html/feed': [200, {}, '<!doctype html><title>Moved</title>'],
      };
      const [status, headers, body] = answers[request.url ?? ''] ?? [500, {}, ''];
      response.writeHead(status, headers).end(body);
    });
  });
  afterAll(() => host.close());

  const add = (input: object): Promise<Answer> => service.ops('source.add', input);
  const show = async (id: number): Promise<Answer['body']> =>
    (await service.ops('source.show', { source_id: id })).body;
  /** Refused with this code, and nothing was recorded. */
  async function refused(input: object, status: number, expected: object): Promise<void> {
    const { added, ...answer } = await service.recorded(() => add(input));
    expect([input, answer.status, added]).toEqual([input, status, []]);
    expect(answer.body).toEqual(expect.objectContaining(expected));
  }
  const polledOnce = async (id: number): Promise<Answer['body']> => {
    for (;;) {
      const shown = await show(id);
      if (shown.last_poll !== null) return shown;
    }
  };

  it('SRC-03 adds a board by its address as an operator pastes it, once', async () => {
    const boards = [
      ['https://boards.greenhouse.io/hooli/jobs/1', 'greenhouse', 'hooli'],
      ['jobs.lever.co/hooli', 'lever', 'hooli'],
      ['https://hooli.recruitee.com/o/x', 'recruitee', 'hooli'],
    ] as const;
    const ids: number[] = [];
    for (const [url, kind, board] of boards) {
      const { status, body } = await add({ url, domain: `${kind}.example`, base_url: `${host.origin}/none` });
      expect([status, body]).toMatchObject([200, { kind, board }]);
      ids.push(body.source_id);
    }
    await refused(
      { url: 'https://boards-api.greenhouse.io/v1/boards/hooli/jobs', domain: 'b.example' },
      409,
      {
        source_id: ids[0],
      },
    );
    for (const source_id of ids) await service.ops('source.remove', { source_id });
    // A removed source may be added again.
    const again = await add({ url: boards[0][0], domain: 'greenhouse.example', base_url: host.origin });
    expect(again.status).toBe(200);
    await service.ops('source.remove', { source_id: again.body.source_id });
  });

  it('SRC-03 refuses one of two concurrent additions of the same board', async () => {
    const input = { url: 'https://jobs.lever.co/racing', domain: 'racing.example', base_url: host.origin };
    const answers = await Promise.all([add(input), add(input), add(input)]);
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409, 409]);
    const { body } = await service.ops('source.list', { page_size: 100 });
    const left = body.sources.filter(({ name }: { name: string }) => name === 'lever racing.example');
    expect(left).toHaveLength(1);
    await service.ops('source.remove', { source_id: left[0].source_id });
  });

  it('SRC-06 shows nothing of a poll of the removed source that ended after its board was added again', async () => {
    const input = {
      url: 'https://jobs.lever.co/late',
      domain: 'late.example',
      base_url: `${host.origin}/none`,
    };
    const { source_id } = (await add(input)).body;
    await service.ops('source.pause', { source_id });
    const { polls } = service.service.host.network;
    const [key, holder] = ['lever:late', 'a worker'];
    for (let claim = null; claim === null; await new Promise(setImmediate))
      claim = await polls.claim(key, holder, Date.now(), Date.now() + 60_000);
    const late = {
      sourceId: source_id - 1,
      isGone: true,
      failures: 2,
      lastFailure: 'is gone',
      lastPollAtMs: 1,
    };
    await polls.settle(key, holder, late);
    const unread = { last_poll: null, errors: 0, error: null };
    expect(await show(source_id)).toMatchObject(unread);
    const { body } = await service.ops('source.list', { page_size: 100 });
    expect(body.sources).toContainEqual(expect.objectContaining({ source_id, ...unread }));
    const resumed = await service.ops('source.resume', { source_id });
    expect(resumed.body).toEqual({ source_id, status: 'active' });
    await service.ops('source.remove', { source_id });
  });

  it('SRC-03 takes a second source of postings for one company only with force', async () => {
    const base_url = host.origin;
    const first = await add({ url: 'https://jobs.lever.co/acme', domain: 'acme.com', base_url });
    expect(first.status).toBe(200);
    // Another name of the same company.
    const second = { url: 'https://acme.recruitee.com', domain: 'acme.de', base_url };
    await refused(second, 409, { source_id: first.body.source_id });
    await refused({ ...second, domain: undefined, handle: 'acme' }, 409, {
      source_id: first.body.source_id,
    });
    const forced = await add({ ...second, force: true });
    expect(forced.status).toBe(200);
    // A feed is no source of postings.
    const feed = await add({ url: `${host.origin}/html/feed`, domain: 'acme.com' });
    expect(feed.status).toBe(200);
    for (const { body } of [first, forced, feed])
      await service.ops('source.remove', { source_id: body.source_id });
  });

  it('SRC-03 takes one of several sources of postings that are added for one company at the same time', async () => {
    const call = { operator: { name: 'ana', role: 'operator' } as const, correlationId: 'together' };
    const added = await Promise.allSettled(
      [
        { url: 'https://jobs.lever.co/acme-1', domain: 'acme.com' },
        { url: 'https://acme-2.recruitee.com', domain: 'acme.de' },
        { url: 'https://jobs.lever.co/acme-3', handle: 'acme' },
      ].map((input) =>
        runCommand(service.service.host, sourceAdd, { ...input, base_url: host.origin }, call),
      ),
    );
    expect(added.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected', 'rejected']);
    const { sources } = (await service.ops('source.list', { page_size: 100 })).body;
    const [left, ...others] = sources.filter(({ name }: { name: string }) => name.includes('acme'));
    expect(others).toEqual([]);
    for (const each of added)
      if (each.status === 'rejected')
        expect(each.reason).toMatchObject({ details: { members: { source_id: left.source_id } } });
    await service.ops('source.remove', { source_id: left.source_id });
  });

  it('SRC-04 takes exactly one company or person, and a known one', async () => {
    const url = `${host.origin}/feed`;
    await refused({ url, domain: 'twin.example' }, 422, { detail: expect.stringContaining('names several') });
    await refused({ url, handle: 'nobody' }, 422, { detail: expect.stringContaining('nobody') });
    await refused({ url, person: 'acme' }, 422, { detail: expect.stringContaining('is no person') });
    await refused({ url }, 422, { errors: { domain: [expect.stringContaining('must name the owner')] } });
    await refused({ url, domain: 'a.example', handle: 'acme' }, 422, {});
    await refused({ url: 'https://jobs.lever.co/x', person: 'ana' }, 422, {});
    await refused({ url: 'https://example.com/about', domain: 'a.example' }, 422, {
      detail: expect.stringContaining('name it with kind'),
    });
    await refused({ url: 'ftp://example.com/feed', domain: 'a.example' }, 422, {});
    await refused({ url: 'https://jobs.lever.co/x', kind: 'greenhouse', domain: 'a.example' }, 422, {});
    await refused({ url: 'https://u:p@example.com/feed', domain: 'a.example' }, 422, {});
    // A feed is read at its own address: a mirror would not be asked.
    await refused({ url, domain: 'a.example', base_url: host.origin }, 422, {
      errors: { base_url: [expect.stringContaining('read at their own address')] },
    });
  });

  it('polls a feed, shows its state, and tests without storing', async () => {
    const url = `${host.origin}/feed`;
    const tested = await service.ops('source.test', { url, person: 'ana' });
    expect(tested.body).toMatchObject({
      ok: true,
      kind: 'feed',
      belongs_to: 'p:ana',
      items: 3,
      skipped: 1,
      without_date: 0,
      wrong: [],
      first: [{ kind: 'post', author_ref: 'p:ana', text: 'Post 1' }, { text: 'Post 2' }],
    });
    expect(await service.service.host.network.polls.known('post', [tested.body.first[0].ref])).toEqual(
      new Set(),
    );
    const { body } = await add({ url, person: 'ana', name: "Ana's posts" });
    expect(await polledOnce(body.source_id)).toMatchObject({
      name: "Ana's posts",
      status: 'active',
      items: 3,
      new: 2,
      changed: 0,
      skipped: 1,
      errors: 0,
      belongs_to: { entity: 'person', by: 'handle', value: 'ana' },
      terms_verdict: expect.any(String),
    });
    expect((await service.ops('source.poll', { source_id: body.source_id })).body).toMatchObject({
      ok: true,
      items: 3,
      new: 0,
      changed: 0,
    });
    const headers = { authorization: `Bearer ${service.token}` };
    const metrics = await (await fetch(`${service.service.opsUrl ?? ''}/metrics`, { headers })).text();
    expect(metrics).toMatch(/^source_polls_total\{kind="feed",outcome="read"\} [2-9]/m);
    expect(metrics).toMatch(/^sources\{kind="feed"\} 1$/m);
    expect(metrics).toMatch(/^sources_without_yield\{kind="feed"\} 0$/m);
    expect(metrics).toMatch(/^source_items_total\{kind="feed"\} 2$/m);
    expect(metrics).toMatch(/^source_bytes_total\{kind="feed"\} [1-9]/m);
    // The usual pause is an hour.
    const { readModels, network } = service.service.host;
    for (const [hours, withoutYield] of [
      [2.9, 0],
      [3.1, 1],
    ] as const) {
      const later = await sourceFigures(readModels, network.polls, Date.now() + hours * 3_600_000);
      expect([hours, later]).toMatchObject([hours, [{ kind: 'feed', sources: 1, failing: 0, withoutYield }]]);
      expect(later[0]?.oldestYieldSeconds).toBeGreaterThan(hours * 3_600 - 60);
    }
    const status = async (command: string): Promise<unknown> =>
      (await service.ops(command, { source_id: body.source_id })).body.status;
    expect(await status('source.pause')).toBe('paused');
    expect(await show(body.source_id)).toMatchObject({ status: 'paused', next_poll: null });
    expect(await status('source.resume')).toBe('active');
    expect(await status('source.remove')).toBe('removed');
    expect((await service.ops('source.poll', { source_id: body.source_id })).status).toBe(404);
    expect((await service.ops('source.show', { source_id: 4_711 })).status).toBe(404);
  });

  it('SRC-06 a source that is gone is not resumed: a poll requests it again; a pause of it is ended', async () => {
    const { body } = await add({ url: `${host.origin}/gone/feed`, person: 'ana' });
    const of = { source_id: body.source_id };
    expect(await polledOnce(body.source_id)).toMatchObject({ status: 'gone', next_poll: null });
    await service.expectSettledEvents([], async () => {
      const refused = await service.ops('source.resume', of);
      expect(refused.body).toMatchObject({ status: 409, detail: expect.stringContaining('gone') });
    });
    expect((await service.ops('source.pause', of)).body.status).toBe('paused');
    expect((await service.ops('source.resume', of)).body.status).toBe('gone');
    expect(await show(body.source_id)).toMatchObject({ status: 'gone', next_poll: null });
    await service.ops('source.remove', of);
  });

  it('reads a new source at once on request, and reports the progress', async () => {
    const expected: string[] = [];
    const input = { url: `${host.origin}/feed`, person: 'ana', poll: true };
    const call = { operator: { name: 'ana', role: 'operator' } as const, correlationId: 'first-poll' };
    const added = await runCommand(service.service.host, sourceAdd, input, call, ({ done, total, note }) =>
      expected.push(`${done} of ${total} ${note}`),
    );
    expect(added).toMatchObject({ first_poll: { ok: true, items: 3, new: 0, changed: 0, skipped: 1 } });
    expect(expected).toEqual(['1 of 1 requests', '2 of 3 items']);
    const { source_id: id } = added as { readonly source_id: number };
    const { last_poll: polledAt } = await show(id);
    expect(polledAt).not.toBeNull();
    // An existing source is refused, and its polls continue as before.
    await refused({ ...input }, 409, { source_id: id });
    expect(await show(id)).toMatchObject({ items: 3, last_poll: polledAt });
    await service.ops('source.remove', { source_id: id });
  });

  it('reports the fault of an answer', async () => {
    const { body } = await service.ops('source.test', { url: `${host.origin}/html/feed`, person: 'ana' });
    expect(body).toMatchObject({ ok: false, wrong: ['answered HTML and no feed'], first: [] });
  });

  it('SRC-03 reads a feed that has moved permanently at its new address, and keeps its refs', async () => {
    const old = `${host.origin}/old/feed`;
    const { body } = await add({ url: old, person: 'ana' });
    const id = body.source_id;
    while ((await show(id)).url === old) await new Promise(setImmediate);
    expect(await polledOnce(id)).toMatchObject({ url: `${host.origin}/new/feed`, board: old, new: 1 });
    for (const url of [old, `${host.origin}/new/feed`])
      await refused({ url, person: 'ana' }, 409, { source_id: id });
    // Fresh for an hour: no poll before that, for an operator either.
    const early = await service.ops('source.poll', { source_id: id });
    expect(early).toMatchObject({ status: 409, body: { not_before: expect.any(String) } });
    await service.ops('source.remove', { source_id: id });
    // A first poll does not run early either: the answer says when, without old figures.
    const again = await add({ url: old, person: 'ana', poll: true });
    expect(again.body.first_poll).toEqual({
      ok: false,
      outcome: 'later',
      error: null,
      ...{ items: 0, new: 0, changed: 0, closed: 0, skipped: 0 },
      next_poll: expect.any(String),
    });
    await service.ops('source.remove', { source_id: again.body.source_id });
    // Added at its new address it is the same feed: under other refs its items would be charged again.
    const anew = await add({ url: `${host.origin}/new/feed`, person: 'ana' });
    expect(anew.body).toMatchObject({ board: old });
    expect(await show(anew.body.source_id)).toMatchObject({ url: `${host.origin}/new/feed`, board: old });
    await refused({ url: old, person: 'ana' }, 409, { source_id: anew.body.source_id });
    await service.ops('source.remove', { source_id: anew.body.source_id });
  });

  it('SRC-03 knows a feed by an address that it has left again: under other refs its items would be charged again', async () => {
    const moves = new Map<string, string>();
    await using site = await startWebServer(({ url = '' }, response) => {
      const to = moves.get(url);
      if (to !== undefined) return void response.writeHead(301, { location: to }).end();
      response.writeHead(url === '/robots.txt' ? 404 : 200).end(rss(post('1')));
    });
    const [first, between, last] = ['/first/feed', '/between/feed', '/last/feed'].map(
      (path) => `${site.origin}${path}`,
    );
    const { body } = await add({ url: first, person: 'ana', poll: true });
    const id = body.source_id;
    for (const [from, to] of [
      ['/first/feed', between],
      ['/between/feed', last],
    ] as const) {
      moves.set(from, to ?? '');
      await service.ops('source.poll', { source_id: id });
      expect(await show(id)).toMatchObject({ url: to, board: first });
    }
    for (const url of [first, between, last]) await refused({ url, person: 'ana' }, 409, { source_id: id });
    const other = (await add({ url: `${site.origin}/other/feed`, person: 'ana', poll: true })).body;
    moves.set('/other/feed', between ?? '');
    moves.delete('/between/feed');
    const { body: moved } = await service.ops('source.poll', { source_id: other.source_id });
    expect(moved).toMatchObject({
      ok: false,
      error: expect.stringContaining(`the address of source ${id} `),
    });
    for (const removed of [id, other.source_id]) await service.ops('source.remove', { source_id: removed });
    const again = (await add({ url: between, person: 'ana', poll: true })).body;
    expect(again).toMatchObject({ board: first, first_poll: { ok: true, new: 0 } });
    await service.ops('source.remove', { source_id: again.source_id });
  });

  it('SRC-03 does not read a feed that has moved to the address of another source: its items would be charged twice', async () => {
    const there = (await add({ url: `${host.origin}/there/feed`, name: 'There', person: 'ana', poll: true }))
      .body;
    expect(there.first_poll).toMatchObject({ ok: true, new: 2 });
    const moved = (await add({ url: `${host.origin}/moved/feed`, person: 'ana', poll: true })).body;
    const error = `has moved to the address of source ${there.source_id} (There): remove one of them`;
    expect(moved.first_poll).toMatchObject({ ok: false, error, new: 0 });
    expect(await show(moved.source_id)).toMatchObject({ url: `${host.origin}/moved/feed`, error });
    for (const { source_id } of [there, moved]) await service.ops('source.remove', { source_id });
  });

  it('SRC-03 reads a board whose host has moved permanently at the new one, and does not take it for another board', async () => {
    const item = '<item><title>Pilot</title><guid>7</guid><link>https://acme.example/jobs/7</link></item>';
    const answers = (host: () => WebServer): void => {
      const { origin } = host();
      host().answer = ({ url = '' }, response) => {
        if (origin === older.origin && url.startsWith('/jobs.rss'))
          return void response.writeHead(301, { location: `${newer.origin}${url}` }).end();
        const isPage = url.startsWith('/jobs.rss?offset=0');
        response.writeHead(url === '/robots.txt' ? 404 : 200).end(rss(isPage ? item : ''));
      };
    };
    const [older, newer] = [await startWebServer(), await startWebServer()];
    for (const one of [older, newer]) answers(() => one);
    const careers = { kind: 'teamtailor', domain: 'acme.de', force: true };
    const { body } = await add({ ...careers, url: `${older.origin}/jobs` });
    const id = body.source_id;
    expect(await polledOnce(id)).toMatchObject({ error: null, new: 1, closed: 0 });
    while ((await show(id)).url !== `${newer.origin}/`) await new Promise(setImmediate);
    const asked = older.requests.length;
    const again = await service.ops('source.poll', { source_id: id });
    expect(again.body).toMatchObject({ ok: true, items: 1, new: 0, changed: 0, closed: 0 });
    expect(older.requests).toHaveLength(asked);
    for (const { origin } of [older, newer])
      await refused({ ...careers, url: `${origin}/jobs` }, 409, { source_id: id });
    await service.ops('source.remove', { source_id: id });
    // Added again at its new host it is the same board, and moves on.
    const { body: anew } = await add({ ...careers, url: `${newer.origin}/jobs`, poll: true });
    expect(anew).toMatchObject({ board: new URL(older.origin).host, first_poll: { ok: true, new: 0 } });
    expect(await show(anew.source_id)).toMatchObject({ url: `${newer.origin}/jobs`, base_url: older.origin });
    expect(older.requests).toHaveLength(asked);
    await service.ops('source.remove', { source_id: anew.source_id });
    await older.close();
    await newer.close();
  });

  it('imports many, a line each, and the same again adds none', async () => {
    const lines = [
      { url: 'https://jobs.lever.co/one', domain: 'one.example', base_url: host.origin },
      { url: 'https://jobs.lever.co/two', domain: 'two.example', base_url: host.origin },
      { url: 'https://jobs.lever.co/three' },
      { url: 'https://jobs.lever.co/four', domain: 'four.example', colour: 'red' },
    ];
    const text = `${lines.map((line) => JSON.stringify(line)).join('\n')}\n\nnonsense\n`;
    const expected = async (): Promise<unknown> => (await service.ops('source.import', text, NDJSON)).body;
    const rejected = [
      { line: 3, message: expect.stringContaining('domain must name the owner') },
      { line: 4, message: 'colour is not an option of this command' },
      { line: 6, message: 'the line is not valid JSON' },
    ];
    expect(await expected()).toEqual({ added: 2, existing: 0, rejected, rejected_total: 3 });
    expect(await expected()).toEqual({ added: 0, existing: 2, rejected, rejected_total: 3 });
  });

  it('imports a file with a byte order mark, and no line whose bytes are no UTF-8', async () => {
    const line = (board: string) =>
      `{"url":"https://jobs.lever.co/${board}","domain":"marked.example","base_url":"${host.origin}"}`;
    const text = Buffer.concat([
      Buffer.from(`\ufeff${line('marked')}\r\n  \r\n`),
      Buffer.from(`${line('cut').replace('cut', 'cut\xff')}\n`, 'latin1'),
    ]);
    const answer = await fetch(`${service.service.opsUrl}/ops/source.import`, {
      method: 'POST',
      headers: { ...NDJSON, authorization: `Bearer ${service.token}` },
      body: text,
    });
    expect(await answer.json()).toEqual({
      added: 1,
      existing: 0,
      rejected: [{ line: 3, message: 'the line is not valid UTF-8' }],
      rejected_total: 1,
    });
  });

  it('reads nothing without a contact', async () => {
    await using unasked = await startWebServer();
    await using silent = await startTestService({ OUTBOUND_ALLOW_CIDRS: '127.0.0.0/8' });
    const url = `${unasked.origin}/feed`;
    const { body } = await silent.ops('source.add', { url, domain: 'acme.com' });
    expect(body.warning).toContain('SOURCE_CONTACT');
    for (const [command, input] of [
      ['source.poll', { source_id: body.source_id }],
      ['source.test', { url, domain: 'acme.com' }],
    ] as const)
      expect(await silent.ops(command, input)).toMatchObject({ status: 409 });
    expect(unasked.requests).toEqual([]);
  });

  it('keep the terms of a site that an operator has read, and no longer warn', async () => {
    const added = await add({ url: `${host.origin}/feed?terms`, domain: 'acme.com' });
    expect(added.body.warning).toContain('terms not read');
    const id = added.body.source_id;
    const recorded = (input: object) => service.ops('source.terms', { source_id: id, ...input });
    const read = { url: 'https://acme.example/terms', verdict: 'feeds may be read', read_on: '2026-01-02' };
    for (const [wrong, field] of [
      [{ ...read, url: 'nowhere' }, 'url'],
      [{ ...read, read_on: '2999-01-01' }, 'read_on'],
      [{ ...read, read_on: 'lately' }, 'read_on'],
    ] as const) {
      const { status, body } = await service.refused(() => recorded(wrong));
      expect([status, Object.keys(body.errors ?? {})]).toEqual([422, [field]]);
    }
    const today = (): string => service.now().slice(0, 10);
    const before = today();
    const { status, body } = await recorded({ url: read.url, verdict: read.verdict });
    expect([status, body]).toMatchObject([200, { source_id: id, warning: null }]);
    const { terms_read } = body;
    // Midnight may pass in between.
    expect([before, today()]).toContain(terms_read);
    // A poll records the terms of its kind; these take precedence.
    await service.ops('source.poll', { source_id: id });
    expect(await show(id)).toMatchObject({ terms_read, warning: null });
    const board = { url: 'https://jobs.lever.co/with-terms', domain: 'acme.de', base_url: host.origin };
    const lever = (await add({ ...board, force: true })).body.source_id;
    expect(await service.ops('source.terms', { source_id: lever, ...read })).toMatchObject({ status: 422 });
    for (const removed of [id, lever]) await service.ops('source.remove', { source_id: removed });
  });
});
