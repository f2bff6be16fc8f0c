import { observedCompany } from '#test/support/observed-network.js';
import { scene, sharedWorkspace } from '#test/support/scene.js';

describe('operator commands about lists (OPS-11)', () => {
  const service = scene();
  const workspace = sharedWorkspace(service);

  beforeAll(async () => {
    await service.ingest([
      observedCompany('acme'),
      observedCompany('acme-uk', { domains: ['acme.co.uk', 'group.com'] }),
      observedCompany('acme-us', { domains: ['acme.us', 'group.com'] }),
    ]);
  });

  async function newList(type = 'customer'): Promise<{ readonly list_id: number; readonly path: string }> {
    const { body } = await workspace.call('POST /api/v2/lists', { type, name: type });
    return { list_id: body.data.id, path: `/api/v2/lists/${body.data.kind}/${body.data.id}` };
  }
  const run = (command: string, input: object) =>
    service.ops(command, { workspace_id: workspace.id, ...input });
  const handlesOf = async (path: string): Promise<readonly (string | null)[]> =>
    (await workspace.call(`GET ${path}/members?page_size=100`)).body.data.map(
      (member: { network_handle: string | null }) => member.network_handle,
    );

  it('LST-05 list.convert_segment assigns the tier of a segment', async () => {
    const { list_id, path } = await newList('prospect');
    const added = await service.settledEventsOf(async () => {
      const { status, body } = await run('list.convert_segment', { list_id, tier: 2 });
      expect({ status, body }).toEqual({ status: 200, body: { list_id, tier: 2 } });
      await run('list.convert_segment', { list_id, tier: 2 });
    });
    expect(added).toEqual(['ListTierAssigned']);
    expect((await workspace.call(`GET ${path}`)).body.data.tier).toBe(2);
  });

  it('LST-04 gives no tier to a list that carries none, and does not find a list of another workspace', async () => {
    const { list_id } = await newList('competitor');
    const stranger = await service.workspace();
    const added = await service.settledEventsOf(async () => {
      expect((await run('list.convert_segment', { list_id, tier: 1 })).status).toBe(400);
      expect((await run('list.convert_segment', { list_id, tier: 4 })).status).toBe(422);
      const foreign = { workspace_id: stranger.id, list_id };
      expect((await service.ops('list.convert_segment', { ...foreign, tier: 1 })).status).toBe(404);
      expect((await service.ops('list.bind_crm', { ...foreign, crm: 'pipeline' })).status).toBe(404);
      expect((await service.ops('list.crm_sync', { ...foreign, members: [] })).status).toBe(404);
    });
    expect(added).toEqual([]);
  });

  it('LST-15 MEM-22 list.bind_crm: the list takes members only from its CRM', async () => {
    const { list_id, path } = await newList();
    const [before] = (await workspace.call(`POST ${path}/members`, { members: [{ domain: 'old.example' }] }))
      .body.data;
    expect((await run('list.crm_sync', { list_id, members: [] })).status).toBe(409);
    expect((await run('list.bind_crm', { list_id, crm: 'pipeline' })).body).toEqual({
      list_id,
      crm: 'pipeline',
    });
    const added = await service.settledEventsOf(async () => {
      const { status, body } = await workspace.call(`POST ${path}/members`, {
        members: [{ domain: 'a.example' }],
      });
      expect({ status, type: body.type }).toEqual({
        status: 409,
        type: 'https://docs.example.test/errors/conflict',
      });
      const older = path.replace('lists', 'watchlists');
      expect(
        (await workspace.call(`POST ${older}/entities`, { entities: [{ domain: 'a.example' }] })).status,
      ).toBe(409);
    });
    expect(added).toEqual([]);
    expect((await workspace.call(`DELETE ${path}/members/${before.id}`)).status).toBe(204);
  });

  it('list.crm_sync makes the members those of the CRM, keeps members that cannot be identified, and reports its changes', async () => {
    const { list_id, path } = await newList();
    await run('list.bind_crm', { list_id, crm: 'pipeline' });
    const first = await run('list.crm_sync', {
      list_id,
      members: [{ network_handle: 'acme' }, { domain: 'beta.example' }, { domain: 'nodot' }],
    });
    expect(first.body).toEqual({
      list_id,
      added: 2,
      removed: 0,
      kept: 0,
      errors: [{ input: { domain: 'nodot' }, code: 'invalid_identifier', message: expect.any(String) }],
    });
    // The network now knows that the domain has no company: the CRM still names it.
    await service.ingest([{ kind: 'missing', ref: 'm:beta', domain: 'beta.example' }]);
    const again = await run('list.crm_sync', {
      list_id,
      members: [{ domain: 'acme.com' }, { domain: 'beta.example' }, { network_handle: 'gamma' }],
    });
    expect(again.body).toMatchObject({ added: 1, removed: 0, kept: 2, errors: [{ code: 'lookup_failed' }] });
    const types = await service.settledEventsOf(async () => {
      const { body } = await run('list.crm_sync', { list_id, members: [{ network_handle: 'gamma' }] });
      expect(body).toMatchObject({ added: 0, removed: 2, kept: 1, errors: [] });
      await run('list.crm_sync', { list_id, members: [{ network_handle: 'gamma' }] });
    });
    expect(types).toEqual(['MembersRemoved']);
    expect(await handlesOf(path)).toEqual(['gamma']);
    const { data: log } = (await workspace.call(`GET ${path}/membership-logs`)).body;
    expect(new Set(log.map(({ source }: { source: string }) => source))).toEqual(new Set(['crm']));
  });

  it('MEM-19 MEM-20 list.crm_sync reads rows as POST does', async () => {
    const champions = await newList('champion');
    await run('list.bind_crm', { list_id: champions.list_id, crm: 'pipeline' });
    const ana = { network_handle: 'crm-ana', company: { name: ' ', domain: 'https://www.Acme.com/about' } };
    await run('list.crm_sync', { list_id: champions.list_id, members: [ana] });
    expect((await workspace.call(`GET ${champions.path}/members`)).body.data).toMatchObject([
      { network_handle: 'crm-ana', current_company: { name: 'acme.com' } },
    ]);
    const { list_id, path } = await newList();
    await run('list.bind_crm', { list_id, crm: 'pipeline' });
    const added = await service.settledEventsOf(async () => {
      for (const company of [{}, { name: ' ' }, { domain: 'nodot' }])
        expect(
          await run('list.crm_sync', { list_id: champions.list_id, members: [ana, { ...ana, company }] }),
        ).toMatchObject({ status: 422, body: { errors: expect.anything() } });
      const member = { domain: 'acme.com', company: { name: 'Acme' } };
      expect((await run('list.crm_sync', { list_id, members: [member] })).status).toBe(422);
    });
    expect(added).toEqual([]);
    const members = [{ network_url: null, network_handle: '', domain: 'acme.com', company: null }];
    expect((await run('list.crm_sync', { list_id, members })).body).toMatchObject({ added: 1, errors: [] });
    expect(await handlesOf(path)).toEqual(['acme']);
  });

  it('list.crm_sync removes members with many long domains, whose size no single append takes', async () => {
    const { list_id, path } = await newList();
    await run('list.bind_crm', { list_id, crm: 'pipeline' });
    const handles = Array.from({ length: 500 }, (_, index) => `long-${index}`);
    const domainsOf = (handle: string) =>
      Array.from({ length: 25 }, (_, index) => `${handle}.of-a-group-with-many-domains-${index}.example`);
    await service.ingest(handles.map((handle) => observedCompany(handle, { domains: domainsOf(handle) })));
    const members = handles.map((network_handle) => ({ network_handle }));
    expect((await run('list.crm_sync', { list_id, members })).body).toMatchObject({ added: 500, errors: [] });
    const { status, body } = await run('list.crm_sync', { list_id, members: [] });
    expect({ status, body }).toMatchObject({ status: 200, body: { removed: 500, kept: 0 } });
    expect(await handlesOf(path)).toEqual([]);
  });

  it('list.crm_sync takes ten thousand at once, in events of a hundred, and removes them again', async () => {
    const { list_id, path } = await newList();
    await run('list.bind_crm', { list_id, crm: 'pipeline' });
    const members = Array.from({ length: 10_000 }, (_, index) => ({ network_handle: `crm-${index}` }));
    const added = await service.settledEventsOf(async () => {
      expect((await run('list.crm_sync', { list_id, members })).body).toMatchObject({
        added: 10_000,
        removed: 0,
      });
    });
    expect(added).toEqual(Array.from({ length: 100 }, () => 'MembersAdded'));
    await service.drain();
    expect((await workspace.call(`GET ${path}`)).body.data.member_count).toBe(10_000);
    const rest = members.slice(0, 3);
    expect((await run('list.crm_sync', { list_id, members: rest })).body).toMatchObject({
      removed: 9_997,
      kept: 3,
    });
    await service.drain();
    expect(await handlesOf(path)).toEqual(['crm-0', 'crm-1', 'crm-2']);
    const { status } = await run('list.crm_sync', { list_id, members: [...members, { domain: 'one.more' }] });
    expect(status).toBe(422);
  });
});
