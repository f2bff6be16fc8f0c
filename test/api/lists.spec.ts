import { after, before, describe, it } from 'node:test';
import { expect } from 'expect';
import {
  startTestService,
  type Answer,
  type TestService,
  type TestWorkspace,
} from '#test/support/service.js';

describe('lists', () => {
  let service: TestService;
  let workspace: TestWorkspace;

  before(async () => {
    service = await startTestService();
    workspace = await service.workspace();
  });
  after(() => service.stop());

  const create = (body: object, asker = workspace) => asker.call('POST /api/v2/lists', body);

  /** The call adds no event and answers with these messages. */
  async function refused(call: () => Promise<Answer>, status: number, errors?: object): Promise<void> {
    const added = await service.eventsOf(async () => {
      expect((await call()).body).toMatchObject({ status, ...(errors === undefined ? {} : { errors }) });
    });
    expect(added).toEqual([]);
  }

  describe('POST /api/v2/lists', () => {
    it('LST-01 LST-20 LST-25 LST-32 creates an empty list', async () => {
      const added = await service.eventsOf(async () => {
        const sent = { type: 'customer', name: 'Key customers', default_signal_bucket: 'bucket_3' };
        const { status, body } = await create(sent);
        expect(status).toBe(201);
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
        const found = await workspace.call(`GET /api/v2/lists/company/${body.data.id}`);
        expect({ status: found.status, body: found.body }).toEqual({ status: 200, body });
      });
      expect(added).toEqual(['ListCreated']);
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
      const persona = (await workspace.call('POST /api/v2/personas', {})).body.data;
      const sent = {
        type: 'prospect',
        name: 'x',
        description: 'y',
        tier: 3,
        default_tracking_status: 'unfollowed',
        persona_ids: [persona.id],
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
      const archived = (await workspace.call('POST /api/v2/personas', {})).body.data.id;
      await workspace.call(`PATCH /api/v2/personas/${archived}`, { archived: true });
      const other = await service.workspace();
      const foreign = (await other.call('POST /api/v2/personas', {})).body.data.id;
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
      const { id } = (await create({ type: 'partner', name: 'Resellers' }, own)).body.data;
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
      const { id } = (await create({ type: 'champion', name: 'x' })).body.data;
      const other = await service.workspace();
      expect((await workspace.call(`GET /api/v2/lists/profile/${id}`)).status).toBe(200);
      for (const path of [`company/${id}`, `person/${id}`, 'profile/999999', 'profile/x', 'profile/0']) {
        await refused(() => workspace.call(`GET /api/v2/lists/${path}`), 404);
      }
      await refused(() => other.call(`GET /api/v2/lists/profile/${id}`), 404);
    });
  });
});
