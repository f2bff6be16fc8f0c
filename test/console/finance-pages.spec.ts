import { cells, expectPage } from '#test/support/console-visitor.js';
import { financeOf } from '#test/support/console-scene.js';
import { scene, sharedWorkspace } from '#test/support/scene.js';

describe('the finance pages of the console', () => {
  const service = scene({ at: '2026-05-14T10:00:00.000Z' });
  const workspace = sharedWorkspace(service, { name: '=HYPERLINK("https://evil.example")', credits: 100 });

  beforeAll(async () => {
    await service.workspace({ name: 'Beta', credits: 900 });
    await service.workspace({ name: 'gamma', credits: 0.5 });
    await spent('one', 12.5);
    await service.setClock('2026-05-16T10:00:00.000Z');
    await spent('two', 7);
    await workspace.command('credits.grant', {
      credits: 30,
      reason: 'trial',
      expires_at: '2026-05-20',
      promotional: true,
    });
    await workspace.command('caps.set', { scope: 'workspace', period: 'month', limit: 50 });
    await service.drain();
  });
  const finance = financeOf(service);

  async function spent(key: string, credits: number): Promise<void> {
    await workspace.command('credits.hold', { credits, product: 'work', key });
    await workspace.command('credits.capture', { key });
  }
  const ledger = (query = '') => `/console/workspaces/${workspace.id}/ledger${query}`;

  describe('the workspaces', () => {
    const names = (text: string) =>
      cells(text)
        .map(([name = '']) => name.split('\n')[0]?.trim())
        .filter((name) => name !== undefined && name !== '');

    it('are sorted and filtered by name, billing and alert, each by its own address', async () => {
      const byBalance = names((await finance.get('/console?by=balance')).text);
      expect(byBalance.slice(0, 2)).toEqual(['Beta', '=HYPERLINK(&quot;https://evil.example&quot;)']);
      const one = await finance.get('/console?named=GAM');
      expect(names(one.text)).toEqual(['gamma']);
      expectPage(one, 200, 'aria-label="1 workspace that fits"');
      expectPage(await finance.get('/console?named=m'), 200, 'aria-label="2 workspaces that fit"');
      expect(names((await finance.get('/console?alert=empty')).text)).toEqual(['gamma']);
      expect(names((await finance.get('/console?alert=expiring')).text)).toHaveLength(1);
      expect((await finance.get('/console?billing=exempt')).text).toContain('No workspace fits.');
      expect((await finance.get('/console?by=nonsense')).status).toBe(422);
    });

    it('CON-04 show the spend of 28 days, from stored sums', async () => {
      const { text } = await finance.get('/console?by=balance');
      const row = cells(text).find(([name]) => name?.includes('HYPERLINK'));
      expect(row?.[5]).toBe('19.5');
      expect(text).toContain('19.5 credits in 28 days');
      const { body } = await service.ops('workspace.list', { with: 'spend', named: 'HYPERLINK' });
      expect(body.workspaces[0].spend.slice(-3)).toEqual([12.5, 0, 7]);
    });

    it('CON-06 are a CSV without formulas', async () => {
      const { text, headers } = await finance.get('/console/workspaces.csv?by=balance');
      expect(headers.get('content-disposition')).toBe('attachment; filename="workspaces.csv"');
      const rows = text.trimEnd().split('\r\n');
      expect(rows).toHaveLength(4);
      expect(rows[2]).toContain(`,"'=HYPERLINK(""https://evil.example"")",self,`);
      expect(rows.filter((row) => /(^|,)"?[=+@]/.test(row))).toEqual([]);
      // A missing day is an empty cell, not the mark that the page shows.
      const beta = rows.find((row) => row.includes(',Beta,'))?.split(',');
      expect(beta?.slice(2, 8)).toEqual(['self', 'no', '900', '0', '0', '']);
    });
  });

  it('LED-10 a correction is offered for postings and captured charges, not for a charge that took nothing', async () => {
    const own = await service.workspace({ credits: 10 });
    const partners = await service.partnerWorkspace();
    const charge = async ({ command }: typeof own, key: string, end: string | null): Promise<number> => {
      const { movement_id } = await command('credits.hold', { credits: 1, product: 'work', key });
      if (end !== null) await command(end, { key });
      return movement_id;
    };
    const grant = await own.command('credits.grant', { credits: 1, reason: 'trial' });
    const isOffered = async (of: typeof own, movementId: number): Promise<boolean> => {
      const { status, text } = await finance.get(`/console/workspaces/${of.id}/movements/${movementId}`);
      expect(status).toBe(200);
      return text.includes(`corrects=${movementId}`);
    };
    for (const [of, movementId, wanted] of [
      [own, grant.movement_id, true],
      [own, await charge(own, 'captured', 'credits.capture'), true],
      [own, await charge(own, 'held', null), false],
      [own, await charge(own, 'released', 'credits.release'), false],
      [partners, await charge(partners, 'captured', 'credits.capture'), false],
    ] as const)
      expect([movementId, await isOffered(of, movementId)]).toEqual([movementId, wanted]);
  });

  describe('the ledger', () => {
    it("CON-04 the chart's last point is the balance at the revision that it names", async () => {
      const { text } = await finance.get(ledger());
      const [, balance, revision] = /<figcaption>\s*([\d.]+) credits at revision (\d+)\./.exec(text) ?? [];
      const body = await workspace.command('ledger.as_of', { at: Number(revision) });
      expect(Number(balance)).toBe(body.balance.balance);
      const days = await service.ops('ledger.days', { workspace_id: workspace.id });
      expect(days.body.days.at(-1).balance).toBe(body.balance.balance);
      const points = cells(text).filter((row) => /^\d{4}-\d{2}-\d{2}$/.test(row[0] ?? '') && row[1] !== '');
      expect(points.at(-1)?.slice(0, 2)).toEqual(['2026-05-16', String(body.balance.balance)]);
    });

    it('CON-04 names no revision before the first credits', async () => {
      const { body } = await service.ops('workspace.create', { name: 'Delta' });
      const { text } = await finance.get(`/console/workspaces/${body.workspace_id}/ledger`);
      expect(text).toContain('0 credits: none were granted yet.');
      expect(text).not.toContain('revision -1');
    });

    it('CON-04 each day ends with the opening balance of the next', async () => {
      const body = await workspace.command('ledger.days');
      const before = await service.ops('ledger.as_of', { workspace_id: workspace.id, at: '2026-05-15' });
      expect(body.days[0]).toEqual(
        expect.objectContaining({ day: '2026-05-14', balance: before.body.balance.balance, captured: 12.5 }),
      );
    });

    it("the rows' spend adds up to the totals, and the totals are those of the statement", async () => {
      const body = await workspace.command('ledger.statement', { from: '2026-05-01', to: '2026-06-01' });
      const { text } = await finance.get(ledger('?month=2026-05'));
      const rows = cells(text).filter((row) => row.length === 8 && /^[\d-]{10} /.test(row[1] ?? ''));
      const sumOf = (shown: typeof rows, column: number): number =>
        shown.reduce((sum, row) => sum + Number(row[column]), 0);
      expect([rows.length, sumOf(rows, 5)]).toEqual([body.rows.length, 19.5]);
      for (const [kind, sums] of [
        ['Product', body.totals.by_product],
        ['Cause', body.totals.by_cause],
        ['Payer', body.totals.by_payer],
      ] as const) {
        const shown = cells(text).filter(([by]) => by === kind);
        expect(shown.map(([, name, spend]) => [name, Number(spend)])).toEqual(Object.entries(sums));
        expect([kind, sumOf(shown, 2)]).toEqual([kind, 19.5]);
      }
      expect(body.opening + sumOf(rows, 4)).toBe(body.closing);
      expect(/<dt>Closing<\/dt>\s*<dd><strong class="amount">([^<]+)/.exec(text)?.[1]).toBe(
        String(body.closing),
      );
    });

    it('a statement covers a month or the days between two dates, with the same content as files', async () => {
      const { text } = await finance.get(ledger('?from=2026-05-15&to=2026-05-17'));
      expect(text).toContain('Statement of 2026-05-15 to 2026-05-17');
      expect(text).toContain('87.5');
      const link = /href="([^"]+export[^"]+format=csv)"/.exec(text)?.[1]?.replaceAll('&amp;', '&') ?? '';
      const file = await finance.get(link);
      expect([file.status, file.text.includes('2026-05-14T')]).toEqual([200, false]);
      expect((await finance.get(ledger('?from=nonsense&to=2026-05-17'))).status).toBe(422);
    });

    it('charges are shown of a company, and without one the page does not say that nothing was charged', async () => {
      const path = `/console/workspaces/${workspace.id}/charges`;
      const [all, ofCompany] = [await finance.get(path), await finance.get(`${path}?company=999999`)];
      expect(all.text).toContain('Enter the id of a company to see its charges.');
      expect(all.text).not.toContain('Nothing was charged.');
      expect(ofCompany.text).toContain('Nothing was charged.');
    });

    it('lots, caps and upcoming expiries are shown', async () => {
      const { text } = await finance.get(ledger());
      expect(cells(text)).toContainEqual(
        expect.arrayContaining(['the workspace', 'month', 'operator', '50']),
      );
      expect(text).toMatch(/[\d.]+ credits expire/);
      expect(text).toContain('2026-05-20T00:00:00.000Z');
    });

    it('the script of the chart is served by this service, under a name of its content', async () => {
      const { text } = await finance.get(ledger());
      const script = /<script src="([^"]+)"/.exec(text)?.[1] ?? '';
      const style = /data-style="([^"]+)"/.exec(text)?.[1] ?? '';
      const [loaded, styled] = [await finance.get(script), await finance.get(style)];
      expectPage(loaded, 200, 'uPlot');
      expect(loaded.headers.get('content-type')).toEqual('text/javascript; charset=utf-8');
      expect([styled.status, styled.headers.get('content-type')]).toEqual([200, 'text/css; charset=utf-8']);
    });
  });

  describe('the audit log', () => {
    it('CON-03 lists the changes of operators, their authors and the written entries', async () => {
      const { text } = await finance.get('/console/audit');
      const found = cells(text)
        .filter((row) => row.length > 0)
        .map((row) => row.slice(1, 4).map((cell) => cell.replace(/\s+/g, ' ')));
      const added = expect.stringContaining('name maria, role finance');
      expect(found).toContainEqual(['operator', 'Operator added', added]);
      expect(found).toContainEqual(['operator', 'Lot granted', expect.stringContaining('30 credits')]);
      expect(found).toContainEqual(['operator', 'Cap set', expect.anything()]);
      expect(text).not.toContain('tokenHash');
    });

    it('CON-03 is filtered by operator, workspace and event', async () => {
      const body = await workspace.command('audit.list', { what: 'LotGranted' });
      expect([body.total, body.actions[0].operator, body.actions[0].events[0].about.credits]).toEqual([
        1,
        'operator',
        '30000000',
      ]);
      expect((await service.ops('audit.list', { operator: 'nobody' })).body.total).toBe(0);
      expect((await finance.get('/console/audit?what=LotGranted')).text).toContain(
        '1 action that changed something',
      );
    });

    it('CON-21 sets a name apart from the amounts after it, which it could turn around', async () => {
      await service.ops('workspace.create', { name: 'Acme\u202Eabc', credits: 12.5 });
      const { text } = await finance.get('/console/audit');
      expect(text).toContain('name <bdi>Acme\u202Eabc</bdi>');
    });

    it('CON-03 finds an event by the words that it shows for it', async () => {
      for (const what of ['Lot granted', 'lot granted', ' LotGranted '])
        expect([what, (await finance.get(`/console/audit?what=${encodeURIComponent(what)}`)).text]).toEqual([
          what,
          expect.stringContaining('1 action that changed something'),
        ]);
    });
  });

  describe('the search', () => {
    it('opens a single result at once', async () => {
      expect((await finance.get('/console/search?q=beta')).location).toMatch(/\/workspaces\/\d+\/ledger$/);
      const prefix = workspace.apiKey.slice(0, 12);
      expect((await finance.get(`/console/search?q=${prefix}`)).location).toBe(
        `/console/workspaces/${workspace.id}/access`,
      );
    });

    it('lists several results, and says when there are none', async () => {
      const body = await workspace.command('ledger.statement');
      const hold = body.rows.find((row: { kind: string }) => row.kind === 'hold');
      const { text, location } = await finance.get(`/console/search?q=${hold.movement_id}`);
      expect(`${text} ${location}`).toContain(
        `/console/workspaces/${workspace.id}/movements/${hold.movement_id}`,
      );
      expect((await finance.get('/console/search?q=nowhere')).text).toContain('Nothing was found.');
    });

    it('CON-06 takes no whole API key: addresses must not contain one', async () => {
      const { status, text } = await finance.get(`/console/search?q=${workspace.apiKey}`);
      expectPage({ status, text }, 422, 'is a whole API key');
      expect(text).not.toContain(workspace.apiKey);
    });
  });
});
