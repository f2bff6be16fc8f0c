import {
  cells,
  consoleVisitor,
  expectPage,
  factsOf,
  signedIn,
  signInFor,
} from '#test/support/console-visitor.js';
import { addedMaria, operatorOf, sharedVisitor } from '#test/support/console-scene.js';
import { scene, sharedWorkspace } from '#test/support/scene.js';

const NAME = `<script>alert("1")</script>`;

describe('the console', () => {
  const service = scene({ at: '2026-05-14T10:00:00.000Z', settings: { TRUSTED_PROXIES: '127.0.0.1/32' } });
  const workspace = sharedWorkspace(service, { name: NAME, credits: 100 });
  let financeToken: string;

  beforeAll(async () => {
    await workspace.command('credits.hold', { credits: 3, product: 'work', key: 'two' });
    await workspace.command('credits.capture', { key: 'two' });
    await service.setClock('2026-06-02T10:00:00.000Z');
    await workspace.command('credits.hold', { credits: 4, product: 'work', key: 'one' });
    await service.drain();
    financeToken = await addedMaria(service);
  });
  const operator = operatorOf(service);
  const finance = sharedVisitor(service, async () => financeToken);

  const ledger = (path = 'ledger') => `/console/workspaces/${workspace.id}/${path}`;
  const pages = (): readonly string[] => [
    '/console',
    ledger(),
    ledger('ledger?month=2026-05&at=2026-05-20'),
    ledger('holds'),
    ledger('months'),
    ledger('access'),
    ledger('movements/1'),
    '/console/read-models',
    '/console/operators',
    '/console/audit',
    '/console/prices',
    '/console/search?q=nothing',
    ledger('charges'),
    '/console/actions/credits.grant',
  ];

  describe('access', () => {
    it('CON-02 a stranger is sent to the sign-in form of operators, from every page', async () => {
      const stranger = consoleVisitor(service);
      for (const path of pages()) {
        const { status, location, text } = await stranger.get(path);
        expect([path, status, location, text]).toEqual([path, 303, signInFor(path), '']);
      }
      const shown = await stranger.get('/console/sign-in');
      expect([shown.status, shown.text]).toEqual([200, expect.stringContaining('name="token"')]);
    });

    it('CON-02 a wrong token does not sign in, and is in no answer', async () => {
      const stranger = consoleVisitor(service);
      const wrong = await stranger.send('/console/sign-in', { token: 'ops_maria_wrong' });
      expect([wrong.status, wrong.headers.get('set-cookie')]).toEqual([403, null]);
      expect(wrong.text).not.toContain('ops_maria_wrong');
      expect((await stranger.get('/console')).status).toBe(303);
    });

    it('CON-02 the cookie is for this console alone, out of reach of scripts, and no token', async () => {
      const visitor = consoleVisitor(service);
      const { headers } = await visitor.send('/console/sign-in', { token: financeToken });
      expect(headers.get('set-cookie')).toMatch(
        /^console_session=[\w-]{43}; Path=\/console; HttpOnly; SameSite=Lax$/,
      );
      expect(headers.get('set-cookie')).not.toContain(financeToken);
    });

    it('CON-02 the cookie is Secure when a trusted proxy has ended TLS', async () => {
      const visitor = consoleVisitor(service);
      const encrypted = { 'x-forwarded-proto': 'https' };
      const { headers } = await visitor.send('/console/sign-in', { token: financeToken }, encrypted);
      expect(headers.get('set-cookie')).toMatch(/; Secure$/);
    });

    it('CON-01 CON-02 a revoked operator is signed out at the next request', async () => {
      const { body } = await service.ops('operator.add', { name: 'leo', role: 'finance' });
      const leo = await signedIn(service, body.token);
      expect((await leo.get('/console')).status).toBe(200);
      await service.command('operator.revoke', { name: 'leo' });
      expect((await leo.get('/console')).location).toBe('/console/sign-in');
    });

    it('CON-02 signing out ends the session', async () => {
      const visitor = await signedIn(service, financeToken);
      const cookie = visitor.cookie();
      const { status, location } = await visitor.send('/console/sign-out', {});
      expect([status, location]).toEqual([303, '/console/sign-in']);
      expect((await visitor.get('/console', { cookie })).status).toBe(303);
    });
  });

  it('CON-02 an address without a page is a page with status 404, and the sign-in form without a session', async () => {
    for (const path of ['/console/nope', '/console/nope/further', ledger('nope'), '/console/sign-out']) {
      const { status, text, headers } = await operator.get(path);
      expect([path, status, headers.get('content-type')]).toEqual([path, 404, 'text/html; charset=utf-8']);
      expect(text).toContain('There is no such page.');
      expect((await consoleVisitor(service).get(path)).location).toBe(signInFor(path));
    }
  });

  it('CON-02 a malformed percent-encoding is a page too, and the sign-in form without a session', async () => {
    for (const [path, reason, readAs] of [
      ['/console/%E0%A4%A', 'There is no such page.', '/console/%25E0%25A4%25A'],
      ['/console/%ZZ?x=%', 'There is no such page.', '/console/%25ZZ?x=%'],
      ['/console/workspaces/%ff/ledger', 'The resource does not exist.', '/console/workspaces/%25ff/ledger'],
    ] as const) {
      const page = await operator.get(path);
      expect([path, page.headers.get('content-type')]).toEqual([path, 'text/html; charset=utf-8']);
      expectPage(page, 404, reason);
      expectPage(await operator.get(readAs), 404, reason);
      const { status, location } = await consoleVisitor(service).get(path);
      expect([path, status, location]).toEqual([path, 303, signInFor(readAs)]);
    }
    // Other addresses of the listener are answered to programs.
    expect((await operator.get('/ops/%ZZ')).headers.get('content-type')).toBe('application/problem+json');
  });

  it('CON-02 a malformed id or query is a page too, and the sign-in form without a session', async () => {
    for (const [path, wanted, reason] of [
      ['/console/workspaces/abc/ledger', 404, 'The resource does not exist.'],
      ['/console/workspaces/0/export', 404, 'The resource does not exist.'],
      [ledger('movements/9007199254740993'), 404, 'The resource does not exist.'],
      ['/console/sources/abc', 404, 'The resource does not exist.'],
      ['/console/actions/credits.steal', 404, 'The resource does not exist.'],
      ['/console/audit?page=0', 422, 'page: must be at least 1'],
      ['/console/workspaces.csv?by=nothing', 422, 'by: must be one of'],
      [ledger('ledger?range=1d&range=1y'), 422, 'range: must be given once'],
    ] as const) {
      const page = await operator.get(path);
      expect([path, page.headers.get('content-type')]).toEqual([path, 'text/html; charset=utf-8']);
      expectPage(page, wanted, reason);
      const { status, location, text } = await consoleVisitor(service).get(path);
      expect([path, status, location, text]).toEqual([path, 303, signInFor(path), '']);
    }
    const form = await operator.send('/console/actions/credits.steal', {});
    expectPage(form, 404, 'The resource does not exist.');
  });

  describe('every page', () => {
    it('is complete without a script, makes no request elsewhere, and shows names as text', async () => {
      for (const path of pages()) {
        const { status, text, headers } = await operator.get(path);
        expect([path, status, headers.get('content-type')]).toEqual([path, 200, 'text/html; charset=utf-8']);
        expect(headers.get('content-security-policy')).toMatch(
          /^default-src 'none'; script-src 'self'; connect-src 'self'; style-src 'self' 'sha256-[\w+/=]+'; img-src data:; base-uri 'none'; form-action 'self'; frame-ancestors 'none'$/,
        );
        expect([path, headers.get('cache-control'), headers.get('referrer-policy')]).toEqual([
          path,
          'no-store',
          'same-origin',
        ]);
        const ownScripts = /<script src="\/console\/assets\/[\w.-]+" defer><\/script>/g;
        const others = text.replace(ownScripts, '');
        expect([path, /<script|<img|@import|url\(| on\w+="| style="/i.test(others)]).toEqual([path, false]);
        const links = [...text.matchAll(/(?:href|action|src)="([^"]*)"/g)].map(([, to = '']) => to);
        expect([path, links.filter((to) => !/^(\/console|data:,|#content$)/.test(to))]).toEqual([path, []]);
      }
      expect((await operator.get('/console')).text).toContain(
        '&lt;script&gt;alert(&quot;1&quot;)&lt;/script&gt;',
      );
    });

    it('links only to existing pages', async () => {
      const seen = new Set<string>();
      const waiting = ['/console'];
      for (let path = waiting.shift(); path !== undefined && seen.size < 60; path = waiting.shift()) {
        if (seen.has(path)) continue;
        seen.add(path);
        const { status, text } = await operator.get(path);
        expect([path, status]).toEqual([path, 200]);
        const links = [...text.matchAll(/href="(\/console[^"]*)"/g)].map(([, to = '']) =>
          to.replaceAll('&amp;', '&'),
        );
        // One month in each direction is enough of an endless series.
        waiting.push(...links.filter((to) => !/month=202[^6]|month=2026-(0[1-3]|0[89]|1)/.test(to)));
      }
      expect(seen.size).toBeGreaterThan(12);
    });
  });

  describe('the content of the pages', () => {
    it('the workspaces with their spendable credits', async () => {
      const { text } = await finance.get('/console');
      expect(cells(text)).toContainEqual(expect.arrayContaining(['self', '93', '4', '3']));
    });

    it('the statement of a month is that of ledger.statement, and each row leads to its movement', async () => {
      const { text } = await finance.get(ledger('ledger?month=2026-05'));
      const body = await workspace.command('ledger.statement', { from: '2026-05-01', to: '2026-06-01' });
      const rows = cells(text).filter((row) => row.length === 8);
      expect(rows.map((row) => [row[0], row[2], row[4], row[6]])).toEqual(
        body.rows.map((row: Record<string, unknown>) =>
          ['movement_id', 'kind', 'credits', 'balance'].map((name) => String(row[name])),
        ),
      );
      expect(text).toContain(body.hash);
      expect(text).toContain(`/movements/${rows[0]?.[0]}"`);
      expect(rows.length).toBe(3);
    });

    it('the balance before a day, beside the current balance', async () => {
      const { text } = await finance.get(ledger('ledger?at=2026-05-01'));
      expect(text).toContain('<strong>93</strong>');
      expect(text).toContain('State before 2026-05-01');
      expect((await finance.get(ledger('ledger?at=nonsense'))).status).toBe(422);
    });

    it('a page after the last of a list leads back to the last', async () => {
      const { text } = await finance.get('/console?page=99');
      expect(/rel="prev" href="([^"]*)"/.exec(text)?.[1]).toMatch(/page=1$/);
    });

    it('CON-21 the balance before a time as the pages show it, in UTC', async () => {
      const before = async (time: string) => {
        const { status, text } = await finance.get(ledger(`ledger?at=${encodeURIComponent(time)}`));
        return [status, factsOf(text.slice(text.indexOf('State before')))];
      };
      const wanted = await before('2026-06-02T10:00:00Z');
      expect(wanted).toMatchObject([200, { Balance: '97', Captured: '3' }]);
      for (const time of ['2026-06-02 10:00:00', '2026-06-02 10:00', ' 2026-06-02T10:00 '])
        expect([time, await before(time)]).toEqual([time, wanted]);
      expect(await before('2026-06-31 10:00')).toEqual([422, {}]);
    });

    it('an export is the file of ledger.export', async () => {
      const file = await finance.get(ledger('export?month=2026-05&format=csv'));
      const period = { from: '2026-05-01', to: '2026-06-01' };
      const wanted = await workspace.command('ledger.export', { format: 'csv', ...period });
      expect([file.status, file.text]).toEqual([200, wanted]);
      expect(file.headers.get('content-disposition')).toBe(
        `attachment; filename="ledger-${workspace.id}-2026-05-01-2026-06-01.csv"`,
      );
      for (const [format, type] of [
        ['csv', 'text/csv; charset=utf-8'],
        ['jsonl', 'application/x-ndjson'],
        ['journal', 'text/plain; charset=utf-8'],
      ] as const) {
        const { headers } = await finance.get(ledger(`export?month=2026-05&format=${format}`));
        expect([format, headers.get('content-type')]).toEqual([format, type]);
      }
    });

    it('a movement shows its reason, the authors of its entries, and their seals', async () => {
      const statement = await finance.get(ledger('ledger?month=2026-05'));
      const held = cells(statement.text).find((row) => row[2] === 'hold');
      const { status, text } = await finance.get(ledger(`movements/${held?.[0]}`));
      expectPage({ status, text }, 200, 'CreditsHeld', 'operator operator');
      expect((await finance.get(ledger('movements/999999'))).status).toBe(404);
    });

    it('the open holds, with their purpose', async () => {
      const { text } = await finance.get(ledger('holds'));
      expect(text).toContain('1 open hold');
      expect(cells(text)).toContainEqual(expect.arrayContaining(['work', 'one', '4']));
    });

    it('the API keys of a workspace', async () => {
      expect((await finance.get(ledger('access'))).text).toContain(workspace.apiKey.slice(0, 12));
    });

    it('CON-03 the progress of the read models, for operators; the role finance is refused', async () => {
      const { text } = await operator.get('/console/read-models');
      expect(cells(text)).toContainEqual(expect.arrayContaining(['credit-balances']));
      const refused = await finance.get('/console/read-models');
      expectPage(refused, 403, 'does not allow projections.status');
    });
  });
});
