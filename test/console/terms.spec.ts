import {
  actionPath,
  cells,
  factsOf,
  hiddenFields,
  sentForm,
  type ConsolePage,
} from '#test/support/console-visitor.js';
import { financeOf, operatorOf } from '#test/support/console-scene.js';
import { scene, sharedWorkspace } from '#test/support/scene.js';

const ACTION = '/console/actions/';

describe('caps and recurring grants in the console', () => {
  const service = scene({ at: '2026-05-14T10:00:00.000Z' });
  const workspace = sharedWorkspace(service, { name: 'Acme', credits: 100 });
  const operator = operatorOf(service);
  const finance = financeOf(service);

  const ledger = () => `/console/workspaces/${workspace.id}/ledger`;
  const address = (command: string, fields: Readonly<Record<string, string | number>>) =>
    actionPath(command, { workspace_id: workspace.id, ...fields });
  const sent = (command: string, page: ConsolePage) => sentForm(operator, command, page);
  const linkNamed = ({ text }: ConsolePage, name: string): string => {
    const links = [...text.matchAll(/<a\s[^>]*?href="([^"]*)"[^>]*>([^<]*)<\/a\s*>/g)];
    return links.find(([, , words]) => words === name)?.[1]?.replaceAll('&amp;', '&') ?? '';
  };
  const caps = async () => (await workspace.command('caps.list')).caps;

  it('CON-05 a cap is shown before it is set, set once, changed and removed', async () => {
    const fields = { scope: 'workspace', period: 'month', limit: '50' };
    const shown = await operator.get(address('caps.set', fields));
    expect(cells(shown.text)).toContainEqual([
      'Credits held at most, the workspace by month',
      'no cap of this form',
      '50',
    ]);
    expect(await caps()).toEqual([]);
    const done = await sent('caps.set', shown);
    expect([done.status, done.location]).toEqual([303, ledger()]);
    const [cap] = await caps();
    expect(cap).toEqual(expect.objectContaining({ scope: 'workspace', period: 'month', limit: 50 }));

    const twice = await sent('caps.set', shown);
    expect([twice.status, twice.location]).toEqual([303, ledger()]);
    const other = await operator.send('/console/actions/caps.set', {
      ...hiddenFields(shown.text),
      key: 'another form',
    });
    expect([other.status, other.text.includes('has changed since it was shown')]).toEqual([409, true]);
    expect(await caps()).toHaveLength(1);

    const page = await operator.get(ledger());
    expect(page.text).toContain(`Cap ${cap.id} is set: at most 50 credits a month.`);
    const form = await operator.get(linkNamed(page, 'Change'));
    expect(form.text).toContain('<option selected>month</option>');
    const changed = await operator.get(`${linkNamed(page, 'Change')}&limit=20`);
    expect(cells(changed.text)).toContainEqual([
      `Cap ${cap.id}, the workspace by month`,
      '50',
      '20, the workspace by month',
    ]);
    expect((await sent('caps.set', changed)).status).toBe(303);
    expect((await caps()).map(({ limit }: { limit: number }) => limit)).toEqual([20]);

    const removing = await operator.get(linkNamed(page, 'Remove'));
    const again = await sent('caps.remove', removing);
    expect([again.text.includes('This cannot be undone.'), (await caps()).length]).toEqual([true, 1]);
    // Another limit than the one that was shown is not removed.
    const set = { scope: 'workspace', period: 'month', cap_id: cap.id };
    await workspace.command('caps.set', { ...set, limit: 5 });
    expect((await sent('caps.remove', again)).status).toBe(409);
    expect((await caps()).map(({ limit }: { limit: number }) => limit)).toEqual([5]);
    const anew = await sent('caps.remove', await operator.get(linkNamed(page, 'Remove')));
    expect((await sent('caps.remove', anew)).status).toBe(303);
    expect(await caps()).toEqual([]);
    const none = await operator.get(linkNamed(page, 'Remove'));
    expect(none.text).toContain('There is no such cap in this workspace.');
  });

  it('CON-05 a cap that the command refuses changes nothing and says why', async () => {
    await service.expectSettledEvents([], async () => {
      const fields = { scope: 'agent', period: 'day', limit: '5' };
      const { status, text } = await sent('caps.set', await operator.get(address('caps.set', fields)));
      expect(status).toBe(422);
      expect(text).toContain('Id of the signal setup, agent or API key: goes with every scope but workspace');
      const unknown = { cap_id: 999, scope: 'workspace', period: 'day', limit: '5' };
      expect((await operator.get(address('caps.set', unknown))).text).toContain('There is no such cap');
    });
  });

  it('CON-05 a recurring grant is shown before it is added, gives its due credits, and is stopped', async () => {
    const fields = {
      credits: '10',
      reason: 'Plan',
      every: 'month',
      from: '2026-04-01',
      expires_after: 'P1M',
    };
    const shown = await operator.get(address('credits.recurring.add', fields));
    expect(shown.text).toContain('1 workspace, 10 credits every month');
    expect(shown.text).toContain('2026-04-01; the grants due until today are made immediately');
    const done = await sent('credits.recurring.add', shown);
    expect([done.status, done.location]).toEqual([303, ledger()]);
    expect((await sent('credits.recurring.add', shown)).status).toBe(303);

    const listed = await service.ops('credits.recurring.list', { workspace_id: workspace.id });
    const { key } = hiddenFields(shown.text);
    expect([listed.body.recurring.length, listed.body.recurring[0].rule_key]).toEqual([1, key]);

    await service.drain();
    const page = await operator.get(ledger());
    const row = cells(page.text).find(([, status]) => status === 'active');
    expect(row?.slice(2, 6)).toEqual(['Plan', 'month', '10', '-']);

    const form = await operator.get(`${linkNamed(page, 'Stop')}&reason=Ended`);
    expect(cells(form.text)).toContainEqual(['10 credits every month', 'active', 'stopped']);
    const again = await sent('credits.recurring.stop', form);
    expect((await sent('credits.recurring.stop', again)).status).toBe(303);
    expect((await operator.get(ledger())).text).toContain('Recurring grant 1 is stopped.');
    const over = await operator.get(`${linkNamed(page, 'Stop')}&reason=Ended`);
    expect(over.text).toContain('The grant is already stopped.');
  });

  it('P18 the amounts of a lot add up in the console, also what was withdrawn', async () => {
    const other = await service.workspace({ name: 'Umbrella', credits: 5 });
    const workspace_id = other.id;
    const lot = { workspace_id, credits: 100, reason: 'gift', expires_at: '2026-07-01', priority: 10 };
    const { movement_id } = await service.command('credits.grant', lot);
    await service.command('credits.withdraw', { workspace_id, credits: 20, reason: 'reduced' });
    const work = { workspace_id, product: 'work' };
    await service.command('credits.hold', { ...work, key: 'spent', credits: 10 });
    await service.command('credits.capture', { workspace_id, key: 'spent' });
    await service.command('credits.hold', { ...work, key: 'held', credits: 3 });
    const { text } = await operator.get(`/console/workspaces/${workspace_id}/ledger`);
    const row = cells(text).find(
      ([name, , end]) => name === String(movement_id) && end?.startsWith('2026-07-01'),
    );
    const [granted, ...parts] = (row ?? []).slice(5).map(Number);
    expect([granted, parts]).toEqual([100, [67, 3, 10, 20, 0]]);
    expect(text).toMatch(/>Spent<\/th>\s*<th[^>]*>Withdrawn<\/th>/);
  });

  it('LOT-03 LOT-05 the page of a movement names the lots that paid it, and what of a grant expired', async () => {
    const { id: workspace_id } = await service.workspace({ name: 'Soylent', credits: 5 });
    const lot = { workspace_id, credits: 4, reason: 'gift', expires_at: '2026-05-15', priority: 10 };
    const grant = (await service.command('credits.grant', lot)).movement_id;
    const work = { workspace_id, product: 'work', key: 'spent' };
    const charge = (await service.command('credits.hold', { ...work, credits: 3.5 })).movement_id;
    await service.command('credits.capture', { workspace_id, key: 'spent' });
    await service.setClock('2026-05-15T00:00:00.000Z');
    const page = async (movement: number) =>
      (await finance.get(`/console/workspaces/${workspace_id}/movements/${movement}`)).text;
    const [ofCharge, ofGrant] = [await page(charge), await page(grant)];
    expect(cells(ofCharge)).toContainEqual([String(grant), '2026-05-15 00:00:00', '3.5']);
    expect(ofCharge).toContain(`<a href="/console/workspaces/${workspace_id}/movements/${grant}">`);
    expect(ofGrant).not.toContain('From lots');
    expect(cells(ofGrant).find(([, type]) => type === 'LotExpired')?.[4]).toBe('0.5');
  });

  it('CON-04 the sums of each day beside the chart explain its balance, also of expired and foreseen credits', async () => {
    const { id: workspace_id } = await service.workspace({ name: 'Tyrell', credits: 5 });
    const lot = { workspace_id, credits: 4, reason: 'gift', expires_at: '2026-05-17', priority: 10 };
    await service.command('credits.grant', lot);
    await service.command('credits.withdraw', { workspace_id, credits: 1, reason: 'reduced' });
    const plan = { credits: 7, every: 'week', from: '2026-05-20', reason: 'plan' };
    await service.command('credits.recurring.add', { workspace_id, ...plan });
    const work = { workspace_id, product: 'work' };
    await service.command('credits.hold', { ...work, key: 'spent', credits: 0.5 });
    await service.command('credits.capture', { workspace_id, key: 'spent' });
    await service.command('credits.hold', { ...work, key: 'held', credits: 2 });
    await service.setClock('2026-05-18T10:00:00.000Z');
    const { text } = await finance.get(`/console/workspaces/${workspace_id}/ledger`);
    const shown = cells(text).filter(([day]) => /^2026-05-\d\d$/.test(day ?? ''));
    expect(shown.slice(0, 4).map((row) => row.slice(0, 9))).toEqual([
      ['2026-05-15', '5.5', '', '9', '1', '0', '2.5', '0', '0.5'],
      ['2026-05-16', '7.5', '', '0', '0', '0', '0', '2', '0'],
      ['2026-05-17', '5', '', '0', '0', '2.5', '0', '0', '0'],
      ['2026-05-18', '5', '', '', '', '', '', '', ''],
    ]);
    expect(shown.find(([day]) => day === '2026-05-20')?.[9]).toBe('7 credits granted');
  });

  it('LOT-07 the balance now and at an earlier time say that expired credits are not part of the granted ones', async () => {
    const { id: workspace_id } = await service.workspace({ name: 'Wallace', credits: 5 });
    const lot = { workspace_id, credits: 4, reason: 'gift', expires_at: '2026-05-19', priority: 10 };
    await service.command('credits.grant', lot);
    await service.setClock('2026-05-20T10:00:00.000Z');
    const { text } = await finance.get(`/console/workspaces/${workspace_id}/ledger?at=2026-05-20`);
    expect(factsOf(text.slice(text.indexOf('State before 2026-05-20')))).toMatchObject({
      Balance: '5',
      Granted: '5',
      'Expired, not in Granted': '4',
    });
    expect(text).toContain('less what was taken back and what expired');
    expect(text).toContain('of lots that ended, not in Granted');
  });

  it('CON-03 all recurring grants are on pages of their own, beside the same statement', async () => {
    const { id: workspace_id } = await service.workspace({ name: 'Nexus', credits: 5 });
    const plan = { workspace_id, credits: 7, every: 'month', from: '2026-07-01' };
    for (let count = 1; count <= 26; count += 1)
      await service.command('credits.recurring.add', { ...plan, reason: `plan ${count}` });
    const page = `/console/workspaces/${workspace_id}/ledger?month=2026-05&range=90d`;
    const { text: first } = await operator.get(page);
    const links = [...first.matchAll(/rel="next" href="([^"]*)"/g)].map(([, link = '']) => link);
    expect(links).toEqual([expect.stringContaining('month=2026-05&amp;range=90d&amp;grants_page=2')]);
    expect(first).not.toContain('plan 26');
    const { text: second } = await operator.get((links[0] ?? '').replaceAll('&amp;', '&'));
    expect(second).toContain('Statement of 2026-05');
    const [shownGrant] = cells(second).filter((row) => row.includes('plan 26'));
    expect(shownGrant?.at(-1)).toContain('Stop');
    expect(second).not.toContain('plan 25');
  });

  it('CON-03 finance sees both and may change neither', async () => {
    const { text } = await finance.get(ledger());
    expect([text.includes('Recurring grants'), text.includes('>Caps<')]).toEqual([true, true]);
    expect(/Set a cap|Add a recurring grant|>Stop<|>Remove</.test(text)).toBe(false);
    for (const command of ['caps.set', 'caps.remove', 'credits.recurring.add', 'credits.recurring.stop']) {
      const { status } = await finance.send(`${ACTION}${command}`, { workspace_id: String(workspace.id) });
      expect([command, status]).toEqual([command, 403]);
    }
  });
});
