import { answered, refusal } from '#test/support/expected-answers.js';
import { completedRun, keywordAgent, observedPerson, observedPost } from '#test/support/observed-network.js';
import { scene, sharedWorkspace } from '#test/support/scene.js';
import type { Answer } from '#test/support/service.js';

type Row = Readonly<Record<string, unknown>> & {
  readonly credits: number;
  readonly balance: number;
  readonly revision: number;
  readonly movement_id: number;
};

describe('the ledger for finance over the API', () => {
  const service = scene({ at: '2026-01-05T10:00:00.000Z' });
  const workspace = sharedWorkspace(service, { credits: 100 });
  const other = sharedWorkspace(service);

  const statement = (query = '', asker = workspace): Promise<Answer> =>
    asker.call(`GET /api/v3/credits/statement${query}`);
  const ops = async (command: string, input: object): Promise<Answer['body']> => {
    const { status, body } = await service.ops(command, { workspace_id: workspace.id, ...input });
    expect([command, status]).toEqual([command, 200]);
    return body;
  };
  /** Every page of a statement; `between` runs before each further page. */
  async function pages(query: string, between = async (): Promise<unknown> => null): Promise<Answer[]> {
    const all: Answer[] = [];
    for (let cursor: string | null = ''; cursor !== null;) {
      const page = await statement(`${query}${cursor === '' ? '' : `&cursor=${cursor}`}`);
      expect(page.status).toBe(200);
      all.push(page);
      cursor = page.body.meta.cursor.next;
      expect(page.body.meta.cursor.has_more).toBe(cursor !== null);
      await between();
    }
    return all;
  }

  beforeAll(async () => {
    // Held at the end of the month, and not long enough to expire.
    await service.setClock('2026-01-31T23:30:00.000Z');
    const hold = { credits: '12.5', product: 'export' };
    await ops('credits.hold', { key: 'a', ...hold });
    await ops('credits.hold', { key: 'b', ...hold });
    await service.setClock('2026-02-01T00:00:00.000Z');
    await ops('credits.capture', { key: 'a' });
    await ops('credits.release', { key: 'b' });
    await service.setClock('2026-02-03T00:00:00.000Z');
    for (const key of ['c', 'd', 'e']) await ops('credits.hold', { key, credits: 1, product: '=cmd' });
  });

  describe('GET /api/v3/credits/statement', () => {
    it('has opening, rows with the running balance, totals, closing, revision and hash', async () => {
      const body = await answered(200, statement('?from=2026-02-01&to=2026-02-02'));
      expect(body).toEqual({
        statement: {
          from: '2026-02-01T00:00:00.000Z',
          to: '2026-02-02T00:00:00.000Z',
          opening: 75,
          totals: {
            by_product: { export: 12.5 },
            by_cause: { operator: 12.5 },
            by_payer: { workspace: 12.5 },
          },
          closing: 87.5,
          revision: 5,
          hash: expect.stringMatching(/^[0-9a-f]{64}$/),
        },
        data: [
          {
            movement_id: expect.any(Number),
            revision: 4,
            at: '2026-02-01T00:00:00.000Z',
            kind: 'capture',
            credits: 0,
            spend: 12.5,
            balance: 75,
            key: 'a',
            cause: { kind: 'operator' },
            product: 'export',
            payer: 'workspace',
          },
          expect.objectContaining({ revision: 5, kind: 'release', credits: 12.5, balance: 87.5 }),
        ],
        meta: { cursor: { next: null, has_more: false } },
      });
    });

    it('equals the operator command for the same period', async () => {
      for (const period of [{}, { from: '2026-01-06' }, { to: '2026-02-01' }, { from: '2027-01-01' }]) {
        const { rows, workspace_id, ...summary } = await ops('ledger.statement', period);
        const query = Object.entries({ limit: '100', ...period })
          .map(([name, value]) => `${name}=${value}`)
          .join('&');
        const { body } = await statement(`?${query}`);
        expect([workspace_id, body.statement, body.data]).toEqual([workspace.id, summary, rows]);
      }
    });

    it('P12 opens with the closing of the previous period, and opening and rows add up to the closing', async () => {
      const months = ['2026-01-01', '2026-02-01', '2026-03-01'];
      const [january, february] = await Promise.all(
        months.slice(1).map((to, index) => statement(`?from=${months[index]}&to=${to}&limit=100`)),
      );
      expect(february?.body.statement.opening).toBe(january?.body.statement.closing);
      const rows: readonly Row[] = february?.body.data;
      let balance = february?.body.statement.opening;
      for (const row of rows) {
        balance += row.credits;
        expect(row.balance).toBe(balance);
      }
      expect(balance).toBe(february?.body.statement.closing);
    });

    it('P9 pages as one statement while more is written, with the same bytes at its revision for ever', async () => {
      const whole = await statement('?limit=100');
      let key = 0;
      const paged = await pages('?limit=2', () =>
        ops('credits.hold', { key: `later:${(key += 1)}`, credits: 1, product: 'export' }),
      );
      expect(paged.flatMap(({ body }) => body.data)).toEqual(whole.body.data);
      for (const { body } of paged) {
        expect(body.data.length).toBeLessThanOrEqual(2);
        expect(JSON.stringify(body.statement)).toBe(JSON.stringify(whole.body.statement));
      }
      const { revision } = whole.body.statement;
      const again = await statement(`?limit=100&revision=${revision}`);
      expect(JSON.stringify(again.body)).toBe(JSON.stringify(whole.body));
      expect((await statement('?limit=100')).body.statement.revision).toBe(revision + key);
    });

    for (const [query, parameter] of [
      ['?from=2026-01-07&to=2026-01-06', 'from'],
      ['?from=2026-02-30', 'from'],
      ['?to=soon', 'to'],
      ['?from=', 'from'],
      ['?revision=-1', 'revision'],
      ['?revision=1.5', 'revision'],
      ['?revision=99999', 'revision'],
      ['?limit=0', 'limit'],
      ['?limit=101', 'limit'],
      ['?cursor=garbage', 'cursor'],
    ] as const) {
      it(`OP-08 OP-23 refuses ${query}`, async () => {
        const body = await answered(400, statement(query));
        expect([body.title, Object.keys(body.errors)]).toEqual(['Invalid query parameters', [parameter]]);
      });
    }

    it('OP-23 reads dates like usage: from inclusive, to exclusive, an offset, an empty period', async () => {
      const rowsOf = async (query: string) => (await statement(query)).body.data.length;
      expect(await rowsOf('?from=2026-02-01T01:00:00%2B01:00&to=2026-02-01T00:00:00.001Z')).toBe(2);
      expect(await rowsOf('?from=2026-02-01T00:00:00.001Z&to=2026-02-03')).toBe(0);
      const empty = await statement('?from=2026-02-01&to=2026-02-01');
      expect(empty.body).toMatchObject({ data: [], statement: { opening: 75, closing: 75, revision: 3 } });
    });

    it('ISO-17 binds a cursor to its period and its workspace; a key is required', async () => {
      const { next } = (await statement('?limit=1&from=2026-01-01')).body.meta.cursor;
      expect((await statement(`?cursor=${next}&from=2026-01-01`)).status).toBe(200);
      const others = await answered(400, statement(`?cursor=${next}&from=2026-01-02`));
      expect(others.errors).toEqual({ cursor: ['was issued for another statement'] });
      expect((await statement(`?cursor=${next}&from=2026-01-01`, other)).status).toBe(400);
      expect((await service.call('GET /api/v3/credits/statement')).status).toBe(401);
      expect((await statement('', other)).body.data).toEqual([
        expect.objectContaining({
          kind: 'grant',
          balance: 1000,
          cause: expect.objectContaining({ kind: 'operator' }),
        }),
      ]);
    });
  });

  describe('GET /api/v3/credits/movements/{id}', () => {
    it('leads from a charge to its signal, run and agent by name, and to its ledger entries', async () => {
      await service.ingest([
        observedPerson('ana'),
        observedPost('1', 'ana', 'a CRM', '2026-02-02T09:00:00Z'),
      ]);
      const buyer = await service.workspace();
      const agentId = await keywordAgent(buyer, 'crm');
      const runId = await completedRun(service, buyer, agentId);
      const [charge] = await buyer.data(`GET /api/v3/credits/movements?signal_run_id=${runId}`);
      const body = await answered(200, buyer.call(`GET /api/v3/credits/movements/${charge.id}`));
      const { data } = body;
      const agent = await buyer.data(`GET /api/v2/agents/${agentId}`);
      const run = (await buyer.poll(runId)).body;
      const [signal] = await buyer.data('POST /api/v3/signals/query', {});
      expect(data).toEqual({
        ...charge,
        kind: 'charge',
        status: 'captured',
        credits: 10,
        cause: expect.objectContaining({
          kind: 'signal',
          run_id: runId,
          agent_id: agentId,
          subject: 'post:post:1',
        }),
        origin: {
          signal: {
            id: signal.id,
            signal_type: signal.signal_type,
            detected_at: signal.detected_at,
            source_url: 'https://www.network.example/posts/1',
            provenance: [],
          },
          run: { id: runId, stage: 'completed', created_at: run.created_at },
          signal_setup: null,
          agent: { id: agentId, name: agent.name },
          company: null,
          persona: null,
          wanted_by: null,
        },
        corrections: [],
        entries: [
          {
            revision: 2,
            type: 'CreditsHeld',
            recorded_at: charge.created_at,
            actor: { kind: 'process', id: 'execute-signal-run' },
            command_id: `run:${runId}:batch:1:hold`,
            request_id: expect.any(String),
            reason: null,
            hash: expect.stringMatching(/^[0-9a-f]{64}$/),
          },
          expect.objectContaining({ revision: 3, type: 'CreditsCaptured', recorded_at: charge.ended_at }),
        ],
      });
      // The seal in the drill-down is the seal on the statement.
      const { statement: summary } = (await buyer.call('GET /api/v3/credits/statement')).body;
      expect(data.entries.at(-1).hash).toBe(summary.hash);
      for (const foreign of [workspace, other]) {
        expect((await foreign.call(`GET /api/v3/credits/movements/${charge.id}`)).status).toBe(404);
      }
    });

    it('shows a posting with its reason, and the corrections of a movement', async () => {
      const [grant] = (await statement('?limit=1')).body.data;
      const adjusted = await ops('credits.adjust', {
        credits: '-0.5',
        reason: 'granted too much',
        corrects: grant.movement_id,
      });
      expect(adjusted.balance.balance).toBeLessThan(100);
      const data = await workspace.data(`GET /api/v3/credits/movements/${grant.movement_id}`);
      expect(data).toMatchObject({
        kind: 'grant',
        status: 'posted',
        credits: 100,
        product: null,
        cause: { kind: 'operator', reason: 'opening balance' },
        corrections: [{ credits: -0.5, reason: 'granted too much' }],
        entries: [
          { revision: 1, type: 'CreditsGranted', reason: 'opening balance', actor: { kind: 'operator' } },
        ],
      });
      const [{ movement_id: correction }] = data.corrections;
      expect(await ops('ledger.movement', { movement_id: correction })).toMatchObject({
        kind: 'adjustment',
        credits: -0.5,
        cause: { corrects: grant.movement_id },
      });
    });

    it('OP-01 answers 404 for an unknown or foreign id, with the same message, 400 for an invalid one', async () => {
      const [own] = (await statement('?limit=1')).body.data;
      const foreign = await other.call(`GET /api/v3/credits/movements/${own.movement_id}`);
      const unknown = await other.call('GET /api/v3/credits/movements/999999');
      expect([foreign.status, unknown.status]).toEqual([404, 404]);
      expect({ ...foreign.body, instance: '' }).toEqual({ ...unknown.body, instance: '' });
      expect((await workspace.call('GET /api/v3/credits/movements/abc')).status).toBe(400);
      const ofOther = { workspace_id: other.id, movement_id: own.movement_id };
      await answered(404, service.ops('ledger.movement', ofOther));
    });
  });

  describe('GET /api/v3/credits/movements', () => {
    const movements = (query: string, asker = workspace) =>
      asker.call(`GET /api/v3/credits/movements${query}`);

    it('leads from a setup, agent, run or launch to its charges, like usage', async () => {
      const buyer = await service.workspace();
      const agentId = await keywordAgent(buyer, 'crm');
      const runId = await completedRun(service, buyer, agentId);
      const quiet = await keywordAgent(buyer, 'nothing');
      const [charge] = (await movements('', buyer)).body.data;
      expect(await buyer.movements()).toEqual([
        expect.objectContaining({ id: charge.id, credits: charge.credits }),
      ]);
      for (const query of [
        `?agent_id=${agentId}`,
        `?signal_run_id=${runId}`,
        `?launch_id=${charge.cause.launch_id}`,
      ]) {
        expect((await movements(query, buyer)).body.data).toEqual([charge]);
        expect((await movements(query, workspace)).body.data).toEqual([]);
      }
      for (const query of [
        `?agent_id=${quiet}`,
        `?signal_setup_id=${agentId}`,
        '?company_id=1',
        '?launch_id=99999',
      ]) {
        expect((await movements(query, buyer)).body.data).toEqual([]);
      }
      const { launch_id } = charge.cause;
      const command = { workspace_id: buyer.id, launch_id };
      expect((await service.ops('ledger.movements', command)).body).toEqual({
        movements: [charge],
        next: null,
      });
      expect((await buyer.command('ledger.movements', { run_id: runId })).movements).toEqual([charge]);
    });

    it('CUR-03 pages newest first with each charge once', async () => {
      const all = (await movements('?limit=100')).body.data;
      const seen: unknown[] = [];
      for (let cursor: string | null = ''; cursor !== null;) {
        const { body } = await movements(`?limit=2${cursor === '' ? '' : `&cursor=${cursor}`}`);
        seen.push(...body.data);
        cursor = body.meta.cursor.next;
      }
      expect(seen).toEqual(all);
      expect(all.length).toBeGreaterThan(4);
    });

    it('refuses two causes at once, an invalid id and a cursor of another cause', async () => {
      const both = await answered(400, movements('?agent_id=1&launch_id=1'));
      expect(both.errors).toEqual({ launch_id: ['cannot be combined with agent_id'] });
      expect((await movements('?agent_id=0')).body.errors).toHaveProperty('agent_id');
      const { next } = (await movements('?limit=1')).body.meta.cursor;
      expect((await movements(`?agent_id=1&cursor=${next}`)).body.errors).toEqual({
        cursor: ['was issued for another cause'],
      });
      await refusal(422, service.ops('ledger.movements', { workspace_id: workspace.id }), 'launch_id');
      const twoCauses = { workspace_id: workspace.id, run_id: 1, agent_id: 1 };
      await answered(422, service.ops('ledger.movements', twoCauses));
    });
  });
});
