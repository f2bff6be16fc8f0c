import { actions } from '#apps/console/src/actions/actions.js';
import {
  actionPath,
  cells,
  consoleVisitor,
  expectPage,
  hiddenFields,
  sentAsShown,
  sentForm,
  signedIn,
  signInFor,
  type ConsolePage,
} from '#test/support/console-visitor.js';
import { financeOf, operatorOf } from '#test/support/console-scene.js';
import { scene, sharedWorkspace } from '#test/support/scene.js';

const ACTION = '/console/actions/';

/** The actions of the role finance. */
const FOR_FINANCE = ['credits.adjust', 'ledger.close_month'];

describe('actions of the console', () => {
  const service = scene({ at: '2026-05-14T10:00:00.000Z' });
  const workspace = sharedWorkspace(service, { name: 'Acme', credits: 100 });
  beforeAll(async () => {
    await service.setClock('2026-06-02T10:00:00.000Z');
    await service.drain();
  });
  const operator = operatorOf(service);
  const finance = financeOf(service);

  const grant = (credits: string, more = {}) =>
    actionPath('credits.grant', { workspace_id: workspace.id, credits, reason: 'June', ...more });
  const balance = async (): Promise<number> => (await workspace.command('workspace.show')).balance.balance;

  it('CON-05 a form of an action asks for missing fields, and keeps the others', async () => {
    const { status, text } = await operator.get(actionPath('credits.grant', { workspace_id: workspace.id }));
    expectPage({ status, text }, 200, 'name="credits"', 'Show what will change');
    expect(hiddenFields(text)).toEqual(expect.objectContaining({ workspace_id: String(workspace.id) }));
  });

  it('CON-05 the change is shown before it is sent, and showing it changes nothing', async () => {
    await service.expectSettledEvents([], async () => {
      const { status, text } = await operator.get(grant('12.5'));
      expectPage({ status, text }, 200, '1 workspace, 12.5 credits', 'Grant 12.5 credits');
      expect(cells(text)).toContainEqual(['Balance of Acme', '100', '112.5']);
    });
  });

  it('CON-05 a field that the command refuses is named in the form, with the input', async () => {
    for (const [credits, message] of [
      ['x', 'Credits: must be a decimal number'],
      ['0', 'Credits: must be more than 0'],
    ] as const) {
      expectPage(await operator.get(grant(credits)), 422, 'Show what will change', message);
    }
    const wrong = await operator.get(grant('1', { priority: '200' }));
    expectPage(wrong, 422, 'priority', 'value="200"');
  });

  it('CON-05 an action ends on the written entry, and the same form sent twice is done once', async () => {
    const before = await balance();
    const form = hiddenFields((await operator.get(grant('7'))).text);
    const first = await operator.send(`${ACTION}credits.grant`, form);
    const second = await operator.send(`${ACTION}credits.grant`, form);
    expect([first.status, second.status, second.location]).toEqual([303, 303, first.location]);
    const { text } = await operator.get(first.location ?? '');
    expect(text).toContain('role="status"');
    expect(text).toContain(`The balance is ${before + 7}.`);
    expect([await balance(), text.includes('CreditsGranted')]).toEqual([before + 7, true]);
    const again = await operator.get(first.location ?? '');
    expect(again.text).not.toContain('role="status"');
  });

  describe('going back after a posting', () => {
    const fields = () => ({ workspace_id: workspace.id, credits: '3', reason: 'Back' });
    /** The address to which the form with these fields leads. */
    const filledIn = async (): Promise<string> => {
      const form = await operator.get(actionPath('credits.grant', { workspace_id: workspace.id }));
      return actionPath('credits.grant', { ...fields(), key: hiddenFields(form.text)['key'] ?? '' });
    };

    it('LED-11 CON-05 shows that the form was sent, with its result and without its button', async () => {
      const address = await filledIn();
      const opened = await operator.get(address);
      const sent = await sentForm(operator, 'credits.grant', opened);
      await service.expectSettledEvents([], async () => {
        const back = await operator.get(address);
        expectPage(back, 200, 'This form was sent before.', `href="${sent.location}"`, 'Fill in again');
        expect(back.text).not.toContain('method="post" action="/console/actions/');
        const resent = await sentForm(operator, 'credits.grant', opened);
        expect([resent.status, resent.location]).toEqual([303, sent.location]);
      });
    });

    it('LED-11 another session that sends the form of the same address makes no second posting, and is told so', async () => {
      const address = await filledIn();
      const sent = await sentAsShown(operator, address);
      const colleague = await signedIn(service, service.token);
      await service.expectSettledEvents([], async () => {
        const resent = await sentAsShown(colleague, address);
        expect(resent.location).toBe(sent.location);
        const { text } = await colleague.get(resent.location ?? '');
        expect(text).toContain(
          `Granted before, as movement ${sent.location?.split('/').at(-1)}: nothing was changed now.`,
        );
        const refused = await sentAsShown(colleague, address.replace('credits=3', 'credits=4'));
        expectPage(refused, 409, 'Credits: is not the amount this key was used for');
      });
    });

    it('LED-11 a form that is opened anew makes a second posting', async () => {
      const before = await balance();
      const first = await sentAsShown(operator, await filledIn());
      const second = await sentAsShown(operator, await filledIn());
      expect([first.status, second.status]).toEqual([303, 303]);
      expect([first.location === second.location, await balance()]).toEqual([false, before + 6]);
    });
  });

  it('CON-05 a posting is refused if another operator has posted since it was shown', async () => {
    const [mine, other] = [await operator.get(grant('9')), await operator.get(grant('9'))];
    const before = await balance();
    expect((await sentForm(operator, 'credits.grant', mine)).status).toBe(303);
    const late = await sentForm(operator, 'credits.grant', other);
    expectPage(late, 409, 'has changed since it was shown', 'Grant 9 credits');
    expect(cells(late.text)).toContainEqual(['Balance of Acme', String(before + 9), String(before + 18)]);
    expect(await balance()).toBe(before + 9);
    // A charge between the two changes nothing of what was approved.
    const shown = await operator.get(grant('1'));
    await workspace.command('credits.hold', { credits: 2, product: 'work', key: 'between' });
    await workspace.command('credits.release', { key: 'between' });
    expect((await sentForm(operator, 'credits.grant', shown)).status).toBe(303);
  });

  it('CON-03 finance adjusts with a reason; a forbidden action is refused at the form and when sent', async () => {
    const before = await balance();
    const adjusted = await sentAsShown(
      finance,
      actionPath('credits.adjust', { workspace_id: workspace.id, credits: '-5', reason: 'Charged twice' }),
    );
    const { text } = await finance.get(adjusted.location ?? '');
    expect(text).toContain('Charged twice');
    expect(text).toContain('operator maria');
    expect(adjusted.status).toBe(303);
    expect(await balance()).toBe(before - 5);

    await service.expectSettledEvents([], async () => {
      const form = hiddenFields((await operator.get(grant('1'))).text);
      expect((await finance.get(grant('1'))).status).toBe(403);
      const { form_token: _other, ...fields } = form;
      expect((await finance.send(`${ACTION}credits.grant`, fields)).status).toBe(403);
    });
  });

  it('LOT-06 an adjustment takes the terms of the added credits, and names those of credits that are taken back', async () => {
    const adjust = (credits: string, more: object) =>
      actionPath('credits.adjust', { workspace_id: workspace.id, credits, reason: 'Lost', ...more });
    const terms = { expires_at: '2026-08-01', priority: '10', promotional: 'yes' };
    const { location } = await sentAsShown(operator, adjust('3', terms));
    const movement_id = Number(location?.split('/').at(-1));
    const { rows } = await workspace.command('ledger.statement');
    expect(
      rows.find((row: { readonly movement_id: number }) => row.movement_id === movement_id),
    ).toMatchObject({
      kind: 'adjustment',
      credits: 3,
      terms: { expires_at: '2026-08-01T00:00:00.000Z', priority: 10, promotional: true },
    });
    await service.expectSettledEvents([], async () => {
      const refused = await sentAsShown(operator, adjust('-3', { promotional: 'no' }));
      expectPage(refused, 422, 'goes with added credits only');
    });
  });

  it('CON-03 the form of a forbidden action is 403 whatever is filled in; that of an allowed one is shown', async () => {
    const others = { workspace_id: 999_999, rule_id: 1, reason: 'x' };
    for (const { command } of actions) {
      const isAllowed = FOR_FINANCE.includes(command);
      const { status } = await finance.get(actionPath(command, {}));
      expect([command, status]).toEqual([command, isAllowed ? 200 : 403]);
      if (!isAllowed) {
        expect([command, (await finance.get(actionPath(command, others))).status]).toEqual([command, 403]);
      }
    }
    const shown = { workspace_id: workspace.id, credits: '1', reason: 'x' };
    expect((await finance.get(actionPath('credits.adjust', shown))).status).toBe(200);
  });

  it('CON-02 is refused from another origin, without one, and with the form token of another session', async () => {
    const form = hiddenFields((await operator.get(grant('1'))).text);
    await service.expectSettledEvents([], async () => {
      for (const origin of ['https://elsewhere.example', 'null', '']) {
        const { status } = await operator.send(`${ACTION}credits.grant`, form, { origin });
        expect([origin, status]).toEqual([origin, 403]);
      }
      const stolen = await operator.send(`${ACTION}credits.grant`, { ...form, form_token: 'x'.repeat(43) });
      expect([stolen.status, stolen.text.includes('Nothing was changed')]).toEqual([403, true]);
      const stranger = consoleVisitor(service);
      expect((await stranger.send(`${ACTION}credits.grant`, form)).location).toBe(signInFor(grant('1')));
    });
  });

  it('CON-05 markup in a field is shown as text', async () => {
    const { text } = await operator.get(grant('1', { reason: '<script>alert(1)</script>' }));
    expect(text).toContain('&lt;script&gt;alert(1)&lt;/script&gt;');
    expect(text).not.toContain('<script');
  });

  describe('an irreversible action', () => {
    it('CON-05 is asked again: the first form changes nothing', async () => {
      const held = await workspace.command('credits.hold', { credits: 4, product: 'work', key: 'one' });
      const path = actionPath('credits.release', {
        workspace_id: workspace.id,
        movement_id: held.movement_id,
      });
      const shown = await operator.get(path);
      expect([shown.status, shown.text.includes('1 hold, 4 credits')]).toEqual([200, true]);
      let asked = shown;
      await service.expectSettledEvents([], async () => {
        asked = await sentForm(operator, 'credits.release', shown);
      });
      expectPage(asked, 200, 'This cannot be undone.');
      const done = await sentForm(operator, 'credits.release', asked);
      expect(done.status).toBe(303);
      expect((await operator.get(done.location ?? '')).text).toContain('Released as movement');
      expect((await operator.get(path)).text).toContain('The movement is already released.');
    });

    it('LOT-03 CON-05 the balance after a release is shown without the credits of a lot that has ended', async () => {
      const other = await service.workspace({ name: 'Umbrella', credits: 10 });
      const workspace_id = other.id;
      const lot = { workspace_id, credits: 5, reason: 'welcome', expires_at: '2026-06-03', priority: 10 };
      await service.command('credits.grant', lot);
      const work = { workspace_id, credits: 8, product: 'work', key: 'two' };
      const { movement_id } = await service.command('credits.hold', work);
      const preview = async () =>
        cells((await operator.get(actionPath('credits.release', { workspace_id, movement_id }))).text);
      const before = await preview();
      expect(before).toContainEqual(['Balance', '7', '15']);
      expect(before.some(([name]) => name === 'Expired')).toBe(false);
      // The end is exclusive.
      await service.setClock('2026-06-03T00:00:00.000Z');
      const shown = await preview();
      expect(shown).toContainEqual(['Balance', '7', '10']);
      expect(shown).toContainEqual(['Held', '8', '0']);
      expect(shown).toContainEqual(['Expired', '0', '5']);
      await service.command('credits.release', { workspace_id, movement_id });
      const { balance: after } = await other.command('workspace.show');
      expect([after.balance, after.held, after.expired]).toEqual([10, 0, 5]);
    });

    it.each([
      [
        'an API key',
        'apikey.issue',
        { label: 'Clicked twice' },
        /<code>(wsk_live_\w+)<\/code>/,
        'ApiKeyIssued',
      ],
      [
        'a link',
        'link.add',
        { label: 'Clicked twice' },
        /<code>(\/console\/links\/\w+)<\/code>/,
        'ConsoleLinkMade',
      ],
      ['a token', 'operator.rotate', { name: 'mona' }, /<code>(\S+)<\/code>/, 'OperatorTokenRotated'],
    ] as const)(
      'CON-05 %s is made once by a double click or a reload, and shown',
      async (_what, command, fields, pattern, type) => {
        if (command === 'operator.rotate')
          await service.command('operator.add', { name: 'mona', role: 'finance' });
        const path = actionPath(command, { workspace_id: workspace.id, ...fields });
        const shown = await operator.get(path);
        const answers: ConsolePage[] = [];
        const events = await service.eventsOf(async () => {
          const form = command === 'operator.rotate' ? await sentForm(operator, command, shown) : shown;
          answers.push(
            ...(await Promise.all([1, 2].map(() => sentForm(operator, command, form)))),
            await sentForm(operator, command, form),
          );
        });
        const secrets = answers.map(({ text }) => pattern.exec(text)?.[1]);
        expect(secrets).toEqual([expect.any(String), secrets[0], secrets[0]]);
        expect(events.filter((each) => each === type)).toHaveLength(1);
      },
    );

    it('an API key and an operator are revoked; a token is shown once', async () => {
      const issue = actionPath('apikey.issue', { workspace_id: workspace.id, label: 'Reports' });
      const issued = await sentAsShown(operator, issue);
      const key = /<code>(wsk_live_\w+)<\/code>/.exec(issued.text)?.[1] ?? '';
      expect([issued.status, key.length > 20]).toEqual([200, true]);
      const body = await workspace.command('apikey.list');
      const { key_id } = body.keys.find((each: { label: string }) => each.label === 'Reports');
      const path = actionPath('apikey.revoke', { workspace_id: workspace.id, key_id });
      const asked = await sentAsShown(operator, path);
      const done = await sentForm(operator, 'apikey.revoke', asked);
      expect([done.status, done.location]).toEqual([303, `/console/workspaces/${workspace.id}/access`]);
      expect((await operator.get(path)).text).toContain('This key is already revoked.');

      await service.command('operator.add', { name: 'leo', role: 'finance' });
      const revoke = await sentAsShown(operator, actionPath('operator.revoke', { name: 'leo' }));
      await sentForm(operator, 'operator.revoke', revoke);
      const listed = cells((await operator.get('/console/operators')).text).find(([name]) => name === 'leo');
      expect(listed?.[5]).toMatch(/^2026-06-0/);
    });
  });

  describe('closing a month', () => {
    const close = (month = '2026-05') =>
      actionPath('ledger.close_month', { workspace_id: workspace.id, month });
    const months = () => `/console/workspaces/${workspace.id}/months`;

    it('CON-05 is not offered for a month before the first entry, which cannot be closed', async () => {
      const { text } = await finance.get(`${months()}?month=2026-02`);
      expect(text).toContain('The ledger begins after 2026-02.');
      expect(text).not.toContain('Close 2026-02');
      const preview = await finance.get(close('2026-02'));
      expectPage(preview, 200, 'The ledger begins after 2026-02.');
      expect(preview.text).not.toContain('<button class="primary">');
    });

    it('is offered only for a month that is over', async () => {
      const { text } = await finance.get(`${months()}?month=2026-06`);
      expect(text).toContain('2026-06 can be closed when it is over');
      expect(text).not.toContain('Close 2026-06');
    });

    it('is refused when the ledger differs from the shown one, and when the month is not over', async () => {
      await service.expectSettledEvents([], async () => {
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
    });

    it('CON-01 CON-03 finance closes the month that was shown; the entry names the operator', async () => {
      const shown = await finance.get(close());
      const { approved = '' } = hiddenFields(shown.text);
      expect(approved).toMatch(/^[0-9a-f]{64}$/);
      const asked = await sentForm(finance, 'ledger.close_month', shown);
      let done: ConsolePage | undefined;
      const added = await service.settledEventsOf(async () => {
        done = await sentForm(finance, 'ledger.close_month', asked);
      });
      expect([done?.status, done?.location]).toEqual([303, `${months()}?month=2026-05`]);
      expect(added).toEqual([expect.stringContaining('Sealed')]);
      const { text } = await finance.get(done?.location ?? '');
      expect(text).toContain('2026-05 is closed');
      expect(text).toContain(approved);
      expect(text).not.toContain('>Close 2026-05<');
    });
  });
});
