import { refusal } from '#test/support/expected-answers.js';
import { scene, sharedWorkspace } from '#test/support/scene.js';

describe('the older path /api/v2/watchlists', () => {
  const service = scene();
  const workspace = sharedWorkspace(service);

  async function newWatchlist(body: object = {}): Promise<{ readonly path: string; readonly id: number }> {
    const sent = { type: 'customer', title: 'Key customers', ...body };
    const { data } = (await workspace.call('POST /api/v2/watchlists', sent)).body;
    return { path: `/api/v2/watchlists/${data.kind}/${data.id}`, id: data.id };
  }

  it('WL-01 WL-02 WL-03 WL-06 WL-07 creates a list with other field names, without tier and label', async () => {
    const { status, body } = await workspace.call('POST /api/v2/watchlists', {
      type: 'customer',
      title: 'Key customers',
      tier: 9,
    });
    expect({ status, data: body.data }).toEqual({
      status: 201,
      data: {
        id: body.data.id,
        kind: 'company',
        type: 'customer',
        title: 'Key customers',
        description: null,
        default_tracking_status: 'followed',
        entity_count: 0,
        bound_agent_count: 0,
        archived_at: null,
        persona_ids: [],
      },
    });
    const list = await workspace.call(`GET /api/v2/lists/company/${body.data.id}`);
    expect(list.body.data).toMatchObject({
      id: body.data.id,
      name: 'Key customers',
      member_count: 0,
      tier: null,
    });
    expect((await workspace.call(`GET /api/v2/watchlists/company/${body.data.id}`)).body).toEqual(body);
  });

  it('WL-07 shows lists of either path, including the employee list, page by page', async () => {
    const { id } = await newWatchlist();
    const { body: created } = await workspace.call('POST /api/v2/lists', {
      type: 'partner',
      name: 'Partners',
    });
    const { status, body, headers } = await workspace.call('GET /api/v2/watchlists?page_size=100');
    expect(status).toBe(200);
    const titles = new Map(body.data.map((row: { id: number; title: string }) => [row.id, row.title]));
    expect(titles.get(id)).toBe('Key customers');
    expect(titles.get(created.data.id)).toBe('Partners');
    expect(titles.get(workspace.employeeListId)).toBe('All my employees');
    expect(headers.get('x-total-count')).toBe(String(body.meta.pagination.total));
    expect((await workspace.call('GET /api/v2/watchlists?page=0')).status).toBe(400);
  });

  it('WL-08 names faults with the field names of the older path', async () => {
    const { path } = await newWatchlist();
    for (const [route, body, ...fields] of [
      ['POST /api/v2/watchlists', { type: 'customer' }, 'title'],
      ['POST /api/v2/watchlists', { type: 'customer', title: ' ' }, 'title'],
      ['POST /api/v2/watchlists', { title: 'x' }, 'type'],
      [`PUT ${path}`, { title: '' }, 'title'],
      [`POST ${path}/entities`, {}, 'entities'],
      [`POST ${path}/entities`, { members: [{ domain: 'a.com' }] }, 'entities'],
      [`POST ${path}/entities`, { entities: [] }, 'entities'],
      [`POST ${path}/entities`, { entities: [{}] }, 'entities.0'],
      [
        `POST ${path}/entities`,
        { entities: [{ domain: 'a.com', company: { name: 'A' } }] },
        'entities.0.company',
      ],
    ] as const) {
      await service.expectSettledEvents([], async () => {
        await refusal(422, workspace.call(route, body), ...fields);
      });
    }
    const { status, body } = await workspace.call(`PUT ${path}`, { name: 'no key of this path' });
    expect({ status, detail: body.detail }).toMatchObject({
      status: 422,
      detail: expect.stringContaining('title'),
    });
  });

  it('WL-01 changes, deletes and restores', async () => {
    const { path, id } = await newWatchlist();
    const changed = await workspace.call(`PUT ${path}`, { title: 'Best', description: 'by revenue' });
    expect(changed).toMatchObject({
      status: 200,
      body: { data: { title: 'Best', description: 'by revenue' } },
    });
    expect((await workspace.call(`GET /api/v2/lists/company/${id}`)).body.data.name).toBe('Best');
    expect((await workspace.call(`DELETE ${path}`)).status).toBe(204);
    expect((await workspace.call(`GET ${path}`)).status).toBe(404);
    expect((await workspace.call(`POST ${path}/restore`)).body.data.title).toBe('Best');
    expect((await workspace.call(`GET ${path.replace('company', 'profile')}`)).status).toBe(404);
    const employees = `/api/v2/watchlists/profile/${workspace.employeeListId}`;
    expect((await workspace.call(`DELETE ${employees}`)).status).toBe(409);
  });

  it('WL-04 WL-05 WL-06 adds, shows, follows and removes entities, without a label', async () => {
    const { path, id } = await newWatchlist();
    const added = await workspace.call(`POST ${path}/entities`, {
      entities: [{ network_handle: 'acme' }, { domain: 'nodot' }],
    });
    const [entity] = added.body.data;
    expect({
      status: added.status,
      entity,
      codes: added.body.errors.map((row: { code: string }) => row.code),
    }).toEqual({
      status: 200,
      entity: {
        id: entity.id,
        network_handle: 'acme',
        network_url: 'https://www.network.example/company/acme',
        tracking_status: null,
        domain: null,
        name: null,
        logo_url: null,
      },
      codes: ['invalid_identifier'],
    });
    expect((await workspace.call(`GET ${path}/entities?q=ACM`)).body.data).toEqual([entity]);
    expect((await workspace.call(`GET ${path}/entities?response_format=concise`)).body.data).toEqual([
      { id: entity.id, network_handle: 'acme', network_url: entity.network_url },
    ]);
    expect((await workspace.call(`GET ${path}/entities?page=0`)).status).toBe(422);
    expect((await workspace.call(`GET /api/v2/lists/company/${id}/members`)).body.data[0].id).toBe(entity.id);
    expect((await workspace.call(`GET ${path}`)).body.data.entity_count).toBe(1);

    const follow = `PATCH ${path}/entities/${entity.id}/tracking-status`;
    expect((await workspace.call(follow, { tracking_status: 'unfollowed' })).body).toEqual({
      data: { ...entity, tracking_status: 'unfollowed' },
    });
    expect((await workspace.call(follow, {})).status).toBe(422);
    expect((await workspace.call(`PATCH ${path}/entities/${entity.id}/signal-bucket`, {})).status).toBe(404);

    expect((await workspace.call(`DELETE ${path}/entities/${entity.id}`)).status).toBe(204);
    expect((await workspace.call(`DELETE ${path}/entities/${entity.id}`)).status).toBe(404);
    const { data: log } = (await workspace.call(`GET ${path}/membership-logs`)).body;
    expect(
      log.map((entry: { action: string; entity_id: number }) => [entry.action, entry.entity_id]),
    ).toEqual([
      ['removed', entity.id],
      ['added', entity.id],
    ]);
    expect(JSON.stringify(log)).not.toContain('member_id');
  });

  it('OP-47 OP-68 names its successor on every answer', async () => {
    const { path, id } = await newWatchlist();
    for (const [route, successor] of [
      ['GET /api/v2/watchlists', '/api/v2/lists'],
      [`GET ${path}`, `/api/v2/lists/company/${id}`],
      [`GET ${path}/entities`, `/api/v2/lists/company/${id}/members`],
      [`GET ${path}/membership-logs`, `/api/v2/lists/company/${id}/membership-logs`],
    ] as const) {
      const { headers } = await workspace.call(route);
      expect([route, headers.get('link')]).toEqual([route, `<${successor}>; rel="successor-version"`]);
      expect([route, headers.get('deprecation')]).toEqual([route, '@1767225600']);
    }
    const current = await workspace.call(`GET /api/v2/lists/company/${id}`);
    expect(current.headers.get('deprecation')).toBeNull();
  });
});
