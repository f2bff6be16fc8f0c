import {
  consoleVisitor,
  expectPage,
  hiddenFields,
  type ConsoleVisitor,
} from '#test/support/console-visitor.js';
import { financeOf, operatorOf } from '#test/support/console-scene.js';
import { keywordAgent, observedPost } from '#test/support/observed-network.js';
import { freshWorkspace, importFile, openingFile } from '#test/support/opening-files.js';
import { scene, sharedWorkspace } from '#test/support/scene.js';

const MOST_PAGES = 150;

describe('the links of the console', () => {
  const network = ['1', '2'].map((name) => observedPost(name, 'ana', 'A CRM', '2026-05-30T09:00:00Z'));
  const service = scene({ at: '2026-06-01T10:00:00.000Z', network });
  const workspace = sharedWorkspace(service, { credits: 100 }, async (own) => {
    await own.run(await keywordAgent(own, 'crm'));
  });
  const operator = operatorOf(service);
  const finance = financeOf(service);
  const path = (page: string) => `/console/workspaces/${workspace.id}/${page}`;

  beforeAll(async () => {
    await workspace.command('credits.adjust', { credits: 3, reason: 'An error', corrects: await charge() });
    await workspace.command('credits.grant', { credits: 5, reason: 'trial', expires_at: '2026-07-01' });
    await service.drain();
  });

  /** The links of a page, as a browser resolves them. */
  const linksOf = (text: string): readonly string[] =>
    [...text.matchAll(/<a\s[^>]*?href="(\/console[^"]*)"/g)].map(([, link = '']) =>
      (link.split('#')[0] ?? '').replaceAll('&amp;', '&'),
    );
  const linkNamed = (text: string, words: string): string => {
    const links = [...text.matchAll(/<a\s[^>]*?href="([^"]*)"[^>]*>([^<]*)<\/a\s*>/g)];
    return links.find(([, , name]) => name?.trim() === words)?.[1]?.replaceAll('&amp;', '&') ?? '';
  };
  /** The address that a browser asks for if a form is sent as it is shown. */
  const sentAddress = (text: string, button: string): URLSearchParams => {
    const form = [...text.matchAll(/<form\b[^]*?<\/form>/g)].find(([each]) => each.includes(`>${button}<`));
    const fields = [...(form?.[0] ?? '').matchAll(/<input[^>]* name="([^"]+)"[^>]* value="([^"]*)"/g)];
    const hidden = hiddenFields(form?.[0] ?? '');
    return new URLSearchParams({
      ...Object.fromEntries(fields.map(([, name = '', value = '']) => [name, value])),
      ...hidden,
    });
  };
  const asked = (address: string) => Object.fromEntries(new URL(address, 'http://console').searchParams);
  const charge = async (): Promise<number> => {
    const { body } = await workspace.call('GET /api/v3/credits/movements?limit=1');
    return body.data[0].id;
  };

  async function refusedLinks(visitor: ConsoleVisitor, first: string): Promise<readonly unknown[]> {
    const from = new Map<string, string>([[first, '']]);
    const left = [first];
    const refused: unknown[] = [];
    for (let link = left.shift(); link !== undefined && from.size < MOST_PAGES; link = left.shift()) {
      const { status, text } = await visitor.get(link);
      if (status !== 200 && status !== 303) refused.push([status, link, from.get(link)]);
      for (const next of linksOf(text)) {
        if (from.has(next)) continue;
        from.set(next, link);
        left.push(next);
      }
    }
    expect(from.size).toBeGreaterThan(20);
    return refused;
  }

  it('CON-03 CON-21 lead finance to no page that its role does not allow', async () => {
    expect(await refusedLinks(finance, '/console')).toEqual([]);
    expect((await finance.get(path('runs/1'))).text).not.toContain('/console/log');
    expect((await operator.get(path('runs/1'))).text).toContain('/console/log/stream');
  });

  it('CON-02 CON-21 lead the visitor of a read-only link to no page that the link does not show', async () => {
    const link = await workspace.command('link.add', { label: 'auditor' });
    const auditor = consoleVisitor(service);
    await auditor.get(link.path);
    expect(await refusedLinks(auditor, path('ledger'))).toEqual([]);
    expect((await auditor.get(path(`movements/${await charge()}`))).text).toContain('the list price of');
  });

  it('CON-21 keep the other filters of a list of runs, and offer no filter beside the only one of a list of signals', async () => {
    const runs = await operator.get(path('runs?stage=completed&trigger=manual'));
    const ofAgent = linksOf(runs.text).find((link) => link.includes('agent='));
    expect(asked(ofAgent ?? '')).toEqual(expect.objectContaining({ stage: 'completed', trigger: 'manual' }));
    expect((await operator.get(ofAgent ?? '')).status).toBe(200);
    const { text } = await operator.get(path('signals?run=1'));
    expect([text.includes('of run 1.'), text.includes('name="priority"')]).toEqual([true, false]);
    expect((await operator.get(path('signals?priority=1'))).text).toContain('name="priority"');
  });

  it('CON-21 keep the period, the earlier state and the time shown of a ledger', async () => {
    const days = { from: '2026-05-15', to: '2026-06-02' };
    const whole = { ...days, at: '2026-06-01', range: '90d' };
    const { text } = await operator.get(path(`ledger?${new URLSearchParams(whole).toString()}`));
    const states = text.slice(text.indexOf('State at an earlier time'));
    expect(Object.fromEntries(sentAddress(states, 'Show'))).toEqual(whole);
    expect(asked(linkNamed(text, '5 years'))).toEqual({ ...whole, range: '5y' });
    expect(Object.fromEntries(sentAddress(text, 'Show these days'))).toEqual(whole);
    const month = await operator.get(path('ledger?month=2026-06&at=2026-06-01&range=90d'));
    expect(asked(linkNamed(month.text, '2026-05'))).toEqual({
      month: '2026-05',
      at: '2026-06-01',
      range: '90d',
    });
    expectPage(month, 200, 'State before 2026-06-01');
  });

  it('lead from a run to all its charges, and from a corrected charge to its correction and back', async () => {
    const { text } = await operator.get(path('runs/1'));
    const charges = await operator.get(linkNamed(text, 'All charges of this run'));
    expectPage(charges, 200, path(`movements/${await charge()}`));
    const statement = await operator.get(path('ledger?month=2026-06'));
    const row = /An error<\/bdi> \(corrects <a href="([^"]+)">/.exec(statement.text);
    expect(row?.[1]).toBe(path(`movements/${await charge()}`));
    const corrected = await operator.get(row?.[1] ?? '');
    const [correction = ''] = linksOf(corrected.text.slice(corrected.text.indexOf('>Corrections<')));
    expectPage(await operator.get(correction), 200, 'An error', row?.[1] ?? '');
  });

  it('show on the statement why credits moved', async () => {
    const { text } = await operator.get(path('ledger?month=2026-06'));
    expect(text).toMatch(/<th scope="col" ?>Why<\/th>/);
    for (const why of ['>trial</td>', '>post:post:1</td>']) expect(text).toContain(why);
  });

  it('IMP-01 lead from the row of an import to the movements that its credits are in', async () => {
    const { id } = await freshWorkspace(service);
    const lots = [
      { kind: 'lot', id: 'contract', credits: 80.5 },
      { kind: 'lot', id: 'welcome', credits: 15, expires_at: '2026-09-01' },
    ];
    expect((await importFile(service, id, openingFile(lots))).status).toBe(200);
    const { text } = await operator.get(`/console/workspaces/${id}/ledger`);
    const [row = ''] = /<tr>(?:(?!<\/tr>)[^])*>import<[^]*?<\/tr>/.exec(text) ?? [];
    const movements = linksOf(row);
    expect([row.includes('95.5'), row.includes('; 15 in movement'), movements.length]).toEqual([
      true,
      true,
      2,
    ]);
    const amounts: string[] = [];
    for (const link of movements) {
      const movement = await operator.get(link);
      amounts.push(/<span>Credits<\/span><strong>([^<]*)/.exec(movement.text)?.[1] ?? '');
      expect(movement.text).toContain('import: the credits without terms, or those of one lot');
    }
    expect(amounts).toEqual(['80.5', '15']);
  });

  it('CONV-03 CON-21 every time on a page is in a column or beside a name that says UTC', async () => {
    const unzoned: unknown[] = [];
    let times = 0;
    const pages = [
      'ledger',
      'runs/1',
      'signals',
      'signals/1',
      `movements/${await charge()}`,
      'holds',
      'schedules',
    ];
    for (const page of [...pages.map(path), '/console/work', '/console/operators', '/console/audit']) {
      const { text } = await operator.get(page);
      for (const [whole, name = '', value = ''] of text.matchAll(
        /<(?:dt|span)>([^<]*)<\/(?:dt|span)>\s*<(?:dd|strong)>([^]*?)<\/(?:dd|div)>/g,
      )) {
        for (const [, after = ''] of value.matchAll(/<\/time>([^<]*)/g)) {
          times += 1;
          if (!name.includes('UTC') && !after.includes('UTC')) unzoned.push([page, whole]);
        }
      }
      for (const [table] of text.matchAll(/<table>[^]*?<\/table>/g)) {
        const names = [...table.matchAll(/<th[^>]*>([^<]*)<\/th>/g)].map(([, name = '']) => name);
        for (const [row] of table.matchAll(/<tr>\s*<td[^]*?<\/tr>/g)) {
          [...row.matchAll(/<td[^>]*>([^]*?)<\/td>/g)].forEach(([, cell = ''], column) => {
            if (!cell.includes('<time')) return;
            times += 1;
            if (names[column]?.includes('UTC') !== true) unzoned.push([page, names[column]]);
          });
        }
      }
    }
    expect(unzoned).toEqual([]);
    expect(times).toBeGreaterThan(20);
  });
});
