import { observedCompany } from '#test/support/observed-network.js';
import { scene, type SceneWorkspace } from '#test/support/scene.js';
import type { Answer } from '#test/support/service.js';

const START = '2026-03-10T08:00:00.000Z';

describe('an account of which nothing can be observed', () => {
  const service = scene({ at: START, network: [observedCompany('acme')] });

  /** A workspace with one business unit whose list has one observed company and one stub of this domain. */
  async function withStub(credits: number, domain: string): Promise<SceneWorkspace> {
    const workspace = await service.workspace({ credits });
    await workspace.persona();
    const accounts = [{ domain }, { domain: 'acme.com' }];
    await workspace.data('POST /api/v2/top-account-list/accounts', { accounts });
    await workspace.monitor(await workspace.list('customer', [{ domain }, 'acme']));
    return workspace;
  }
  const summary = ({ data }: SceneWorkspace): Promise<Answer['body']> =>
    data('GET /api/v3/account-monitoring');
  const months = async ({ movements }: SceneWorkspace): Promise<number> =>
    (await movements()).filter(({ product }) => product === 'account_monitoring').length;
  const monitoringOf = async ({ data }: SceneWorkspace, domain: string): Promise<unknown> =>
    (await data('GET /api/v3/top-account-list/accounts')).find(
      ({ company }: Answer['body']) => company.domain === domain,
    ).monitoring;
  const verified = async (workspace: SceneWorkspace): Promise<unknown> =>
    (await service.ops('monitoring.verify', { workspace_id: workspace.id })).body.ok;

  it('MON-62 is not covered and not charged, for any balance, before the network learns of it', async () => {
    const domain = 'stub-one.example';
    const workspace = await withStub(100, domain);
    await service.drain();
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
      await workspace.command('credits.grant', { credits: 100, reason: 'top-up' });
      await service.advance('PT2H');
      await service.drain();
    });
    expect(tried.filter((type) => type.startsWith('Months'))).toEqual(['MonthsRetrySet']);
    expect(await months(workspace)).toBe(1);
    expect(await verified(workspace)).toBe(true);
    await service.ingest([observedCompany('stub-one', { domains: [domain] })]);
    await service.drain();
    expect(await summary(workspace)).toMatchObject({ monitored_count: 2, not_covered_count: 0 });
    expect(await monitoringOf(workspace, domain)).toMatchObject({
      status: 'monitored',
      not_covered_reason: null,
    });
    expect(await months(workspace)).toBe(2);
    expect(await verified(workspace)).toBe(true);
  });

  it.each([
    { names: 'a handle and a domain', members: ['twice', { domain: 'twice.example' }], handle: 'twice' },
    {
      names: 'two domains',
      members: [{ domain: 'pair.example' }, { domain: 'pair.test' }],
      handle: 'pair',
    },
    {
      names: 'two domains, beside a handle that was only enriched,',
      members: [{ domain: 'third.example' }, { domain: 'third.test' }],
      handle: 'third',
      beside: 'third',
    },
  ])(
    'MON-03 MON-62 is paid once a month, if $names turn out to be one company',
    async ({ members: [first = '', second = ''], handle, beside = null }) => {
      const workspace = await service.workspace({ credits: 100 });
      await workspace.persona();
      if (beside !== null)
        await workspace.data('POST /api/v2/enrich-company-mapping', { network_handle: beside });
      const paying = await workspace.list('customer', [first]);
      await workspace.monitor(paying);
      await workspace.monitor(await workspace.list('prospect', [second]));
      await service.ingest([observedCompany(handle, { domains: [`${handle}.example`, `${handle}.test`] })]);
      await service.drain();
      expect(await summary(workspace)).toMatchObject({ monitored_count: 1, not_covered_count: 1 });
      expect(await months(workspace)).toBe(1);
      const tried = await service.settledEventsOf(async () => {
        await service.ingest([observedCompany(`beside-${handle}`)]);
        await service.drain();
      });
      expect(tried.filter((type) => type.startsWith('Months'))).toEqual([]);
      await service.advance('P31D');
      await service.drain();
      expect(await months(workspace)).toBe(2);
      expect(await verified(workspace)).toBe(true);
      // The other name pays once the first is not requested any more.
      expect((await workspace.call(`PUT /api/v3/${paying.path}`, { signal_buckets: null })).status).toBe(200);
      await service.ingest([observedCompany(`later-${handle}`)]);
      await service.drain();
      expect(await months(workspace)).toBe(3);
      expect(await verified(workspace)).toBe(true);
    },
  );

  it('MON-62 OP-27 is in the shortfall once it can be observed and the balance does not cover it', async () => {
    const domain = 'stub-two.example';
    const workspace = await withStub(5, domain);
    await service.drain();
    expect(await summary(workspace)).toMatchObject({ not_covered_count: 1, renewal_shortfall_credits: 0 });
    await service.ingest([observedCompany('stub-two', { domains: [domain] })]);
    await service.drain();
    expect(await summary(workspace)).toMatchObject({ not_covered_count: 1, renewal_shortfall_credits: 5 });
    expect(await monitoringOf(workspace, domain)).toMatchObject({ not_covered_reason: 'credits' });
    expect(await verified(workspace)).toBe(true);
    await workspace.command('credits.grant', { credits: 5, reason: 'top-up' });
    await service.drain();
    expect(await summary(workspace)).toMatchObject({ monitored_count: 2, renewal_shortfall_credits: 0 });
    expect(await months(workspace)).toBe(2);
  });
});
