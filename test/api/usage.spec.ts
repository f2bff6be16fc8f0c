import { answered } from '#test/support/expected-answers.js';
import { completedRun, keywordAgent, observedPerson, observedPost } from '#test/support/observed-network.js';
import { scene, sharedWorkspace } from '#test/support/scene.js';

type Movement = {
  readonly id: number;
  readonly created_at: string;
  readonly status: string;
  readonly credits: number;
};

describe('reading credits', () => {
  const service = scene({ at: '2026-01-05T10:00:00.000Z' });
  const workspace = sharedWorkspace(service);
  const other = sharedWorkspace(service);

  const usage = async (query = '', asker = workspace) => asker.call(`GET /api/v3/usage${query}`);
  const balance = async (asker = workspace) => asker.call('GET /api/v3/credits/balance');
  /** Fails at the operator command that is refused, not later at the answers that lack its effect. */
  const done = async (command: string, input: object) => {
    const { status, body } = await service.ops(command, input);
    expect({ command, status, body }).toMatchObject({ command, status: 200 });
    return body;
  };
  const hold = async (key: string, credits: number | string, asker = workspace): Promise<number> =>
    (await done('credits.hold', { workspace_id: asker.id, key, credits, product: 'testing' })).movement_id;

  beforeAll(async () => {
    // Five of one moment, then one a day; each ends at once, because a hold of the previous day expires.
    for (const name of ['a', 'b', 'c', 'd', 'e']) {
      await hold(name, 1);
      await done('credits.capture', { workspace_id: workspace.id, key: name });
    }
    await service.setClock('2026-01-06T00:00:00.000Z');
    const captured = await hold('f', '12.345678');
    await done('credits.capture', { workspace_id: workspace.id, movement_id: captured });
    await service.setClock('2026-01-07T00:00:00.000Z');
    const released = await hold('g', '2.5');
    await done('credits.release', { workspace_id: workspace.id, movement_id: released });
  });

  describe('GET /api/v3/credits/balance', () => {
    it('BAL-01 BAL-02 OP-22 subtracts held and captured credits, and adds released ones', async () => {
      const body = await answered(200, balance());
      expect(body).toEqual({
        data: {
          balance: 982.654322,
          held: 0,
          captured: 17.345678,
          granted: 1000,
          is_billed: true,
          billing: 'self',
          updated_at: '2026-01-07T00:00:00.000Z',
        },
      });
      expect((await service.call('GET /api/v3/credits/balance')).status).toBe(401);
      const holder = await service.workspace();
      await hold('still held', 5, holder);
      expect((await balance(holder)).body.data).toMatchObject({ balance: 995, held: 5, captured: 0 });
    });

    it('OP-25 C-15 is not changed by payments of a partner; exempt is not billed', async () => {
      const { partner_id } = (await service.ops('partner.create', { name: 'Reseller' })).body;
      const partnered = await service.workspace({ billing: 'partner', partner_id, credits: 5 });
      await hold('x', 3, partnered);
      expect((await balance(partnered)).body.data).toMatchObject({
        balance: 5,
        held: 0,
        is_billed: true,
        billing: 'partner',
      });
      const exempt = await service.workspace({ billing: 'exempt' });
      expect((await balance(exempt)).body.data).toMatchObject({ is_billed: false, billing: 'exempt' });
    });
  });

  describe('GET /api/v3/usage', () => {
    it('USE-01 USE-02 USE-03 USE-04 USE-14 USE-15 USE-22 LED-03 lists every movement once, newest first', async () => {
      const body = await answered(200, usage());
      expect(body.meta).toEqual({ cursor: { next: null, has_more: false } });
      const movements: readonly Movement[] = body.data;
      expect(movements.slice(0, 3)).toEqual([
        {
          id: expect.any(Number),
          created_at: '2026-01-07T00:00:00.000Z',
          status: 'released',
          product: 'testing',
          signal_template_key: null,
          credits: 2.5,
        },
        expect.objectContaining({ status: 'captured', credits: 12.345678 }),
        expect.objectContaining({ status: 'captured', credits: 1 }),
      ]);
      expect(movements).toHaveLength(7);
      const sameMoment = movements.slice(2).map(({ id }) => id);
      expect(sameMoment).toEqual([...sameMoment].sort((left, right) => right - left));
    });

    for (const [query, count] of [
      ['?date_from=2026-01-06T00:00:00.000Z', 2],
      ['?date_from=2026-01-06T00:00:00.001Z', 1],
      ['?date_from=2026-01-06', 2],
      ['?date_from=2026-01-06T01:00:00%2B01:00', 2],
      ['?date_to=2026-01-07T00:00:00.000Z', 6],
      ['?date_to=2026-01-07T00:00:00.001Z', 7],
      ['?date_to=2026-01-06', 5],
      ['?date_from=2026-01-05&date_to=2026-01-06', 5],
      ['?date_from=2026-01-06&date_to=2026-01-06', 0],
      ['?date_from=2027-01-01', 0],
    ] as const) {
      it(`USE-05 USE-06 USE-07 USE-08 USE-10 USE-16 finds ${count} with ${query}`, async () => {
        const body = await answered(200, usage(query));
        expect([body.data.length, body.meta.cursor]).toEqual([count, { next: null, has_more: false }]);
      });
    }

    for (const [query, parameter] of [
      ['?date_from=2026-01-07&date_to=2026-01-06', 'date_from'],
      ['?date_from=2025-13-40', 'date_from'],
      ['?date_to=foo', 'date_to'],
      ['?limit=0', 'limit'],
      ['?limit=101', 'limit'],
      ['?limit=abc', 'limit'],
      ['?limit=1.5', 'limit'],
      ['?limit=', 'limit'],
      ['?limit=1&limit=2', 'limit'],
      ['?cursor=garbage', 'cursor'],
      ['?cursor=', 'cursor'],
    ] as const) {
      it(`USE-09 USE-11 USE-12 USE-13 CUR-01 refuses ${query}`, async () => {
        const body = await answered(400, usage(query));
        expect([body.title, Object.keys(body.errors)]).toEqual(['Invalid query parameters', [parameter]]);
      });
    }

    it('CUR-03 CUR-04 CUR-05 CUR-07 CUR-08 pages through equal times while new movements arrive', async () => {
      const all: readonly Movement[] = (await usage()).body.data;
      const seen: number[] = [];
      let query = '?limit=2';
      for (;;) {
        const { body } = await usage(query);
        seen.push(...body.data.map(({ id }: Movement) => id));
        const { next, has_more } = body.meta.cursor;
        expect(has_more).toBe(next !== null);
        if (next === null) break;
        await hold(`while-${seen.length}`, 1);
        query = `?limit=2&cursor=${next}`;
      }
      expect(seen).toEqual(all.map(({ id }) => id));
    });

    it('OP-23 ISO-17 binds a cursor to its dates and its workspace', async () => {
      const { next } = (await usage('?limit=1&date_from=2026-01-05')).body.meta.cursor;
      expect((await usage(`?cursor=${next}&date_from=2026-01-05`)).status).toBe(200);
      const others = await usage(`?cursor=${next}&date_from=2026-01-06`);
      expect(others.body.errors).toEqual({ cursor: ['was issued for other dates'] });
      expect((await usage(`?cursor=${next}&date_from=2026-01-05`, other)).status).toBe(400);
      expect((await usage(`?cursor=${next.slice(0, -1)}&date_from=2026-01-05`)).status).toBe(400);
    });

    it('USE-21 ISO-01 requires a key and shows only movements of its workspace', async () => {
      expect((await service.call('GET /api/v3/usage')).status).toBe(401);
      expect((await usage('', other)).body.data).toEqual([]);
    });

    it('USE-17 RUN-18 shows a keyword match as ten credits without a template', async () => {
      await service.ingest([
        observedPerson('ana'),
        observedPost('1', 'ana', 'a CRM', '2026-01-04T09:00:00Z'),
      ]);
      const buyer = await service.workspace();
      await completedRun(service, buyer, await keywordAgent(buyer, 'crm'));
      expect((await usage('', buyer)).body.data).toEqual([
        expect.objectContaining({
          status: 'captured',
          product: 'keyword_match',
          signal_template_key: null,
          credits: 10,
        }),
      ]);
      expect((await balance(buyer)).body.data).toMatchObject({ balance: 990, held: 0, captured: 10 });
    });
  });
});
