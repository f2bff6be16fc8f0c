import { after, before, describe, it } from 'node:test';
import { expect } from 'expect';
import {
  startTestService,
  type Answer,
  type TestService,
  type TestWorkspace,
} from '#test/support/service.js';

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
  let service: TestService;
  let workspace: TestWorkspace;

  before(async () => {
    service = await startTestService();
    workspace = await service.workspace();
  });
  after(() => service.stop());

  const create = (body: object, asker = workspace) => asker.call('POST /api/v2/personas', body);
  const change = (id: number, body: object, asker = workspace) =>
    asker.call(`PATCH /api/v2/personas/${id}`, body);
  const get = (id: number | string, asker = workspace) => asker.call(`GET /api/v2/personas/${id}`);

  /** The call adds no event and answers with these messages. */
  async function refused(call: () => Promise<Answer>, status: number, errors?: object): Promise<void> {
    const added = await service.eventsOf(async () => {
      const { body, headers } = await call();
      expect(headers.get('content-type')).toContain('application/problem+json');
      expect(body).toMatchObject({ status, ...(errors === undefined ? {} : { errors }) });
    });
    expect(added).toEqual([]);
  }

  describe('POST /api/v2/personas', () => {
    it('PER-04 PER-10 creates with any of the eight fields and answers them', async () => {
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
      const added = await service.eventsOf(async () => {
        const { status, body } = await create({ ...fields, nonsense: 1 });
        expect(status).toBe(201);
        expect(body).toEqual({ data: { id: body.data.id, ...fields } });
        expect((await get(body.data.id)).body).toEqual(body);
      });
      expect(added).toEqual(['PersonaCreated']);
    });

    it('PER-09 makes null of what is not given', async () => {
      const [first, second] = [await create({}), await create({ tag: null, job_title: null })];
      expect(first.body.data).toEqual({ id: first.body.data.id, ...EMPTY });
      expect(second.body.data).toEqual({ id: second.body.data.id, ...EMPTY });
      expect(second.body.data.id).not.toBe(first.body.data.id);
    });

    it('PER-07 refuses a tag that is taken, however it is written', async () => {
      await create({ tag: 'Nordics' });
      await refused(() => create({ tag: ' nORDICS ' }), 422, {
        tag: ['is already the tag of another persona'],
      });
    });

    it('PER-08 keeps the tags of workspaces apart', async () => {
      await create({ tag: 'shared' });
      expect((await create({ tag: 'shared' }, await service.workspace())).status).toBe(201);
    });

    for (const [fields, fault] of [
      [{ headcount: ['51-200', '12'] }, 'headcount.1'],
      [{ seniority: ['boss'] }, 'seniority.0'],
      [{ headcount: '51-200' }, 'headcount'],
      [{ job_title: 'CTO' }, 'job_title'],
      [{ job_title: ['CTO', ' '] }, 'job_title.1'],
      [{ location: [1] }, 'location.0'],
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

    it('asks for a key', async () => {
      await refused(() => service.call('POST /api/v2/personas', {}), 401);
    });
  });

  describe('GET /api/v2/personas', () => {
    it('PER-01 PER-02 lists the active personas by id and counts them', async () => {
      const own = await service.workspace();
      const ids: number[] = [];
      for (let made = 0; made < 3; made += 1) ids.push((await create({}, own)).body.data.id);
      await change(ids[0] ?? 0, { archived: true }, own);
      const { body, headers } = await own.call('GET /api/v2/personas');
      expect(body.meta.pagination).toEqual({ page: 1, page_size: 25, page_count: 1, total: 2 });
      expect(headers.get('x-total-count')).toBe('2');
      expect(body.data.map(({ id }: { id: number }) => id)).toEqual(ids.slice(1));
      const second = await own.call('GET /api/v2/personas?page=2&page_size=1');
      expect(second.body.data.map(({ id }: { id: number }) => id)).toEqual(ids.slice(2));
    });

    it('answers an empty page for a workspace without personas', async () => {
      expect((await (await service.workspace()).call('GET /api/v2/personas')).body).toEqual({
        data: [],
        meta: { pagination: { page: 1, page_size: 25, page_count: 0, total: 0 } },
      });
    });

    it('PER-03 refuses a wrong page with 422', async () => {
      for (const query of ['page=0', 'page_size=101', 'page=a']) {
        const name = query.split('=')[0] ?? '';
        await refused(() => workspace.call(`GET /api/v2/personas?${query}`), 422, {
          [name]: [expect.any(String)],
        });
      }
    });
  });

  describe('GET and PATCH /api/v2/personas/{persona_id}', () => {
    it('PER-12 changes only what is sent; null clears', async () => {
      const { id } = (await create({ job_title: ['CTO'], location: ['France'], tag: 'patch' })).body.data;
      const added = await service.eventsOf(async () => {
        const { status, body } = await change(id, { location: null, seniority: ['vp'] });
        expect(status).toBe(200);
        expect(body.data).toEqual({ id, ...EMPTY, job_title: ['CTO'], seniority: ['vp'], tag: 'patch' });
        expect((await get(id)).body).toEqual(body);
      });
      expect(added).toEqual(['PersonaUpdated']);
    });

    it('answers 200 and records nothing when nothing changes', async () => {
      const { id } = (await create({ job_title: ['CTO'], tag: 'same' })).body.data;
      const added = await service.eventsOf(async () => {
        expect((await change(id, { job_title: ['CTO'], tag: ' same ', archived: false })).status).toBe(200);
      });
      expect(added).toEqual([]);
    });

    it('archives, still answers by id, and brings back; the tag stays taken meanwhile', async () => {
      const { id } = (await create({ tag: 'resting' })).body.data;
      const archive = () => change(id, { archived: true });
      expect(await service.eventsOf(archive)).toEqual(['PersonaArchived']);
      expect((await get(id)).body.data.tag).toBe('resting');
      await refused(() => create({ tag: 'Resting' }), 422, { tag: [expect.any(String)] });
      expect(await service.eventsOf(() => change(id, { archived: false }))).toEqual(['PersonaUnarchived']);
    });

    it('OPS-13 lets an operator archive as well', async () => {
      const { id } = (await create({})).body.data;
      const archive = () =>
        service.ops('persona.archive', { workspace_id: workspace.id, persona_id: id, archived: true });
      expect(await service.eventsOf(archive)).toEqual(['PersonaArchived']);
    });

    it('refuses a body without a field of a persona, and a wrong type', async () => {
      const { id } = (await create({})).body.data;
      await refused(() => change(id, {}), 422);
      await refused(() => change(id, { nonsense: 1 }), 422);
      await refused(() => change(id, { archived: null }), 422, { archived: [expect.any(String)] });
      await refused(() => change(id, { job_title: 'CTO' }), 422, { job_title: [expect.any(String)] });
    });

    it('PER-11 answers 404 for an unknown, a foreign and a malformed id', async () => {
      const foreign = (await create({}, await service.workspace())).body.data.id;
      for (const id of [9_007_199_254_740_991, foreign, 0, 'abc']) {
        await refused(() => get(id), 404);
        await refused(() => workspace.call(`PATCH /api/v2/personas/${id}`, { tag: null }), 404);
      }
    });
  });
});
