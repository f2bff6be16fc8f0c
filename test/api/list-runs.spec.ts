import { employed, observedCompany, observedPerson, observedPost } from '#test/support/observed-network.js';
import { scene, type SceneWorkspace } from '#test/support/scene.js';
import { KEYWORD_TEMPLATE } from '#test/support/signal-runs.js';

/** A person with top priority for the persona of these tests. */
const salesperson = (name: string, company: string): object =>
  observedPerson(name, {
    ...employed(company, 'VP Sales'),
    geo: { city: 'Paris', region: null, country: 'France', country_code: 'FR' },
  });

const TEMPLATE = 'prospect-list-keyword-mentions';

describe('signals about the members of a list', () => {
  const service = scene({
    at: '2026-06-01T10:00:00.000Z',
    network: [
      observedCompany('acme'),
      observedCompany('beta'),
      observedCompany('gamma'),
      salesperson('ana', 'acme'),
      salesperson('bo', 'beta'),
      salesperson('cy', 'gamma'),
      observedPost('of-ana', 'ana', 'we need a crm', '2026-05-30T09:00:00Z'),
      observedPost('of-bo', 'bo', 'we need a crm', '2026-05-30T10:00:00Z'),
      observedPost('of-cy', 'cy', 'we need a crm', '2026-05-30T11:00:00Z'),
    ],
  });

  type Prospects = {
    readonly workspace: SceneWorkspace;
    readonly list: string;
    readonly setupId: number;
  };

  /** A workspace with a signal about a list of prospects. */
  async function prospects(...handles: string[]): Promise<Prospects> {
    const workspace = await service.workspace();
    await workspace.persona({ job_title: ['VP Sales'], location: ['France'] });
    const { id, path } = await workspace.list('prospect', handles);
    const setupId = await workspace.setup(TEMPLATE, { tracking_keywords: ['crm'], list_id: id });
    return { workspace, list: `/api/v2/${path}`, setupId };
  }

  const authorsOf = async (workspace: SceneWorkspace): Promise<readonly string[]> =>
    (await workspace.detections()).map((row) => row.data.author.full_name).sort();

  const refusedLaunch = async ({ workspace, setupId }: Prospects): Promise<void> => {
    const { status, body } = await service.refused(() => workspace.launch(setupId));
    const said = /^There are no target accounts configured\. List \d+ has no followed members: add members /;
    expect({ status, detail: body.detail }).toEqual({ status: 400, detail: expect.stringMatching(said) });
  };

  it('OP-36 are found only in posts of the members’ people', async () => {
    const { workspace, setupId } = await prospects('acme', 'beta', 'nobody-knows');
    expect((await workspace.run(setupId)).stage).toBe('completed');
    expect(await authorsOf(workspace)).toEqual(['ana Roy', 'bo Roy']);
  });

  it('RUN-32 exclude members that are not followed, without a charge', async () => {
    const { workspace, list, setupId } = await prospects('acme', 'beta');
    const [acme] = await workspace.data(`GET ${list}/members`);
    await workspace.call(`PATCH ${list}/members/${acme.id}/tracking-status`, {
      tracking_status: 'unfollowed',
    });
    await workspace.run(setupId);
    expect(await authorsOf(workspace)).toEqual(['bo Roy']);
    expect(await workspace.data('GET /api/v3/credits/movements')).toHaveLength(1);

    await workspace.call(`PATCH ${list}/members/${acme.id}/tracking-status`, { tracking_status: null });
    await workspace.run(setupId);
    expect(await authorsOf(workspace)).toEqual(['ana Roy', 'bo Roy']);
  });

  it('SUP-18 LST-16 are found and charged the same for any label of a member', async () => {
    const seen: unknown[] = [];
    for (const signal_bucket of [null, 'bucket_3']) {
      const { workspace, list, setupId } = await prospects('acme', 'beta');
      const buckets = (await workspace.call('GET /api/v3/signal-buckets')).body;
      const data = await workspace.data(`GET ${list}/members`);
      for (const { id } of signal_bucket === null ? [] : data) {
        const labelled = await workspace.call(`PATCH ${list}/members/${id}/signal-bucket`, { signal_bucket });
        expect(labelled.body.data.signal_bucket).toBe(signal_bucket);
      }
      expect((await workspace.data(`GET ${list}`)).default_signal_bucket).toBe('bucket_1');
      expect((await workspace.call('GET /api/v3/signal-buckets')).body).toEqual(buckets);
      const { matches_found, credits_spent } = await workspace.run(setupId);
      seen.push([matches_found, credits_spent, await authorsOf(workspace)]);
    }
    expect(seen[0]).toEqual([2, 20, ['ana Roy', 'bo Roy']]);
    expect(seen[1]).toEqual(seen[0]);
  });

  it('OP-36 are about the members at the launch, whatever happens to the list afterwards', async () => {
    const { workspace, list, setupId } = await prospects('acme', 'beta');
    const data = await workspace.data(`GET ${list}/members`);
    expect((await workspace.launch(setupId)).status).toBe(202);
    for (const { id } of data) await workspace.call(`DELETE ${list}/members/${id}`);
    await workspace.call(`POST ${list}/members`, { members: [{ network_handle: 'gamma' }] });
    await service.drain();
    expect(await authorsOf(workspace)).toEqual(['ana Roy', 'bo Roy']);
  });

  it('RUN-12 OP-36 OP-48 are not launched without a followed member, or on an archived or deleted list', async () => {
    const nobody = await prospects();
    await refusedLaunch(nobody);

    const some = await prospects('acme');
    const { workspace, list } = some;
    await workspace.call(`PUT ${list}`, { default_tracking_status: 'unfollowed' });
    await refusedLaunch(some);
    await workspace.call(`PUT ${list}`, { default_tracking_status: 'followed', archived: true });
    await refusedLaunch(some);
    await workspace.call(`PUT ${list}`, { archived: false });
    await workspace.call(`DELETE ${list}`);
    await refusedLaunch(some);
    await workspace.call(`POST ${list}/restore`);
    await workspace.run(some.setupId);
    expect(await authorsOf(workspace)).toEqual(['ana Roy']);
  });

  it('STAT-10 OP-20 OP-48 count the accounts on an active customer or prospect list', async () => {
    const { workspace, list, setupId } = await prospects('acme', 'beta');
    await workspace.run(setupId);
    const everybody = await workspace.setup(KEYWORD_TEMPLATE, { tracking_keywords: ['crm'] });
    await workspace.run(everybody);
    const counts = async () => {
      const data = await workspace.data(`GET /api/v3/signal-setups/${everybody}/stats`);
      return [data.accounts_reached, data.key_accounts, data.new_accounts];
    };
    const { accounts_reached: reached } = await workspace.data(`GET /api/v3/signal-setups/${setupId}/stats`);
    expect(reached).toBe(2);
    expect(await counts()).toEqual([3, 2, 1]);
    await workspace.list('competitor', ['gamma']);
    expect(await counts()).toEqual([3, 2, 1]);
    const [acme] = await workspace.data(`GET ${list}/members`);
    await workspace.call(`DELETE ${list}/members/${acme.id}`);
    expect(await counts()).toEqual([3, 1, 2]);
    await workspace.call(`PUT ${list}`, { archived: true });
    expect(await counts()).toEqual([3, 0, 3]);
    await workspace.call(`PUT ${list}`, { archived: false });
    expect(await counts()).toEqual([3, 1, 2]);
    await workspace.call(`DELETE ${list}`);
    expect(await counts()).toEqual([3, 0, 3]);
  });
});
