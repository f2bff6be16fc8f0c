import { answered, refusal } from '#test/support/expected-answers.js';
import { completedRun, keywordAgent, observedPost } from '#test/support/observed-network.js';
import { KEYWORD_TEMPLATE } from '#test/support/signal-runs.js';
import { scene, sharedWorkspace } from '#test/support/scene.js';
import type { Answer } from '#test/support/service.js';

describe('changing and deleting agents', () => {
  const service = scene({ at: '2026-06-01T10:00:00.000Z' });
  const workspace = sharedWorkspace(service, {}, ({ persona }) =>
    persona({ job_title: ['Head of Sales'], location: ['France'] }),
  );
  const other = sharedWorkspace(service);

  const put = (id: unknown, body: unknown, as = workspace): Promise<Answer> =>
    as.call(`PUT /api/v2/agents/${String(id)}`, body);
  const get = (id: number): Promise<Answer['body']> => workspace.data(`GET /api/v2/agents/${id}`);
  const listOf = async (type: string, as = workspace): Promise<number> => (await as.list(type)).id;
  const unconfigured = (): Promise<number> => workspace.agent('unconfigured');
  async function competitor(): Promise<{ readonly id: number; readonly listId: number }> {
    const listId = await listOf('competitor');
    const id = await unconfigured();
    expect((await put(id, { watchlist_id: listId })).status).toBe(200);
    return { id, listId };
  }
  /** The request changes nothing: neither the agent nor the list, and no event is added. */
  async function refused(id: number, body: unknown, ...fields: readonly string[]): Promise<void> {
    const before = await get(id);
    const { status, body: answer } = await service.refused(() => put(id, body));
    expect([body, status, Object.keys(answer.errors ?? {}).sort()]).toEqual([body, 422, [...fields].sort()]);
    expect(await get(id)).toEqual(before);
  }

  describe('PUT /api/v2/agents/:agent_id', () => {
    it('AG-50 AG-52 AG-53 AG-56 AG-57 AG-58 changes the sent fields and updates updated_at', async () => {
      const id = await keywordAgent(workspace, 'crm');
      await service.advance('PT1S');
      const parameters = { tracking_keywords: ['erp'], start_date: '2026-01-01', max_posts_to_scrape: 50 };
      let answer: Answer | undefined;
      await service.expectEvents(['AgentChanged'], async () => {
        answer = await put(id, { name: 'x'.repeat(100), enabled: false, parameters });
      });
      expect(answer).toMatchObject({
        status: 200,
        body: { data: { name: 'x'.repeat(100), enabled: false, parameters, type: 'keyword_post_search' } },
      });
      const { created_at, updated_at } = answer?.body.data ?? {};
      expect(Date.parse(updated_at) - Date.parse(created_at)).toBe(1_000);
      expect(await get(id)).toEqual(answer?.body.data);
      const kept = { tracking_keywords: ['erp'], max_posts_to_scrape: 50 };
      const { body } = await put(id, { parameters: { start_date: null } });
      expect(body.data.parameters).toEqual(kept);
    });

    it('OP-33 a request without a change is answered and not recorded', async () => {
      const id = await keywordAgent(workspace, 'crm');
      const before = await get(id);
      for (const body of [
        { enabled: true },
        { parameters: {} },
        { parameters: { resolved_target_persona: ['CEO'], colour: 'red' } },
        { schedule: null },
        { watchlist_id: null },
        { watchlist_id: null, watchlist_kind: null },
      ]) {
        await service.expectEvents([], async () => {
          const { status, body: answer } = await put(id, body);
          expect([body, status, answer.data]).toEqual([body, 200, before]);
        });
      }
    });

    it('AG-51 requires a field that can be changed', async () => {
      const id = await keywordAgent(workspace, 'crm');
      for (const body of [{}, { size: 3 }, { schedulable: true }, { type: 'competitor' }, undefined])
        await refused(id, body);
      expect((await put(id, [])).status).toBe(422);
      expect((await put(id, '{')).status).toBe(400);
    });

    it('AG-52 AG-54 AG-55 AG-57 AG-58 AG-74 refuses wrong types, each with its field', async () => {
      const id = await keywordAgent(workspace, 'crm');
      const longest = 'x'.repeat(200);
      for (const [body, ...fields] of [
        [{ name: '' }, 'name'],
        [{ name: ' ' }, 'name'],
        [{ name: 'x'.repeat(101) }, 'name'],
        [{ name: null }, 'name'],
        [{ enabled: 'yes' }, 'enabled'],
        [{ enabled: null }, 'enabled'],
        [{ parameters: [] }, 'parameters'],
        [{ parameters: null }, 'parameters'],
        [{ parameters: { tracking_keywords: [] } }, 'parameters.tracking_keywords'],
        [{ parameters: { tracking_keywords: null } }, 'parameters.tracking_keywords'],
        [{ parameters: { tracking_keywords: 'crm' } }, 'parameters.tracking_keywords'],
        [{ parameters: { tracking_keywords: ['crm', 7] } }, 'parameters.tracking_keywords'],
        [{ parameters: { tracking_keywords: [`${longest}x`, longest] } }, 'parameters.tracking_keywords'],
        [{ parameters: { tracking_keywords: [' '] } }, 'parameters.tracking_keywords'],
        [{ parameters: { start_date: '2026-02-30' } }, 'parameters.start_date'],
        [{ parameters: { start_date: '2026-01-01T00:00:00Z' } }, 'parameters.start_date'],
        [{ parameters: { max_posts_to_scrape: 1.5 } }, 'parameters.max_posts_to_scrape'],
        [{ parameters: { max_posts_to_scrape: 0 } }, 'parameters.max_posts_to_scrape'],
        [{ parameters: { max_posts_to_scrape: '5' } }, 'parameters.max_posts_to_scrape'],
        [{ watchlist_id: 'x' }, 'watchlist_id'],
        [{ watchlist_id: 0, watchlist_kind: 'company' }, 'watchlist_id'],
        [{ watchlist_id: null, watchlist_kind: 'person' }, 'watchlist_kind'],
        [{ schedule: 'weekly' }, 'schedule'],
        [{ schedule: {} }, 'schedule.cadence'],
        [{ schedule: { cadence: 'daily' } }, 'schedule.cadence'],
        [
          { name: 5, enabled: 1, parameters: { mode: 'x', start_date: 5 }, schedule: { cadence: 1 } },
          'name',
          'enabled',
          'parameters.mode',
          'parameters.start_date',
          'schedule.cadence',
        ],
      ] as const) {
        await refused(id, body, ...fields);
      }
    });

    it('reports at most a hundred wrong keywords', async () => {
      const id = await keywordAgent(workspace, 'crm');
      for (const keyword of [7, ' ', 'x'.repeat(201)]) {
        const tracking_keywords = Array.from({ length: 2_000 }, () => keyword);
        const body = await refusal(
          422,
          put(id, { parameters: { tracking_keywords } }),
          'parameters.tracking_keywords',
        );
        expect(body.errors['parameters.tracking_keywords']).toHaveLength(100);
      }
    });

    it('AG-63 AG-64 AG-75 AG-76 refuses parameters of other agent types', async () => {
      const id = await keywordAgent(workspace, 'crm');
      await refused(id, { parameters: { mode: 'all' } }, 'parameters.mode');
      await refused(id, { parameters: { target_group: 'all' } }, 'parameters.target_group');
      await refused(id, { enabled: false, schedule: { cadence: 'weekly' } }, 'schedule');
      const { id: rival } = await competitor();
      await refused(rival, { schedule: { cadence: 'weekly' } }, 'schedule');
      await refused(
        rival,
        { parameters: { tracking_keywords: ['crm'], mode: 'all' } },
        'parameters.mode',
        'parameters.tracking_keywords',
      );
    });

    it('AG-65 AG-72 AG-18 AG-19 AG-21 AG-81 binds a list, which gives an unconfigured agent its type', async () => {
      const listId = await listOf('competitor');
      const id = await unconfigured();
      await service.expectEvents(['AgentBound'], async () => {
        const { status, body } = await put(id, { watchlist_id: listId });
        expect({ status, ...body.data }).toMatchObject({
          status: 200,
          type: 'competitor',
          watchlist_id: listId,
          watchlist_kind: 'company',
          schedulable: false,
          parameters: { target_group: null, resolved_target_persona: ['Head of Sales'] },
        });
        expect(body.data.parameters).not.toHaveProperty('mode');
      });
      const { bound_agent_count } = await workspace.data(`GET /api/v2/lists/company/${listId}`);
      expect(bound_agent_count).toBe(1);
    });

    it('LST-09 WL-09 AG-81 counts the agents of a list as they are bound and unbound, also with the names of the older path', async () => {
      const partners = { type: 'partner', title: 'Partners' };
      const listId: number = (await workspace.data('POST /api/v2/watchlists', partners)).id;
      const boundAgents = async (): Promise<readonly unknown[]> => [
        (await workspace.data(`GET /api/v2/lists/company/${listId}`)).bound_agent_count,
        (await workspace.data(`GET /api/v2/watchlists/company/${listId}`)).bound_agent_count,
      ];
      const [first, second] = [await unconfigured(), await unconfigured()];
      const bound = (await put(first, { watchlist_id: listId, watchlist_kind: 'company' })).body.data;
      expect(bound).toMatchObject({ watchlist_id: listId, watchlist_kind: 'company' });
      expect(Object.keys(bound).filter((name) => /^(list|member|entity)/.test(name))).toEqual([]);
      expect(await boundAgents()).toEqual([1, 1]);
      await put(second, { watchlist_id: listId });
      expect(await boundAgents()).toEqual([2, 2]);
      await put(second, { watchlist_id: listId, name: 'bound already' });
      expect(await boundAgents()).toEqual([2, 2]);
      await put(first, { watchlist_id: null });
      expect(await boundAgents()).toEqual([1, 1]);
      await workspace.call(`DELETE /api/v2/agents/${second}`);
      expect(await boundAgents()).toEqual([0, 0]);
    });

    it('AG-20 binds lists of partners, customers, influencers and champions, without parameters', async () => {
      for (const [type, kind] of [
        ['partner', 'company'],
        ['customer', 'company'],
        ['influencer', 'profile'],
        ['champion', 'profile'],
      ] as const) {
        const tier = type === 'customer' ? { tier: 1 } : {};
        const list = await workspace.list(type, [], tier);
        const id = await unconfigured();
        const { body } = await put(id, { watchlist_id: list.id, watchlist_kind: kind });
        expect(body.data).toMatchObject({ type, watchlist_kind: kind, parameters: {} });
        await refused(id, { parameters: { mode: 'all' } }, 'parameters.mode');
      }
    });

    it('AG-05 AG-22 AG-59 AG-62 gives a competitor agent its mode and its target group', async () => {
      const { id } = await competitor();
      const { body } = await put(id, {
        parameters: { mode: 'all', target_group: 'customers' },
        schedule: { cadence: 'weekly' },
      });
      expect(body.data).toMatchObject({
        schedulable: true,
        schedule: { cadence: 'weekly' },
        parameters: { mode: 'all', target_group: 'customers' },
      });
      expect(body.data.parameters.resolved_target_persona).toContain('Customer Success Manager');
      expect(body.data.parameters.resolved_target_persona).not.toContain('Head of Sales');
      expect(await get(id)).toEqual(body.data);
      const monitoring = await put(id, { parameters: { mode: 'account_monitoring' } });
      expect(monitoring.body.data).toMatchObject({ schedulable: false, schedule: null });
    });

    it('AG-66 AG-68 AG-69 AG-70 ISO-09 SETUP-25 refuses a wrong list, a foreign one like an unknown one', async () => {
      const listId = await listOf('competitor');
      const { id: prospects } = await workspace.list('prospect', [], { tier: 1 });
      const foreign = await listOf('competitor', other);
      const [archived, deleted] = [await listOf('competitor'), await listOf('competitor')];
      await workspace.call(`PUT /api/v2/lists/company/${archived}`, { archived: true });
      await workspace.call(`DELETE /api/v2/lists/company/${deleted}`);
      const id = await unconfigured();
      for (const watchlist_id of [prospects, foreign, archived, deleted, 999_999])
        await refused(id, { watchlist_id }, 'watchlist_id');
      await refused(id, { watchlist_id: listId, watchlist_kind: 'profile' }, 'watchlist_kind');
      await refused(id, { watchlist_id: listId, watchlist_kind: null }, 'watchlist_kind');
      await refused(id, { watchlist_id: null, watchlist_kind: 'company' }, 'watchlist_kind');
      for (const watchlist_kind of ['company', null]) await refused(id, { watchlist_kind }, 'watchlist_kind');
      const keyword = await keywordAgent(workspace, 'crm');
      await refused(keyword, { watchlist_id: listId }, 'watchlist_id');
      const said = async (watchlist_id: number): Promise<unknown> =>
        (await put(id, { watchlist_id })).body.errors;
      expect(await said(foreign)).toEqual(await said(999_999));
    });

    it('AG-67 AG-71 STM-02 loses its type with its list, and gets another from the next one', async () => {
      const { id, listId } = await competitor();
      await put(id, { parameters: { mode: 'all', target_group: 'all' } });
      await service.expectEvents(['AgentUnbound'], async () => {
        const { body } = await put(id, { watchlist_id: null });
        expect(body.data).toMatchObject({
          type: 'unconfigured',
          parameters: {},
          watchlist_id: null,
          watchlist_kind: null,
        });
      });
      expect((await workspace.data(`GET /api/v2/lists/company/${listId}`)).bound_agent_count).toBe(0);
      const partners = await listOf('partner');
      expect((await put(id, { watchlist_id: partners })).body.data).toMatchObject({ type: 'partner' });
    });

    it('AG-10 watches one list at a time', async () => {
      const { id, listId } = await competitor();
      const next = await listOf('competitor');
      await put(id, { watchlist_id: next });
      const count = async (list: number): Promise<number> =>
        (await workspace.data(`GET /api/v2/lists/company/${list}`)).bound_agent_count;
      expect([await count(listId), await count(next)]).toEqual([0, 1]);
      await workspace.call(`DELETE /api/v2/agents/${id}`);
      expect(await count(next)).toBe(0);
    });

    it('AG-77 SETUP-67 is refused for the id of a signal setup, which is unchanged', async () => {
      const setupId = await workspace.setup(KEYWORD_TEMPLATE, { tracking_keywords: ['crm'] });
      await service.expectEvents([], async () => {
        for (const body of [{ name: 'New' }, {}])
          expect((await put(setupId, body)).body).toMatchObject({ status: 409, title: 'Conflict' });
        expect((await workspace.call(`DELETE /api/v2/agents/${setupId}`)).status).toBe(409);
        expect((await workspace.call(`GET /api/v2/agents/${setupId}`)).status).toBe(404);
      });
    });

    it('OP-33 OP-07 refuses a wrong id and the id of a setup before a body that is no object', async () => {
      const id = await keywordAgent(workspace, 'crm');
      const setupId = await workspace.setup(KEYWORD_TEMPLATE, { tracking_keywords: ['crm'] });
      await service.expectEvents([], async () => {
        for (const body of ['[]', 'null', '5', '"x"', '{"name":"\\u0000"}']) {
          const statuses = await Promise.all(
            [999_999, setupId, id].map(async (asked) => (await put(asked, body)).status),
          );
          expect([body, statuses]).toEqual([body, [404, 409, 422]]);
        }
        // a body that is no JSON is refused before any look-up
        expect((await put(999_999, '{"broken')).status).toBe(400);
      });
    });

    it('AG-78 AG-79 ISO-02 ISO-15 refuses unknown, foreign and malformed ids before it validates the body', async () => {
      const id = await keywordAgent(workspace, 'crm');
      await service.expectEvents([], async () => {
        for (const body of [{ name: 'New' }, {}, { name: 5 }]) {
          expect((await put(999_999, body)).status).toBe(404);
          expect((await put(id, body, other)).status).toBe(404);
        }
        for (const wrong of ['0', 'abc', '-1']) expect((await put(wrong, { name: 'New' })).status).toBe(404);
        expect((await service.call(`PUT /api/v2/agents/${id}`, { name: 'New' })).status).toBe(401);
      });
    });
  });

  describe('DELETE /api/v2/agents/:agent_id', () => {
    it('AG-44 OP-32 deletes the agent; its signals and charges stay', async () => {
      const fresh = await service.workspace();
      await service.ingest([observedPost('kept', 'nobody', 'Our quokka', '2026-05-30T09:00:00Z')]);
      const id = await keywordAgent(fresh, 'quokka');
      const runId = await completedRun(service, fresh, id);
      const path = `/api/v2/agents/${id}`;
      await service.expectEvents(['AgentDeleted'], async () => {
        expect(await answered(204, fresh.call(`DELETE ${path}`))).toBeNull();
      });
      for (const route of [`GET ${path}`, `DELETE ${path}`])
        expect((await fresh.call(route)).status).toBe(404);
      expect((await fresh.call(`PUT ${path}`, { name: 'New' })).status).toBe(404);
      expect(await fresh.data('GET /api/v2/agents')).toEqual([]);
      expect((await fresh.launch(id)).status).toBe(404);
      expect(await fresh.detections()).toMatchObject([{ agent_id: id }]);
      expect(await fresh.movements()).toMatchObject([{ status: 'captured', credits: 10 }]);
      expect((await fresh.poll(runId)).body.stage).toBe('completed');
    });

    it('ISO-02 does not delete a foreign agent', async () => {
      const id = await keywordAgent(workspace, 'crm');
      await service.expectEvents([], async () => {
        expect((await other.call(`DELETE /api/v2/agents/${id}`)).status).toBe(404);
        expect((await service.call(`DELETE /api/v2/agents/${id}`)).status).toBe(401);
      });
      expect((await get(id)).id).toBe(id);
    });
  });

  describe('POST /api/v2/workspace/signal-runs', () => {
    it('RUN-11 OP-36 is refused for an agent without a detection type, and for one without targets', async () => {
      const events = await service.eventsOf(async () => {
        const id = await unconfigured();
        const body = await answered(400, workspace.launch(id));
        expect(body.detail).toEqual('The agent has no detection type: bind it to a list first.');
        const rival = await competitor();
        const answer = await answered(400, workspace.launch(rival.id));
        expect(answer.detail).toEqual(
          expect.stringMatching(
            /^There are no target accounts configured\. List \d+ has no followed members: add members/,
          ),
        );
      });
      expect(events).not.toContain('RunLaunched');
    });
  });
});
