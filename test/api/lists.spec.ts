import { answered } from '#test/support/expected-answers.js';
import { scene, sharedWorkspace } from '#test/support/scene.js';
import type { Answer } from '#test/support/service.js';

describe('lists', () => {
  const service = scene();
  const workspace = sharedWorkspace(service);

  const create = (body: object) => workspace.call('POST /api/v2/lists', body);

  /** The call adds no event and answers with these messages. */
  async function refused(call: () => Promise<Answer>, status: number, errors?: object): Promise<void> {
    const { body } = await service.refused(call);
    expect(body).toMatchObject({ status, ...(errors && { errors }) });
  }

  describe('POST /api/v2/lists', () => {
    it('LST-01 LST-20 LST-25 LST-32 LST-43 creates an empty list', async () => {
      await service.expectEvents(['ListCreated'], async () => {
        const sent = { type: 'customer', name: 'Key customers', default_signal_bucket: 'bucket_3' };
        const body = await answered(201, create(sent));
        expect(body.data).toEqual({
          id: body.data.id,
          kind: 'company',
          type: 'customer',
          name: 'Key customers',
          description: null,
          tier: null,
          default_tracking_status: 'followed',
          default_signal_bucket: 'bucket_1',
          member_count: 0,
          bound_agent_count: 0,
          archived_at: null,
          persona_ids: [],
        });
        expect(await answered(200, workspace.call(`GET /api/v2/lists/company/${body.data.id}`))).toEqual(
          body,
        );
      });
    });

    for (const [type, kind] of [
      ['competitor', 'company'],
      ['partner', 'company'],
      ['customer', 'company'],
      ['prospect', 'company'],
      ['influencer', 'profile'],
      ['champion', 'profile'],
    ] as const) {
      it(`LST-02 LST-21 makes a ${kind} list of type ${type}`, async () => {
        expect((await create({ type, name: 'x' })).body.data).toMatchObject({ type, kind });
      });
    }

    it('LST-26 LST-27 LST-30 stores tier, tracking status, description and personas', async () => {
      const persona = await workspace.persona({});
      const sent = {
        type: 'prospect',
        name: 'x',
        description: 'y',
        tier: 3,
        default_tracking_status: 'unfollowed',
        persona_ids: [persona],
      };
      expect((await create(sent)).body.data).toMatchObject(sent);
      expect((await create({ ...sent, tier: null, persona_ids: null })).body.data).toMatchObject({
        tier: null,
        persona_ids: [],
      });
    });

    for (const [sent, status, fault] of [
      [{ type: 'employee', name: 'x' }, 422, 'type'],
      [{ type: 'friends', name: 'x' }, 422, 'type'],
      [{ name: 'x' }, 422, 'type'],
      [{ type: 'customer' }, 422, 'name'],
      [{ type: 'customer', name: ' ' }, 422, 'name'],
      [{ type: 'customer', name: 'x'.repeat(256) }, 422, 'name'],
      [{ type: 'customer', name: 'x', description: 5 }, 422, 'description'],
      [{ type: 'customer', name: 'x', default_tracking_status: 'ignored' }, 422, 'default_tracking_status'],
      [{ type: 'competitor', name: 'x', tier: 1 }, 400, 'tier'],
      [{ type: 'champion', name: 'x', tier: 'high' }, 400, 'tier'],
      [{ type: 'customer', name: 'x', tier: 0 }, 422, 'tier'],
      [{ type: 'customer', name: 'x', tier: 4 }, 422, 'tier'],
      [{ type: 'prospect', name: 'x', tier: '1' }, 422, 'tier'],
      [{ type: 'customer', name: 'x', persona_ids: [999_999] }, 422, 'persona_ids'],
      [{ type: 'customer', name: 'x', persona_ids: 4 }, 422, 'persona_ids'],
    ] as const) {
      it(`LST-22 LST-23 LST-24 LST-28 LST-29 LST-31 refuses ${JSON.stringify(sent).slice(0, 70)}`, async () => {
        await refused(() => create(sent), status, { [fault]: [expect.any(String)] });
      });
    }

    it('LST-31 refuses an archived persona and one of another workspace like an unknown one', async () => {
      const archived = await workspace.persona({});
      await workspace.call(`PATCH /api/v2/personas/${archived}`, { archived: true });
      const other = await service.workspace();
      const foreign = await other.persona({});
      for (const id of [archived, foreign]) {
        await refused(() => create({ type: 'customer', name: 'x', persona_ids: [id] }), 422, {
          persona_ids: [`${id}: no active persona of this workspace`],
        });
      }
    });
  });

  describe('GET /api/v2/lists', () => {
    it('LST-11 LST-40 shows the employee list from the start, then the others by id', async () => {
      const own = await service.workspace();
      const { id } = await own.list('partner', [], { name: 'Resellers' });
      const { body } = await own.call('GET /api/v2/lists');
      expect(body.data.map((list: { id: number; name: string }) => [list.id, list.name])).toEqual([
        [own.employeeListId, 'All my employees'],
        [id, 'Resellers'],
      ]);
      expect(body.data[0]).toMatchObject({ kind: 'profile', type: 'employee', persona_ids: [] });
      expect(body.meta.pagination.total).toBe(2);
      expect((await own.call('GET /api/v2/lists?include_archived=true')).body).toEqual(body);
    });

    it('refuses wrong parameters with 400', async () => {
      for (const query of ['page=0', 'page_size=101', 'include_archived=yes']) {
        await refused(() => workspace.call(`GET /api/v2/lists?${query}`), 400);
      }
    });
  });

  describe('GET /api/v2/lists/{kind}/{list_id}', () => {
    it('LST-44 LST-45 answers 404 for another kind, an unknown, a foreign and a malformed id', async () => {
      const { id } = await workspace.list('champion');
      const other = await service.workspace();
      expect((await workspace.call(`GET /api/v2/lists/profile/${id}`)).status).toBe(200);
      for (const path of [`company/${id}`, `person/${id}`, 'profile/999999', 'profile/x', 'profile/0']) {
        await refused(() => workspace.call(`GET /api/v2/lists/${path}`), 404);
      }
      await refused(() => other.call(`GET /api/v2/lists/profile/${id}`), 404);
    });
  });

  describe('PUT /api/v2/lists/{kind}/{list_id}', () => {
    const change = (path: string, body: object, asker = workspace) =>
      asker.call(`PUT /api/v2/lists/${path}`, body);
    const customers = async (): Promise<string> =>
      `company/${(await workspace.list('customer', [], { tier: 2 })).id}`;

    it('LST-03 LST-50 LST-53 LST-58 C-8 changes the sent fields and keeps type and tier', async () => {
      const path = await customers();
      const persona = await workspace.persona({});
      const sent = {
        name: 'Best customers',
        description: 'By revenue',
        default_tracking_status: 'unfollowed',
        persona_ids: [persona],
      };
      await service.expectEvents(['ListChanged'], async () => {
        const body = await answered(200, change(path, { ...sent, type: 'partner', tier: 1 }));
        expect(body.data).toMatchObject({ ...sent, type: 'customer', tier: 2 });
        expect((await workspace.call(`GET /api/v2/lists/${path}`)).body).toEqual(body);
        expect((await change(path, sent)).body).toEqual(body);
      });
      expect((await change(path, { persona_ids: null, description: null })).body.data).toMatchObject({
        persona_ids: [],
        description: null,
        name: 'Best customers',
      });
    });

    it('LST-41 LST-46 LST-51 archives a list, which leaves the collection, and brings it back', async () => {
      const own = await service.workspace();
      const { id } = await own.list('partner');
      const listed = async (query = '') =>
        (await own.data(`GET /api/v2/lists${query}`)).map((list: { id: number }) => list.id);
      await service.expectEvents(['ListArchived'], async () => {
        const { archived_at } = (await change(`company/${id}`, { archived: true }, own)).body.data;
        expect(new Date(archived_at).toISOString()).toBe(archived_at);
        expect((await own.call(`GET /api/v2/lists/company/${id}`)).body.data.archived_at).toBe(archived_at);
      });
      expect(await listed()).toEqual([own.employeeListId]);
      expect(await listed('?include_archived=1')).toEqual([own.employeeListId, id]);
      const back = () => change(`company/${id}`, { archived: false }, own);
      await service.expectEvents(['ListUnarchived'], back);
      expect(await listed()).toEqual([own.employeeListId, id]);
    });

    it('LST-57 refuses a body without a field, and invalid values', async () => {
      const path = await customers();
      await refused(() => change(path, {}), 422);
      await refused(() => change(path, { tier: 1, type: 'partner' }), 422);
      for (const [body, fault] of [
        [{ name: '' }, 'name'],
        [{ archived: 'yes' }, 'archived'],
        [{ persona_ids: [999_999] }, 'persona_ids'],
        [{ default_tracking_status: null }, 'default_tracking_status'],
      ] as const) {
        await refused(() => change(path, body), 422, { [fault]: [expect.any(String)] });
      }
    });

    it('LST-12 LST-13 renames the employee list but neither archives it nor gives it personas', async () => {
      const path = `profile/${workspace.employeeListId}`;
      const persona = await workspace.persona({});
      await refused(() => change(path, { archived: true }), 422, { archived: [expect.any(String)] });
      await refused(() => change(path, { persona_ids: [persona] }), 422, {
        persona_ids: [expect.any(String)],
      });
      await service.expectEvents([], () => change(path, { archived: false, persona_ids: [] }));
      expect((await change(path, { name: 'Us' })).body.data).toMatchObject({ type: 'employee', name: 'Us' });
    });

    it('answers 404 for another kind, an unknown and a foreign list', async () => {
      const path = await customers();
      await refused(() => change(path.replace('company', 'profile'), { name: 'x' }), 404);
      await refused(() => change('company/999999', { name: 'x' }), 404);
      const other = await service.workspace();
      await refused(() => change(path, { name: 'x' }, other), 404);
    });
  });

  describe('DELETE and restore', () => {
    it('STM-05 STM-13 moves a list between active, archived and deleted, with its members and its archived_at', async () => {
      const list = await workspace.list('customer', ['acme']);
      const path = `/api/v2/${list.path}`;
      const archive = (archived: boolean) => () => workspace.call(`PUT ${path}`, { archived });
      const remove = () => workspace.call(`DELETE ${path}`);
      const restore = () => workspace.call(`POST ${path}/restore`);
      for (const [move, status, event, archived] of [
        [archive(true), 200, 'ListArchived', true],
        [archive(false), 200, 'ListUnarchived', false],
        [remove, 204, 'ListDeleted', null],
        [restore, 200, 'ListRestored', false],
        [archive(true), 200, 'ListArchived', true],
        [remove, 204, 'ListDeleted', null],
        [restore, 200, 'ListRestored', true],
        [archive(false), 200, 'ListUnarchived', false],
      ] as const) {
        await service.expectEvents([event], async () => expect((await move()).status).toBe(status));
        const { status: found, body } = await workspace.call(`GET ${path}`);
        expect([event, found]).toEqual([event, archived === null ? 404 : 200]);
        if (archived === null) continue;
        expect([event, body.data.archived_at !== null, body.data.member_count]).toEqual([event, archived, 1]);
        const listed = await workspace.data('GET /api/v2/lists?page_size=100');
        expect(listed.some(({ id }: { id: number }) => id === list.id)).toBe(!archived);
      }
    });

    it('LST-42 LST-45 LST-54 LST-55 LST-56 removes a list from every endpoint and restores it as it was', async () => {
      const own = await service.workspace();
      const { id } = await own.list('champion');
      const path = `profile/${id}`;
      await own.call(`PUT /api/v2/lists/${path}`, { archived: true });
      const before = (await own.call(`GET /api/v2/lists/${path}`)).body;
      await service.expectEvents(['ListDeleted'], async () => {
        expect(await answered(204, own.call(`DELETE /api/v2/lists/${path}`))).toBeNull();
      });
      for (const call of [
        () => own.call(`GET /api/v2/lists/${path}`),
        () => own.call(`PUT /api/v2/lists/${path}`, { name: 'x' }),
        () => own.call(`DELETE /api/v2/lists/${path}`),
      ]) {
        await refused(call, 404);
      }
      const all = await own.data('GET /api/v2/lists?include_archived=true');
      expect(all.map((list: { id: number }) => list.id)).toEqual([own.employeeListId]);

      const restore = () => own.call(`POST /api/v2/lists/${path}/restore`);
      await service.expectEvents(['ListRestored'], async () => {
        expect(await answered(200, restore())).toEqual(before);
      });
      await service.expectEvents([], restore);
      expect((await own.call(`GET /api/v2/lists/${path}`)).body).toEqual(before);
    });

    it('LST-12 refuses to delete the employee list', async () => {
      const path = `profile/${workspace.employeeListId}`;
      await refused(() => workspace.call(`DELETE /api/v2/lists/${path}`), 409);
    });

    it('answers 404 to restoring a list that is unknown, foreign or of another kind', async () => {
      const { id } = await workspace.list('champion');
      const other = await service.workspace();
      await refused(() => workspace.call('POST /api/v2/lists/profile/999999/restore'), 404);
      await refused(() => workspace.call(`POST /api/v2/lists/company/${id}/restore`), 404);
      await refused(() => other.call(`POST /api/v2/lists/profile/${id}/restore`), 404);
    });
  });
});
