import { observedCompany } from '#test/support/observed-network.js';
import {
  startTestService,
  type Answer,
  type TestService,
  type TestWorkspace,
} from '#test/support/service.js';

const START = '2026-01-31T10:00:00.000Z';

describe('account monitoring', () => {
  let service: TestService;

  beforeAll(async () => {
    service = await startTestService({ CLOCK: 'manual' });
    await service.ops('clock.set', { now: START });
    await service.ingest(['acme', 'globex', 'initech'].map((handle) => observedCompany(handle)));
  });
  afterAll(() => service.stop());

  const now = (): string => service.service.host.clock.now().toISOString();
  const until = (at: string): Promise<Answer> => service.ops('clock.set', { now: at });

  async function withPersonas(count: number, options: object = {}) {
    const workspace = await service.workspace({ credits: 100, ...options });
    const personaIds: number[] = [];
    for (let index = 0; index < count; index += 1) {
      const { body } = await workspace.call('POST /api/v2/personas', {
        job_title: ['CTO'],
        location: ['France'],
        tag: `unit ${index}`,
      });
      personaIds.push(body.data.id);
    }
    return { workspace, personaIds };
  }
  async function listOf(workspace: TestWorkspace, handles: readonly string[], more: object = {}) {
    const { body } = await workspace.call('POST /api/v2/lists', { type: 'customer', name: 'Key', ...more });
    const path = `lists/company/${body.data.id}`;
    const members = handles.map((network_handle) => ({ network_handle }));
    const added =
      members.length === 0 ? null : await workspace.call(`POST /api/v2/${path}/members`, { members });
    const memberIds: number[] = (added?.body.data ?? []).map(({ id }: { id: number }) => id);
    return { path, memberIds };
  }
  const monitor = (workspace: TestWorkspace, path: string, signal_buckets: unknown = ['essential']) =>
    workspace.call(`PUT /api/v3/${path}`, { signal_buckets });
  const summary = async (workspace: TestWorkspace, query = ''): Promise<Answer['body']> =>
    (await workspace.call(`GET /api/v3/account-monitoring${query}`)).body.data;
  const usage = async (workspace: TestWorkspace): Promise<Answer['body']> =>
    (await workspace.call('GET /api/v3/usage?limit=100')).body.data;

  it('MON-20 MON-26 MON-50 monitors all members of a list and pays one month of each at once', async () => {
    const { workspace, personaIds } = await withPersonas(1);
    const { path } = await listOf(workspace, ['acme', 'globex']);
    const { status, body } = await monitor(workspace, path);
    expect(status).toBe(200);
    expect(body.data).toMatchObject({ signal_buckets: ['essential'], monitored_count: 2 });
    const paid = await usage(workspace);
    expect(paid.map(({ product, credits, status: s }: Answer['body']) => [product, credits, s])).toEqual([
      ['account_monitoring', 5, 'captured'],
      ['account_monitoring', 5, 'captured'],
    ]);
    expect(await summary(workspace)).toEqual({
      is_billed: true,
      price_per_account_credits: 5,
      monitored_count: 2,
      not_covered_count: 0,
      not_covered_since: null,
      monthly_cost_credits: 10,
      renewal_shortfall_credits: 0,
      by_business_unit: [
        { persona_id: personaIds[0], monitored_count: 2, not_covered_count: 0, monthly_cost_credits: 10 },
      ],
    });
    expect(now()).toBe(START);
    await until('2026-02-28T09:59:59.000Z');
    expect(await usage(workspace)).toHaveLength(2);
    await until('2026-02-28T10:00:00.000Z');
    expect(await usage(workspace)).toHaveLength(4);
    await until('2026-03-31T09:59:59.000Z');
    expect(await usage(workspace)).toHaveLength(4);
    await until('2026-03-31T10:00:00.000Z');
    expect(await usage(workspace)).toHaveLength(6);
  });
});
