import * as fc from 'fast-check';
import { isBlank } from '#kernel/values/blank-text.js';
import {
  parseDomain,
  parseHandle,
  parseNetworkUrl,
  type NetworkIdentifier,
} from '#kernel/values/network-identifiers.js';
import { keywordMatcher } from '#network/keyword-matching.js';
import type { NetworkStore } from '#network/network-store.js';
import type {
  JobPostingSearch,
  ObservedJobPosting,
  ObservedPost,
  ReadPosition,
  PostSearch,
} from '#network/network-source.port.js';

import { arrivalsContract } from './network-store/arrivals.js';
import { pollsContract } from './network-store/polls.js';
import { sightingsContract } from './network-store/sightings.js';
import { always, freshNetworks, ingest, type Json } from './network-store/observed.js';
import { SHOWN_AS_FOUND } from '#test/support/shown-as-found.js';

export type NetworkStoreFixture = {
  /** Opens an empty store with https://n.example as the base of network URLs. */
  readonly open: () => Promise<NetworkStore>;
};

/** The guarantees of every network store. */
export function networkStoreContract(name: string, fixture: NetworkStoreFixture): void {
  describe(`network store on ${name}`, () => {
    let store: NetworkStore;
    const fresh = freshNetworks(fixture.open);
    beforeAll(async () => {
      store = await fresh();
    });

    describe('ingest', () => {
      it('OPS-10 is idempotent by kind, ref and rev', async () => {
        const observations = [
          { kind: 'company', ref: 'i:1', handle: 'i-one', name: 'One' },
          { kind: 'post', ref: 'i:1', text: 'same ref, other kind', published_at: '2025-01-01T00:00:00Z' },
        ];
        expect(await ingest(store, observations)).toMatchObject({
          accepted: 2,
          unchanged: 0,
          rejectedTotal: 0,
        });
        expect(await ingest(store, observations)).toMatchObject({
          accepted: 0,
          unchanged: 2,
          rejectedTotal: 0,
        });
        expect(await ingest(store, [...observations, ...observations])).toMatchObject({ unchanged: 4 });
      });

      it('OP-71 rejects the same revision with other content and leaves an older one unchanged', async () => {
        const company = { kind: 'company', ref: 'i:2', handle: 'i-two', rev: 5, name: 'Two' };
        await ingest(store, [company]);
        const report = await ingest(store, [
          { ...company, name: 'Too' },
          { ...company, rev: 4, name: 'Old' },
          { ...company, rev: 6, name: 'New' },
        ]);
        expect(report).toMatchObject({
          accepted: 1,
          unchanged: 1,
          rejected: [{ line: 1, message: 'rev 5 of company i:2 was already observed with other content' }],
        });
        expect((await store.directory.companies(['i:2'])).get('i:2')).toMatchObject({ rev: 6, name: 'New' });
      });

      it('includes earlier lines of the same stream', async () => {
        const lines = [1, 2, 2, 1].map((rev) => ({
          kind: 'company',
          ref: 'i:3',
          handle: `i-three-${rev}`,
          rev,
        }));
        expect(await ingest(store, lines)).toMatchObject({ accepted: 2, unchanged: 2 });
        expect(await company(store, handle('i-three-1'))).toMatchObject({ outcome: 'unknown' });
        expect(await company(store, handle('i-three-2'))).toMatchObject({ outcome: 'found' });
      });

      it('keeps every kind of observation', async () => {
        const report = await ingest(store, [
          { kind: 'comment', ref: 'i:c', post_ref: 'i:p', author_ref: 'i:a', text: 'Same here' },
          { kind: 'reaction', ref: 'i:r', post_ref: 'i:p', reaction: 'like' },
          {
            kind: 'job_posting',
            ref: 'i:j',
            company_ref: 'i:1',
            title: 'CRM admin',
            posted_at: '2025-01-01',
          },
          { kind: 'headcount', ref: 'i:h', company_ref: 'i:1', employees: 130, observed_at: '2025-01-01' },
          { kind: 'company_event', ref: 'i:e', company_ref: 'i:1', event: 'funding', fields: { round: 'A' } },
          { kind: 'missing', ref: 'i:m', domain: 'gone.example' },
          { kind: 'alias', ref: 'i:l', domain: 'shared.example', company_refs: ['i:1', 'i:2'] },
        ]);
        expect(report).toMatchObject({ accepted: 7, rejectedTotal: 0 });
      });
    });

    sightingsContract(fresh);
    pollsContract(fresh);
    arrivalsContract(fresh);

    describe('directory', () => {
      beforeAll(async () => {
        await ingest(store, [
          { kind: 'company', ref: 'c:acme', handle: 'acme', domains: ['acme.com', 'acme.fr'], name: 'Acme' },
          { kind: 'company', ref: 'c:twin-1', handle: 'twin', domains: ['twin.com'] },
          { kind: 'company', ref: 'c:twin-2', handle: 'twin', domains: ['twin.com'] },
          { kind: 'company', ref: 'c:both', handle: 'both' },
          { kind: 'person', ref: 'p:both', handle: 'both', first_name: 'Bo' },
          {
            kind: 'person',
            ref: 'p:ana',
            handle: 'ana-roy',
            first_name: 'Ana',
            last_name: 'Roy',
            geo: { city: 'Saint-Étienne', country: 'France', country_code: 'FR' },
            experiences: [
              { title: 'Founder', company_ref: 'c:old', start_date: '2019', end_date: '2023-01' },
              { title: 'Adviser', company_ref: 'c:both', start_date: null, end_date: null },
              { title: 'VP Sales', company_ref: 'c:acme', start_date: '2024-03', end_date: null },
              { title: 'Board', company_ref: 'c:both', start_date: '2024-03', end_date: null },
              { title: 'Teacher', company_ref: 'c:both', start_date: '2024', end_date: null },
            ],
          },
          {
            kind: 'person',
            ref: 'p:bob',
            handle: 'bob',
            experiences: [{ title: 'Rep', company_ref: 'c:acme' }],
          },
          { kind: 'alias', ref: 'a:1', domain: 'group.com', company_refs: ['c:acme', 'c:both'] },
          { kind: 'alias', ref: 'a:2', domain: 'acme-mail.com', company_refs: ['c:acme'] },
          { kind: 'missing', ref: 'm:1', domain: 'nope.example' },
          { kind: 'missing', ref: 'm:2', handle: 'gone' },
          { kind: 'missing', ref: 'm:3', network_url: 'n.example/company/ghost' },
          { kind: 'missing', ref: 'm:4', domain: 'acme.com' },
        ]);
      });

      it('OP-10 finds companies by handle, URL and domain', async () => {
        const found = {
          outcome: 'found',
          facts: { ref: 'c:acme', networkUrl: 'https://n.example/company/acme' },
        };
        for (const text of ['@Acme', 'n.example/company/acme']) {
          expect(await company(store, handle(text))).toMatchObject(found);
        }
        for (const text of ['acme.com', 'https://www.acme.fr/x', 'acme-mail.com']) {
          expect(await company(store, domain(text))).toMatchObject(found);
        }
      });

      it('OP-10 finds people by handle and URL', async () => {
        const found = { outcome: 'found', facts: { ref: 'p:ana', fullName: 'Ana Roy' } };
        expect(await person(store, handle('ana-roy'))).toMatchObject(found);
        expect(await person(store, handle('https://n.example/in/Ana-Roy/'))).toMatchObject(found);
      });

      it('OP-10 answers ambiguous if several companies share a handle or domain', async () => {
        expect(await company(store, handle('twin'))).toEqual({
          outcome: 'ambiguous',
          refs: ['c:twin-1', 'c:twin-2'],
        });
        expect(await company(store, domain('twin.com'))).toMatchObject({ outcome: 'ambiguous' });
        expect(await company(store, domain('group.com'))).toEqual({
          outcome: 'ambiguous',
          refs: ['c:acme', 'c:both'],
        });
      });

      it('OP-10 answers wrong_kind for a person instead of a company and the other way round', async () => {
        expect(await company(store, handle('ana-roy'))).toEqual({ outcome: 'wrong_kind', actual: 'person' });
        expect(await company(store, handle('n.example/in/nobody'))).toEqual({
          outcome: 'wrong_kind',
          actual: 'person',
        });
        expect(await person(store, handle('acme'))).toEqual({ outcome: 'wrong_kind', actual: 'company' });
        expect(await person(store, domain('acme.com'))).toEqual({ outcome: 'wrong_kind', actual: 'company' });
        expect(await company(store, handle('both'))).toMatchObject({
          outcome: 'found',
          facts: { ref: 'c:both' },
        });
        expect(await person(store, handle('both'))).toMatchObject({
          outcome: 'found',
          facts: { ref: 'p:both' },
        });
      });

      it('OP-10 answers missing for entities that the network knows not to exist, and for reserved names', async () => {
        for (const text of ['nope.example', 'some.invalid']) {
          expect(await company(store, domain(text))).toEqual({ outcome: 'missing' });
        }
        for (const text of ['gone', 'ghost', 'n.example/company/ghost', 'missing-acme']) {
          expect(await company(store, handle(text))).toEqual({ outcome: 'missing' });
        }
        expect(await person(store, handle('gone'))).toEqual({ outcome: 'missing' });
        expect(await person(store, handle('missing-ana'))).toEqual({ outcome: 'missing' });
        expect(await person(store, handle('ghost'))).toEqual({ outcome: 'unknown' });
      });

      it('OP-10 answers unknown for unobserved identifiers', async () => {
        expect(await company(store, handle('n.example/company/ana-roy'))).toEqual({ outcome: 'unknown' });
        expect(await company(store, domain('new.example'))).toEqual({ outcome: 'unknown' });
        expect(await person(store, handle('new'))).toEqual({ outcome: 'unknown' });
      });

      it('answers in the requested order, each independently', async () => {
        const identifiers = [domain('new.example'), domain('acme.com'), handle('gone'), domain('acme.com')];
        const outcomes = (await store.directory.resolveCompanies(identifiers)).map(({ outcome }) => outcome);
        expect(outcomes).toEqual(['unknown', 'found', 'missing', 'found']);
        expect(await store.directory.resolveCompanies([])).toEqual([]);
        const many = Array.from({ length: 2_000 }, () => domain('acme.com'));
        expect(
          (await store.directory.resolveCompanies(many)).every(({ outcome }) => outcome === 'found'),
        ).toBe(true);
      });

      it('OP-70 takes the open experience with the latest start as the current one', async () => {
        const people = await store.directory.people(['p:ana', 'p:nobody']);
        expect([...people.keys()]).toEqual(['p:ana']);
        expect(people.get('p:ana')?.current).toMatchObject({ title: 'VP Sales', companyRef: 'c:acme' });
      });

      it('lists the current employees of a company, by pages', async () => {
        const refs = async (after: string | null, limit: number) =>
          (await store.directory.employees('c:acme', after, limit)).map(({ ref }) => ref);
        expect(await refs(null, 10)).toEqual(['p:ana', 'p:bob']);
        expect(await refs(null, 1)).toEqual(['p:ana']);
        expect(await refs('p:ana', 10)).toEqual(['p:bob']);
        expect(await store.directory.employees('c:both', null, 10)).toEqual([]);
      });

      it('OP-52 knows the countries of observed cities', async () => {
        expect(await store.directory.countryCodesOfCity('saint-étienne')).toEqual(['FR']);
        expect(await store.directory.countryCodesOfCity('Atlantis')).toEqual([]);
      });
    });

    describe('job postings', () => {
      const posting = (ref: string, company: string | null, postedAt: string, facts: Json = {}): Json => ({
        kind: 'job_posting',
        ref,
        company_ref: company,
        title: 'Engineer',
        description: 'word',
        posted_at: postedAt,
        ...facts,
      });
      const postings = async (
        source: NetworkStore,
        search: Partial<JobPostingSearch>,
      ): Promise<ObservedJobPosting[]> => {
        const found: ObservedJobPosting[] = [];
        for (let position: ReadPosition | null = search.position ?? null; ;) {
          const page = await source.source.jobPostings({
            ...always,
            keywords: ['word'],
            limit: 100,
            ...search,
            position,
          });
          found.push(...page.items);
          if (page.next === null) return found;
          expect(page.items.length).toBeGreaterThan(0);
          position = page.next;
        }
      };
      const names = async (source: NetworkStore, search: Partial<JobPostingSearch>): Promise<string[]> =>
        (await postings(source, search)).map(({ ref }) => ref);

      it('include the facts about the company and the hiring contact', async () => {
        const jobs = await fresh([
          { kind: 'company', ref: 'c:acme', handle: 'acme', name: 'Acme' },
          { kind: 'person', ref: 'p:hana', handle: 'hana', first_name: 'Hana' },
          posting('full', 'c:acme', '2026-01-01T00:00:00Z', {
            location: 'Paris',
            url: 'https://n.example/jobs/1',
            hiring_manager_ref: 'p:hana',
          }),
          posting('bare', 'c:unknown', '2026-01-02T00:00:00Z', { title: null }),
        ]);
        const [full, bare] = await postings(jobs, {});
        expect(full).toMatchObject({
          ref: 'full',
          rev: 1,
          title: 'Engineer',
          description: 'word',
          location: 'Paris',
          url: 'https://n.example/jobs/1',
          postedAt: '2026-01-01T00:00:00.000Z',
          company: { ref: 'c:acme', name: 'Acme' },
          hiringManager: { ref: 'p:hana', fullName: 'Hana' },
          keywordsFound: ['word'],
        });
        expect(bare).toMatchObject({ title: null, company: null, hiringManager: null, url: null });
      });

      it('OP-69 are searched in title and description, in (after, until], in order, over pages of any size', async () => {
        const jobs = await fresh([
          posting('b', 'c:1', '2026-01-02T00:00:00Z'),
          posting('a', 'c:1', '2026-01-02T00:00:00Z'),
          posting('titled', 'c:2', '2026-01-03T00:00:00Z', { title: 'Word keeper', description: 'none' }),
          posting('other', 'c:2', '2026-01-03T00:00:00Z', { description: 'words' }),
          posting('first', 'c:2', '2026-01-01T00:00:00Z'),
          posting('timeless', 'c:2', '2026-01-01T00:00:00Z', { posted_at: null }),
          { kind: 'post', ref: 'post', text: 'word', published_at: '2026-01-02T00:00:00Z' },
        ]);
        const expected = ['first', 'a', 'b', 'titled'];
        for (const limit of [1, 2, 3, 100]) expect(await names(jobs, { limit })).toEqual(expected);
        const after = new Date('2026-01-01T00:00:00Z');
        const until = new Date('2026-01-02T00:00:00Z');
        expect(await names(jobs, { after, until })).toEqual(['a', 'b']);
        expect(await names(jobs, { keywords: ['word', 'keeper'], mode: 'all' })).toEqual(['titled']);
        expect(await names(jobs, { keywords: [] })).toEqual([]);
      });

      it('are those of few and of many named companies, among many others', async () => {
        const jobs = await fresh();
        await ingest(
          jobs,
          Array.from({ length: 600 }, (_, index) =>
            posting(String(index).padStart(3, '0'), `c:${index}`, '2026-01-01T00:00:00Z', {
              description: index % 3 === 0 ? 'word' : 'crowd',
            }),
          ),
        );
        expect(await names(jobs, { companyRefs: ['c:3', 'c:4', 'c:6'] })).toEqual(['003', '006']);
        expect(await names(jobs, { companyRefs: [] })).toEqual([]);
        const many = Array.from({ length: 400 }, (_, index) => `c:${index}`);
        expect(await names(jobs, { companyRefs: many })).toHaveLength(134);
        expect(await names(jobs, {})).toHaveLength(200);
        expect(await names(jobs, { companyRefs: ['c:599', 'c:597'], keywords: ['crowd'] })).toEqual(['599']);
      });

      it('OP-71 give the position of the newest postings, also of some companies', async () => {
        const jobs = await fresh();
        await ingest(
          jobs,
          Array.from({ length: 9 }, (_, index) =>
            posting(`j${index}`, index % 2 === 0 ? 'c:even' : 'c:odd', `2026-01-0${index + 1}T00:00:00Z`),
          ),
        );
        const newest = async (count: number, companyRefs?: readonly string[]): Promise<string[]> => {
          const window = { ...always, ...(companyRefs === undefined ? {} : { companyRefs }) };
          const position = await jobs.source.beforeNewestJobPostings(window, count);
          return names(jobs, { ...window, position });
        };
        expect(await newest(3)).toEqual(['j6', 'j7', 'j8']);
        expect(await newest(2, ['c:odd'])).toEqual(['j5', 'j7']);
        expect(await newest(0)).toEqual([]);
        expect(await jobs.source.beforeNewestJobPostings(always, 9)).toBeNull();
      });
    });

    describe('posts', () => {
      it('OP-70 reads (after, until], from the inclusive start on', async () => {
        const posts = await fresh();
        await ingest(
          posts,
          ['00', '01', '02', '03'].map((hour) => post(hour, `2026-01-01T${hour}:00:00Z`)),
        );
        const refs = async (search: Partial<PostSearch>) => refsOf(await all(posts, search));
        expect(await refs({ after: at('01'), until: at('03') })).toEqual(['02', '03']);
        expect(await refs({ after: at('00'), from: at('02'), until: at('03') })).toEqual(['02', '03']);
        expect(await refs({ after: at('01'), from: at('00'), until: at('02') })).toEqual(['02']);
        expect(await refs({ after: at('03'), until: at('03') })).toEqual([]);
      });

      it('orders by time, then by ref as code points, over pages of any size', async () => {
        const posts = await fresh();
        const refs = ['b', 'B', '\u{10000}', '\uffee', 'a', 'ä', 'aa'];
        await ingest(posts, [
          ...refs.map((ref) => post(ref, '2026-01-01T00:00:00.500Z')),
          post('later', '2026-01-01T00:00:00.501Z'),
          post('earlier', '2026-01-01T00:00:00.499Z'),
          post('ancient', '1931-05-05T00:00:00Z'),
          post('distant', '2300-01-01T00:00:00Z'),
          { kind: 'post', ref: 'timeless', text: 'word' },
          { kind: 'post', ref: 'textless', published_at: '2026-01-01T00:00:00Z' },
        ]);
        const expected = [
          'ancient',
          'earlier',
          'B',
          'a',
          'aa',
          'b',
          'ä',
          '\uffee',
          '\u{10000}',
          'later',
          'distant',
        ];
        for (const limit of [1, 2, 3, 100]) {
          expect(refsOf(await all(posts, { limit }))).toEqual(expected);
          expect(refsOf(await all(posts, { limit, keywords: ['word'] }))).toEqual(expected);
        }
        expect(refsOf(await all(posts, { keywords: [] }))).toEqual([]);
      });

      it('includes the author, the current company and the number of interactions', async () => {
        const posts = await fresh([
          { kind: 'company', ref: 'c:acme', handle: 'acme', name: 'Acme' },
          {
            kind: 'person',
            ref: 'p:ana',
            handle: 'ana',
            first_name: 'Ana',
            experiences: [{ title: 'VP', company_ref: 'c:acme', start_date: '2024', end_date: null }],
          },
          {
            ...post('1', '2026-01-01T01:00:00Z'),
            author_ref: 'p:ana',
            url: 'https://n.example/posts/1',
            rev: 2,
          },
          { ...post('2', '2026-01-01T02:00:00Z'), author_ref: 'c:acme' },
          { ...post('3', '2026-01-01T03:00:00Z'), author_ref: 'p:stranger' },
          post('4', '2026-01-01T04:00:00Z'),
          { kind: 'comment', ref: 'cm:1', post_ref: '1' },
          { kind: 'comment', ref: 'cm:2', post_ref: '1' },
          { kind: 'reaction', ref: 'rx:1', post_ref: '1' },
          { kind: 'reaction', ref: 'rx:2', post_ref: '2' },
        ]);
        const [first, second, third, fourth] = await all(posts, {});
        expect(first).toMatchObject({
          ref: '1',
          rev: 2,
          url: 'https://n.example/posts/1',
          text: 'a word here',
          publishedAt: '2026-01-01T01:00:00.000Z',
          authorRef: 'p:ana',
          author: {
            entity: 'person',
            person: { ref: 'p:ana', current: { title: 'VP' } },
            company: { ref: 'c:acme' },
          },
          commentCount: 2,
          reactionCount: 1,
          keywordsFound: [],
        });
        expect(second).toMatchObject({
          author: { entity: 'company', company: { name: 'Acme' } },
          reactionCount: 1,
        });
        expect(third).toMatchObject({ authorRef: 'p:stranger', author: null, commentCount: 0 });
        expect(fourth).toMatchObject({ authorRef: null, author: null });
      });

      for (const authors of [3, 300]) {
        it(`OP-70 narrows to posts of a scope with ${authors} authors, by companies and by people`, async () => {
          const posts = await fresh();
          const refs = Array.from({ length: 600 }, (_, index) => String(index).padStart(3, '0'));
          const employer = (index: number) => (index < authors - 2 ? 'c:in' : 'c:out');
          await ingest(posts, [
            ...refs.map((ref, index) => ({
              kind: 'person',
              ref: `p:${ref}`,
              handle: `h-${ref}`,
              experiences: [{ company_ref: employer(index) }],
            })),
            ...refs.map((ref) => ({ ...post(ref, '2026-01-01T00:00:00Z'), author_ref: `p:${ref}` })),
            { ...post('by-company', '2026-01-01T00:00:01Z'), author_ref: 'c:in' },
            { ...post('by-other', '2026-01-01T00:00:01Z'), author_ref: 'c:out' },
            post('by-nobody', '2026-01-01T00:00:01Z'),
          ]);
          const whose = { companyRefs: ['c:in'], personRefs: ['p:599'] };
          const expected = [...refs.slice(0, authors - 2), '599', 'by-company'];
          for (const keywords of [undefined, ['word'], ['word', '++']]) {
            const found = await all(posts, {
              whose,
              limit: 40,
              ...(keywords === undefined ? {} : { keywords }),
            });
            expect(refsOf(found)).toEqual(expected);
          }
          expect(await all(posts, { whose: { companyRefs: [], personRefs: [] } })).toEqual([]);
          const newest = await posts.source.beforeNewestPosts({ ...always, whose }, 2);
          expect(refsOf(await all(posts, { whose, position: newest }))).toEqual(['599', 'by-company']);
        });
      }

      it('OP-71 D-05 gives the position of the newest posts with a text', async () => {
        const posts = await fresh([
          ...Array.from({ length: 700 }, (_, index) =>
            post(String(index).padStart(3, '0'), `2026-01-01T00:${String(index % 7).padStart(2, '0')}:00Z`),
          ),
          { kind: 'post', ref: 'textless', published_at: '2026-01-02T00:00:00Z' },
          post('blank', '2026-01-02T00:00:00Z', ' \n\u200b'),
          post('empty', '2026-01-02T00:00:00Z', ''),
        ]);
        const ordered = refsOf(await all(posts, {}));
        for (const count of [0, 1, 300, 699]) {
          const position = await posts.source.beforeNewestPosts(always, count);
          expect(refsOf(await all(posts, { position }))).toEqual(count === 0 ? [] : ordered.slice(-count));
        }
        expect(await posts.source.beforeNewestPosts(always, 700)).toBeNull();
        expect(await posts.source.beforeNewestPosts(always, 10_000)).toBeNull();
      });

      it('D-01 finds texts that were ingested after an earlier search of the same newest posts', async () => {
        const posts = await fresh(
          Array.from({ length: 300 }, (_, index) =>
            post(String(index), new Date(Date.UTC(2026, 0, 1, 0, index)).toISOString(), 'noise'),
          ),
        );
        const found = async (): Promise<readonly string[]> => {
          const position = await posts.source.beforeNewestPosts(always, 200);
          return refsOf(await all(posts, { keywords: ['rare'], position }));
        };
        expect(await found()).toEqual([]);
        await ingest(posts, [post('late', '2026-01-01T04:00:00Z', 'a rare word')]);
        expect(await found()).toEqual(['late']);
      });

      it('follows revisions: the newest text at its newest time counts', async () => {
        const posts = await fresh();
        const crowd = Array.from({ length: 400 }, (_, index) =>
          post(`x${index}`, '2025-12-01T00:00:00Z', 'crowd'),
        );
        await ingest(posts, [
          ...crowd,
          post('moved', '2026-01-01T00:00:00Z', 'alpha'),
          post('emptied', '2026-01-01T00:00:00Z', 'alpha'),
          post('kept', '2026-01-01T00:00:00Z', 'alpha'),
        ]);
        await ingest(posts, [
          { ...post('moved', '2026-01-05T00:00:00Z', 'beta'), rev: 2 },
          { kind: 'post', ref: 'emptied', rev: 2, published_at: '2026-01-01T00:00:00Z' },
          { ...post('kept', '2026-01-01T00:00:00Z', 'beta'), rev: 2 },
          { ...post('kept', '2026-01-01T00:00:00Z', 'alpha gamma'), rev: 3 },
          post('late', '2026-01-01T00:00:00Z', 'gamma'),
        ]);
        expect(refsOf(await all(posts, { keywords: ['alpha'] }))).toEqual(['kept']);
        expect(refsOf(await all(posts, { keywords: ['beta'] }))).toEqual(['moved']);
        expect(refsOf(await all(posts, { keywords: ['gamma'] }))).toEqual(['kept', 'late']);
      });

      it('finds exactly what keywordMatcher finds, for any keywords, number of posts and page size', async () => {
        const random = fc.sample(adversarialText, { numRuns: 700, seed: 20260131 });
        const posts = await fresh();
        const written = random.map((text, index) => {
          // Many in one second, many within two hours, many over twelve weeks.
          const second = [0, index * 7, index * 10_000][index % 3] ?? 0;
          return post(`post:${index}`, new Date(Date.UTC(2026, 0, 1) + second * 1_000).toISOString(), text);
        });
        expect(await ingest(posts, written)).toMatchObject({ accepted: 700, rejectedTotal: 0 });
        const ordered = await all(posts, {});
        expect(ordered.length).toBe(random.filter((text) => !isBlank(text)).length);
        let matches = 0;
        await fc.assert(
          fc.asyncProperty(
            fc.array(adversarialKeyword, { minLength: 1, maxLength: 5 }),
            fc.constantFrom('any' as const, 'all' as const),
            fc.integer({ min: 1, max: 300 }),
            async (keywords, mode, limit) => {
              const matcher = keywordMatcher(keywords, mode);
              const expected = ordered.map(({ ref, text }) => [ref, matcher(text)] as const);
              const found = await all(posts, { keywords, mode, limit });
              matches += found.length;
              expect(found.map((one) => [one.ref, one.keywordsFound])).toEqual(
                expected.filter(([, keywordsFound]) => keywordsFound.length > 0),
              );
            },
          ),
          { numRuns: 150, ...SHOWN_AS_FOUND },
        );
        expect(matches).toBeGreaterThan(1_000);
      });

      it('finds a thousand keywords and more, frequent and rare ones', async () => {
        const posts = await fresh();
        await ingest(
          posts,
          Array.from({ length: 3_000 }, (_, index) =>
            post(
              `post:${String(index).padStart(4, '0')}`,
              new Date(index * 60_000).toISOString(),
              `word w${index} x`,
            ),
          ),
        );
        for (const count of [1, 900, 2_500]) {
          const keywords = Array.from({ length: count }, (_, index) => `w${index * 1_000 + 7}`);
          const found = await all(posts, { keywords, limit: 2 });
          const rare = ['post:0007', 'post:1007', 'post:2007'].slice(0, count);
          expect(refsOf(found)).toEqual(rare);
          expect((await all(posts, { keywords: [...keywords, 'word'], limit: 999 })).length).toBe(3_000);
        }
      });
    });

    it('is one store for all who open it, and answers a ping', async () => {
      await expect(store.ping()).resolves.toBeUndefined();
    });
  });
}

