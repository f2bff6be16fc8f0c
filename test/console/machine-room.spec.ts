import { agents } from '#projections/signals/agents/agents.projection.js';
import { eventually } from '#test/projections/engine-fixture.js';
import { LONGEST_WAIT_MS } from '#test/support/event-stores.js';
import {
  actionPath,
  cells,
  expectPage,
  sentForm,
  signInFor,
  type ConsoleVisitor,
} from '#test/support/console-visitor.js';
import { financeOf, operatorOf } from '#test/support/console-scene.js';
import { refusal } from '#test/support/expected-answers.js';
import { scene, sharedWorkspace } from '#test/support/scene.js';
import { observedCompany } from '#test/support/observed-network.js';

describe('verification, read models and monitoring in the console', () => {
  const service = scene({
    at: '2027-06-15T00:00:00.000Z',
    network: [observedCompany('acme'), observedCompany('globex')],
  });
  const workspace = sharedWorkspace(service, { credits: 12, name: '<b>Ana</b>' });

  beforeAll(async () => {
    const { body: persona } = await workspace.call('POST /api/v2/personas', {
      job_title: ['CTO'],
      location: ['France'],
      tag: '<i>unit</i>',
    });
    const { body } = await workspace.call('POST /api/v2/lists', { type: 'customer', name: 'watched' });
    const path = `lists/company/${body.data.id}`;
    const members = ['acme', 'globex'].map((handle) => ({ network_handle: handle }));
    await workspace.call(`POST /api/v2/${path}/members`, { members });
    const monitored = await workspace.call(`PUT /api/v3/${path}`, { signal_buckets: ['essential'] });
    expect([persona.data.tag, monitored.body.data.monitored_count]).toEqual(['<i>unit</i>', 2]);
    await service.setClock('2027-08-01T00:00:00.000Z');
    await service.drain();
  });
  const operator = operatorOf(service);
  const finance = financeOf(service);

  const of = (path: string): string => `/console/workspaces/${workspace.id}/${path}`;

  /** The page of started work, as soon as the work has ended. */
  async function ended(visitor: ConsoleVisitor, path: string): Promise<string> {
    let text = '';
    await eventually(async () => {
      const shown = await visitor.get(path);
      expect([path, shown.status]).toEqual([path, 200]);
      ({ text } = shown);
      return !text.includes('data-live');
    });
    return text;
  }

  describe('verifying a ledger', () => {
    it('CON-20 finance starts it, the page of its progress ends on the result, and no event is added', async () => {
      await finance.get(of('verify'));
      let path = '';
      await service.expectSettledEvents([], async () => {
        const begun = await finance.send(of('verify'), {});
        expect([begun.status, begun.location]).toEqual([
          303,
          expect.stringMatching(/^\/console\/progress\/\d+$/),
        ]);
        path = begun.location ?? '';
        await ended(finance, path);
      });
      const text = await ended(finance, path);
      const body = await workspace.command('ledger.verify');
      expect(text).toContain('agree in everything');
      expect(text).toContain(body.hash);
      expect(text).toContain('Verifying the ledger of &lt;b&gt;Ana&lt;/b&gt;');
    });

    it('CON-20 progress is sent as server-sent events until the work has ended', async () => {
      const begun = await finance.send(of('verify'), {});
      const { status, headers, text } = await finance.get(`${begun.location}/events`);
      expect([status, headers.get('content-type')]).toEqual([200, 'text/event-stream']);
      const messages = [...text.matchAll(/^data: (.*)$/gm)].map(([, data = '']) => JSON.parse(data));
      expect(messages.at(-1)).toMatchObject({ ended: true, words: expect.any(String) });
      expect(messages.slice(0, -1).every(({ ended: isOver }) => isOver === false)).toBe(true);
    });

    it('an old statement is confirmed by its revision and hash; another hash is a difference', async () => {
      const body = await workspace.command('ledger.statement');
      const good = { revision: String(body.revision), hash: body.hash };
      const stands = await finance.send(of('verify'), good);
      expect(await ended(finance, stands.location ?? '')).toContain('agree in everything');
      const wrong = await finance.send(of('verify'), { ...good, hash: 'a'.repeat(64) });
      const text = await ended(finance, wrong.location ?? '');
      expect([/\d differences? found/.test(text), text.includes('<code>')]).toEqual([true, true]);
      const bad = await finance.send(of('verify'), { revision: 'x', hash: 'y' });
      expect(bad.status).toBe(422);
    });

    it('CON-02 is not started from another origin, for an unknown workspace, or without a session', async () => {
      expect((await finance.send(of('verify'), {}, { origin: 'https://elsewhere.example' })).status).toBe(
        403,
      );
      expect((await finance.send('/console/workspaces/999999/verify', {})).status).toBe(404);
      expect((await finance.get('/console/progress/999999')).status).toBe(404);
      expect((await finance.get('/console/progress/999999/events')).status).toBe(404);
      const page = await finance.get(of('verify'), { cookie: '' });
      const stream = await finance.get('/console/progress/1/events', { cookie: '' });
      expect([page.location, stream.location]).toEqual([signInFor(of('verify')), '/console/sign-in']);
    });
  });

  describe('read models', () => {
    const act = async (command: string, name: string) => {
      const preview = await operator.get(actionPath(command, { name }));
      expect([command, preview.status]).toEqual([command, 200]);
      return sentForm(operator, command, preview);
    };

    it('are listed with version, generation, lag and state, each with a page of its own', async () => {
      const { text } = await operator.get('/console/read-models');
      const row = cells(text).find(([name]) => name === 'agents');
      const version = String(agents.version);
      expect(row?.slice(1)).toEqual([version, '1', '0', expect.any(String), '0', 'live']);
      const one = await operator.get('/console/read-models/one?name=agents');
      expectPage(one, 200, 'Rebuild');
      expect(one.text).not.toContain('Roll back');
      expect((await operator.get('/console/read-models/one?name=nonsense')).status).toBe(422);
      expect((await finance.get('/console/read-models/one?name=agents')).status).toBe(403);
    });

    it('CON-20 one is rebuilt beside the live one and rolled back, with progress, and the page shows the outcome', async () => {
      const begun = await act('projections.rebuild', 'agents');
      expect(begun.location).toMatch(/^\/console\/progress\/\d+$/);
      const built = cells(await ended(operator, begun.location ?? ''));
      expect(built[0]?.slice(0, 3)).toEqual(['agents', 'live', '2']);
      const one = await operator.get('/console/read-models/one?name=agents');
      expect(one.text).toContain('Roll back');
      const form = await operator.get(actionPath('projections.rollback', { name: 'agents' }));
      const stale = await operator.get(actionPath('projections.rollback', { name: 'agents' }));
      const back = await sentForm(operator, 'projections.rollback', form);
      expect(cells(await ended(operator, back.location ?? ''))[0]?.slice(0, 3)).toEqual([
        'agents',
        'live',
        '1',
      ]);
      // It would go forth again.
      const again = await sentForm(operator, 'projections.rollback', stale);
      expect([again.location, again.text.includes('Roll back to generation 2')]).toEqual([null, true]);
      expect((await finance.get(begun.location ?? '')).status).toBe(404);
    });

    it('CON-20 one is verified against a replay of its events', async () => {
      const begun = await act('projections.verify', 'credit-balances');
      const [row] = cells(await ended(operator, begun.location ?? ''));
      expect(row?.slice(0, 5)).toEqual([
        'credit-balances',
        'equal',
        expect.any(String),
        expect.any(String),
        '0',
      ]);
    });

    it('stopping work that is not under way is refused', async () => {
      const { status, text } = await act('projections.cancel', 'agents');
      expect([status, text.includes('neither being rebuilt nor verified')]).toEqual([409, true]);
    });

    it('CON-21 a parked workspace is shown with its fault and the event and named on its own pages, and its parked events can be folded again', async () => {
      const stream = `credits-${(await service.workspace()).id}`;
      const { eventStore, progress } = service.service.host;
      let revision = -1n;
      let workspaceId = '';
      for await (const batch of eventStore.readStream(stream))
        for (const event of batch) {
          revision = event.revision;
          workspaceId = event.metadata['workspaceId'] ?? '';
        }
      const { position } = await eventStore.append(stream, revision, [
        {
          id: '00000000-0000-4000-8000-00000000abcd',
          type: 'CreditsCaptured',
          data: { movementId: 987_654_321 },
          metadata: { workspaceId, recordedAt: '2027-08-01T00:00:00.000Z', schemaVersion: '1' },
        },
      ]);
      await progress.reached({ position, types: ['CreditsCaptured'], workspaceId: null }, LONGEST_WAIT_MS);
      const list = await operator.get('/console/read-models');
      expect(
        cells(list.text)
          .find(([name]) => name === 'credit-movements')
          ?.at(-1),
      ).toBe('parked');
      const { text } = await operator.get('/console/read-models/one?name=credit-movements');
      expect(cells(text)).toContainEqual([
        workspaceId,
        '1',
        'Error: movement 987654321 ended without a hold',
        'CreditsCaptured',
        stream,
        String(revision + 1n),
      ]);
      const charges = await operator.get(`/console/workspaces/${workspaceId}/charges?company=1`);
      expectPage(charges, 200, 'stopped for it: credit-movements.');
      const unknown = await operator.get(`/console/workspaces/${workspaceId}/movements/987654321`);
      expectPage(unknown, 404, 'stopped for it: credit-movements.', 'no such credit movement');
      const others = await operator.get(of('charges?company=1'));
      expect([others.status, others.text.includes('stopped for it')]).toEqual([200, false]);
      const retried = await act('projections.retry', 'credit-movements');
      expect(retried.location).toBe('/console/read-models/one?name=credit-movements');
      expect((await operator.get(retried.location ?? '')).text).toContain('1 workspace still parked');
    });
  });

  describe('monitoring', () => {
    it('accounts are listed by month: paid with the movement, covered, or not covered and why', async () => {
      const { text } = await finance.get(of('monitoring?from=2027-05'));
      const rows = cells(text);
      expect(rows.map((row) => row.slice(1, 9).map((cell) => cell.replace(/\s+/g, ' ')))).toEqual(
        ['acme', 'globex'].map(() => [
          '&lt;i&gt;unit&lt;/i&gt;',
          'not covered',
          '',
          'paid 5',
          'covered no credits left',
          'not covered no credits left',
          '',
          '',
        ]),
      );
      expect(text).toMatch(/<a href="\/console\/workspaces\/\d+\/movements\/\d+"\s*>paid 5<\/a/);
      expect(text).not.toContain('<i>unit');
    });

    it('OP-26 the page of a paid month names its persona, also one without a name', async () => {
      const [persona] = await workspace.data('GET /api/v2/personas');
      const { data: months } = (await workspace.call('GET /api/v3/usage')).body;
      const shownPersona = async (): Promise<string | undefined> =>
        /<dt>Persona<\/dt>\s*<dd>([^]*?)<\/dd>/
          .exec((await finance.get(of(`movements/${months[0].id}`))).text)?.[1]
          ?.replace(/<[^>]*>/g, '');
      expect(await shownPersona()).toBe(`&lt;i&gt;unit&lt;/i&gt; (${persona.id})`);
      await workspace.call(`PATCH /api/v2/personas/${persona.id}`, { tag: null });
      expect(await shownPersona()).toBe(`persona ${persona.id}`);
      await workspace.call(`PATCH /api/v2/personas/${persona.id}`, { tag: '<i>unit</i>' });
    });

    it('OPS-41 the grid is filtered by persona and continues after an account', async () => {
      const asked = { workspace_id: workspace.id, months: 2 };
      const { body } = await service.ops('monitoring.accounts', { ...asked, limit: 1 });
      expect([body.months, body.accounts.length]).toEqual([['2027-07', '2027-08'], 1]);
      const behind = await service.ops('monitoring.accounts', {
        ...asked,
        after_company: body.next.company_id,
        after_persona: body.next.persona_id,
      });
      expect([behind.body.accounts.length, behind.body.next]).toEqual([1, null]);
      const narrowed = await service.ops('monitoring.accounts', {
        ...asked,
        persona_id: body.next.persona_id,
      });
      expect(narrowed.body.accounts.length).toBe(2);
      await refusal(422, service.ops('monitoring.accounts', { ...asked, after_company: 1 }), 'after_persona');
      // No time is in a month after it (OPS-17).
      const last = await service.ops('monitoring.accounts', { ...asked, from: '9999-12' });
      expect([last.status, last.body.months]).toEqual([200, ['9999-12']]);
    });

    it('OPS-24 the forecast is that of monitoring.forecast, summed by month', async () => {
      const { text } = await finance.get(of('forecast?months=2'));
      const body = await workspace.command('monitoring.forecast', { months: 2 });
      expect(cells(text)).toContainEqual([
        body.months[0].month,
        String(body.months[0].credits_due),
        String(body.months[0].balance_after),
      ]);
      expect((await finance.get(of('forecast?months=25'))).status).toBe(422);
    });
  });
});
