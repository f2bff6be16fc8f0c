import { foldAll, type HappenedEvent } from '#kernel/testing/project.js';
import { sampleAddition, sampleMember } from '#projections/testing/sample-events.js';
import { listedCompanies, listsOf } from './listed-companies.projection.js';

const member = (memberId: number, handle: string | null, ...domains: string[]) =>
  sampleMember(memberId, { handle, domains });
const added = (listId: number, ...members: object[]) => sampleAddition('company', listId, members);
const removed = (listId: number, ...members: object[]) => ({
  type: 'MembersRemoved',
  data: { listId, kind: 'company', source: 'api', members, removedAt: '' },
});

/** The lists of a company after these events. */
function listsAfter(
  events: readonly HappenedEvent[],
  networkHandle: string | null,
  ...domains: readonly string[]
): readonly number[] {
  const documents = [...foldAll(listedCompanies, events).values()];
  return [...new Set(documents.flatMap((listed) => listsOf(listed, { networkHandle, domains })))];
}

describe('the lists that a company is on', () => {
  const events = [added(12, member(31, 'acme', 'acme.com')), added(13, member(32, null, 'acme.com'))];

  it('are found by its handle, or by a domain if it has no handle', () => {
    expect(listsAfter(events, 'acme', 'acme.com')).toEqual([12, 13]);
    expect(listsAfter(events, 'acme')).toEqual([12]);
    expect(listsAfter(events, null, 'acme.com')).toEqual([12, 13]);
    expect(listsAfter(events, 'acme', 'acme.io', 'acme.com')).toEqual([12, 13]);
    expect(listsAfter(events, 'other', 'other.com')).toEqual([]);
  });

  it('are not those of another company with the same domain', () => {
    expect(listsAfter(events, 'acme-uk', 'acme.com')).toEqual([13]);
  });

  it('exclude a list from which it was removed', () => {
    const gone = removed(12, member(31, 'acme', 'acme.com'));
    expect(listsAfter([...events, gone], 'acme', 'acme.com')).toEqual([13]);
    expect(foldAll(listedCompanies, [...events, gone]).size).toBe(1);
  });

  describe('the match of a company of the workspace with a list', () => {
    const known = (companyId: number, networkHandle: string | null, domain: string | null) => ({
      type: 'CompanyRegistered',
      data: { companyId, identity: '', rev: 1, facts: { network_handle: networkHandle, domain } },
    });
    /** The identities with memberships and companies, each with the companies that it may belong to. */
    const met = (...all: readonly HappenedEvent[]) =>
      [...foldAll(listedCompanies, all).values()]
        .filter(({ isMet }) => isMet)
        .map(({ identity, companyIds }) => [identity, companyIds]);
    const acme = added(12, member(31, 'acme', 'acme.com'));

    it('STAT-10 is found in either order of events, independent of letter case', () => {
      const both = [
        ['1_handle:acme', [7]],
        ['1_domain:acme.com', [7]],
      ];
      expect(met(acme, known(7, 'ACME', 'Acme.com'))).toEqual(both);
      expect(met(known(7, 'acme', 'acme.com'), acme)).toEqual(both);
      expect(met(known(7, 'acme', 'acme.com'), acme, known(8, 'other', 'acme.com'))).toEqual([
        ['1_handle:acme', [7]],
        ['1_domain:acme.com', [7, 8]],
      ]);
    });

    it('STAT-10 excludes companies that are on no list, also after their removal', () => {
      expect(met(known(7, 'acme', 'acme.com'), added(12, member(31, 'other', 'other.com')))).toEqual([]);
      const gone = removed(12, member(31, 'acme', 'acme.com'));
      expect(met(known(7, 'acme', 'acme.com'), acme, gone)).toEqual([]);
      expect(foldAll(listedCompanies, [known(7, 'acme', 'acme.com'), acme, gone]).size).toBe(2);
    });

    it('STAT-10 is found by every domain of a company, and by a further one that it got later', () => {
      const listed = added(12, member(31, null, 'acme.io'));
      const facts = { network_handle: 'acme', domain: 'acme.com' };
      const both = { companyId: 7, facts, otherDomains: ['Acme.io'] };
      const registered = { type: 'CompanyRegistered', data: { identity: '', rev: 1, ...both } };
      expect(met(listed, registered)).toEqual([['1_domain:acme.io', [7]]]);
      const updated = { type: 'CompanyUpdated', data: { rev: 2, ...both } };
      expect(met(known(7, 'acme', 'acme.com'), listed, updated)).toEqual([['1_domain:acme.io', [7]]]);
    });

    it('STAT-10 is found by a domain that was linked to the company', () => {
      const linked = {
        type: 'IdentityLinked',
        data: { companyId: 7, identity: 'domain:acme-group.example' },
      };
      const listed = added(12, member(31, null, 'acme-group.example'));
      expect(met(known(7, 'acme', 'acme.com'), listed, linked)).toEqual([
        ['1_domain:acme-group.example', [7]],
      ]);
    });

    it('STAT-10 is also found by an identifier that a company got later', () => {
      const updated = {
        type: 'CompanyUpdated',
        data: { companyId: 7, rev: 2, facts: { network_handle: 'acme', domain: null } },
      };
      expect(met(known(7, null, 'acme.io'), acme, updated)).toEqual([['1_handle:acme', [7]]]);
    });
  });

  it('exclude lists of people', () => {
    const people = sampleAddition('profile', 14, [member(40, 'acme')]);
    expect(foldAll(listedCompanies, [people]).size).toBe(0);
  });
});