function at(hour: string): Date {
  return new Date(`2026-01-01T${hour}:00:00Z`);
}

function post(ref: string, publishedAt: string, text = 'a word here'): Json {
  return { kind: 'post', ref, text, published_at: publishedAt };
}

async function all(store: NetworkStore, search: Partial<PostSearch>): Promise<readonly ObservedPost[]> {
  const found: ObservedPost[] = [];
  let position = search.position ?? null;
  do {
    const page = await store.source.posts({ ...always, limit: 250, ...search, position });
    expect(page.items.length).toBeLessThanOrEqual(search.limit ?? 250);
    found.push(...page.items);
    position = page.next;
  } while (position !== null);
  return found;
}

function refsOf(posts: readonly ObservedPost[]): readonly string[] {
  return posts.map(({ ref }) => ref);
}

function handle(text: string): NetworkIdentifier {
  return parsed(text.includes('/') ? parseNetworkUrl(text) : parseHandle(text));
}

function domain(text: string): NetworkIdentifier {
  return parsed(parseDomain(text));
}

function parsed(identifier: NetworkIdentifier | null): NetworkIdentifier {
  if (identifier === null) throw new Error('the test gives an identifier that does not parse');
  return identifier;
}

async function company(store: NetworkStore, identifier: NetworkIdentifier) {
  return (await store.directory.resolveCompanies([identifier]))[0];
}

async function person(store: NetworkStore, identifier: NetworkIdentifier) {
  return (await store.directory.resolvePeople([identifier]))[0];
}

const hard =
  'a b ab aß ss _ 1 + # " - — \u2019 * ( NEAR OR AND ^ : \u00ad \u200b ＣＲＭ crm 系 统 の ー ระ ບ \u102c 𠀋 𐐀 🎉 \u0301 \ue000 ا я é e\u0301 Σ ς \u0130';
const unit = fc.oneof(
  { weight: 10, arbitrary: fc.constantFrom(...hard.split(' '), ' ', ' ', '\u00a0') },
  {
    weight: 1,
    arbitrary: fc
      .string({ unit: 'binary', minLength: 1, maxLength: 2 })
      .filter((text) => !text.includes('\0')),
  },
);
const adversarialText = fc.array(unit, { maxLength: 25 }).map((units) => units.join(''));
const adversarialKeyword = fc.array(unit, { minLength: 1, maxLength: 3 }).map((units) => units.join(''));
