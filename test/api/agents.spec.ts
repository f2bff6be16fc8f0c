import { randomUUID } from 'node:crypto';
import type { JsonObject } from '#kernel/values/json.js';
import { scene, sharedWorkspace } from '#test/support/scene.js';

const CREATE = 'POST /api/v2/agents';
const keywords = { tracking_keywords: ['crm'] };

describe('agents', () => {
  const service = scene({ at: '2026-01-05T10:00:00.000Z' });
  const workspace = sharedWorkspace(service);
  const other = sharedWorkspace(service);

  describe(CREATE, () => {
    it('AG-01 AG-04 AG-11 AG-13 AG-40 C-10 creates a keyword agent, enabled', async () => {
      const parameters = { ...keywords, start_date: '2026-01-01', max_posts_to_scrape: 50 };
      const body = { type: 'keyword_post_search', name: 'CRM talk', parameters, enabled: false };
      let answer: Awaited<ReturnType<typeof workspace.call>> | undefined;
      await service.expectEvents(['AgentCreated'], async () => {
        answer = await workspace.call(CREATE, body);
      });
      expect(answer?.status).toBe(201);
      expect(answer?.body).toEqual({
        data: {
          id: expect.any(Number),
          name: 'CRM talk',
          type: 'keyword_post_search',
          enabled: true,
          schedulable: true,
          schedule: null,
          parameters,
          watchlist_kind: null,
          watchlist_id: null,
          created_at: '2026-01-05T10:00:00.000Z',
          updated_at: '2026-01-05T10:00:00.000Z',
        },
      });
      const read = await workspace.call(`GET /api/v2/agents/${answer?.body.data.id}`);
      expect([read.status, read.body]).toEqual([200, answer?.body]);
    });

    it('AG-07 AG-73 switches the weekly schedule on', async () => {
      let id = 0;
      await service.expectEvents(['AgentCreated', 'ScheduleSwitchedOn'], async () => {
        id = await workspace.agent('keyword_post_search', {
          parameters: keywords,
          schedule: { cadence: 'weekly' },
        });
      });
      expect(await workspace.data(`GET /api/v2/agents/${id}`)).toMatchObject({
        name: 'Keyword post search',
        schedule: { cadence: 'weekly' },
      });
    });

    it('OP-31 takes null for optional fields, and ignores unknown fields', async () => {
      const { status, body } = await workspace.call(CREATE, {
        type: 'keyword_post_search',
        name: null,
        parameters: { ...keywords, start_date: null, mode: null, colour: 'red' },
        watchlist_kind: null,
        watchlist_id: null,
        schedule: null,
        size: 3,
      });
      expect([status, body.data.parameters]).toEqual([201, keywords]);
    });

    for (const [type, name] of [
      ['keyword_detection', 'Keyword detection'],
      ['job_posting_keyword_detection', 'Job posting keyword detection'],
    ]) {
      it(`AG-02 AG-06 AG-12 AG-14 creates a ${type} agent, which takes no schedule`, async () => {
        const { status, body } = await workspace.call(CREATE, { type, parameters: keywords });
        expect({ status, ...body.data }).toMatchObject({
          status: 201,
          type,
          name,
          schedulable: false,
          schedule: null,
          parameters: keywords,
        });
        await refused({ type, parameters: keywords, schedule: { cadence: 'weekly' } }, 'schedule');
        await refused({ type }, 'parameters.tracking_keywords');
      });
    }

    it('AG-09 creates an unconfigured agent without parameters', async () => {
      const { status, body } = await workspace.call(CREATE, { type: 'unconfigured' });
      expect({ status, ...body.data }).toMatchObject({
        status: 201,
        type: 'unconfigured',
        parameters: {},
        watchlist_kind: null,
        watchlist_id: null,
      });
      await refused({ type: 'unconfigured', parameters: keywords }, 'parameters.tracking_keywords');
    });

    for (const type of ['unknown', 'competitor_activity', 'content_engagement']) {
      it(`AG-03 AG-41 OP-71 refuses the type ${type}`, async () => {
        await refused({ type }, 'type');
        await refused({ type, parameters: keywords }, 'type');
      });
    }

    for (const [what, body, ...faults] of [
      ['no type', { parameters: keywords }, 'type'],
      ['no keywords', keyword({}), 'parameters.tracking_keywords'],
      ['no parameters', { type: 'keyword_post_search' }, 'parameters.tracking_keywords'],
      ['AG-55 an empty list of keywords', keyword({ tracking_keywords: [] }), 'parameters.tracking_keywords'],
      ['a blank keyword', keyword({ tracking_keywords: ['crm', ' '] }), 'parameters.tracking_keywords'],
      [
        'OP-69 a keyword that folds to nothing',
        keyword({ tracking_keywords: ['crm', '\u200b\u00ad'] }),
        'parameters.tracking_keywords',
      ],
      [
        'a keyword of 201 characters',
        keyword({ tracking_keywords: ['x'.repeat(201)] }),
        'parameters.tracking_keywords',
      ],
      ['a number as keyword', keyword({ tracking_keywords: [7] }), 'parameters.tracking_keywords'],
      [
        'AG-57 a start date that is none',
        keyword({ ...keywords, start_date: '2026-02-30' }),
        'parameters.start_date',
      ],
      [
        'AG-58 half a post',
        keyword({ ...keywords, max_posts_to_scrape: 1.5 }),
        'parameters.max_posts_to_scrape',
      ],
      ['AG-63 AG-64 a mode', keyword({ ...keywords, mode: 'all' }), 'parameters.mode'],
      ['parameters of another type', keyword({ ...keywords, job_titles: ['CTO'] }), 'parameters.job_titles'],
      ['AG-52 an empty name', { ...keyword(keywords), name: '' }, 'name'],
      ['AG-52 a name of 101 characters', { ...keyword(keywords), name: 'x'.repeat(101) }, 'name'],
      ['AG-74 another cadence', { ...keyword(keywords), schedule: { cadence: 'daily' } }, 'schedule.cadence'],
      ['a list', { ...keyword(keywords), watchlist_id: 1 }, 'watchlist_id'],
      ['AG-68 a kind without a list', { ...keyword(keywords), watchlist_kind: 'company' }, 'watchlist_kind'],
      ['AG-68 no kind, sent alone', { ...keyword(keywords), watchlist_kind: null }, 'watchlist_kind'],
      [
        'several faults at once',
        { ...keyword({ mode: 'all' }), watchlist_id: 1 },
        'parameters.tracking_keywords',
        'parameters.mode',
        'watchlist_id',
      ],
    ] as const) {
      it(`refuses ${what}`, () => refused(body, ...faults));
    }

    it('OP-31 OP-72 names the parameters that a competitor agent without a list drops, also under strict handling', async () => {
      const parameters = { mode: 'all', target_group: 'customers' };
      for (const handling of ['lenient', 'strict']) {
        const headers = { prefer: `handling=${handling}` };
        const answer = await workspace.call(CREATE, { type: 'competitor', parameters }, headers);
        expect([answer.status, answer.body.data.type, answer.body.data.parameters]).toEqual([
          201,
          'unconfigured',
          {},
        ]);
        expect(answer.headers.get('ignored-fields')).toBe('parameters.mode, parameters.target_group');
      }
      const { id: watchlist_id } = await workspace.list('competitor');
      const bound = { type: 'competitor', parameters, watchlist_id };
      for (const body of [bound, { type: 'competitor', parameters: { mode: null } }, keyword(keywords)])
        expect((await workspace.call(CREATE, body)).headers.get('ignored-fields')).toBeNull();
    });

    it('OP-31 OP-33 names what a schedule requires: the list, or the mode', async () => {
      const weekly = { schedule: { cadence: 'weekly' } };
      const mode = (name: string) => ({ type: 'competitor', parameters: { mode: name } });
      const faultOf = async (body: object) => (await workspace.call(CREATE, body)).body.errors?.schedule;
      const needsList = ['needs a list of type competitor: send watchlist_id'];
      const needsMode = ['needs parameters.mode lead_discovery or all'];
      const { id: watchlist_id } = await workspace.list('competitor');
      expect(await faultOf({ ...mode('all'), ...weekly })).toEqual(needsList);
      expect(await faultOf({ ...mode('account_monitoring'), ...weekly, watchlist_id })).toEqual(needsMode);
      expect(await faultOf({ type: 'job_update', ...weekly })).toEqual([
        'job_update agents take no schedule',
      ]);
      const { status, body } = await workspace.call(CREATE, { ...mode('all'), watchlist_id });
      expect([status, body.data.schedulable]).toEqual([201, true]);
      const change = `PUT /api/v2/agents/${body.data.id}`;
      const changed = { ...weekly, parameters: { mode: 'account_monitoring' } };
      expect((await workspace.call(change, changed)).body.errors).toEqual({ schedule: needsMode });
      const unbound = { ...weekly, watchlist_id: null };
      expect((await workspace.call(change, unbound)).body.errors).toEqual({
        schedule: ['unconfigured agents take no schedule; a list gives the agent its type'],
      });
      expect((await workspace.call(change, weekly)).status).toBe(200);
    });

    it('OP-07 refuses a body that is no object, and one that is no JSON', async () => {
      expect((await workspace.call(CREATE, [])).status).toBe(422);
      expect((await workspace.call(CREATE, '{')).status).toBe(400);
    });

    async function refused(body: object, ...faults: readonly string[]): Promise<void> {
      const answer = await service.refused(() => workspace.call(CREATE, body));
      expect([answer.status, Object.keys(answer.body.errors ?? {}).sort()]).toEqual([
        422,
        [...faults].sort(),
      ]);
    }
  });

  describe('GET /api/v2/agents', () => {
    it('AG-30 AG-33 lists ten at a time, by id', async () => {
      const third = await service.workspace();
      const ids: number[] = [];
      for (let count = 0; count < 11; count += 1) {
        ids.push(await third.agent('keyword_post_search', { parameters: keywords }));
      }
      const { status, body, headers } = await third.call('GET /api/v2/agents');
      expect(status).toBe(200);
      expect(body.data.map(({ id }: { id: number }) => id)).toEqual(ids.slice(0, 10));
      expect(body.meta).toEqual({ pagination: { page: 1, page_size: 10, page_count: 2, total: 11 } });
      expect(headers.get('x-total-count')).toBe('11');
      const rest = await third.call('GET /api/v2/agents?page=2');
      expect(rest.body.data.map(({ id }: { id: number }) => id)).toEqual(ids.slice(10));
      expect((await third.call('GET /api/v2/agents?page_size=25')).body.data).toHaveLength(11);
    });

    it('AG-23 AG-17 lists sparse rows of earlier systems, which can be changed and bound like any other', async () => {
      const own = await service.workspace();
      const [first = 0] = await service.service.host.ids.nextMany('agent', 3);
      const interested_by = { prospects: true };
      const rows: readonly (readonly [
        id: number,
        type: string,
        parameters: JsonObject,
        shown: JsonObject,
      ])[] = [
        [first, 'keyword_detection', {}, {}],
        [first + 1, 'champion_tracking', {}, {}],
        // Members that no version of the document names are not shown.
        [
          first + 2,
          'job_update',
          { old: 1, interested_by: { ...interested_by, partners: true } },
          { interested_by },
        ],
      ];
      for (const [agentId, type, parameters] of rows) {
        const data: JsonObject = { agentId, type, name: `Old ${type}`, parameters };
        const recordedAt = '2025-01-05T10:00:00.000Z';
        const metadata = { workspaceId: String(own.id), recordedAt, schemaVersion: '1' };
        const created = { id: randomUUID(), type: 'AgentCreated', data, metadata };
        await service.service.host.eventStore.append(`agent-${own.id}_${agentId}`, 'no-stream', [created]);
      }
      await service.drain();
      const { status, body } = await own.call('GET /api/v2/agents');
      type Row = { readonly id: number; readonly type: string; readonly parameters: object };
      expect([status, body.data.map(({ id, type, parameters }: Row) => [id, type, parameters])]).toEqual([
        200,
        rows.map(([id, type, , shown]) => [id, type, shown]),
      ]);
      const renamed = await own.call(`PUT /api/v2/agents/${first + 2}`, { name: 'New' });
      expect(renamed.body.data.parameters).toEqual({ interested_by });
      const named = await own.call(`PUT /api/v2/agents/${first}`, { name: 'New' });
      expect([named.status, named.body.data.name, named.body.data.parameters]).toEqual([200, 'New', {}]);

      const champions = `PUT /api/v2/agents/${first + 1}`;
      for (const type of ['customer', 'influencer']) {
        const { id: watchlist_id } = await own.list(type);
        const { status: answered, body: problem } = await service.refused(() =>
          own.call(champions, { watchlist_id }),
        );
        expect([type, answered, Object.keys(problem.errors)]).toEqual([type, 422, ['watchlist_id']]);
      }
      const { id: watchlist_id } = await own.list('champion');
      const bound = await own.call(champions, { watchlist_id });
      expect(bound).toMatchObject({
        status: 200,
        body: {
          data: { type: 'champion_tracking', watchlist_kind: 'profile', watchlist_id, parameters: {} },
        },
      });
      const unbound = await own.call(champions, { watchlist_id: null });
      expect(unbound).toMatchObject({
        status: 200,
        body: { data: { type: 'champion_tracking', watchlist_kind: null, watchlist_id: null } },
      });
    });

    for (const wrong of ['page=0', 'page_size=0', 'page_size=26', 'page_size=abc', 'page=']) {
      it(`AG-31 refuses ${wrong}`, async () => {
        const { status, body } = await workspace.call(`GET /api/v2/agents?${wrong}`);
        expect([status, Object.keys(body.errors)]).toEqual([422, [wrong.split('=')[0]]]);
      });
    }

    it('AG-32 ISO-01 needs a key and shows only agents of its workspace', async () => {
      expect((await service.call('GET /api/v2/agents')).status).toBe(401);
      await workspace.call(CREATE, keyword(keywords));
      expect((await other.call('GET /api/v2/agents')).body.data).toEqual([]);
    });
  });

  describe('GET /api/v2/agents/:agent_id', () => {
    it('AG-43 AG-78 ISO-02 ISO-15 refuses unknown, foreign and malformed ids with the same message', async () => {
      const id = await workspace.agent('keyword_post_search', { parameters: keywords });
      const foreign = await other.call(`GET /api/v2/agents/${id}`);
      const unknown = await other.call('GET /api/v2/agents/999999');
      expect(foreign.status).toBe(404);
      expect({ ...foreign.body, instance: '' }).toEqual({ ...unknown.body, instance: '' });
      for (const wrong of ['0', '-1', 'abc', '99999999999999999999']) {
        expect((await workspace.call(`GET /api/v2/agents/${wrong}`)).status).toBe(404);
      }
      expect((await service.call(`GET /api/v2/agents/${id}`)).status).toBe(401);
    });
  });
});

function keyword(parameters: object): object {
  return { type: 'keyword_post_search', parameters };
}
