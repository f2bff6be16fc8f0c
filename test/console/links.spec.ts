import { actions } from '#apps/console/src/actions/actions.js';
import { sha256Hex } from '#kernel/values/hash.js';
import {
  consoleVisitor,
  hiddenFields,
  signInFor,
  type ConsoleVisitor,
} from '#test/support/console-visitor.js';
import { refusal } from '#test/support/expected-answers.js';
import { operatorOf } from '#test/support/console-scene.js';
import { scene, sharedWorkspace } from '#test/support/scene.js';

describe('read-only links of the console', () => {
  const service = scene({ at: '2026-05-14T10:00:00.000Z' });
  const workspace = sharedWorkspace(service, { name: 'Acme', credits: 100 });
  const other = sharedWorkspace(service, { name: 'Other', credits: 5 });
  const operator = operatorOf(service);

  const ledger = (id = workspace.id, page = 'ledger') => `/console/workspaces/${id}/${page}`;
  const made = async (more = {}) => await workspace.command('link.add', { label: 'auditor', ...more });

  async function opened(): Promise<{
    readonly auditor: ConsoleVisitor;
    readonly link: Record<string, string>;
  }> {
    const link = await made();
    const auditor = consoleVisitor(service);
    const done = await auditor.get(link.path);
    expect([done.status, done.location]).toEqual([303, ledger()]);
    return { auditor, link };
  }

  it('CON-02 a link is exchanged at its first opening, and its token is in no address, page or header after that', async () => {
    const { auditor, link } = await opened();
    const { status, text, headers } = await auditor.get(ledger());
    expect([status, text.includes('Read-only link: <bdi>auditor</bdi>')]).toEqual([200, true]);
    const token = link['path']?.split('/').at(-1) ?? '';
    expect(token).toMatch(/^link_\w{43}$/);
    expect(text + JSON.stringify([...headers]) + auditor.cookie()).not.toContain(token);
    expect(auditor.cookie()).not.toBe('');
  });

  it('CON-02 the cookie of a link is out of reach of scripts and ends with the link', async () => {
    const link = await made({ expires_at: '2026-05-14T11:00:00.000Z' });
    const { headers } = await consoleVisitor(service).get(link.path);
    expect(headers.get('set-cookie')).toMatch(
      /^console_session=link\.[\w.-]+; Path=\/console; HttpOnly; SameSite=Lax; Max-Age=3600$/,
    );
    expect(headers.get('referrer-policy')).toBe('same-origin');
  });

  it('CON-02 an opened link opens nothing again: this reveals a copy to both its thief and its owner', async () => {
    const { link } = await opened();
    const thief = consoleVisitor(service);
    const again = await thief.get(link['path'] ?? '');
    expect([again.status, again.text.includes('opened before'), thief.cookie()]).toEqual([404, true, '']);
    const body = await workspace.command('link.list');
    expect(
      body.links.find((each: { link_id: string }) => each.link_id === link['link_id']).opened_at,
    ).not.toBeNull();
  });

  it('CON-02 every active link can be withdrawn in the console, also behind the first page', async () => {
    const own = await service.workspace();
    const labels = Array.from({ length: 26 }, (_, index) => `reader-${index + 1}`);
    for (const label of labels) await own.command('link.add', { label });
    const access = ledger(own.id, 'access');
    const pages = [await operator.get(access), await operator.get(`${access}?links_page=2`)];
    expect(pages.map(({ text }) => text.split('>Withdraw<').length - 1)).toEqual([25, 1]);
    expect(pages[0]?.text).toContain(`href="${access}?page=1&amp;links_page=2"`);
    // The keys of the same page have a navigation of their own.
    expect(pages[0]?.text).toContain('<nav aria-label="Pages of the links">');
    const shown = pages.map(({ text }) => text).join('');
    expect(labels.filter((label) => !shown.includes(`>${label}<`))).toEqual([]);
  });

  it('CON-02 it shows one workspace alone, and no list of others', async () => {
    const { auditor } = await opened();
    for (const path of [
      ledger(other.id),
      ledger(other.id, 'movements/1'),
      ledger(other.id, 'charges?company=1'),
    ]) {
      const { status, text } = await auditor.get(path);
      expect([path, status, text.includes('Other')]).toEqual([path, 403, false]);
    }
    for (const path of [
      '/console/operators',
      '/console/audit',
      '/console/search?q=Other',
      '/console/workspaces.csv',
      ledger(workspace.id, 'access'),
      `/console/workspaces/${other.id}/export`,
      `/console/actions/credits.grant?workspace_id=${workspace.id}&credits=1&reason=x`,
    ]) {
      expect([path, (await auditor.get(path)).status]).toEqual([path, 403]);
    }
    expect((await auditor.get('/console')).location).toBe(ledger());
    expect((await auditor.get(ledger(workspace.id, 'export?format=csv'))).status).toBe(200);
  });

  it('CON-02 it shows the listed pages of its workspace alone, and the form of no action', async () => {
    const { auditor } = await opened();
    const pages = [
      'ledger',
      'charges',
      'signals',
      'runs',
      'schedules',
      'holds',
      'months',
      'monitoring',
      'forecast',
    ];
    for (const page of pages) {
      const own = await auditor.get(ledger(workspace.id, page));
      expect([page, own.status, own.text.includes('Other')]).toEqual([page, 200, false]);
      expect([page, (await auditor.get(ledger(other.id, page))).status]).toEqual([page, 403]);
    }
    for (const path of [
      ...['verify', 'deliveries', 'access'].map((page) => ledger(workspace.id, page)),
      ...['search', 'sources', 'work', 'prices', 'operators', 'audit', 'read-models', 'log'].map(
        (page) => `/console/${page}`,
      ),
      ...actions.map(({ command }) => `/console/actions/${command}`),
      `/console/actions/credits.recurring.stop?workspace_id=${other.id}&reason=x`,
    ]) {
      expect([path, (await auditor.get(path)).status]).toEqual([path, 403]);
    }
  });

  it('CON-02 HEAD exchanges nothing: mail programs check links with it', async () => {
    const link = await made();
    const visitor = consoleVisitor(service);
    await service.expectSettledEvents([], async () => {
      const { status, headers } = await fetch(`${service.service.opsUrl ?? ''}${link.path}`, {
        method: 'HEAD',
        redirect: 'manual',
      });
      expect([status, headers.get('set-cookie'), headers.get('referrer-policy')]).toEqual([
        200,
        null,
        'no-referrer',
      ]);
    });
    expect((await visitor.get(link.path)).location).toBe(ledger());
  });

  it('CON-02 a stolen session of a link that sends a form is refused, and changes nothing', async () => {
    const { auditor } = await opened();
    const operator = consoleVisitor(service);
    await operator.signIn(service.token);
    const path = `/console/actions/credits.adjust?workspace_id=${workspace.id}&credits=5&reason=mine`;
    const form = hiddenFields((await operator.get(path)).text);
    // A link has no form token of its own: this text would prove an empty one.
    const forged = { ...form, form_token: `mask.${sha256Hex('mask')}` };
    await service.expectSettledEvents([], async () => {
      for (const fields of [form, forged]) {
        const { status, text } = await auditor.send('/console/actions/credits.adjust', fields);
        expect([status, text.includes('Nothing was changed')]).toEqual([403, true]);
      }
    });
  });

  it('CON-02 it is withdrawn by its own workspace alone', async () => {
    const { auditor, link } = await opened();
    await refusal(404, service.ops('link.withdraw', { workspace_id: other.id, link_id: link['link_id'] }));
    expect((await auditor.get(ledger())).status).toBe(200);
  });

  it('CON-02 it ends when it is withdrawn, and at its end', async () => {
    const { auditor, link } = await opened();
    await workspace.command('link.withdraw', { link_id: link['link_id'] });
    expect((await auditor.get(ledger())).location).toBe(signInFor(ledger()));

    const short = await made({ expires_at: '2026-05-15T00:00:00.000Z' });
    const unopened = await made({ expires_at: '2026-05-15T00:00:00.000Z' });
    const later = consoleVisitor(service);
    await later.get(short.path);
    expect((await later.get(ledger())).status).toBe(200);
    await service.setClock('2026-05-15T00:00:00.000Z');
    expect((await later.get(ledger())).location).toBe(signInFor(ledger()));
    const late = await consoleVisitor(service).get(unopened.path);
    expect([late.status, late.text.includes('has expired')]).toEqual([404, true]);
  });

  it('CON-02 it is independent of other sessions, and an invented cookie opens nothing', async () => {
    const { auditor } = await opened();
    const [stream = ''] = auditor.cookie().replace('console_session=link.', '').split('.');
    const guess = { cookie: `console_session=link.${stream}.${'x'.repeat(43)}` };
    expect((await consoleVisitor(service).get(ledger(), guess)).location).toBe(signInFor(ledger()));
    expect((await consoleVisitor(service).get(`/console/links/link_${'0'.repeat(43)}`)).status).toBe(404);
    const short = await consoleVisitor(service).get('/console/links/short');
    expect([short.status, short.headers.get('content-type')]).toEqual([404, 'text/html; charset=utf-8']);
    expect(short.headers.get('referrer-policy')).toBe('no-referrer');
  });

  it('CON-02 is refused beyond 92 days, for an unknown workspace and for the role of finance', async () => {
    await refusal(
      422,
      service.ops('link.add', {
        workspace_id: workspace.id,
        label: 'x',
        expires_at: '2027-05-14T00:00:00.000Z',
      }),
      'expires_at',
    );
    expect((await service.ops('link.add', { workspace_id: 999_999, label: 'x' })).status).toBe(404);
  });
});
