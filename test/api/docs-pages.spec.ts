import { FIRST_STEPS } from '#apps/api/src/reference/first-steps.js';
import { problemTypes } from '#http/problem.js';
import { apiDocument } from '#test/support/declared-answers.js';
import { scene } from '#test/support/scene.js';

const BROWSER = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' };

describe('the pages of the service', () => {
  const service = scene();

  it('GET /docs/plain shows every operation of the document, without scripts and external resources', async () => {
    const { status, headers, body } = await service.call('GET /docs/plain');
    expect(status).toBe(200);
    expect(headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(headers.get('content-security-policy')).toMatch(
      /^default-src 'none'; style-src 'sha256-[\w+/=]+';/,
    );
    const operations = Object.values(apiDocument().paths).flatMap((each) => Object.values(each));
    expect(operations.length).toBeGreaterThan(40);
    for (const { operationId } of operations) expect(body).toContain(`id="${operationId}"`);
    expect(body).not.toMatch(/<script|<link|<img|@import|url\(| on\w+="|style="/i);
    expect([...body.matchAll(/(?:href|src)="([^"]*)"/g)].filter(([, to]) => !/^[/#]/.test(to ?? ''))).toEqual(
      [],
    );
    const [nothingOpen, ...tags] = [...body.matchAll(/<(\/?)(details|table|pre|nav)\b/g)].reduce<string[]>(
      (open, [, end, tag]) => (end === '/' ? open.slice(0, open.lastIndexOf(tag)) : [...open, tag]),
      [],
    );
    expect([nothingOpen, ...tags]).toEqual([undefined]);
  });

  it('GET /docs/plain shows the first steps as one piece of code, and which fields of a body exclude each other', async () => {
    const { body } = await service.call('GET /docs/plain');
    const signs: Readonly<Record<string, string>> = { quot: '"', amp: '&', lt: '<', gt: '>' };
    const codes = [...body.matchAll(/<pre>([^]*?)<\/pre>/g)].map(([, code = '']) =>
      code.replace(/&(\w+);/g, (_whole: string, name: string) => signs[name] ?? ''),
    );
    expect(codes).toContainEqual(expect.stringContaining(FIRST_STEPS));
    expect(body).not.toContain('```');
    expect(body).toMatch(/exactly one of\s+<code>agent_id<\/code>, <code>signal_setup_id<\/code>/);
    expect(body).not.toMatch(/ or +or | or *<\//);
  });

  it('GET / redirects a browser to /docs, and answers a program with the first links', async () => {
    const shown = await fetch(service.url, { headers: BROWSER, redirect: 'manual' });
    expect([shown.status, shown.headers.get('location'), shown.headers.get('vary')]).toEqual([
      303,
      '/docs',
      'Accept',
    ]);
    const answer = await service.call('GET /');
    expect([answer.status, answer.headers.get('vary'), answer.body]).toEqual([
      200,
      'Accept',
      { docs: '/docs', openapi: '/openapi.json' },
    ]);
  });

  it('GET /docs is a viewer that loads everything from this service, with inline styles and no inline script', async () => {
    const { status, headers, body } = await service.call('GET /docs');
    expect([status, headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
    const policy = headers.get('content-security-policy') ?? '';
    expect(policy).toContain(
      "default-src 'none'; script-src 'self'; style-src 'unsafe-inline'; connect-src 'self'",
    );
    expect(policy).not.toMatch(/http|\*|eval/);
    expect([...body.matchAll(/(?:href|src|spec-url)="([^"]*)"/g)].map(([, to]) => to)).toEqual(
      expect.arrayContaining(['/docs/viewer.js', '/docs/plain']),
    );
    expect([...body.matchAll(/(?:href|src|spec-url)="(?!\/|data:,)/g)]).toEqual([]);
    const script = await fetch(`${service.url}/docs/viewer.js`);
    expect(script.headers.get('content-type')).toBe('text/javascript; charset=utf-8');
    const text = await script.text();
    expect(text.length).toBeGreaterThan(500_000);
    expect(text).toContain("fetch('/openapi.json')");
  });

  for (const path of ['/docs', '/docs/plain', '/docs/viewer.js', '/openapi.json']) {
    it(`GET ${path} is compressed, and not sent again to a client that has it`, async () => {
      const plain = await fetch(service.url + path, { headers: { 'accept-encoding': 'identity' } });
      const text = await plain.text();
      const zipped = await fetch(service.url + path, { headers: { 'accept-encoding': 'gzip' } });
      expect(zipped.headers.get('content-encoding')).toBe('gzip');
      expect(Number(zipped.headers.get('content-length'))).toBeLessThan(text.length / 1.5);
      expect(await zipped.text()).toBe(text);
      const smaller = await fetch(service.url + path, { headers: { 'accept-encoding': 'gzip, br' } });
      expect(smaller.headers.get('content-encoding')).toBe('br');
      expect(Number(smaller.headers.get('content-length'))).toBeLessThan(
        Number(zipped.headers.get('content-length')),
      );
      expect(await smaller.text()).toBe(text);
      const etag = plain.headers.get('etag') ?? '';
      expect([zipped.headers.get('etag'), plain.headers.get('cache-control')]).toEqual([etag, 'no-cache']);
      expect(plain.headers.get('vary')).toContain('Accept-Encoding');
      const again = await fetch(service.url + path, { headers: { 'if-none-match': `"other", ${etag}` } });
      expect([again.status, await again.text(), again.headers.get('etag')]).toEqual([304, '', etag]);
      const other = await fetch(service.url + path, { headers: { 'if-none-match': '"other"' } });
      // An unread body would keep its connection open.
      expect([other.status, await other.text()]).toEqual([200, text]);
    });
  }

  it('GET /errors/<slug> explains every problem type, as a page to browsers and as JSON to others', async () => {
    for (const [slug, { title, meaning }] of Object.entries(problemTypes)) {
      const answer = await service.call(`GET /errors/${slug}`);
      expect([answer.headers.get('vary'), answer.body]).toEqual(['Accept', { slug, title, meaning }]);
      const shown = await service.call(`GET /errors/${slug}`, undefined, BROWSER);
      expect(shown.headers.get('content-type')).toBe('text/html; charset=utf-8');
      expect(shown.headers.get('content-security-policy')).toContain("default-src 'none'");
      expect(shown.body).toContain(`<h1>${title}</h1>`);
    }
    const unknown = await service.call('GET /errors/nothing', undefined, BROWSER);
    expect([unknown.status, unknown.headers.get('content-type')]).toEqual([404, 'application/problem+json']);
  });

  it('there is a page for every problem type in the document', () => {
    const named = JSON.stringify(apiDocument()).match(/(?<=\/errors\/\()[\w|-]+(?=\)\$)/g) ?? [];
    const slugs = new Set(named.flatMap((alternatives) => alternatives.split('|')));
    expect(slugs.size).toBeGreaterThan(6);
    expect([...slugs].filter((slug) => problemTypes[slug] === undefined)).toEqual([]);
  });
});
