import type { IngestReport } from '#network/ingest.js';
import type { NetworkStore } from '#network/network-store.js';
import { readObservation } from '#network/read-observation.js';
import type { Reading, WriteOutcome } from '#network/sighting.js';
import { allPages, always, ingest, worksAt, type FreshNetwork, type Json } from './observed.js';

const posting = (ref: string, facts: Json = {}): Json => ({
  kind: 'job_posting',
  ref,
  rev: 'auto',
  company_ref: 'c:acme',
  title: 'Engineer',
  posted_at: '2026-01-10T00:00:00Z',
  ...facts,
});
const post = (ref: string, facts: Json = {}): Json => ({
  kind: 'post',
  ref,
  rev: 'auto',
  author_ref: 'c:acme',
  text: 'We ship',
  published_at: '2026-01-10T00:00:00Z',
  ...facts,
});

/** The guarantees of every store for observations of sources. */
export function sightingsContract(fresh: FreshNetwork): void {
  let store: NetworkStore;
  beforeEach(async () => {
    store = await fresh();
  });

  /** Sends lines with this time of their request. */
  const send = (requestedAtMs: number, ...lines: readonly Json[]): Promise<IngestReport> => {
    async function* chunks(): AsyncGenerator<Uint8Array> {
      for (const line of lines) yield Buffer.from(`${JSON.stringify(line)}\n`);
    }
    return store.ingest(chunks(), { requestedAtMs });
  };
  /** The observations of a source in a reading. */
  const show = (reading: Reading, requestedAtMs: number, ...lines: readonly Json[]) =>
    store.write(
      lines.map((line) => {
        const { notes: _notes, ...sighting } = readObservation(line, requestedAtMs);
        return { ...sighting, source: reading };
      }),
    );
  const reading = (day: string, isFirst = false): Reading => ({
    sourceId: 'board',
    readAtMs: Date.parse(day),
    isFirst,
  });
  const postings = async (window: Json = {}) =>
    allPages((position) => store.source.jobPostings({ ...always, ...window, position, limit: 2 }));
  const datesOf = async (window: Json = {}) =>
    (await postings(window)).map(({ ref, postedAt, windowAt }) => [
      ref,
      postedAt.slice(0, 10),
      windowAt.slice(0, 10),
    ]);

  describe('an automatic revision', () => {
    it('SRC-01 is the time of the request; equal content and older revisions change nothing', async () => {
      const company = { kind: 'company', ref: 'c:auto', rev: 'auto', handle: 'auto', name: 'Auto' };
      expect(await send(5_000, company)).toMatchObject({ accepted: 1 });
      expect(await send(6_000, company)).toMatchObject({ unchanged: 1, accepted: 0 });
      const named = async () => {
        const facts = (await store.directory.companies(['c:auto'])).get('c:auto');
        return [facts?.rev, facts?.name];
      };
      expect(await named()).toEqual([5_000, 'Auto']);
      expect(await send(7_000, { ...company, name: 'New' })).toMatchObject({ accepted: 1 });
      expect(await named()).toEqual([7_000, 'New']);
      // From a slow poll, and from a second one in the same millisecond.
      expect(await send(6_500, { ...company, name: 'Late' })).toMatchObject({ unchanged: 1, accepted: 0 });
      expect(await send(7_000, { ...company, name: 'Twin' })).toMatchObject({
        unchanged: 1,
        rejectedTotal: 0,
      });
      expect(await named()).toEqual([7_000, 'New']);
    });

    it('SRC-01 is kept apart from numeric revisions, line by line', async () => {
      const company = { kind: 'company', ref: 'c:1', handle: 'one' };
      await send(5_000, { ...company, rev: 'auto' }, { ...company, ref: 'c:2', handle: 'two', rev: 3 });
      const report = await send(
        6_000,
        { ...company, rev: 7_000, name: 'A' },
        { ...company, name: 'A' },
        { ...company, ref: 'c:2', handle: 'two', rev: 'auto' },
        { ...company, rev: 'auto', name: 'B' },
      );
      expect(report).toMatchObject({
        accepted: 1,
        rejected: [
          { line: 1, message: 'rev 7000 of company c:1: its revisions are auto' },
          { line: 2, message: 'rev 1 of company c:1: its revisions are auto' },
          { line: 3, message: 'auto of company c:2: its revisions are numbers' },
        ],
      });
    });

    it('SRC-01 makes a valid job change of a person who is observed again elsewhere', async () => {
      const ana = {
        kind: 'person',
        ref: 'p:ana',
        rev: 'auto',
        handle: 'ana',
        observed_at: '2026-01-02T00:00:00Z',
      };
      await show(reading('2026-01-02'), 5_000, { ...ana, ...worksAt('c:acme') });
      await show(reading('2026-02-02'), 6_000, {
        ...ana,
        ...worksAt('c:globex'),
        observed_at: '2026-02-02T00:00:00Z',
      });
      const moves = (await store.source.moves({ ...always, limit: 9 })).items;
      expect(moves).toMatchObject([{ personRef: 'p:ana', rev: 6_000, change: 'new_company' }]);
    });
  });

  describe('the date of a window', () => {
    it('SRC-02 is the own date in a first reading, and the later of it and the reading afterwards', async () => {
      await show(reading('2026-02-01', true), 1, posting('old'), posting('undated', { posted_at: null }));
      await show(
        reading('2026-02-08'),
        2,
        posting('late'),
        posting('new', { posted_at: '2026-02-07T00:00:00Z' }),
        posting('planned', { posted_at: '2026-03-01T00:00:00Z' }),
        posting('undated-late', { posted_at: null }),
      );
      expect(await datesOf()).toEqual([
        ['old', '2026-01-10', '2026-01-10'],
        ['late', '2026-01-10', '2026-02-08'],
        ['new', '2026-02-07', '2026-02-08'],
        ['undated-late', '2026-02-08', '2026-02-08'],
        ['planned', '2026-03-01', '2026-03-01'],
      ]);
      const week = { after: new Date('2026-02-02'), until: new Date('2026-02-09') };
      expect((await datesOf(week)).map(([ref]) => ref)).toEqual(['late', 'new', 'undated-late']);
    });

    it('SRC-02 is fixed at first sight, whatever the source shows later', async () => {
      await show(reading('2026-02-01', true), 1, posting('a'), posting('undated', { posted_at: null }));
      const again = [
        posting('a', { posted_at: '2026-02-20T00:00:00Z' }),
        posting('undated', { posted_at: '2026-02-20T00:00:00Z' }),
      ];
      await show(reading('2026-02-21'), 2, ...again);
      expect(await datesOf()).toEqual([['a', '2026-02-20', '2026-01-10']]);
    });

    it('SRC-02 is fixed for a post when its text is first observed', async () => {
      await show(reading('2026-02-01', true), 1, { ...post('late'), text: null });
      await show(reading('2026-02-08'), 2, post('late'));
      await show(reading('2026-02-20'), 3, { ...post('late'), text: 'Ship again' });
      const week = { after: new Date('2026-02-02'), until: new Date('2026-02-09') };
      const query = { ...week, now: new Date('2026-03-01'), limit: 9, keywords: ['ship'] };
      expect((await store.source.posts(query)).items).toMatchObject([{ ref: 'late', text: 'Ship again' }]);
    });

    it('SRC-02 applies to posts and company events too, and is the own date for ingested streams', async () => {
      const event = {
        kind: 'company_event',
        ref: 'e',
        rev: 'auto',
        company_ref: 'c:acme',
        event: 'funding',
        occurred_at: '2026-01-10T00:00:00Z',
      };
      await show(reading('2026-02-08'), 1, post('late'), event, {
        ...event,
        ref: 'undated',
        occurred_at: null,
      });
      await send(2, post('piped'), { ...event, ref: 'piped' });
      const month = {
        after: new Date('2026-02-01'),
        until: new Date('2026-03-01'),
        now: new Date('2026-03-01'),
      };
      const posts = (await store.source.posts({ ...month, limit: 9, keywords: ['ship'] })).items;
      expect(posts).toMatchObject([{ ref: 'late', publishedAt: '2026-01-10T00:00:00.000Z' }]);
      const events = (await store.source.companyEvents({ ...month, events: ['funding'], limit: 9 })).items;
      expect(events).toMatchObject([
        { ref: 'e', occurredAt: '2026-01-10T00:00:00.000Z' },
        { ref: 'undated', occurredAt: '2026-02-08T00:00:00.000Z' },
      ]);
    });

    it('D-03 SRC-02 applies a start date to the own date', async () => {
      const event = { kind: 'company_event', rev: 'auto', company_ref: 'c:acme', event: 'funding' };
      await show(
        reading('2026-02-08'),
        1,
        posting('before', { posted_at: '2026-01-31T00:00:00Z' }),
        posting('after', { posted_at: '2026-02-01T00:00:00Z' }),
        post('before', { published_at: '2026-01-31T00:00:00Z' }),
        post('after', { published_at: '2026-02-01T00:00:00Z' }),
        { ...event, ref: 'before', occurred_at: '2026-01-31T00:00:00Z' },
        { ...event, ref: 'after', occurred_at: '2026-02-01T00:00:00Z' },
      );
      const since = { ...always, from: new Date('2026-02-01') };
      expect((await datesOf(since)).map(([ref]) => ref)).toEqual(['after']);
      const posts = await store.source.posts({ ...since, limit: 9 });
      expect(posts.items.map(({ ref }) => ref)).toEqual(['after']);
      const events = await store.source.companyEvents({ ...since, events: ['funding'], limit: 9 });
      expect(events.items.map(({ ref }) => ref)).toEqual(['after']);
      expect(await store.source.beforeNewestJobPostings(since, 1)).toBeNull();
      expect(await store.source.beforeNewestPosts(since, 1)).toBeNull();
    });
  });

  describe('a closed posting', () => {
    const day = (date: string): Json => ({ now: new Date(date) });

    it('SRC-05 is left out from that moment on, and included before', async () => {
      await send(1, posting('a'), posting('b', { closed_at: '2026-02-01T12:00:00Z' }));
      const refs = async (now: string) => (await postings(day(now))).map(({ ref }) => ref);
      expect(await refs('2026-02-01T11:59:59.999Z')).toEqual(['a', 'b']);
      expect(await refs('2026-02-01T12:00:00Z')).toEqual(['a']);
      expect(await send(2, posting('b'))).toMatchObject({ accepted: 1 });
      expect(await refs('2026-02-02')).toEqual(['a', 'b']);
    });

    it('SRC-05 is in no keyword search, not among the newest and shortens no page', async () => {
      const closed = { closed_at: '2026-02-01T00:00:00Z' };
      const lines = Array.from({ length: 12 }, (_, index) =>
        posting(`j${String(index).padStart(2, '0')}`, index % 3 === 2 ? {} : closed),
      );
      await send(1, ...lines);
      const open = ['j02', 'j05', 'j08', 'j11'];
      for (const scope of [{}, { companyRefs: ['c:acme'] }]) {
        const search = { ...always, ...day('2026-02-01'), ...scope };
        const found = await allPages((position) =>
          store.source.jobPostings({ ...search, keywords: ['engineer'], position, limit: 1 }),
        );
        expect(found.map(({ ref }) => ref)).toEqual(open);
        const position = await store.source.beforeNewestJobPostings(search, 2);
        const newest = await store.source.jobPostings({ ...search, position, limit: 9 });
        expect(newest.items.map(({ ref }) => ref)).toEqual(['j08', 'j11']);
        expect(await store.source.beforeNewestJobPostings(search, 4)).toBeNull();
      }
    });

    it('SRC-05 has the closing as content: the same revision with another closing is refused', async () => {
      const line = { ...posting('a'), rev: 1 };
      await ingest(store, [line]);
      const closed = { ...line, closed_at: '2026-02-01T00:00:00Z' };
      expect(await ingest(store, [closed, { ...closed, rev: 2 }, { ...closed, rev: 2 }])).toMatchObject({
        accepted: 1,
        unchanged: 1,
        rejected: [{ line: 1, message: 'rev 1 of job_posting a was already observed with other content' }],
      });
    });
  });

  describe('the reading that showed a revision', () => {
    const comment = {
      kind: 'comment',
      ref: 'x',
      rev: 'auto',
      post_ref: 'a',
      author_ref: 'p:ana',
      text: 'Well done',
      published_at: '2026-01-11T00:00:00Z',
    };
    const people = { kind: 'headcount', rev: 'auto', company_ref: 'c:acme', employees: 7 };
    const event = { kind: 'company_event', rev: 'auto', company_ref: 'c:acme', event: 'funding' };
    const ana = { kind: 'person', ref: 'p:ana', rev: 'auto', handle: 'ana' };
    const observed = (day: string): Json => ({ observed_at: `${day}T00:00:00Z` });
    const readingsOf = async () => {
      const { posts, jobPostings, interactions, moves, headcounts, companyEvents } = store.source;
      const search = { ...always, limit: 9 };
      const on = { companyRefs: ['c:acme'], personRefs: [] };
      const byWords = { ...search, keywords: ['ship', 'engineer'] };
      const answers = await interactions({ ...search, kinds: ['comment', 'reaction'], on });
      const things = [
        ...(await posts(search)).items,
        ...(await posts(byWords)).items,
        ...(await posts({ ...search, whose: on })).items,
        ...(await jobPostings(search)).items,
        ...(await jobPostings(byWords)).items,
        ...answers.items,
        ...answers.items.map(({ post: answered }) => answered),
        ...(await moves(search)).items,
        ...(await moves({ ...search, of: { personRefs: ['p:ana'] } })).items,
        ...(await headcounts(search)).items,
        ...(await companyEvents({ ...search, events: ['funding'] })).items,
      ];
      return things.map(({ reading: shown }) => shown);
    };
    const every = [
      post('a'),
      posting('j'),
      comment,
      { ...comment, kind: 'reaction', reacted_at: comment.published_at },
      { ...people, ref: 'h', ...observed('2026-01-12') },
      { ...event, ref: 'e', occurred_at: '2026-01-12T00:00:00Z' },
    ];
    const first = { ...ana, ...worksAt('c:globex'), ...observed('2026-01-02') };
    const moved = { ...ana, ...worksAt('c:acme'), ...observed('2026-01-12') };

    it('SRC-07 is returned with each item, including moves and commented posts, and stays while nothing changes', async () => {
      await show(reading('2026-02-01', true), 1, first, ...every);
      await show(reading('2026-02-02'), 2, moved, ...every);
      const days = (await readingsOf()).map((shown) => [shown?.sourceId, shown?.readAtMs]);
      const [one, other] = ['2026-02-01', '2026-02-02'].map((day) => ['board', Date.parse(day)]);
      expect(days).toEqual([one, one, one, one, one, one, one, one, one, other, other, one, one]);
      const seen = (await store.directory.people(['p:ana'])).get('p:ana');
      expect(seen?.reading).toEqual({ sourceId: 'board', readAtMs: Date.parse('2026-02-02') });
      await show(reading('2026-02-03'), 3, posting('j', { title: 'Chief engineer' }));
      expect((await postings()).map(({ reading: shown }) => shown)).toEqual([
        { sourceId: 'board', readAtMs: Date.parse('2026-02-03') },
      ]);
    });

    it('SRC-07 is null for ingested streams', async () => {
      await send(1, first, ...every);
      await send(2, moved);
      const readings = await readingsOf();
      expect(readings).toHaveLength(13);
      expect(new Set(readings)).toEqual(new Set([null]));
    });
  });

  it('SRC-08 identifies people without a handle by their refs alone', async () => {
    const person = { kind: 'person', rev: 'auto', ...worksAt('c:acme') };
    await send(1, { ...person, ref: 'p:1', first_name: 'Ana' }, { ...person, ref: 'p:2', first_name: 'Bob' });
    const people = await store.directory.people(['p:1', 'p:2']);
    expect([...people.values()]).toMatchObject([
      { ref: 'p:1', handle: null, networkUrl: null, firstName: 'Ana' },
      { ref: 'p:2', handle: null, networkUrl: null, firstName: 'Bob' },
    ]);
    const employees = await store.directory.employees('c:acme', null, 9);
    expect(employees.map(({ ref }) => ref)).toEqual(['p:1', 'p:2']);
    // With a handle the person is found by it; without one again not.
    const byHandle = async () => {
      const [found] = await store.directory.resolvePeople([{ by: 'handle', handle: 'ana', entity: null }]);
      return found?.outcome;
    };
    await send(2, { ...person, ref: 'p:1', handle: 'ana' });
    expect(await byHandle()).toBe('found');
    await send(3, { ...person, ref: 'p:1' });
    expect(await byHandle()).toBe('unknown');
  });

  it('OPS-10 keeps department, workplace and salary of a posting', async () => {
    const salary = { currency: 'eur', min: 50_000, max: 60_000.5, interval: 'year' };
    await send(1, posting('a', { department: 'Research', workplace: 'remote', salary }), posting('b'));
    expect(await postings()).toMatchObject([
      { ref: 'a', department: 'Research', workplace: 'remote', salary: { ...salary, currency: 'EUR' } },
      { ref: 'b', department: null, workplace: null, salary: null },
    ]);
    const refused = await send(
      2,
      posting('c', { workplace: 'moon' }),
      posting('d', { rev: 'new' }),
      posting('e', { salary: 5 }),
    );
    const outcomes: readonly WriteOutcome[] = refused.rejected.map(({ message }) => ({ rejected: message }));
    expect(outcomes).toEqual([
      { rejected: 'workplace must be one of on_site, hybrid, remote' },
      { rejected: 'rev must be a whole number of at least 1 or "auto"' },
      { rejected: 'salary must be a JSON object' },
    ]);
  });
}
