import { foldAll } from '#kernel/testing/project.js';
import { sampleCompanyFacts } from '#projections/testing/sample-events.js';
import { companies, companyKey } from './companies.projection.js';

const registered = {
  type: 'CompanyRegistered',
  data: { companyId: 9, identity: 'handle:acme', rev: 1, facts: sampleCompanyFacts() },
};
const updated = (rev: number) => ({
  type: 'CompanyUpdated',
  data: { companyId: 9, rev, facts: sampleCompanyFacts({ name: 'Acme Group', domain: 'Acme.Group' }) },
});

describe('the companies read model', () => {
  it('shows the facts copied when the company was registered', () => {
    expect(foldAll(companies, [registered]).get(companyKey(9))).toEqual({
      id: 9,
      workspaceId: 1,
      rev: 1,
      facts: sampleCompanyFacts(),
      domain: 'acme.com',
      domains: ['acme.com'],
      networkHandle: 'acme',
      linked: null,
      isTopAccount: null,
      pipelineConfigs: [],
    });
  });

  it('takes the facts and identifiers of a newer revision, and nothing of one that is not newer', () => {
    const newer = foldAll(companies, [registered, updated(2)]).get(companyKey(9));
    expect(newer).toMatchObject({ rev: 2, domain: 'acme.group', facts: { name: 'Acme Group' } });
    const same = foldAll(companies, [registered, updated(1)]).get(companyKey(9));
    expect(same).toMatchObject({ rev: 1, domain: 'acme.com', facts: { name: 'Acme' } });
  });

  it('has every domain of a revision in lower case, that of the facts first', () => {
    const more = (domains: object) => ({ ...registered, data: { ...registered.data, ...domains } });
    const after = (...events: Parameters<typeof foldAll>[1]) =>
      foldAll(companies, events).get(companyKey(9))?.domains;
    expect(after(more({ otherDomains: ['Acme.io', 'acme.com'] }))).toEqual(['acme.com', 'acme.io']);
    expect(after(more({ otherDomains: ['acme.io'] }), updated(2))).toEqual(['acme.group']);
    expect(after(more({ otherDomains: ['acme.io'] }), updated(1))).toEqual(['acme.com', 'acme.io']);
  });

  it('OP-10 shows linked names where the network has none, and keeps them when it has newer facts', () => {
    const linkedTo = (identity: string, networkUrl?: string) => ({
      type: 'IdentityLinked',
      data: { companyId: 9, identity, ...(networkUrl === undefined ? {} : { networkUrl }) },
    });
    const domainOnly = (type: string, rev: number) => ({
      type,
      data: {
        companyId: 9,
        identity: 'domain:acme.com',
        rev,
        facts: sampleCompanyFacts({ network_handle: null, network_url: null }),
      },
    });
    const page = 'https://www.network.example/company/acme-io';
    const events = [
      domainOnly('CompanyRegistered', 0),
      linkedTo('handle:acme-io', page),
      linkedTo('handle:acme-2', `${page}-2`),
      linkedTo('domain:acme.io'),
    ];
    const shown = {
      domain: 'acme.com',
      domains: ['acme.com', 'acme.io'],
      networkHandle: 'acme-io',
      facts: { domain: 'acme.com', network_handle: 'acme-io', network_url: page },
    };
    const after = (...more: Parameters<typeof foldAll>[1]) =>
      foldAll(companies, [...events, ...more]).get(companyKey(9));
    expect(after()).toMatchObject(shown);
    expect(after(domainOnly('CompanyUpdated', 1))).toMatchObject(shown);
    expect(after(updated(1))).toMatchObject({
      domains: ['acme.group', 'acme.io'],
      networkHandle: 'acme',
      facts: { network_url: 'https://www.network.example/company/acme' },
    });
    const nameless = sampleCompanyFacts({ domain: null });
    const byHandle = { ...registered, data: { ...registered.data, facts: nameless } };
    const domains = foldAll(companies, [byHandle, linkedTo('domain:acme.io')]).get(companyKey(9));
    expect(domains).toMatchObject({ domain: 'acme.io', facts: { domain: 'acme.io' } });
  });

  it('OP-56 is not shown while only a call that may have been refused names it', () => {
    const provisional = { ...registered, data: { ...registered.data, provisional: true } };
    const ownerAfter = (...events: Parameters<typeof foldAll>[1]) =>
      foldAll(companies, [provisional, ...events]).get(companyKey(9))?.workspaceId;
    const requested = (source: string) => ({ type: 'ContentRequestCreated', data: { companyId: 9, source } });
    expect(ownerAfter()).toBe(0);
    expect(ownerAfter(updated(2))).toBe(0);
    expect(ownerAfter(requested('top_account_list'))).toBe(0);
    expect(ownerAfter(requested('api'))).toBe(1);
    expect(ownerAfter({ type: 'CompanyNamed', data: { companyId: 9 } }, updated(2))).toBe(1);
  });

  it('has no identifier where the network knows none', () => {
    const stub = {
      ...registered,
      data: { ...registered.data, facts: sampleCompanyFacts({ domain: null, network_handle: null }) },
    };
    expect(foldAll(companies, [stub]).get(companyKey(9))).toMatchObject({
      domain: null,
      networkHandle: null,
    });
  });

  it('CO-07 shows the last configuration of each pipeline', () => {
    const set = (pipelineType: string, configuration: string) => ({
      type: 'PipelineConfigSet',
      data: { companyId: 9, pipelineType, configuration },
    });
    const events = [
      registered,
      set('account_mapping', 'default'),
      set('signal_detection', 'default'),
      set('account_mapping', 'disabled'),
    ];
    expect(foldAll(companies, events).get(companyKey(9))?.pipelineConfigs).toEqual([
      { pipeline_type: 'signal_detection', configuration: 'default' },
      { pipeline_type: 'account_mapping', configuration: 'disabled' },
    ]);
  });

  it('knows the top accounts: found ones, until they are removed', () => {
    const account = { accountId: 5, companyId: 9 };
    const found = {
      type: 'TopAccountFound',
      data: { ...account, companyRef: null, tier: null, foundAt: '2026-01-05T10:00:00.000Z' },
    };
    const removed = {
      type: 'TopAccountRemoved',
      data: { ...account, removedAt: '2026-01-06T10:00:00.000Z' },
    };
    expect(foldAll(companies, [registered, found]).get(companyKey(9))?.isTopAccount).toBe(true);
    expect(foldAll(companies, [registered, found, removed]).get(companyKey(9))?.isTopAccount).toBeNull();
  });
});
