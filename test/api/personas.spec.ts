import { answered, idsIn } from '#test/support/expected-answers.js';
import { KEYWORD_TEMPLATE, templateIdsOf } from '#test/support/signal-runs.js';
import { scene, sharedWorkspace, type SceneWorkspace } from '#test/support/scene.js';
import type { Answer } from '#test/support/service.js';

const EMPTY = {
  job_title: null,
  exclude_job_title: null,
  location: null,
  headcount: null,
  industry: null,
  seniority: null,
  additional_info: null,
  tag: null,
};

describe('personas', () => {
  const service = scene();
  const workspace = sharedWorkspace(service);

  const create = (body: object, asker = workspace) => asker.call('POST /api/v2/personas', body);
  const change = (id: number, body: object, asker = workspace) =>
    asker.call(`PATCH /api/v2/personas/${id}`, body);
  const get = (id: number | string, asker = workspace) => asker.call(`GET /api/v2/personas/${id}`);

  /** The call adds no event and answers with these messages. */
  async function refused(call: () => Promise<Answer>, status: number, errors?: object): Promise<void> {
    const { body, headers } = await service.refused(call);
    expect(headers.get('content-type')).toContain('application/problem+json');
    expect(body).toMatchObject({ status, ...(errors && { errors }) });
  }

  describe('POST /api/v2/personas', () => {
    it('PER-04 PER-10 creates with any of the eight fields and returns them', async () => {
      const fields = {
        job_title: ['Head of Sales'],
        exclude_job_title: ['Assistant'],
        location: ['France'],
        headcount: ['51-200', '10,001+'],
        industry: [],
        seniority: ['head', 'c_suite'],
        additional_info: 'speaks French',
        tag: 'FR mid-market',
      };
      await service.expectEvents(['PersonaCreated'], async () => {
        const body = await answered(201, create({ ...fields, nonsense: 1 }));
        expect(body).toEqual({ data: { id: body.data.id, ...fields } });
        expect((await get(body.data.id)).body).toEqual(body);
      });
    });

    it('PER-09 stores null for missing fields', async () => {
      const [first, second] = [await create({}), await create({ tag: null, job_title: null })];
      expect(first.body.data).toEqual({ id: first.body.data.id, ...EMPTY });
      expect(second.body.data).toEqual({ id: second.body.data.id, ...EMPTY });
      expect(second.body.data.id).not.toBe(first.body.data.id);
    });

    it('PER-07 refuses a tag that is taken, in any spelling', async () => {
      await workspace.persona({ tag: 'Nordics' });
      await refused(() => create({ tag: ' nORDICS ' }), 422, {
        tag: ['is already the tag of another persona'],
      });
    });

    it('OP-49 refuses the longest tags, wherever their white space is', async () => {
      // In quadratic time the check of one of these takes minutes, longer than a file of specs may.
      const white = ' '.repeat(400_000);
      for (const tag of [`${white}${'x'.repeat(101)}`, `x${white}x`, `${'x '.repeat(60)}${white}x`]) {
        await refused(() => create({ tag }), 422, { tag: ['must contain 1 to 100 characters'] });
      }
    });

    it('OP-49 counts a tag without the white space around it', async () => {
      const white = ' '.repeat(1_000);
      const { body } = await create({ tag: `${white}${'y'.repeat(100)}${white}` });
      expect(body.data.tag).toBe('y'.repeat(100));
      await refused(() => create({ tag: white }), 422, { tag: ['must not be empty'] });
    });

    it('PER-08 keeps the tags of workspaces apart', async () => {
      await workspace.persona({ tag: 'shared' });
      expect((await create({ tag: 'shared' }, await service.workspace())).status).toBe(201);
    });

    for (const [fields, fault] of [
      [{ headcount: ['51-200', '12'] }, 'headcount'],
      [{ seniority: ['boss'] }, 'seniority'],
      [{ headcount: '51-200' }, 'headcount'],
      [{ job_title: 'CTO' }, 'job_title'],
      [{ job_title: ['CTO', ' '] }, 'job_title'],
      [{ location: [1] }, 'location'],
      [{ industry: Array.from({ length: 201 }, () => 'x') }, 'industry'],
      [{ additional_info: 5 }, 'additional_info'],
      [{ tag: '  ' }, 'tag'],
      [{ tag: 'x'.repeat(101) }, 'tag'],
    ] as const) {
      it(`PER-05 PER-06 refuses ${JSON.stringify(fields).slice(0, 40)}`, async () => {
        await refused(() => create(fields), 422, { [fault]: [expect.any(String)] });
      });
    }

    it('counts a tag without the white space around it', async () => {
      const { body } = await create({ tag: ` ${'é'.repeat(100)} ` });
      expect(body.data.tag).toBe('é'.repeat(100));
    });

    it('requires a key', async () => {
      await refused(() => service.call('POST /api/v2/personas', {}), 401);
    });
  });

  describe('GET /api/v2/personas', () => {
    it('PER-01 PER-02 lists the active personas by id and counts them', async () => {
      const own = await service.workspace();
      const ids: number[] = [];
      for (let made = 0; made < 3; made += 1) ids.push(await own.persona({}));
      await change(ids[0] ?? 0, { archived: true }, own);
      const { body, headers } = await own.call('GET /api/v2/personas');
      expect(body.meta.pagination).toEqual({ page: 1, page_size: 25, page_count: 1, total: 2 });
      expect(headers.get('x-total-count')).toBe('2');
      expect(idsIn(body.data)).toEqual(ids.slice(1));
      const second = await own.call('GET /api/v2/personas?page=2&page_size=1');
      expect(idsIn(second.body.data)).toEqual(ids.slice(2));
    });

    it('answers an empty page for a workspace without personas', async () => {
      expect((await (await service.workspace()).call('GET /api/v2/personas')).body).toEqual({
        data: [],
        meta: { pagination: { page: 1, page_size: 25, page_count: 0, total: 0 } },
      });
    });

    it('PER-03 refuses an invalid page with 422', async () => {
      for (const query of ['page=0', 'page_size=101', 'page=a']) {
        const name = query.split('=')[0] ?? '';
        await refused(() => workspace.call(`GET /api/v2/personas?${query}`), 422, {
          [name]: [expect.any(String)],
        });
      }
    });
  });

  describe('GET and PATCH /api/v2/personas/{persona_id}', () => {
    it('PER-12 changes only the sent fields; null clears', async () => {
      const id = await workspace.persona({ job_title: ['CTO'], location: ['France'], tag: 'patch' });
      await service.expectEvents(['PersonaUpdated'], async () => {
        const body = await answered(200, change(id, { location: null, seniority: ['vp'] }));
        expect(body.data).toEqual({ id, ...EMPTY, job_title: ['CTO'], seniority: ['vp'], tag: 'patch' });
        expect((await get(id)).body).toEqual(body);
      });
    });

    it('answers 200 and records nothing if nothing changes', async () => {
      const id = await workspace.persona({ job_title: ['CTO'], tag: 'same' });
      await service.expectEvents([], () =>
        answered(200, change(id, { job_title: ['CTO'], tag: ' same ', archived: false })),
      );
    });

    it('archives, still returns it by id, and restores it; the tag stays taken meanwhile', async () => {
      const id = await workspace.persona({ tag: 'resting' });
      const archive = () => change(id, { archived: true });
      await service.expectEvents(['PersonaArchived', 'ChargesStopped'], archive);
      expect((await get(id)).body.data).toMatchObject({ tag: 'resting', archived_at: expect.any(String) });
      await refused(() => create({ tag: 'Resting' }), 422, {
        tag: [`is already the tag of persona ${id}, which is archived`],
      });
      await service.expectEvents(['PersonaUnarchived'], () => change(id, { archived: false }));
      expect((await get(id)).body.data).not.toHaveProperty('archived_at');
    });

    it('OPS-13 lets an operator archive as well', async () => {
      const id = await workspace.persona({});
      const archive = () =>
        service.ops('persona.archive', { workspace_id: workspace.id, persona_id: id, archived: true });
      await service.expectEvents(['PersonaArchived', 'ChargesStopped'], archive);
    });

    it('refuses a body without a field of a persona, and a wrong type', async () => {
      const id = await workspace.persona({});
      await refused(() => change(id, {}), 422);
      await refused(() => change(id, { nonsense: 1 }), 422);
      await refused(() => change(id, { archived: null }), 422, { archived: [expect.any(String)] });
      await refused(() => change(id, { job_title: 'CTO' }), 422, { job_title: [expect.any(String)] });
    });

    it('PER-11 answers 404 for an unknown, a foreign and a malformed id', async () => {
      const foreign = await (await service.workspace()).persona({});
      for (const id of [9_007_199_254_740_991, foreign, 0, 'abc']) {
        await refused(() => get(id), 404);
        await refused(() => workspace.call(`PATCH /api/v2/personas/${id}`, { tag: null }), 404);
      }
    });
  });

  describe('GET and PUT /api/v2/persona', () => {
    const successor = '</api/v2/personas>; rel="successor-version"';
    const put = (body: object, asker: SceneWorkspace) => asker.call('PUT /api/v2/persona', body);

    it('PER-13 OP-50 OP-68 returns the oldest active persona and names its successor', async () => {
      const own = await service.workspace();
      await refused(() => own.call('GET /api/v2/persona'), 404);
      const first = await own.data('POST /api/v2/personas', { tag: 'first' });
      const second = await own.data('POST /api/v2/personas', { tag: 'second' });
      const found = await own.call('GET /api/v2/persona');
      expect([found.status, found.body]).toEqual([200, { data: first }]);
      expect(found.headers.get('link')).toBe(successor);
      expect(found.headers.get('deprecation')).toBe('@1767225600');
      await change(first.id, { archived: true }, own);
      expect((await own.call('GET /api/v2/persona')).body).toEqual({ data: second });
      await change(second.id, { archived: true }, own);
      await refused(() => own.call('GET /api/v2/persona'), 404);
    });

    it('PER-14 OP-50 changes only the sent fields of the oldest active persona', async () => {
      const own = await service.workspace();
      const first = await own.data('POST /api/v2/personas', { job_title: ['CTO'], location: ['France'] });
      const second = await own.data('POST /api/v2/personas', { tag: 'second' });
      await service.expectEvents(['PersonaUpdated'], async () => {
        const { status, body, headers } = await put({ location: null, tag: 'old', archived: true }, own);
        expect([status, body]).toEqual([200, { data: { ...first, location: null, tag: 'old' } }]);
        expect(headers.get('link')).toBe(successor);
        expect((await own.call('GET /api/v2/persona')).body).toEqual(body);
      });
      expect((await get(second.id, own)).body).toEqual({ data: second });
    });

    it('PER-14 OP-50 creates it, with 200, if no persona is active', async () => {
      const own = await service.workspace();
      const id = await own.persona({ tag: 'resting' });
      await change(id, { archived: true }, own);
      await service.expectEvents(['PersonaCreated'], async () => {
        const body = await answered(200, put({ job_title: ['CTO'] }, own));
        expect(body).toEqual({ data: { ...EMPTY, id: body.data.id, job_title: ['CTO'] } });
        expect(body.data.id).not.toBe(id);
      });
    });

    it('refuses what PATCH refuses, and creates nothing', async () => {
      const own = await service.workspace();
      await refused(() => put({}, own), 422);
      await refused(() => put({ nonsense: 1 }, own), 422);
      await refused(() => put({ headcount: ['12'] }, own), 422, { headcount: [expect.any(String)] });
      await own.persona({ tag: 'one' });
      await own.persona({ tag: 'two' });
      await refused(() => put({ tag: 'TWO' }, own), 422, { tag: ['is already the tag of another persona'] });
    });
  });

  describe('PUT and GET /api/v3/personas', () => {
    const put = (body: object, asker: SceneWorkspace) => asker.call('PUT /api/v3/personas', body);

    it('OP-51 creates a persona if the workspace has none, and then changes the oldest one', async () => {
      const own = await service.workspace();
      const made = await put({ job_title: ['CTO'] }, own);
      const { id } = made.body.data;
      expect([made.status, made.body]).toEqual([201, { data: { ...EMPTY, id, job_title: ['CTO'] } }]);
      await own.persona({ job_title: ['CEO'] });
      const changed = await answered(200, put({ location: ['France'] }, own));
      expect(changed.data).toEqual({ ...EMPTY, id, job_title: ['CTO'], location: ['France'] });
      expect((await get(id, own)).body).toEqual(changed);
    });

    it('OP-51 OP-71 finds a persona by its tag, in any case, also an archived one, or creates one', async () => {
      const own = await service.workspace();
      const id = await own.persona({ tag: 'DACH', job_title: ['CTO'] });
      await change(id, { archived: true }, own);
      await service.expectEvents(['PersonaUpdated', 'PersonaCreated'], async () => {
        const found = await answered(200, put({ tag: ' dach ', location: ['Austria'] }, own));
        expect(found.data).toMatchObject({
          id,
          tag: 'dach',
          job_title: ['CTO'],
          location: ['Austria'],
        });
        const made = await answered(201, put({ tag: 'Nordics' }, own));
        expect(made.data.tag).toEqual('Nordics');
      });
      const listed = (await own.call('GET /api/v3/personas')).body;
      expect(listed.data.map(({ tag }: { tag: string }) => tag)).toEqual(['Nordics']);
    });

    it('OP-51 changes the persona of persona_id, records nothing twice, and keeps tags apart', async () => {
      const own = await service.workspace();
      await own.persona({ tag: 'one' });
      const id = await own.persona({ tag: 'two' });
      const wanted = { persona_id: id, tag: 'deux', seniority: ['vp'] };
      await service.expectEvents(['PersonaUpdated'], async () => {
        for (let time = 0; time < 2; time += 1) {
          expect(await answered(200, put(wanted, own))).toEqual({
            data: { ...EMPTY, id, tag: 'deux', seniority: ['vp'] },
          });
        }
      });
      await refused(() => put({ persona_id: id, tag: 'ONE' }, own), 422, { tag: [expect.any(String)] });
    });

    it('OP-51 ISO-06 refuses an unknown or foreign persona_id with 404, a malformed one with 422', async () => {
      const foreign = await (await service.workspace()).persona({});
      for (const persona_id of [9_007_199_254_740_991, foreign]) {
        await refused(() => put({ persona_id, tag: 'x' }, workspace), 404);
      }
      for (const persona_id of ['1', 0, 1.5, null]) {
        await refused(() => put({ persona_id }, workspace), 422, { persona_id: [expect.any(String)] });
      }
      await refused(() => put({ seniority: ['boss'] }, workspace), 422, {
        seniority: [expect.any(String)],
      });
    });

    it('SETUP-70 allows a setup that was refused without a complete persona', async () => {
      const own = await service.workspace();
      const signal_template_id = (await templateIdsOf(own)).get(KEYWORD_TEMPLATE);
      const setUp = () =>
        own.call('POST /api/v3/signal-setups', {
          signal_template_id,
          parameters: { tracking_keywords: ['crm'] },
        });
      const before = await answered(422, setUp());
      expect(before.title).toBe('Persona incomplete');
      await put({ job_title: ['CTO'], location: ['France'] }, own);
      expect((await setUp()).status).toBe(201);
    });

    it('lists the active personas, and refuses an invalid page with 400', async () => {
      const own = await service.workspace();
      await own.persona({ tag: 'only' });
      const v2 = await own.call('GET /api/v2/personas');
      const v3 = await own.call('GET /api/v3/personas');
      expect([v3.status, v3.body]).toEqual([200, v2.body]);
      expect(v3.headers.get('x-total-count')).toBe('1');
      await refused(() => own.call('GET /api/v3/personas?page=0'), 400, { page: [expect.any(String)] });
    });

    it('INV-09 PER-07 creates one persona for concurrent upserts and creations with one tag', async () => {
      const own = await service.workspace();
      const tags = ['Race', 'race', ' RACE ', 'rAcE', 'Race', 'race '];
      const added = await service.eventsOf(async () => {
        const answers = await Promise.all([
          ...tags.map((tag, place) => put({ tag, industry: [`industry ${place}`] }, own)),
          ...tags.map((tag) => create({ tag }, own)),
        ]);
        const upserted = answers.slice(0, tags.length);
        const created = answers.slice(tags.length);
        expect(answers.filter(({ status }) => status === 201).length).toBe(1);
        expect(upserted.every(({ status }) => status === 200 || status === 201)).toBe(true);
        expect(created.every(({ status }) => status === 422 || status === 201)).toBe(true);
        expect(new Set(upserted.map(({ body }) => body.data.id)).size).toBe(1);
      });
      expect(added.filter((type) => type === 'PersonaCreated')).toEqual(['PersonaCreated']);
      expect((await own.call('GET /api/v3/personas')).body.meta.pagination.total).toBe(1);
    });

    it('INV-09 creates one persona for concurrent upserts without a tag', async () => {
      const own = await service.workspace();
      const answers = await Promise.all(['a', 'b', 'c', 'd'].map((name) => put({ job_title: [name] }, own)));
      expect(answers.map(({ status }) => status).sort()).toEqual([200, 200, 200, 201]);
      expect((await own.call('GET /api/v3/personas')).body.meta.pagination.total).toBe(1);
    });
  });

  describe('a persona in answers', () => {
    it('PER-04 may be null in every field but its id, on every route that shows it', async () => {
      const own = await service.workspace();
      const id = await own.persona({});
      const shown = [
        (await get(id, own)).body.data,
        await own.data('GET /api/v2/persona'),
        (await own.data('GET /api/v2/personas'))[0],
        (await own.data('GET /api/v3/personas'))[0],
      ];
      for (const persona of shown) expect(persona).toEqual({ ...EMPTY, id });
    });
  });
});
