import type { NetworkStore } from '#network/network-store.js';
import type { MoveScope, ObservedMove, Window } from '#network/network-source.port.js';
import { allPages, always, ingest, person, type FreshNetwork, type Json } from './observed.js';

/** The guarantees of every store for moves. */
export function movesContract(fresh: FreshNetwork): void {
  describe('moves', () => {
    it('D-25 are the changes between accepted revisions, with current facts', async () => {
      const store = await fresh([
        { kind: 'company', ref: 'c:acme', handle: 'acme', name: 'Acme' },
        { kind: 'company', ref: 'c:globex', handle: 'globex', name: 'Globex' },
        seen('p:ana', 1, '2026-01-01', [work('Head of Sales', 'c:globex', '2024-03')]),
        seen('p:ana', 2, '2026-01-05', [
          work('Head of Sales', 'c:globex', '2024-03', '2026-01'),
          work('VP Sales', 'c:acme', '2026-01'),
        ]),
        seen('p:ana', 3, '2026-01-09', [work('VP Sales', 'c:acme', '2026-01')], { headline: 'Now known' }),
      ]);
      expect(await moves(store)).toMatchObject([
        {
          personRef: 'p:ana',
          rev: 2,
          observedAt: '2026-01-05T00:00:00.000Z',
          change: 'new_company',
          from: { title: 'Head of Sales', companyRef: 'c:globex' },
          previous: { title: 'Head of Sales', companyRef: 'c:globex', endDate: '2026-01' },
          current: { title: 'VP Sales', companyRef: 'c:acme', startDate: '2026-01' },
          previousCompany: { name: 'Globex' },
          currentCompany: { name: 'Acme' },
          person: { rev: 3, headline: 'Now known' },
        },
      ]);
    });

    it('are filtered by their new title alone, and only if it contains none of the wanted titles', async () => {
      const store = await fresh();
      const titles = ['Rep', 'Head of Sales', 'Sales Head', 'Headhunter', null];
      await ingest(
        store,
        titles.flatMap((title, index) => [
          seen(`p:${index}`, 1, '2026-01-01', [work('Rep', 'c:before', '2024')]),
          seen(`p:${index}`, 2, `2026-01-0${index + 2}`, [work(title, 'c:after', '2026-01')]),
        ]),
      );
      const titlesOf = async (asked: readonly string[], limit: number) => {
        const found = await allPages((position) =>
          store.source.moves({ ...always, titles: asked, position, limit }),
        );
        return found.map(({ current }) => current?.title ?? null);
      };
      for (const limit of [1, 2, 100]) {
        expect(await titlesOf(['head'], limit)).toEqual(['Head of Sales', 'Sales Head']);
        expect(await titlesOf(['astronaut'], limit)).toEqual([]);
        expect(await titlesOf(['rep', 'head of sales'], limit)).toEqual(['Rep', 'Head of Sales']);
      }
      expect((await moves(store)).length).toBe(titles.length);
    });

    it('D-25 are kept permanently, whatever is observed later', async () => {
      const store = await fresh();
      const revisions = Array.from({ length: 12 }, (_, index) =>
        seen('p:ana', index + 1, `2026-01-${String(index + 1).padStart(2, '0')}`, [
          work('Rep', `c:${index}`, '2025'),
        ]),
      );
      await ingest(store, revisions.slice(0, 7));
      for (const revision of revisions.slice(7)) await ingest(store, [revision]);
      await ingest(store, revisions);
      const found = await moves(store);
      expect(found.map(({ rev, change }) => [rev, change])).toEqual(
        revisions.slice(1).map((_, index) => [index + 2, 'new_company']),
      );
      expect(found.map(({ from, current }) => [from?.companyRef, current?.companyRef])).toEqual(
        revisions.slice(1).map((_, index) => [`c:${index}`, `c:${index + 1}`]),
      );
    });

    it('D-27 ignore a late revision and gaps; one without a date is in no window', async () => {
      const store = await fresh([
        seen('p:ana', 5, '2026-01-05', [work('Rep', 'c:one', '2024')]),
        seen('p:ana', 3, '2026-01-03', [work('Rep', 'c:late', '2024')]),
        seen('p:ana', 90, '2026-01-09', [work('Rep', 'c:two', '2024')]),
        seen('p:bo', 1, '2026-01-01', [work('Rep', 'c:one', '2024')]),
        seen('p:bo', 2, null, [work('Rep', 'c:two', '2024')]),
        seen('p:bo', 3, '2026-01-08', [work('Rep', 'c:three', '2024')]),
      ]);
      const found = await moves(store);
      expect(found.map(({ personRef, rev, from }) => [personRef, rev, from?.companyRef])).toEqual([
        ['p:bo', 3, 'c:two'],
        ['p:ana', 90, 'c:one'],
      ]);
    });

    it('D-24 of a company without a name are read once the name is known', async () => {
      const store = await fresh();
      const named = { ...work('VP', null, '2025'), company_name: 'Acme GmbH' };
      await ingest(store, [
        seen('p:ana', 1, '2026-01-01', [work('Rep', 'c:acme', '2024')]),
        seen('p:ana', 2, '2026-01-02', [named]),
      ]);
      expect(await moves(store)).toEqual([]);
      await ingest(store, [{ kind: 'company', ref: 'c:acme', handle: 'acme', name: 'ACME  gmbh' }]);
      expect(await moves(store)).toMatchObject([{ change: 'promotion' }]);
      await ingest(store, [{ kind: 'company', ref: 'c:acme', handle: 'acme', rev: 2, name: 'Other' }]);
      expect(await moves(store)).toMatchObject([{ change: 'new_company' }]);
    });

    it('are those in (after, until], by date, person and revision, over pages of any size', async () => {
      const store = await fresh();
      const people = ['p:b', 'p:B', 'p:a', 'p:\uffee', 'p:aa'];
      await ingest(store, [
        ...people.map((ref) => seen(ref, 1, '2026-01-01', [work('Rep', 'c:0', '2024')])),
        ...people.map((ref) => seen(ref, 2, '2026-01-05', [work('Rep', 'c:1', '2024')])),
        ...people.map((ref) => seen(ref, 10, '2026-01-05', [work('Rep', 'c:2', '2024')])),
        ...people.map((ref) => seen(ref, 11, '2026-01-04', [work('Rep', 'c:3', '2024')])),
      ]);
      const ordered = ['p:B', 'p:a', 'p:aa', 'p:b', 'p:\uffee'];
      const expected = [
        ...ordered.map((ref) => `${ref} 11`),
        ...ordered.flatMap((ref) => [`${ref} 2`, `${ref} 10`]),
      ];
      for (const limit of [1, 2, 3, 100]) expect(namesOf(await moves(store, {}, limit))).toEqual(expected);
      const window = { after: new Date('2026-01-04T00:00:00Z'), until: new Date('2026-01-05T00:00:00Z') };
      expect(namesOf(await moves(store, window))).toEqual(expected.slice(5));
    });

    it('are of everybody, of some people, to some companies, or from some', async () => {
      const store = await fresh([
        ...['p:1', 'p:2', 'p:3', 'p:4'].map((ref) =>
          seen(ref, 1, '2026-01-01', [work('Rep', 'c:old', '2024')]),
        ),
        seen('p:1', 2, '2026-01-02', [work('Rep', 'c:acme', '2026')]),
        seen('p:2', 2, '2026-01-03', [work('Head', 'c:old', '2026')]),
        seen('p:3', 2, '2026-01-04', [work('Rep', 'c:old', '2024', '2026-01')]),
        seen('p:4', 2, '2026-01-05', [work('Rep', 'c:globex', '2026')]),
        seen('p:5', 1, '2026-01-01', [work('Rep', 'c:acme', '2020', '2024')]),
        seen('p:5', 2, '2026-01-06', [
          work('Rep', 'c:acme', '2020', '2024'),
          work('Head', 'c:globex', '2025'),
        ]),
      ]);
      const changes = async (of?: MoveScope) =>
        (await moves(store, of === undefined ? {} : { of })).map(
          ({ personRef, change }) => `${personRef} ${change}`,
        );
      const all = ['p:1 new_company', 'p:2 promotion', 'p:3 departure', 'p:4 new_company', 'p:5 new_company'];
      expect(await changes()).toEqual(all);
      expect(await changes({ personRefs: ['p:4', 'p:3', 'p:nobody'] })).toEqual([all[2], all[3]]);
      expect(await changes({ toCompanyRefs: ['c:globex', 'c:old'] })).toEqual([all[1], all[3], all[4]]);
      expect(await changes({ fromCompanyRefs: ['c:old'] })).toEqual(all.slice(0, 4));
      expect(await changes({ fromCompanyRefs: ['c:acme'] })).toEqual([all[4]]);
      expect(await changes({ personRefs: [] })).toEqual([]);
    });

    it('are read for any number of companies', async () => {
      const store = await fresh();
      const refs = Array.from({ length: 700 }, (_, index) => String(index).padStart(3, '0'));
      await ingest(store, [
        ...refs.map((ref) => seen(`p:${ref}`, 1, '2026-01-01', [work('Rep', 'c:old', '2024')])),
        ...refs.map((ref) => seen(`p:${ref}`, 2, '2026-01-02', [work('Rep', `c:${ref}`, '2024')])),
      ]);
      const toCompanyRefs = refs.slice(0, 600).map((ref) => `c:${ref}`);
      const found = await moves(store, { of: { toCompanyRefs } }, 77);
      expect(found.map(({ personRef }) => personRef)).toEqual(refs.slice(0, 600).map((ref) => `p:${ref}`));
    });

    it('of a person with 500 positions are like any other', async () => {
      const store = await fresh();
      const history = Array.from({ length: 499 }, (_, index) =>
        work(`Role ${index}`, `c:${index}`, String(1500 + index), String(1501 + index)),
      );
      await ingest(store, [
        seen('p:ana', 1, '2026-01-01', [...history, work('Rep', 'c:old', '2024')]),
        seen('p:ana', 2, '2026-01-02', [...history, work('Rep', 'c:old', '2024', '2026-01')]),
      ]);
      expect(await moves(store)).toMatchObject([
        { change: 'departure', previous: { companyRef: 'c:old', endDate: '2026-01' }, current: null },
      ]);
    });
  });
}

function moves(
  store: NetworkStore,
  search: Partial<Window> & { readonly of?: MoveScope } = {},
  limit = 100,
): Promise<readonly ObservedMove[]> {
  return allPages((position) => store.source.moves({ ...always, ...search, position, limit }));
}

const namesOf = (found: readonly ObservedMove[]): readonly string[] =>
  found.map(({ personRef, rev }) => `${personRef} ${rev}`);

function seen(
  ref: string,
  rev: number,
  day: string | null,
  experiences: readonly Json[],
  facts: Json = {},
): Json {
  const observed = day === null ? {} : { observed_at: `${day}T00:00:00Z` };
  return person(ref, { rev, experiences, ...observed, ...facts });
}

const work = (
  title: string | null,
  company: string | null,
  start: string,
  end: string | null = null,
): Json => ({
  title,
  company_ref: company,
  start_date: start,
  end_date: end,
});
