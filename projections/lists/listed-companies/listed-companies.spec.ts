import { foldAll, type HappenedEvent } from '#kernel/testing/project.js';
import { listedCompanies, listsOf } from './listed-companies.projection.js';

const member = (memberId: number, handle: string | null, ...domains: string[]) => ({
  memberId,
  handle,
  networkUrl: null,
  domains,
  name: null,
});
const added = (listId: number, ...members: object[]) => ({
  type: 'MembersAdded',
  data: { listId, kind: 'company', source: 'api', members, addedAt: '' },
});
const removed = (listId: number, ...members: object[]) => ({
  type: 'MembersRemoved',
  data: { listId, kind: 'company', source: 'api', members, removedAt: '' },
});

/** The lists of a company after these events. */
function listsAfter(
  events: readonly HappenedEvent[],
  networkHandle: string | null,
  domain: string | null = null,
): readonly number[] {
  const documents = [...foldAll(listedCompanies, events).values()];
  return [...new Set(documents.flatMap((listed) => listsOf(listed, { networkHandle, domain })))];
}

describe('the lists that a company is on', () => {
  const events = [added(12, member(31, 'acme', 'acme.com')), added(13, member(32, null, 'acme.com'))];

  it('are found by its handle, and by a domain of one without a handle', () => {
    expect(listsAfter(events, 'acme', 'acme.com')).toEqual([12, 13]);
    expect(listsAfter(events, 'acme')).toEqual([12]);
    expect(listsAfter(events, null, 'acme.com')).toEqual([12, 13]);
    expect(listsAfter(events, 'other', 'other.com')).toEqual([]);
  });

  it('are not those of another company with the same domain', () => {
    expect(listsAfter(events, 'acme-uk', 'acme.com')).toEqual([13]);
  });

  it('are fewer when it was removed from one', () => {
    const gone = removed(12, member(31, 'acme', 'acme.com'));
    expect(listsAfter([...events, gone], 'acme', 'acme.com')).toEqual([13]);
    expect(foldAll(listedCompanies, [...events, gone]).size).toBe(1);
  });

  describe('where a company that the workspace knows meets a list', () => {
    const known = (companyId: number, networkHandle: string | null, domain: string | null) => ({
      type: 'CompanyRegistered',
      data: { companyId, identity: '', rev: 1, facts: { network_handle: networkHandle, domain } },
    });
    /** Each identity where both are, and which companies may be meant. */
    const met = (...all: readonly HappenedEvent[]) =>
      [...foldAll(listedCompanies, all).values()]
        .filter(({ isMet }) => isMet)
        .map(({ identity, companyIds }) => [identity, companyIds]);
    const acme = added(12, member(31, 'acme', 'acme.com'));

    it('STAT-10 is found whichever came first, in any case of letters', () => {
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

    it('STAT-10 is neither a company on no list nor a member that nobody found', () => {
      expect(met(known(7, 'acme', 'acme.com'), added(12, member(31, 'other', 'other.com')))).toEqual([]);
      const gone = removed(12, member(31, 'acme', 'acme.com'));
      expect(met(known(7, 'acme', 'acme.com'), acme, gone)).toEqual([]);
      expect(foldAll(listedCompanies, [known(7, 'acme', 'acme.com'), acme, gone]).size).toBe(2);
    });

    it('STAT-10 is also found by what a company became known by later', () => {
      const updated = {
        type: 'CompanyUpdated',
        data: { companyId: 7, rev: 2, facts: { network_handle: 'acme', domain: null } },
      };
      expect(met(known(7, null, 'acme.io'), acme, updated)).toEqual([['1_handle:acme', [7]]]);
    });
  });

  it('are none of people', () => {
    const people = { type: 'MembersAdded', data: { ...added(14, member(40, 'acme')).data, kind: 'profile' } };
    expect(foldAll(listedCompanies, [people]).size).toBe(0);
  });
});
