import { AGENT_TYPES, agentTypes, type AgentTypeRow } from '#signals/domain/agents/agent-types.js';
import { kindOfList, type ListType } from '#lists/domain/lists/list.events.js';
import { refusal } from '#test/support/expected-answers.js';
import { scene, sharedWorkspace } from '#test/support/scene.js';

const CREATE = 'POST /api/v2/agents';
const ALL_LISTS: readonly ListType[] = [
  'competitor',
  'partner',
  'customer',
  'prospect',
  'influencer',
  'champion',
  'employee',
];

describe('agents of every type', () => {
  const service = scene();
  const workspace = sharedWorkspace(service, {}, ({ persona }) =>
    persona({ job_title: ['Head of Sales'], location: ['France'] }),
  );
  const other = sharedWorkspace(service);

  const listOf = async (type: ListType, as = workspace): Promise<number> =>
    type === 'employee' ? as.employeeListId : (await as.list(type)).id;
  const rowOf = (type: keyof typeof agentTypes): AgentTypeRow => agentTypes[type];
  /** The required parameters of a new agent of the type. */
  const needed = (type: keyof typeof agentTypes): object =>
    rowOf(type).required.length === 0 ? {} : { parameters: { tracking_keywords: ['crm'] } };

  async function refused(body: object, field: string): Promise<void> {
    await refusal(
      422,
      service.refused(() => workspace.call(CREATE, body)),
      field,
    );
  }

  it('AG-42 OP-31 are created with a list of their type, and with no other', async () => {
    for (const type of AGENT_TYPES) {
      const { list } = rowOf(type);
      for (const listType of ALL_LISTS) {
        const watchlist_id = await listOf(listType);
        const watchlist_kind = kindOfList(listType);
        const body = { type, ...needed(type), watchlist_id, watchlist_kind };
        if (list?.type !== listType) {
          await refused(body, 'watchlist_id');
          continue;
        }
        const { status, body: created } = await workspace.call(CREATE, body);
        expect([type, listType, status]).toEqual([type, listType, 201]);
        expect(created.data).toMatchObject({ type, watchlist_id, watchlist_kind });
        expect(await workspace.data(`GET /api/v2/agents/${created.data.id}`)).toEqual(created.data);
        const wrongKind = watchlist_kind === 'company' ? 'profile' : 'company';
        await refused({ ...body, watchlist_kind: wrongKind }, 'watchlist_kind');
        await refused({ ...body, watchlist_id: await listOf(listType, other) }, 'watchlist_id');
      }
    }
  });

  it('OP-33 ignores unknown members of a parameter, at creation and by a change', async () => {
    const interested_by = { prospects: true, partners: true };
    const created = await workspace.call(CREATE, { type: 'job_update', parameters: { interested_by } });
    expect(created.headers.get('ignored-fields')).toBe('parameters.interested_by.partners');
    expect(created.body.data.parameters).toEqual({ interested_by: { prospects: true } });
    const changed = await workspace.call(`PUT /api/v2/agents/${created.body.data.id}`, {
      parameters: { interested_by: { ...interested_by, customers: false } },
    });
    expect(changed.body.data.parameters).toEqual({ interested_by: { prospects: true, customers: false } });
  });

  it('SUP-13 interested_by is an object of two booleans', async () => {
    const agentWith = (interested_by: unknown) => ({ type: 'job_update', parameters: { interested_by } });
    for (const interested of [
      { prospects: true, customers: false },
      { prospects: false, customers: true },
      { prospects: true, customers: true },
    ]) {
      const { status, body } = await workspace.call(CREATE, agentWith(interested));
      expect([interested, status, body.data?.parameters.interested_by]).toEqual([
        interested,
        201,
        interested,
      ]);
    }
    for (const wrong of [true, 'customers', ['customers'], 1])
      await refusal(422, workspace.call(CREATE, agentWith(wrong)), 'parameters.interested_by');
    for (const wrong of [{ customers: 'yes' }, { customers: 1, prospects: true }]) {
      const { status, body } = await workspace.call(CREATE, agentWith(wrong));
      expect([wrong, status]).toEqual([wrong, 422]);
      expect(Object.keys(body.errors)).toEqual(['parameters.interested_by.customers']);
    }
  });
});
