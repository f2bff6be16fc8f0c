import type { NetworkStore } from '#network/network-store.js';
import type { CompanyEventKind, Window } from '#network/network-source.port.js';
import { allPages, always, ingest, person, type FreshNetwork, type Json } from './observed.js';

/** The guarantees of every store for headcounts, events, postings without keywords, and its learning counter. */
export function companiesContract(fresh: FreshNetwork): void {
  describe('observations of companies over time', () => {
    it('D-70 headcounts with a company, a number and a date come in order, of everybody or of some', async () => {
      const store = await fresh([
        { kind: 'company', ref: 'c:acme', handle: 'acme', name: 'Acme' },
        headcount('b', 'c:acme', 2, 130),
        headcount('a', 'c:other', 2, 10, { department: 'Sales' }),
        headcount('first', 'c:acme', 1, 120),
        headcount('nobody', null, 1, 120),
        headcount('nothing', 'c:acme', 1, null),
        headcount('dateless', 'c:acme', 1, 120, { observed_at: null }),
        headcount('revised', 'c:acme', 1, 1),
        headcount('revised', 'c:acme', 3, 140, { rev: 2 }),
      ]);
      const read = async (
        search: Partial<Window> & { readonly companyRefs?: readonly string[] },
        limit = 100,
      ) => allPages((position) => store.source.headcounts({ ...always, ...search, position, limit }));
      for (const limit of [1, 2, 100]) {
        expect((await read({}, limit)).map(({ ref, employees }) => [ref, employees])).toEqual([
          ['first', 120],
          ['a', 10],
          ['b', 130],
          ['revised', 140],
        ]);
      }
      const [known, unknown] = await read({});
      expect(known).toMatchObject({
        companyRef: 'c:acme',
        company: { name: 'Acme' },
        department: null,
        observedAt: '2026-01-01T00:00:00.000Z',
      });
      expect(unknown).toMatchObject({ companyRef: 'c:other', company: null, department: 'Sales' });
      const many = ['c:acme', ...Array.from({ length: 600 }, (_, index) => `c:${index}`)];
      expect((await read({ companyRefs: many }, 1)).map(({ ref }) => ref)).toEqual(['first', 'b', 'revised']);
      const until = new Date('2026-01-02T00:00:00Z');
      expect((await read({ until, companyRefs: ['c:acme'] })).map(({ ref }) => ref)).toEqual(['first', 'b']);
      expect(await read({ companyRefs: [] })).toEqual([]);
    });

    it('D-72 events come by kind and their own date, with their fields as sent', async () => {
      const store = await fresh([
        event('opened', 'location_opened', 'c:acme', 3, {
          city: 'Lyon',
          country: 'France',
          country_code: 'FR',
        }),
        event('funded', 'funding', 'c:acme', 1, {
          round: 'series_a',
          amount: 12_000_000,
          odd: ['kept', { as: 1 }],
        }),
        event('later', 'funding', 'c:globex', 4, {}),
        event('other', 'acquired', 'c:acme', 1, {}),
        event('nobody', 'funding', null, 1, {}),
        { ...event('dateless', 'funding', 'c:acme', 1, {}), occurred_at: null },
      ]);
      expect(await events(store, ['funding'])).toMatchObject([
        {
          ref: 'funded',
          event: 'funding',
          companyRef: 'c:acme',
          company: null,
          occurredAt: '2026-01-01T00:00:00.000Z',
          fields: { round: 'series_a', amount: 12_000_000, odd: ['kept', { as: 1 }] },
        },
        { ref: 'later' },
      ]);
      const both: readonly CompanyEventKind[] = ['funding', 'location_opened'];
      for (const limit of [1, 2, 100])
        expect((await events(store, both, {}, limit)).map(({ ref }) => ref)).toEqual([
          'funded',
          'opened',
          'later',
        ]);
      expect((await events(store, both, { companyRefs: ['c:acme'] }, 1)).map(({ ref }) => ref)).toEqual([
        'funded',
        'opened',
      ]);
    });

    it('D-73 renewals come by their due day, whenever they were observed', async () => {
      const store = await fresh();
      const renewal = (ref: string, day: unknown, occurred: string | null = null): Json => ({
        kind: 'company_event',
        ref,
        company_ref: 'c:acme',
        event: 'renewal_due',
        fields: { renewal_date: day, workspace_id: 7 },
        occurred_at: occurred,
      });
      await ingest(store, [
        renewal('march', '2026-03-01'),
        renewal('february', '2026-02-28', '2019-01-01T00:00:00Z'),
        renewal('april', '2026-04-01', '2030-01-01T00:00:00Z'),
        renewal('no-day', '2026-02-30'),
        renewal('no-text', 20260228),
        event('funded', 'funding', 'c:acme', 1, {}),
      ]);
      const window = { after: new Date('2026-02-27T23:59:59.999Z'), until: new Date('2026-03-31T00:00:00Z') };
      const due = await events(store, ['renewal_due'], { ...window, companyRefs: ['c:acme'] });
      expect(due.map(({ ref, occurredAt }) => [ref, occurredAt])).toEqual([
        ['february', '2019-01-01T00:00:00.000Z'],
        ['march', null],
      ]);
      expect((await events(store, ['renewal_due'])).length).toBe(3);
    });

    it('job postings are read without keywords, with their hiring managers, also those without any text', async () => {
      const store = await fresh([
        { kind: 'company', ref: 'c:acme', handle: 'acme', name: 'Acme' },
        { kind: 'company', ref: 'c:agency', handle: 'agency', name: 'Agency' },
        person('p:hana', { experiences: [{ title: 'Recruiter', company_ref: 'c:agency' }] }),
        { kind: 'job_posting', ref: 'bare', company_ref: 'c:acme', posted_at: '2026-01-02T00:00:00Z' },
        {
          kind: 'job_posting',
          ref: 'full',
          company_ref: 'c:acme',
          title: 'Engineer',
          hiring_manager_ref: 'p:hana',
          posted_at: '2026-01-01T00:00:00Z',
        },
        { kind: 'job_posting', ref: 'dateless', company_ref: 'c:acme', title: 'Engineer' },
      ]);
      for (const companyRefs of [undefined, ['c:acme']]) {
        const scope = companyRefs === undefined ? {} : { companyRefs };
        const found = await allPages((position) =>
          store.source.jobPostings({ ...always, ...scope, position, limit: 1 }),
        );
        expect(found).toMatchObject([
          {
            ref: 'full',
            companyRef: 'c:acme',
            company: { name: 'Acme' },
            hiringManager: { ref: 'p:hana' },
            hiringManagerCompany: { name: 'Agency' },
            keywordsFound: [],
          },
          { ref: 'bare', title: null, description: null, hiringManager: null, hiringManagerCompany: null },
        ]);
      }
      const before = await store.source.beforeNewestJobPostings(always, 1);
      const newest = await store.source.jobPostings({ ...always, position: before, limit: 9 });
      expect(newest.items.map(({ ref }) => ref)).toEqual(['bare']);
    });
  });

  describe('the companies of the network', () => {
    it('are listed by ref, after a given one', async () => {
      const store = await fresh();
      const refs = ['c:b', 'c:a', 'c:B', 'c:ä', 'd'];
      await ingest(store, [
        ...refs.map((ref, index) => ({ kind: 'company', ref, handle: `h-${index}` })),
        person('c:person'),
        { kind: 'company_event', ref: 'c:event', company_ref: 'c:a', event: 'funding' },
      ]);
      const ordered = ['c:B', 'c:a', 'c:b', 'c:ä', 'd'];
      const listed = async (after: string | null, limit: number) =>
        (await store.directory.companiesByRef(after, limit)).map(({ ref }) => ref);
      expect(await listed(null, 10)).toEqual(ordered);
      expect(await listed(null, 2)).toEqual(ordered.slice(0, 2));
      expect(await listed('c:a', 2)).toEqual(ordered.slice(2, 4));
      expect(await listed('d', 2)).toEqual([]);
    });

    it('have a counter of learned facts, so that a failed look-up can be retried', async () => {
      const store = await fresh();
      const [ana] = await store.directory.resolvePeople([
        { by: 'handle', handle: 'p-ana', entity: 'person' },
      ]);
      expect(ana).toEqual({ outcome: 'unknown' });
      let learned = await store.directory.learned();
      const isLearnedBy = async (observation: Json): Promise<boolean> => {
        await ingest(store, [observation]);
        const before = learned;
        learned = await store.directory.learned();
        return learned > before;
      };
      expect(await isLearnedBy({ kind: 'post', ref: 't', text: 'no news of anybody' })).toBe(false);
      expect(await isLearnedBy(person('p:ana'))).toBe(true);
      expect(
        await store.directory.resolvePeople([{ by: 'handle', handle: 'p-ana', entity: 'person' }]),
      ).toMatchObject([{ outcome: 'found' }]);
      expect(await isLearnedBy({ kind: 'company', ref: 'c', handle: 'c' })).toBe(true);
      expect(await isLearnedBy({ kind: 'missing', ref: 'm', domain: 'gone.example' })).toBe(true);
      expect(
        await isLearnedBy({ kind: 'alias', ref: 'a', domain: 'group.example', company_refs: ['c'] }),
      ).toBe(true);
    });
  });
}

const day = (number: number): string => `2026-01-0${number}T00:00:00Z`;

const headcount = (
  ref: string,
  company: string | null,
  at: number,
  employees: number | null,
  facts: Json = {},
): Json => ({ kind: 'headcount', ref, company_ref: company, employees, observed_at: day(at), ...facts });

const event = (ref: string, kind: string, company: string | null, at: number, fields: Json): Json => ({
  kind: 'company_event',
  ref,
  company_ref: company,
  event: kind,
  fields,
  occurred_at: day(at),
});

function events(
  store: NetworkStore,
  kinds: readonly CompanyEventKind[],
  search: Partial<Window> & { readonly companyRefs?: readonly string[] } = {},
  limit = 100,
) {
  return allPages((position) =>
    store.source.companyEvents({ ...always, events: kinds, ...search, position, limit }),
  );
}
