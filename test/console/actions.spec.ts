import {
  cells,
  consoleVisitor,
  hiddenFields,
  type ConsolePage,
  type ConsoleVisitor,
} from '#test/support/console-visitor.js';
import { startTestService, type TestService, type TestWorkspace } from '#test/support/service.js';

const ACTION = '/console/actions/';

describe('actions of the console', () => {
  let service: TestService;
  let workspace: TestWorkspace;
  let operator: ConsoleVisitor;
  let finance: ConsoleVisitor;

  beforeAll(async () => {
    service = await startTestService({ CLOCK: 'manual' });
    await service.ops('clock.set', { now: '2026-05-14T10:00:00.000Z' });
    workspace = await service.workspace({ name: 'Acme', credits: 100 });
    await service.ops('clock.set', { now: '2026-06-02T10:00:00.000Z' });
    await service.ops('work.drain');
    const { body } = await service.ops('operator.add', { name: 'maria', role: 'finance' });
    operator = consoleVisitor(service);
    finance = consoleVisitor(service);
    await operator.signIn(service.token);
    await finance.signIn(body.token);
  });
  afterAll(() => service.stop());

  const address = (command: string, fields: Readonly<Record<string, string | number>>) => {
    const query = new URLSearchParams();
    for (const [name, value] of Object.entries(fields)) query.set(name, String(value));
    return `${ACTION}${command}?${query.toString()}`;
  };
  const grant = (credits: string, more = {}) =>
    address('credits.grant', { workspace_id: workspace.id, credits, reason: 'June', ...more });
  const balance = async (): Promise<number> =>
    (await service.ops('workspace.show', { workspace_id: workspace.id })).body.balance.balance;

  /** Opens a page, then sends the form of that page once. */
  async function shownAndSent(visitor: ConsoleVisitor, path: string): Promise<ConsolePage> {
    const shown = await visitor.get(path);
    return visitor.send(path.split('?')[0] ?? '', hiddenFields(shown.text));
  }

  it('CON-05 a form of an action asks for missing fields, and keeps the others', async () => {
    const { status, text } = await operator.get(address('credits.grant', { workspace_id: workspace.id }));
    expect([status, text.includes('name="credits"'), text.includes('Show what will change')]).toEqual([
      200,
      true,
      true,
    ]);
    expect(hiddenFields(text)).toEqual(expect.objectContaining({ workspace_id: String(workspace.id) }));
  });

  it('CON-05 the change is shown before it is sent, and showing it changes nothing', async () => {
    const added = await service.settledEventsOf(async () => {
      const { status, text } = await operator.get(grant('12.5'));
      expect([
        status,
        text.includes('1 workspace, 12.5 credits'),
        text.includes('Grant 12.5 credits'),
      ]).toEqual([200, true, true]);
      expect(cells(text)).toContainEqual(['Balance of Acme', '100', '112.5']);
    });
    expect(added).toEqual([]);
  });

  it('CON-05 a field that the command refuses is named in the form, with the input', async () => {
    for (const [credits, message] of [
      ['x', 'credits: must be a decimal number'],
      ['0', 'credits: must be more than 0'],
    ] as const) {
      const { text } = await operator.get(grant(credits));
      const sent = text.includes('Show what will change')
        ? text
        : (await shownAndSent(operator, grant(credits))).text;
      expect([credits, sent.includes(message)]).toEqual([credits, true]);
    }
    const wrong = await operator.get(grant('1', { priority: '200' }));
    expect([wrong.status, wrong.text.includes('priority'), wrong.text.includes('value="200"')]).toEqual([
      422,
      true,
      true,
    ]);
  });

  it('CON-05 an action ends on the written entry, and the same form sent twice is done once', async () => {
    const before = await balance();
    const form = hiddenFields((await operator.get(grant('7'))).text);
    const first = await operator.send(`${ACTION}credits.grant`, form);
    const second = await operator.send(`${ACTION}credits.grant`, form);
    expect([first.status, second.status, second.location]).toEqual([303, 303, first.location]);
    const { text } = await operator.get(first.location ?? '');
    expect([text.includes('role="status"'), text.includes(`The balance is ${before + 7}.`)]).toEqual([
      true,
      true,
    ]);
    expect([await balance(), text.includes('CreditsGranted')]).toEqual([before + 7, true]);
    const again = await operator.get(first.location ?? '');
    expect(again.text).not.toContain('role="status"');
  });

  it('CON-03 finance adjusts with a reason; a forbidden action is refused at the form and when sent', async () => {
    const before = await balance();
    const adjusted = await shownAndSent(
      finance,
      address('credits.adjust', { workspace_id: workspace.id, credits: '-5', reason: 'Charged twice' }),
    );
    const { text } = await finance.get(adjusted.location ?? '');
    expect([adjusted.status, text.includes('Charged twice'), text.includes('operator maria')]).toEqual([
      303,
      true,
      true,
    ]);
    expect(await balance()).toBe(before - 5);

    const added = await service.settledEventsOf(async () => {
      const form = hiddenFields((await operator.get(grant('1'))).text);
      expect((await finance.get(grant('1'))).status).toBe(403);
      const { form_token: _other, ...fields } = form;
      expect((await finance.send(`${ACTION}credits.grant`, fields)).status).toBe(403);
    });
    expect(added).toEqual([]);
  });

  it('CON-02 is refused from another origin, without one, and with the form token of another session', async () => {
    const form = hiddenFields((await operator.get(grant('1'))).text);
    const added = await service.settledEventsOf(async () => {
      for (const origin of ['https://elsewhere.example', 'null', '']) {
        const { status } = await operator.send(`${ACTION}credits.grant`, form, { origin });
        expect([origin, status]).toEqual([origin, 403]);
      }
      const stolen = await operator.send(`${ACTION}credits.grant`, { ...form, form_token: 'x'.repeat(43) });
      expect([stolen.status, stolen.text.includes('Nothing was changed')]).toEqual([403, true]);
      const stranger = consoleVisitor(service);
      expect((await stranger.send(`${ACTION}credits.grant`, form)).location).toBe('/console/sign-in');
    });
    expect(added).toEqual([]);
  });

  it('CON-05 markup in a field is shown as text', async () => {
    const { text } = await operator.get(grant('1', { reason: '<script>alert(1)</script>' }));
    expect([text.includes('<script'), text.includes('&lt;script&gt;alert(1)&lt;/script&gt;')]).toEqual([
      false,
      true,
    ]);
  });

  describe('an irreversible action', () => {
    it('CON-05 is asked again: the first form changes nothing', async () => {
      const { body: held } = await service.ops('credits.hold', {
        workspace_id: workspace.id,
        credits: 4,
        product: 'work',
        key: 'one',
      });
      const path = address('credits.release', { workspace_id: workspace.id, movement_id: held.movement_id });
      const shown = await operator.get(path);
      expect([shown.status, shown.text.includes('1 hold, 4 credits')]).toEqual([200, true]);
      let asked: ConsolePage | undefined;
      const added = await service.settledEventsOf(async () => {
        asked = await operator.send(`${ACTION}credits.release`, hiddenFields(shown.text));
      });
      expect([added, asked?.status, asked?.text.includes('This cannot be undone.')]).toEqual([[], 200, true]);
      const done = await operator.send(`${ACTION}credits.release`, hiddenFields(asked?.text ?? ''));
      expect(done.status).toBe(303);
      expect((await operator.get(done.location ?? '')).text).toContain('Released as movement');
      expect((await operator.get(path)).text).toContain('The movement is already released.');
    });

    it('an API key and an operator are revoked; a token is shown once', async () => {
      const issue = address('apikey.issue', { workspace_id: workspace.id, label: 'Reports' });
      const issued = await shownAndSent(operator, issue);
      const key = /<code>(wsk_live_\w+)<\/code>/.exec(issued.text)?.[1] ?? '';
      expect([issued.status, key.length > 20]).toEqual([200, true]);
      const { body } = await service.ops('apikey.list', { workspace_id: workspace.id });
      const { key_id } = body.keys.find((each: { label: string }) => each.label === 'Reports');
      const path = address('apikey.revoke', { workspace_id: workspace.id, key_id });
      const asked = await shownAndSent(operator, path);
      const done = await operator.send(`${ACTION}apikey.revoke`, hiddenFields(asked.text));
      expect([done.status, done.location]).toEqual([303, `/console/workspaces/${workspace.id}/access`]);
      expect((await operator.get(path)).text).toContain('This key is already revoked.');

      await service.ops('operator.add', { name: 'leo', role: 'finance' });
      const revoke = await shownAndSent(operator, address('operator.revoke', { name: 'leo' }));
      await operator.send(`${ACTION}operator.revoke`, hiddenFields(revoke.text));
      const listed = cells((await operator.get('/console/operators')).text).find(([name]) => name === 'leo');
      expect(listed?.[5]).toMatch(/^2026-06-02/);
    });
  });

  describe('closing a month', () => {
    const close = (month = '2026-05') => address('ledger.close_month', { workspace_id: workspace.id, month });
    const months = () => `/console/workspaces/${workspace.id}/months`;

    it('is offered only for a month that is over', async () => {
      const { text } = await finance.get(`${months()}?month=2026-06`);
      expect([
        text.includes('2026-06 can be closed when it is over'),
        text.includes('Close 2026-06'),
      ]).toEqual([true, false]);
    });

    it('is refused when the ledger differs from the shown one, and when the month is not over', async () => {
      const added = await service.settledEventsOf(async () => {
        const form = hiddenFields((await finance.get(close())).text);
        const other = await finance.send(`${ACTION}ledger.close_month`, {
          ...form,
          approved: 'a'.repeat(64),
        });
        expect([other.status, other.text.includes('has changed since it was shown')]).toEqual([409, true]);
        const early = hiddenFields((await finance.get(close('2026-06'))).text);
        const refused = await finance.send(`${ACTION}ledger.close_month`, { ...early, again: 'yes' });
        expect([409, 422]).toContain(refused.status);
      });
      expect(added).toEqual([]);
    });

    it('CON-01 CON-03 finance closes the month that was shown; the entry names the operator', async () => {
      const shown = await finance.get(close());
      const { approved = '' } = hiddenFields(shown.text);
      expect(approved).toMatch(/^[0-9a-f]{64}$/);
      const asked = await finance.send(`${ACTION}ledger.close_month`, hiddenFields(shown.text));
      let done: ConsolePage | undefined;
      const added = await service.settledEventsOf(async () => {
        done = await finance.send(`${ACTION}ledger.close_month`, hiddenFields(asked.text));
      });
      expect([done?.status, done?.location]).toEqual([303, `${months()}?month=2026-05`]);
      expect(added).toEqual([expect.stringContaining('Sealed')]);
      const { text } = await finance.get(done?.location ?? '');
      expect([
        text.includes('2026-05 is closed'),
        text.includes(approved),
        text.includes('>Close 2026-05<'),
      ]).toEqual([true, true, false]);
    });
  });
});
