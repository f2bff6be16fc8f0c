import { observedCompany } from '#test/support/observed-network.js';
import {
  startTestService,
  type Answer,
  type TestService,
  type TestWorkspace,
} from '#test/support/service.js';

const START = '2026-03-10T08:00:00.000Z';
const ESSENTIAL = { signal_buckets: ['essential'] };

describe('an account of which nothing can be observed', () => {
  let service: TestService;

  beforeAll(async () => {
    service = await startTestService({ CLOCK: 'manual' });
    await service.ops('clock.set', { now: START });
    await service.ingest([observedCompany('acme')]);
  });
  afterAll(() => service.stop());

  const drain = (): Promise<Answer> => service.ops('work.drain');

  /** A workspace with one business unit whose list has one observed company and one stub of this domain. */
  async function withStub(credits: number, domain: string): Promise<TestWorkspace> {
    const workspace = await service.workspace({ credits });
    const persona = { job_title: ['CTO'], location: ['France'], tag: 'Buyers' };
    await workspace.call('POST /api/v2/personas', persona);
    const accounts = [{ domain }, { domain: 'acme.com' }];
    await workspace.call('POST /api/v2/top-account-list/accounts', { accounts });
    const list = await workspace.call('POST /api/v2/lists', { type: 'customer', name: 'Key' });
    const path = `lists/company/${list.body.data.id}`;
    const added = await workspace.call(`POST /api/v2/${path}/members`, {
      members: [{ domain }, { network_handle: 'acme' }],
    });
    expect(added.status).toBe(200);
    expect((await workspace.call(`PUT /api/v3/${path}`, ESSENTIAL)).status).toBe(200);
    return workspace;
  }
  const summary = async ({ call }: TestWorkspace): Promise<Answer['body']> =>
    (await call('GET /api/v3/account-monitoring')).body.data;
  const months = async ({ call }: TestWorkspace): Promise<number> =>
    (await call('GET /api/v3/usage?limit=100')).body.data.filter(
      ({ product }: Answer['body']) => product === 'account_monitoring',
    ).length;
  const monitoringOf = async ({ call }: TestWorkspace, domain: string): Promise<unknown> =>
    (await call('GET /api/v3/top-account-list/accounts')).body.data.find(
      ({ company }: Answer['body']) => company.domain === domain,
    ).monitoring;
  const verified = async (workspace: TestWorkspace): Promise<unknown> =>
    (await service.ops('monitoring.verify', { workspace_id: workspace.id })).body.ok;

  it('MON-62 is not covered and not charged, for any balance, before the network learns of it', async () => {
    const domain = 'stub-one.example';
    const workspace = await withStub(100, domain);
    await drain();
    expect(await summary(workspace)).toMatchObject({
      monitored_count: 1,
      not_covered_count: 1,
      not_covered_since: START,
      renewal_shortfall_credits: 0,
    });
    expect(await monitoringOf(workspace, domain)).toEqual({
      status: 'not_covered',
      covered_until: null,
      not_covered_since: START,
      not_covered_reason: 'not_observable',
    });
    expect(await months(workspace)).toBe(1);
    const tried = await service.settledEventsOf(async () => {
      await service.ops('credits.grant', { workspace_id: workspace.id, credits: 100, reason: 'top-up' });
      await service.ops('clock.advance', { duration: 'PT2H' });
      await drain();
    });
    expect(tried.filter((type) => type.startsWith('Months'))).toEqual(['MonthsRetrySet']);
    expect(await months(workspace)).toBe(1);
    expect(await verified(workspace)).toBe(true);
    await service.ingest([observedCompany('stub-one', { domains: [domain] })]);
    await drain();
    expect(await summary(workspace)).toMatchObject({ monitored_count: 2, not_covered_count: 0 });
    expect(await monitoringOf(workspace, domain)).toMatchObject({
      status: 'monitored',
      not_covered_reason: null,
    });
    expect(await months(workspace)).toBe(2);
    expect(await verified(workspace)).toBe(true);
  });

  it('MON-62 OP-27 is in the shortfall once it can be observed and the balance does not cover it', async () => {
    const domain = 'stub-two.example';
    const workspace = await withStub(5, domain);
    await drain();
    expect(await summary(workspace)).toMatchObject({ not_covered_count: 1, renewal_shortfall_credits: 0 });
    await service.ingest([observedCompany('stub-two', { domains: [domain] })]);
    await drain();
    expect(await summary(workspace)).toMatchObject({ not_covered_count: 1, renewal_shortfall_credits: 5 });
    expect(await monitoringOf(workspace, domain)).toMatchObject({ not_covered_reason: 'credits' });
    expect(await verified(workspace)).toBe(true);
    await service.ops('credits.grant', { workspace_id: workspace.id, credits: 5, reason: 'top-up' });
    await drain();
    expect(await summary(workspace)).toMatchObject({ monitored_count: 2, renewal_shortfall_credits: 0 });
    expect(await months(workspace)).toBe(2);
  });
});
