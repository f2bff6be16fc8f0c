import { foldAll } from '#kernel/testing/project.js';
import { sampleAddition, sampleMember } from '#projections/testing/sample-events.js';
import { listMemberKey, listMembers } from './list-members.projection.js';

const member = (memberId: number, more: object = {}) =>
  sampleMember(memberId, {
    handle: 'acme',
    networkUrl: 'https://www.network.example/company/acme',
    domains: ['acme.com'],
    name: 'Acme GmbH',
    ...more,
  });
const added = (kind: 'company' | 'profile', ...members: object[]) => sampleAddition(kind, 12, members);
const happened = (type: string, data: object) => ({ type, data: { listId: 12, ...data } });
const profile = {
  firstName: 'Ana',
  lastName: 'Roy',
  avatarUrl: 'https://a.example/ana.png',
  position: 'VP Sales',
  headline: 'VP Sales at Acme',
  currentCompany: { name: 'Acme GmbH', logoUrl: null },
};
const enriched = (found: object | null) =>
  happened('MembersEnriched', { batch: 31, members: [{ memberId: 31, profile: found }], enrichedAt: '' });
const after = (...events: { type: string; data: object }[]) =>
  foldAll(listMembers, events).get(listMemberKey(1, 31));

const company = added('company', member(31), member(32, { handle: 'group' }));
const ana = added(
  'profile',
  member(31, { handle: 'ana', name: null, domains: [], baselineCompany: { name: null, domain: 'old.com' } }),
);

describe('the read model of list members', () => {
  it('MEM-18 MEM-41 MEM-42 shows each company as it was added, with the defaults of its list', () => {
    expect(after(company)).toEqual({
      id: 31,
      workspaceId: 1,
      listId: 12,
      kind: 'company',
      network_handle: 'acme',
      network_url: 'https://www.network.example/company/acme',
      domain: 'acme.com',
      tracking_status: null,
      signal_bucket: null,
      monitoring: null,
      monitoringRevision: null,
      name: 'Acme GmbH',
      logo_url: null,
      isUnnamed: null,
      first_name: null,
      last_name: null,
      avatar_url: null,
      position: null,
      network_headline: null,
      enrichment_status: null,
      current_company: null,
      search: 'acme gmbh\nacme\n',
    });
    expect(foldAll(listMembers, [company]).get(listMemberKey(1, 32))?.network_handle).toBe('group');
  });

  it('MON-25 shows the monitoring setting of a member and the revision of its list at which it was set', () => {
    const set = (monitoring: string) => happened('MemberMonitoringSet', { memberId: 31, monitoring });
    expect(after(company, set('essential'), set('off'))).toMatchObject({
      monitoring: 'off',
      monitoringRevision: 2,
    });
  });

  it('MEM-60 deletes removed members', () => {
    const gone = happened('MembersRemoved', { kind: 'company', members: [member(31)] });
    expect([...foldAll(listMembers, [company, gone]).keys()]).toEqual([listMemberKey(1, 32)]);
  });

  it('MEM-62 MEM-65 applies the settings of a single member', () => {
    const tracking = happened('MemberTrackingSet', { memberId: 31, trackingStatus: 'unfollowed' });
    const bucket = happened('MemberBucketSet', { memberId: 31, signalBucket: 'bucket_3' });
    expect(after(company, tracking, bucket)).toEqual({
      ...after(company),
      tracking_status: 'unfollowed',
      signal_bucket: 'bucket_3',
    });
  });

  it('MEM-44 MEM-43 shows the state of a profile look-up: not begun, pending, completed', () => {
    const started = happened('MemberEnrichmentStarted', { batch: 31, memberIds: [31] });
    expect(after(ana)).toMatchObject({
      enrichment_status: null,
      current_company: { name: 'old.com', logo_url: null },
    });
    expect(after(ana, started)).toEqual({ ...after(ana), enrichment_status: 'pending' });
    expect(after(ana, started, enriched(profile))).toEqual({
      ...after(ana),
      enrichment_status: 'completed',
      name: 'Ana Roy',
      first_name: 'Ana',
      last_name: 'Roy',
      avatar_url: 'https://a.example/ana.png',
      position: 'VP Sales',
      network_headline: 'VP Sales at Acme',
      current_company: { name: 'Acme GmbH', logo_url: null },
      search: 'ana roy\nana\nacme gmbh',
    });
  });

  it('shows that the person was not found, and keeps the given employer', () => {
    expect(after(ana, enriched(null))).toEqual({ ...after(ana), enrichment_status: 'failed' });
    expect(after(ana, enriched({ ...profile, currentCompany: null }))?.current_company?.name).toBe('old.com');
  });

  it('OP-71 leaves a person without an observation on the network pending', () => {
    const started = happened('MemberEnrichmentStarted', { batch: 31, memberIds: [31] });
    const unheardOf = happened('MembersEnriched', {
      batch: 31,
      members: [{ memberId: 31, profile: null }],
      unheardOf: [31],
      enrichedAt: '',
    });
    expect(after(ana, started, unheardOf)).toEqual(after(ana, started));
  });

  it('OP-71 MEM-42 MEM-48 shows and finds the name of a company that was added before it was known', () => {
    const unnamed = added('company', member(31, { name: null }), member(32, { name: null }));
    const named = (memberId: number) =>
      happened('MembersNamed', {
        members: [{ memberId, name: 'Late Corp', logoUrl: 'https://late.example/logo.png' }],
        namedAt: '',
      });
    expect(after(unnamed)?.isUnnamed).toBe(true);
    expect(after(unnamed, named(31))).toEqual({
      ...after(unnamed),
      isUnnamed: null,
      name: 'Late Corp',
      logo_url: 'https://late.example/logo.png',
      search: 'late corp\nacme\n',
    });
    expect(after(unnamed, named(32))).toEqual(after(unnamed));
    const page = 'https://www.network.example/company/late-corp';
    const onNetwork = { handle: 'late-corp', networkUrl: page, domain: 'late.example' };
    const unknown = added('company', member(31, { handle: null, networkUrl: null, domains: [], name: null }));
    const known = {
      members: [{ memberId: 31, name: 'Late Corp', logoUrl: null, ...onNetwork }],
      namedAt: '',
    };
    expect(after(unknown, happened('MembersNamed', known))).toMatchObject({
      network_handle: 'late-corp',
      network_url: page,
      domain: 'late.example',
      search: 'late corp\nlate-corp\n',
    });
    const gone = happened('MembersRemoved', { kind: 'company', members: [member(31)] });
    expect(after(unnamed, gone, named(31))).toBeUndefined();
  });

  it('SRC-04 looks a company up again that a source has named by its domain, and no person', () => {
    const made = added('company', member(31, { handle: null, name: 'acme.com' }));
    expect(after(made)).toMatchObject({ name: 'acme.com', isUnnamed: true });
    expect(after(ana)?.isUnnamed).toBeNull();
  });

  it('does not add a member again that was removed before the look-up ended', () => {
    const gone = happened('MembersRemoved', { kind: 'profile', members: [member(31)] });
    expect(after(ana, gone, enriched(profile))).toBeUndefined();
  });
});
