import { foldAll, type HappenedEvent } from '#kernel/testing/project.js';
import { knownHereBy, listedCompanies, listedKeysOf, listsOf } from './listed-companies.projection.js';

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

  it('are none when it was removed from all, and nothing is left of it', () => {
    const gone = [removed(12, member(31, 'acme', 'acme.com')), removed(13, member(32, null, 'acme.com'))];
    expect(foldAll(listedCompanies, [...events, ...gone]).size).toBe(0);
    expect(listsAfter([...events, ...gone, ...events], 'acme', 'acme.com')).toEqual([12, 13]);
  });

  it('are looked for by the handle or the domain that its documents are about', () => {
    const documents = [...foldAll(listedCompanies, [added(12, member(31, 'a:cme', 'acme.com'))]).values()];
    expect(documents.map(knownHereBy)).toEqual([
      { networkHandle: 'a:cme', domain: null },
      { networkHandle: null, domain: 'acme.com' },
    ]);
    const company = { networkHandle: 'a:cme', domain: 'acme.com' };
    expect(documents.map(({ identity }) => identity)).toEqual(listedKeysOf(1, company));
  });

  it('are none of people', () => {
    const people = { type: 'MembersAdded', data: { ...added(14, member(40, 'acme')).data, kind: 'profile' } };
    expect(foldAll(listedCompanies, [people]).size).toBe(0);
  });
});
