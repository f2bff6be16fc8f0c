import { answered } from '#test/support/expected-answers.js';
import { KEYWORD_TEMPLATE, templateIdsOf } from '#test/support/signal-runs.js';
import { scene, sharedWorkspace, type SceneWorkspace } from '#test/support/scene.js';
import type { Answer } from '#test/support/service.js';

const UNDECLARED = ['is not a parameter of this signal'];

describe('signal setups', () => {
  const service = scene();
  /** Template ids by key, coming ones included. */
  let templateIds: ReadonlyMap<string, number>;
  const workspace = sharedWorkspace(service, {}, async (made) => {
    await made.persona();
    templateIds = await templateIdsOf(made);
  });

  async function workspaceWithPersona(): Promise<SceneWorkspace> {
    const made = await service.workspace();
    await made.persona();
    return made;
  }

  const create = (key: string, body: object = {}, asker = workspace) =>
    asker.call('POST /api/v3/signal-setups', { signal_template_id: templateIds.get(key), ...body });
  const keywords = (body: object = {}, asker = workspace) =>
    create(KEYWORD_TEMPLATE, { parameters: { tracking_keywords: ['crm'] }, ...body }, asker);
  const get = (id: unknown, asker = workspace) => asker.call(`GET /api/v3/signal-setups/${id}`);
  const change = (id: unknown, body: unknown, asker = workspace) =>
    asker.call(`PATCH /api/v3/signal-setups/${id}`, body);
  const listOf = async (type: string, body: object = {}, asker = workspace): Promise<number> =>
    (await asker.list(type, [], body)).id;

  /** The call adds no event and answers with this problem, which is returned. */
  async function refused(
    call: () => Promise<Answer>,
    status: number,
    problem: object = {},
  ): Promise<Answer['body']> {
    const { body, headers } = await service.refused(call);
    expect(headers.get('content-type')).toContain('application/problem+json');
    expect(body).toMatchObject({ type: 'about:blank', status, ...problem });
    return body;
  }

  describe('POST /api/v3/signal-setups', () => {
    it('SETUP-01 SETUP-02 SETUP-03 SETUP-05 SETUP-08 SETUP-33 creates a setup', async () => {
      await service.expectEvents(['SignalSetupCreated'], async () => {
        const body = await answered(201, keywords());
        expect(body).toEqual({
          data: {
            id: body.data.id,
            signal_template_id: templateIds.get(KEYWORD_TEMPLATE),
            name: 'Keywords mentioned on the network',
            status: 'enabled',
            parameters: { tracking_keywords: ['crm'] },
            schedule: null,
            created_at: body.data.created_at,
          },
        });
        expect(new Date(body.data.created_at).toISOString()).toBe(body.data.created_at);
        expect((await get(body.data.id)).body).toEqual(body);
      });
    });

    it('SETUP-04 SETUP-06 SETUP-08 stores name, parameters as sent and a weekly schedule', async () => {
      const parameters = { countries: [], tracking_keywords: ['b', 'a'], match_mode: 'all' };
      await service.expectEvents(['SignalSetupCreated', 'ScheduleSwitchedOn'], async () => {
        const { body } = await keywords({ name: ' Mine ', parameters, schedule: { cadence: 'weekly' } });
        expect(body.data).toMatchObject({ name: ' Mine ', parameters, schedule: { cadence: 'weekly' } });
        expect(JSON.stringify(body.data.parameters)).toBe(JSON.stringify(parameters));
      });
    });

    it('SETUP-14 creates an independent setup each time', async () => {
      const [first, second] = [await keywords(), await keywords()];
      expect(second.body.data.id).not.toBe(first.body.data.id);
    });

    for (const [body, errors] of [
      [{ name: ' ' }, ['name']],
      [{ name: null }, ['name']],
      [{ name: 'x'.repeat(256) }, ['name']],
      [{ parameters: [] }, ['parameters']],
      [{ parameters: null }, ['parameters']],
      [{ schedule: 'weekly' }, ['schedule']],
      [{ schedule: {} }, ['schedule.cadence']],
      [{ schedule: { cadence: 'daily' } }, ['schedule.cadence']],
      [{ signal_template_id: 'x', name: 5, schedule: [] }, ['signal_template_id', 'name', 'schedule']],
      [{ signal_template_id: 0 }, ['signal_template_id']],
      [{ signal_template_id: 1.5 }, ['signal_template_id']],
      [{ signal_template_id: 9_007_199_254_740_992 }, ['signal_template_id']],
      [{ signal_template_id: undefined }, ['signal_template_id']],
    ] as const) {
      it(`SETUP-09 SETUP-10 refuses ${JSON.stringify(body).slice(0, 60)}`, async () => {
        const answer = await service.refused(() => keywords(body));
        expect(answer.body).toMatchObject({ status: 422, title: 'Unprocessable Entity' });
        expect(Object.keys(answer.body.errors).sort()).toEqual([...errors].sort());
      });
    }

    it('SETUP-34 takes the key of a template instead of its id, exactly one of the two', async () => {
      const parameters = { tracking_keywords: ['crm'] };
      const byKey = { signal_template_key: KEYWORD_TEMPLATE, parameters };
      const made = await answered(201, workspace.call('POST /api/v3/signal-setups', byKey));
      expect(made.data.signal_template_id).toEqual(templateIds.get(KEYWORD_TEMPLATE));
      const both = { signal_template_key: KEYWORD_TEMPLATE, parameters };
      const errors = {
        signal_template_id: ['exactly one of signal_template_id, signal_template_key is needed'],
      };
      await refused(() => keywords(both), 422, { title: 'Unprocessable Entity', errors });
      const unknown = { signal_template_key: 'no-such-template', parameters };
      const detail = 'There is no signal template with this key.';
      await refused(() => workspace.call('POST /api/v3/signal-setups', unknown), 404, { detail });
      const retired = { signal_template_key: 'legacy-keyword-watch', parameters };
      await refused(() => workspace.call('POST /api/v3/signal-setups', retired), 409, {
        title: 'Template not available',
      });
    });

    it('SETUP-11 SETUP-12 SETUP-13 refuses unknown, coming and retired templates', async () => {
      await refused(() => keywords({ signal_template_id: 999_999 }), 404, { title: 'Not Found' });
      const unavailable = { title: 'Template not available' };
      await refused(() => create('tender-published'), 409, unavailable);
      await refused(() => keywords({ signal_template_id: 29 }), 409, unavailable);
    });

    it('SETUP-07 SETUP-15 SETUP-16 SETUP-17 SETUP-18 ERR-12 names every invalid parameter', async () => {
      const errorsOf = async (parameters?: object): Promise<unknown> =>
        (await refused(() => keywords({ parameters }), 422, { title: 'Unprocessable Entity' })).errors;
      expect(await errorsOf(undefined)).toEqual({ tracking_keywords: ['is required'] });
      expect(await errorsOf({ match_mode: 'x', list_id: 1, author_roles: ['CTO'] })).toEqual({
        tracking_keywords: ['is required'],
        match_mode: ['must be one of any, all'],
        list_id: UNDECLARED,
        author_roles: UNDECLARED,
      });
      expect(await errorsOf({ tracking_keywords: ['a'], filter_authors: true })).toEqual({
        author_roles: ['is required'],
      });
    });

    it('refuses parameters with names of Object.prototype', async () => {
      const body = `{"signal_template_id":${templateIds.get(KEYWORD_TEMPLATE)},"parameters":{"tracking_keywords":["a"],"__proto__":{"x":1},"constructor":1}}`;
      const answer = await answered(422, workspace.call('POST /api/v3/signal-setups', body));
      expect(Object.entries(answer.errors).sort()).toEqual([
        ['__proto__', UNDECLARED],
        ['constructor', UNDECLARED],
      ]);
    });

    it('SETUP-19 SETUP-20 SETUP-21 SETUP-22 ERR-11 refuses a list that is missing, unknown, foreign or of another type', async () => {
      const champions = (parameters: object) => () => create('champion-job-change', { parameters });
      const unknown = { errors: { list_id: ['does not exist in this workspace'] } };
      await refused(champions({}), 422, { errors: { list_id: ['is required'] } });
      await refused(champions({ list_id: 999_999 }), 422, unknown);
      await refused(
        champions({ list_id: await listOf('champion', {}, await service.workspace()) }),
        422,
        unknown,
      );
      await refused(champions({ list_id: await listOf('customer') }), 422, {
        errors: { list_id: ['must be a list of type champion'] },
      });
    });

    it('SETUP-25 refuses a deleted and an archived list', async () => {
      const setUp = (list_id: number) => () => create('champion-job-change', { parameters: { list_id } });
      const [deleted, archived] = [await listOf('champion'), await listOf('champion')];
      await workspace.call(`DELETE /api/v2/lists/profile/${deleted}`);
      await workspace.call(`PUT /api/v2/lists/profile/${archived}`, { archived: true });
      await refused(setUp(deleted), 422, { errors: { list_id: ['does not exist in this workspace'] } });
      await refused(setUp(archived), 422, { errors: { list_id: ['is archived'] } });
    });

    it('SETUP-23 SETUP-30 accepts a list of the right type, and requires no persona for champions', async () => {
      const bare = await service.workspace();
      const list_id = await listOf('champion', {}, bare);
      const body = await answered(201, create('champion-job-change', { parameters: { list_id } }, bare));
      expect(body.data.parameters).toEqual({ list_id });
      const posting = { parameters: { tracking_keywords: ['crm'] } };
      expect((await create('keywords-in-job-postings', posting, bare)).status).toBe(201);
      expect(await bare.data('GET /api/v2/personas')).toEqual([]);
    });

    it('SETUP-26 SETUP-27 LST-10 refuses a list of other business units only', async () => {
      const own = await workspaceWithPersona();
      const [first] = await own.data('GET /api/v2/personas');
      const second = await own.persona({});
      const setUp = async (persona_ids: number[]) => {
        const list_id = await listOf('competitor', { persona_ids }, own);
        return () => create('competitor-team-activity', { parameters: { list_id } }, own);
      };
      await refused(await setUp([second]), 409, { title: 'List not available' });
      expect((await (await setUp([second, first.id]))()).status).toBe(201);
      expect((await (await setUp([]))()).status).toBe(201);
    });

    it('SETUP-28 SETUP-29 names what the persona lacks, and accepts once it is complete', async () => {
      const own = await service.workspace();
      const incomplete = (detail: RegExp) => ({
        title: 'Persona incomplete',
        detail: expect.stringMatching(detail),
      });
      await refused(() => keywords({}, own), 422, incomplete(/^The workspace has no persona/));
      const id = await own.persona({ job_title: ['CTO'] });
      await refused(() => keywords({}, own), 422, incomplete(/^The persona has no location\.$/));
      await own.call(`PATCH /api/v2/personas/${id}`, { job_title: [], location: ['France'] });
      await refused(() => keywords({}, own), 422, incomplete(/^The persona has no job title\.$/));
      await own.call(`PATCH /api/v2/personas/${id}`, { job_title: ['CTO'] });
      expect((await keywords({}, own)).status).toBe(201);
    });

    it('SETUP-28 uses the oldest complete persona, whatever came before it', async () => {
      const own = await service.workspace();
      const personas = [
        {},
        { job_title: ['CTO'], location: ['France'] },
        { job_title: ['CEO'], location: ['Spain'] },
      ];
      const ids: number[] = [];
      for (const persona of personas) ids.push(await own.persona(persona));
      for (const [persona_ids, status] of [
        [[ids[0]], 409],
        [[ids[1]], 201],
        [[ids[2]], 409],
      ] as const) {
        const list_id = await listOf('competitor', { persona_ids }, own);
        expect((await create('competitor-team-activity', { parameters: { list_id } }, own)).status).toBe(
          status,
        );
      }
    });

    it('refuses a signal about top accounts in a workspace without top accounts', async () => {
      const body = { parameters: { tracking_keywords: ['crm'] } };
      await refused(() => create('keywords-in-top-account-posts', body), 422, {
        title: 'Insufficient top accounts',
        detail: 'This signal watches your top accounts; add at least one.',
      });
    });

    it('SETUP-32 requires a key', async () => {
      await refused(() => service.call('POST /api/v3/signal-setups', {}), 401);
    });
  });

  describe('GET /api/v3/signal-setups', () => {
    it('SETUP-24 SETUP-31 SETUP-40 SETUP-41 lists enabled and disabled setups by id, and none that was refused', async () => {
      const own = await workspaceWithPersona();
      const ids = [
        (await keywords({}, own)).body.data.id,
        (await keywords({ parameters: {} }, own)).body.data?.id,
        (await keywords({}, own)).body.data.id,
      ];
      await change(ids[0], { enabled: false }, own);
      const { body } = await own.call('GET /api/v3/signal-setups');
      expect(body.data.map((setup: { id: number; status: string }) => [setup.id, setup.status])).toEqual([
        [ids[0], 'disabled'],
        [ids[2], 'enabled'],
      ]);
      expect(body.meta.pagination).toEqual({ page: 1, page_size: 25, page_count: 1, total: 2 });
      expect(await own.data('GET /api/v2/lists')).toHaveLength(1);
    });

    it('SETUP-42 refuses an invalid page', async () => {
      await refused(() => workspace.call('GET /api/v3/signal-setups?page=-1'), 400, {
        title: 'Invalid query parameters',
      });
    });
  });

  describe('GET /api/v3/signal-setups/{id}', () => {
    it('SETUP-43 SETUP-63 OP-14 answers 404 for an unknown and a foreign id and an agent, 400 for a malformed one', async () => {
      const foreign = (await keywords({}, await workspaceWithPersona())).body.data.id;
      const agent = await workspace.agent('unconfigured');
      for (const id of [999_999, foreign, agent]) await refused(() => get(id), 404, { title: 'Not Found' });
      for (const id of ['abc', '0', '-1', '1.5']) {
        await refused(() => get(id), 400, { title: 'Invalid path parameters' });
      }
    });
  });

  describe('PATCH /api/v3/signal-setups/{id}', () => {
    const setUp = async (body: object = {}): Promise<number> => (await keywords(body)).body.data.id;

    it('SETUP-50 SETUP-51 SETUP-52 STM-01 changes name, status and schedule, each recorded once', async () => {
      const id = await setUp();
      for (const [patch, shown, events] of [
        [{ name: 'Mine' }, { name: 'Mine' }, ['SignalSetupChanged']],
        [{ enabled: false }, { name: 'Mine', status: 'disabled' }, ['SignalSetupChanged']],
        [{ enabled: false, name: 'Mine' }, { status: 'disabled' }, []],
        [{ enabled: true }, { status: 'enabled' }, ['SignalSetupChanged']],
        [{ schedule: { cadence: 'weekly' } }, { schedule: { cadence: 'weekly' } }, ['ScheduleSwitchedOn']],
        [{ schedule: { cadence: 'weekly' } }, { schedule: { cadence: 'weekly' } }, []],
        [{ schedule: null, name: 'Ours' }, { schedule: null }, ['SignalSetupChanged', 'ScheduleSwitchedOff']],
      ] as const) {
        await service.expectEvents(events, async () => {
          const body = await answered(200, change(id, patch));
          expect(body.data).toMatchObject(shown);
          expect((await get(id)).body).toEqual(body);
        });
      }
    });

    it('SETUP-54 SETUP-55 SETUP-56 merges parameters and validates the result', async () => {
      const parameters = { tracking_keywords: ['crm'], match_mode: 'any' };
      const id = await setUp({ parameters });
      const merged = await change(id, { parameters: { match_mode: null, countries: ['France'] } });
      expect(merged.body.data.parameters).toEqual({ tracking_keywords: ['crm'], countries: ['France'] });
      await refused(() => change(id, { parameters: { filter_authors: true } }), 422, {
        errors: { author_roles: ['is required'] },
      });
      expect((await get(id)).body.data.parameters).toEqual(merged.body.data.parameters);
    });

    it('SETUP-57 SETUP-58 writes nothing of an invalid merge', async () => {
      const id = await setUp();
      const before = (await get(id)).body;
      const patch = { name: 'x', enabled: false, schedule: { cadence: 'weekly' } };
      await refused(() => change(id, { ...patch, parameters: { tracking_keywords: null } }), 422, {
        title: 'Unprocessable Entity',
        errors: { tracking_keywords: ['is required'] },
      });
      expect((await get(id)).body).toEqual(before);
    });

    it('SETUP-59 SETUP-60 keeps its list', async () => {
      const [list_id, other] = [await listOf('champion'), await listOf('champion')];
      const { id } = (await create('champion-job-change', { parameters: { list_id } })).body.data;
      await service.expectEvents([], () => answered(200, change(id, { parameters: { list_id } })));
      await refused(() => change(id, { name: 'x', parameters: { list_id: other } }), 409, {
        title: 'List cannot be changed',
      });
      await refused(() => change(id, { parameters: { list_id: null } }), 422, {
        errors: { list_id: ['is required'] },
      });
      const unlisted = await setUp();
      await refused(() => change(unlisted, { parameters: { list_id } }), 422, {
        errors: { list_id: UNDECLARED },
      });
    });

    it('SETUP-53 SETUP-65 refuses a patch without a field, and wrong types', async () => {
      const id = await setUp();
      await refused(() => change(id, {}), 422, { title: 'Unprocessable Entity' });
      await refused(() => change(id, { nonsense: 1 }), 422);
      const wrong = { name: 5, enabled: 'yes', parameters: [], schedule: 'weekly' };
      await refused(() => change(id, wrong), 422, {
        errors: {
          name: [expect.any(String)],
          enabled: [expect.any(String)],
          parameters: [expect.any(String)],
          schedule: [expect.any(String)],
        },
      });
      const nulls = await change(id, { name: null, enabled: null, parameters: null });
      expect(Object.keys(nulls.body.errors)).toEqual(['name', 'enabled', 'parameters']);
    });

    it('SETUP-63 SETUP-64 refuses a wrong id before it validates the body', async () => {
      for (const id of ['abc', '0', '-1', '1.5']) await refused(() => change(id, { name: 5 }), 400);
      await refused(() => change(999_999, {}), 404);
      const foreign = (await keywords({}, await workspaceWithPersona())).body.data.id;
      await refused(() => change(foreign, { name: 5 }), 404);
    });

    it('OP-16 OP-07 refuses a wrong id before a body that is no object', async () => {
      const id = await setUp();
      for (const body of ['[]', 'null', '5', '"x"', '{"name":"\\u0000"}']) {
        await refused(() => change('abc', body), 400, { title: 'Invalid path parameters' });
        await refused(() => change(999_999, body), 404);
        await refused(() => change(id, body), 422);
      }
      await refused(() => change(999_999, '{"broken'), 400, { title: 'Invalid request body' });
    });

    it('SETUP-61 still changes a setup whose template was retired', async () => {
      const parameters = { job_titles: ['CFO'] };
      const { id } = (await create('new-job-posting', { parameters })).body.data;
      await service.command('catalogue.status', { key: 'new-job-posting', retired: true });
      await refused(() => create('new-job-posting', { parameters }), 409, {
        title: 'Template not available',
      });
      const answer = await change(id, { parameters: { job_titles: ['CTO'] } });
      expect(answer.body.data?.parameters).toEqual({ job_titles: ['CTO'] });
      await service.command('catalogue.status', { key: 'new-job-posting', retired: false });
    });
  });

  it('SETUP-62 answers PUT and DELETE on a setup with 405 and Allow', async () => {
    const { id } = (await keywords()).body.data;
    for (const method of ['PUT', 'DELETE']) {
      const answer = await workspace.call(`${method} /api/v3/signal-setups/${id}`, {});
      expect(answer.status).toBe(405);
      expect(answer.headers.get('allow')).toContain('PATCH');
    }
  });
});
