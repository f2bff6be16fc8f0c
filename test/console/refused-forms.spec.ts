import {
  actionPath,
  consoleVisitor,
  expectPage,
  hiddenFields,
  sentAsShown,
  sentForm,
  signInFor,
} from '#test/support/console-visitor.js';
import { operatorOf } from '#test/support/console-scene.js';
import { scene, sharedWorkspace } from '#test/support/scene.js';

/** The field of a form with this name, up to the end of its tag. */
const fieldNamed = (page: string, name: string): string =>
  new RegExp(`<(?:input|textarea|select)[^>]*name="${name}"[^>]*>`).exec(page)?.[0] ?? '';

/** The faults that a page shows for a field: the text that the field is described by. */
const faultOf = (page: string, name: string): string | undefined => {
  const field = fieldNamed(page, name);
  const [, id] = /aria-describedby="([^"]+)"/.exec(field) ?? [];
  if (!field.includes('aria-invalid="true"') || id === undefined) return undefined;
  return new RegExp(`id="${id}">([^<]*)<`).exec(page)?.[1];
};

describe('forms of the console that are refused', () => {
  const service = scene({ at: '2026-05-14T10:00:00.000Z' });
  const workspace = sharedWorkspace(service, { name: 'Acme', credits: 100 });
  const operator = operatorOf(service);
  const path = (page: string) => `/console/workspaces/${workspace.id}/${page}`;
  const action = (command: string, fields: Readonly<Record<string, string | number>>) =>
    actionPath(command, { workspace_id: workspace.id, ...fields });

  describe('the form of an action', () => {
    it('CON-05 shows an amount that is none beside its field, and no button that would send it', async () => {
      for (const [command, fields, name] of [
        ['credits.grant', { credits: '5,5', reason: 'June' }, 'credits'],
        ['credits.grant', { credits: '-5', reason: 'June' }, 'credits'],
        ['credits.withdraw', { credits: '1e3', reason: 'June' }, 'credits'],
        ['credits.adjust', { credits: '0.0000001', reason: 'June' }, 'credits'],
        ['credits.recurring.add', { credits: '5,5', reason: 'June', every: 'month' }, 'credits'],
        ['credits.recurring.add', { credits: '5', reason: 'June', every: 'month', ceiling: 'x' }, 'ceiling'],
        ['caps.set', { scope: 'workspace', period: 'month', limit: '5,5' }, 'limit'],
        ['caps.set', { scope: 'workspace', period: 'month', limit: '-1' }, 'limit'],
        ['credits.adjust', { credits: '0', reason: 'June' }, 'credits'],
      ] as const) {
        const { status, text } = await operator.get(action(command, fields));
        const typed = Reflect.get(fields, name);
        expect([command, typed, status]).toEqual([command, typed, 422]);
        expect([command, typed, faultOf(text, name)]).toEqual([
          command,
          typed,
          expect.stringMatching(/^must (not )?be/),
        ]);
        expect(fieldNamed(text, name)).toContain(`value="${typed}"`);
        expect(text).not.toContain('method="post" action="/console/actions/');
      }
    });

    it('CON-05 refuses a choice that its field does not have: it would count as another one', async () => {
      await service.expectSettledEvents([], async () => {
        for (const [command, fields, name, choices] of [
          ['apikey.issue', { label: 'reports', read_only: 'true' }, 'read_only', 'yes, no'],
          ['credits.grant', { credits: '5', reason: 'June', promotional: 'true' }, 'promotional', 'yes, no'],
          [
            'credits.recurring.add',
            { credits: '5', reason: 'June', every: 'month', again: 'no' },
            'again',
            'yes',
          ],
        ] as const) {
          const { status, text } = await operator.get(action(command, fields));
          expect([command, status, faultOf(text, name)]).toEqual([command, 422, `must be one of ${choices}`]);
          expect(text).not.toContain('method="post" action="/console/actions/');
        }
        const { form_token } = hiddenFields((await operator.get(path('ledger'))).text);
        const form = { workspace_id: String(workspace.id), label: 'reports', read_only: 'true' };
        const sent = await operator.send('/console/actions/apikey.issue', {
          ...form,
          form_token: form_token ?? '',
          key: 'console:1',
        });
        expect([sent.status, faultOf(sent.text, 'read_only')]).toEqual([422, 'must be one of yes, no']);
      });
    });

    it('CON-05 keeps what was filled in when the command refuses it after the preview', async () => {
      await service.expectSettledEvents([], async () => {
        const fields = { credits: '5', reason: 'A "long" reason', expires_at: '2026-05-01' };
        const refused = await sentAsShown(operator, action('credits.grant', fields));
        expectPage(refused, 422, 'Show what will change', 'A &quot;long&quot; reason');
        expect(faultOf(refused.text, 'expires_at')).toBe('must lie in the future');
        expect(fieldNamed(refused.text, 'credits')).toContain('value="5"');

        const adjusted = action('credits.adjust', { credits: '-1', reason: 'June', corrects: 999_999 });
        const unknown = await sentAsShown(operator, adjusted);
        expect([unknown.status, faultOf(unknown.text, 'corrects')]).toEqual([
          404,
          'is not a movement of this workspace',
        ]);
        expectPage(unknown, 404, '>June</textarea>', 'Corrects movement: is not a movement');
      });
    });

    it('CON-05 does not offer to take back credits that the balance does not have', async () => {
      const { text } = await operator.get(action('credits.withdraw', { credits: '100.5', reason: 'June' }));
      expect(text).toContain('The balance does not cover this.');
      expect(text).not.toContain('Withdraw 100.5 credits');
    });

    it('CON-05 has no button for what does not exist, or for a month that is not over', async () => {
      for (const [command, fields, why] of [
        ['ledger.close_month', { month: '2026-05' }, '2026-05 can be closed when it is over.'],
        ['apikey.revoke', { key_id: 999_999 }, 'There is no such key in this workspace.'],
        ['link.withdraw', { link_id: 'ffff' }, 'There is no such link in this workspace.'],
        ['endpoint.resume', { endpoint_id: 999_999 }, 'The workspace has no such endpoint.'],
        ['operator.revoke', { name: 'nobody' }, 'There is no operator with this name.'],
        ['operator.rotate', { name: 'nobody' }, 'There is no operator with this name.'],
      ] as const) {
        const { status, text } = await operator.get(action(command, fields));
        expect([command, status, text.includes(why)]).toEqual([command, 200, true]);
        expect(text).not.toContain('method="post" action="/console/actions/');
      }
    });

    it('CON-05 shows no change of a balance for a movement that is no hold', async () => {
      const granted = { workspace_id: workspace.id, credits: 3, reason: 'May' };
      const { movement_id } = (await service.ops('credits.grant', granted)).body;
      const { status, text } = await operator.get(action('credits.release', { movement_id }));
      expect([status, text.includes('The movement is already posted.')]).toEqual([200, true]);
      expect(text).toContain('Nothing changes.');
      expect(text).not.toContain('<td>released</td>');
    });

    it('CON-05 CON-21 says at which time of a day credits end', async () => {
      const { text } = await operator.get(action('credits.grant', {}));
      expect(text).toContain('At the beginning of this day (UTC); never when empty');
    });

    it('CON-05 is filled in again with what was typed', async () => {
      const { text } = await operator.get(action('credits.grant', { credits: '5', reason: 'June' }));
      const [, again = ''] = /<a href="([^"]+)">Fill in again/.exec(text) ?? [];
      const form = await operator.get(again.replaceAll('&amp;', '&'));
      expectPage(form, 200, 'Show what will change', '>June</textarea>');
      expect(fieldNamed(form.text, 'credits')).toContain('value="5"');
      expect(hiddenFields(form.text)).toEqual(
        expect.objectContaining({ workspace_id: String(workspace.id) }),
      );
    });
  });

  it('an old statement with a wrong hash keeps its revision and its hash', async () => {
    await operator.get(path('verify'));
    const { status, text } = await operator.send(path('verify'), { revision: 'x1', hash: 'abc' });
    expect([status, faultOf(text, 'revision') !== undefined, faultOf(text, 'hash') !== undefined]).toEqual([
      422,
      true,
      true,
    ]);
    expect(fieldNamed(text, 'revision')).toContain('value="x1"');
    expect(fieldNamed(text, 'hash')).toContain('value="abc"');
  });

  it('a filter with a wrong value is shown with its fault, and the other fields keep their values', async () => {
    for (const [address, name, kept] of [
      [path('ledger?month=2026-13&range=90d'), 'month', 'range'],
      [path('ledger?month=2026-05&at=1.5.2026'), 'at', 'month'],
      [path('ledger?from=yesterday&to=2026-05-02'), 'from', 'to'],
      [path('months?month=May'), 'month', null],
      [path('runs?agent=x&stage=completed'), 'agent', 'stage'],
      ['/console/audit?workspace=0&operator=maria', 'workspace', 'operator'],
      ['/console?by=size&named=Acme', 'by', 'named'],
      [path('export?month=x&format=csv'), 'month', 'format'],
    ] as const) {
      const { status, text } = await operator.get(address);
      const asked = new URL(address, 'http://console').searchParams;
      expect([address, status, faultOf(text, name)]).toEqual([
        address,
        422,
        expect.stringContaining('must be'),
      ]);
      expect(fieldNamed(text, name)).toContain(`value="${asked.get(name)}"`);
      if (kept !== null) expect(fieldNamed(text, kept)).toContain(`value="${asked.get(kept)}"`);
      expect(text).toContain(`action="${address.split('?')[0]}"`);
    }
    const { text } = await operator.get(path('ledger?month=2026-13'));
    expect(text).toContain(`href="${path('holds')}"`);
  });

  it('OPS-20 refuses an empty revision of an old statement: it would be that of the first entry', async () => {
    await operator.get(path('verify'));
    for (const revision of ['', '  ']) {
      const { status, text } = await operator.send(path('verify'), { revision, hash: 'a'.repeat(64) });
      expect([revision, status, faultOf(text, 'revision')]).toEqual([
        revision,
        422,
        expect.stringContaining('must be an integer'),
      ]);
    }
  });

  it('CON-05 refuses a number in another notation: it would be that of another movement for a person', async () => {
    for (const corrects of ['0x1', '1e0', '0b1', '1.', '٣']) {
      const fields = { credits: '1', reason: 'Wrong', corrects };
      const { status, text } = await operator.get(action('credits.adjust', fields));
      expect([corrects, status, faultOf(text, 'corrects')]).toEqual([
        corrects,
        422,
        expect.stringContaining('must be an integer'),
      ]);
    }
    await operator.get(path('verify'));
    const sent = await operator.send(path('verify'), { revision: '0x1', hash: 'a'.repeat(64) });
    expect([sent.status, faultOf(sent.text, 'revision')]).toEqual([
      422,
      expect.stringContaining('must be an integer'),
    ]);
  });

  it('OPS-17 shows the last month that a time can be in, and no month after it', async () => {
    for (const page of ['ledger?month=9999-12', 'months?month=9999-12', 'monitoring?from=9999-12']) {
      const { status, text } = await operator.get(path(page));
      expect([page, status, text.includes('9999-12'), text.includes('10000')]).toEqual([
        page,
        200,
        true,
        false,
      ]);
    }
    expect((await operator.get(path('export?month=9999-12&format=csv'))).status).toBe(200);
    const early = await operator.get(path('ledger?month=0050-06'));
    expectPage(early, 200, '>0050-05<', '>0050-07<');
  });

  describe('without a session', () => {
    it('CON-02 an address leads to the sign-in form, and from there to its page', async () => {
      const stranger = consoleVisitor(service);
      const address = path('ledger?month=2026-05&range=90d');
      const { location } = await stranger.get(address);
      expect(location).toBe(signInFor(address));
      const form = hiddenFields((await stranger.get(location ?? '')).text);
      const wrong = await stranger.send('/console/sign-in', { ...form, token: 'wrong' });
      expect([wrong.status, hiddenFields(wrong.text)]).toEqual([403, form]);
      const signed = await stranger.send('/console/sign-in', { ...form, token: service.token });
      expect([signed.status, signed.location]).toEqual([303, address]);
      expectPage(await stranger.get(address), 200, 'Statement of 2026-05');
    });

    it('CON-02 a form that was sent changes nothing, and is shown with its fields after the sign-in', async () => {
      const address = action('credits.grant', { credits: '5', reason: 'June & July' });
      const shown = await operator.get(address);
      await service.expectSettledEvents([], async () => {
        const stranger = consoleVisitor(service);
        const { status, location } = await sentForm(stranger, 'credits.grant', shown);
        expect([status, location]).toEqual([303, signInFor(address)]);
        const form = hiddenFields((await stranger.get(location ?? '')).text);
        const signed = await stranger.send('/console/sign-in', { ...form, token: service.token });
        expectPage(await stranger.get(signed.location ?? ''), 200, 'Grant 5 credits', 'June &amp; July');
      });
    });

    it('CON-02 a sign-in leads to pages of this console alone', async () => {
      for (const to of [
        'https://elsewhere.example/console/',
        '//elsewhere.example/console/',
        '/\\elsewhere.example/console/',
        '/ops/credits.grant',
        '/consoles',
        '/console/../ops',
        '/console/sign-out',
        '/console/links/link_x',
        'javascript:alert(1)',
      ]) {
        const stranger = consoleVisitor(service);
        const form = await stranger.get(`/console/sign-in?${new URLSearchParams({ to }).toString()}`);
        expect([to, form.status, hiddenFields(form.text)['to']]).toEqual([to, 200, undefined]);
        const signed = await stranger.send('/console/sign-in', { to, token: service.token });
        expect([to, signed.status, signed.location]).toEqual([to, 303, '/console']);
      }
    });
  });
});
