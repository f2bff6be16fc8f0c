import * as fc from 'fast-check';
import type { NetworkStore } from '#network/network-store.js';
import type {
  InteractionKind,
  InteractionSearch,
  ObservedInteraction,
  Whose,
} from '#network/network-source.port.js';
import { naiveInteractions, type NaiveSearch } from './naive-interactions.js';
import { allPages, always, ingest, person, worksAt, type FreshNetwork, type Json } from './observed.js';
import { SHOWN_AS_FOUND } from '#test/support/shown-as-found.js';

const BOTH: readonly InteractionKind[] = ['comment', 'reaction'];

/** The guarantees of every store for comments and reactions. */
export function interactionsContract(fresh: FreshNetwork): void {
  describe('comments and reactions', () => {
    const refs = async (store: NetworkStore, search: NaiveSearch, limit = 100): Promise<readonly string[]> =>
      (await interactions(store, search, limit)).map(({ ref }) => ref);

    it('are joined to their post, with the facts about actor and author', async () => {
      const store = await fresh([
        { kind: 'company', ref: 'c:rival', handle: 'rival', name: 'Rival' },
        person('p:ana', { first_name: 'Ana', ...worksAt('c:acme', 'VP Sales') }),
        person('p:bo', { first_name: 'Bo', ...worksAt('c:rival') }),
        { kind: 'company', ref: 'c:acme', handle: 'acme', name: 'Acme' },
        comment('cm', 'post', 'p:ana', 2, {
          text: 'Does it run?',
          url: 'https://n.example/posts/1?c=1',
          rev: 4,
        }),
        reaction('rx', 'post', 'p:stranger', 3, { reaction: 'celebrate' }),
        post('post', 'p:bo', { text: 'Our release', url: 'https://n.example/posts/1', rev: 2 }),
      ]);
      const [first, second] = await interactions(store, { on: whose(['c:rival']) }, 10);
      expect(first).toMatchObject({
        kind: 'comment',
        ref: 'cm',
        rev: 4,
        url: 'https://n.example/posts/1?c=1',
        text: 'Does it run?',
        reaction: null,
        happenedAt: '2026-01-02T00:00:00.000Z',
        actorRef: 'p:ana',
        actor: {
          entity: 'person',
          person: { fullName: 'Ana', current: { title: 'VP Sales' } },
          company: { name: 'Acme' },
        },
        post: {
          ref: 'post',
          rev: 2,
          url: 'https://n.example/posts/1',
          text: 'Our release',
          publishedAt: '2020-01-01T00:00:00.000Z',
          authorRef: 'p:bo',
          author: { entity: 'person', person: { fullName: 'Bo' }, company: { name: 'Rival' } },
        },
      });
      expect(second).toMatchObject({
        kind: 'reaction',
        ref: 'rx',
        url: null,
        text: null,
        reaction: 'celebrate',
        actorRef: 'p:stranger',
        actor: null,
        post: { ref: 'post' },
      });
    });

    it('D-02 are in (after, until] by their own date, for posts of any age; without a date in no window', async () => {
      const store = await fresh([
        post('old', 'p:bo'),
        ...[1, 2, 3, 4].map((day) => comment(`day-${day}`, 'old', 'p:ana', day)),
        { ...comment('dateless', 'old', 'p:ana', 2), published_at: null },
      ]);
      const window = { after: new Date('2026-01-01T00:00:00Z'), until: new Date('2026-01-03T00:00:00Z') };
      const on = whose([], ['p:bo']);
      expect(await refs(store, { on, ...window })).toEqual(['day-2', 'day-3']);
      const from = new Date('2026-01-03T00:00:00Z');
      expect(await refs(store, { on, ...window, from })).toEqual(['day-3']);
    });

    it('D-05 are ordered by date, then ref by code points; for equal date and ref the comment comes first', async () => {
      const store = await fresh();
      const named = ['b', 'B', 'a', 'ä', 'aa', '\uffee'];
      await ingest(store, [
        post('post', 'p:bo'),
        ...named.map((ref) => reaction(ref, 'post', `p:${ref}`, 5)),
        ...named.map((ref) => comment(ref, 'post', `p:${ref}`, 5)),
        comment('later', 'post', 'p:b', 6),
        comment('earlier', 'post', 'p:b', 4),
      ]);
      const expected = ['B', 'a', 'aa', 'b', 'ä', '\uffee'].flatMap((ref) => [
        `comment ${ref}`,
        `reaction ${ref}`,
      ]);
      for (const limit of [1, 2, 3, 100]) {
        const found = await interactions(store, { on: whose([], ['p:bo']) }, limit);
        expect(found.map(({ kind, ref }) => `${kind} ${ref}`)).toEqual([
          'comment earlier',
          ...expected,
          'comment later',
        ]);
      }
    });

    it('are narrowed to actors, to authors of posts, or both; pages of companies have posts, too', async () => {
      const store = await fresh([
        person('p:ana', worksAt('c:acme')),
        person('p:bo', worksAt('c:rival')),
        person('p:cy', worksAt('c:rival')),
        post('by-bo', 'p:bo'),
        post('by-rival', 'c:rival'),
        post('by-ana', 'p:ana'),
        post('by-nobody', null),
        comment('ana-on-bo', 'by-bo', 'p:ana', 1),
        comment('ana-on-rival', 'by-rival', 'p:ana', 2),
        comment('bo-on-ana', 'by-ana', 'p:bo', 3),
        comment('cy-on-bo', 'by-bo', 'p:cy', 4),
        comment('ana-on-nobody', 'by-nobody', 'p:ana', 5),
        comment('rival-on-ana', 'by-ana', 'c:rival', 6),
        comment('nobody-on-bo', 'by-bo', null, 7),
      ]);
      const rival = whose(['c:rival']);
      const acme = whose(['c:acme']);
      expect(await refs(store, { on: rival })).toEqual(['ana-on-bo', 'ana-on-rival', 'cy-on-bo']);
      expect(await refs(store, { by: rival })).toEqual(['bo-on-ana', 'cy-on-bo', 'rival-on-ana']);
      expect(await refs(store, { by: acme })).toEqual(['ana-on-bo', 'ana-on-rival', 'ana-on-nobody']);
      expect(await refs(store, { by: acme, on: rival })).toEqual(['ana-on-bo', 'ana-on-rival']);
      expect(await refs(store, { by: acme, on: whose([], ['p:bo']) })).toEqual(['ana-on-bo']);
      expect(await refs(store, { by: whose(['c:rival'], ['p:bo']) })).toEqual([
        'bo-on-ana',
        'cy-on-bo',
        'rival-on-ana',
      ]);
      expect(await refs(store, { on: whose([]) })).toEqual([]);
      expect(await refs(store, { on: rival, kinds: ['reaction'] })).toEqual([]);
      expect(await refs(store, { on: rival, kinds: [] })).toEqual([]);
    });

    it('follow current employers, and the author in the newest revision of a post', async () => {
      const store = await fresh([
        person('p:ana', { rev: 1, ...worksAt('c:acme') }),
        post('post', 'p:old', { rev: 1 }),
        comment('cm', 'post', 'p:ana', 1),
      ]);
      expect(await refs(store, { by: whose(['c:acme']) })).toEqual(['cm']);
      await ingest(store, [
        person('p:ana', { rev: 2, ...worksAt('c:next') }),
        post('post', 'p:new', { rev: 3 }),
        post('post', 'p:late', { rev: 2 }),
      ]);
      expect(await refs(store, { by: whose(['c:acme']) })).toEqual([]);
      expect(await refs(store, { by: whose(['c:next']) })).toEqual(['cm']);
      expect(await refs(store, { on: whose([], ['p:old', 'p:late']) })).toEqual([]);
      expect(await refs(store, { on: whose([], ['p:new']) })).toEqual(['cm']);
    });

    it('D-11 on an unobserved post are not read, and are once it was observed', async () => {
      const store = await fresh([comment('cm', 'post', 'p:ana', 1), reaction('rx', 'post', 'p:ana', 2)]);
      expect(await refs(store, { by: whose([], ['p:ana']) })).toEqual([]);
      await ingest(store, [post('post', 'p:bo')]);
      expect(await refs(store, { by: whose([], ['p:ana']) })).toEqual(['cm', 'rx']);
      expect(await refs(store, { on: whose([], ['p:bo']) })).toEqual(['cm', 'rx']);
    });

    it('on comments keep their post when another comment is revised, to which a reaction has the ref of their comment', async () => {
      const store = await fresh([
        post('post', 'p:bo'),
        comment('first', 'post', 'p:ana', 1),
        comment('reply', 'first', 'p:ana', 2),
        comment('other', 'post', 'p:ana', 3),
        reaction('first', 'other', 'p:ana', 4),
      ]);
      await ingest(store, [comment('other', 'post', 'p:ana', 3, { rev: 2 })]);
      expect(await refs(store, { by: whose([], ['p:ana']) })).toEqual(['first', 'reply', 'other']);
    });

    it('on comments belong to the post; a cycle of comments belongs to none, and does not affect others', async () => {
      const store = await fresh([
        comment('third', 'second', 'p:ana', 3),
        comment('second', 'first', 'p:ana', 2),
        comment('first', 'post', 'p:ana', 1),
        reaction('to-a-comment', 'first', 'p:ana', 4),
        ...['x', 'y', 'z'].map((ref, index) => comment(ref, ['y', 'z', 'x'][index] ?? '', 'p:ana', 5)),
        comment('to-the-circle', 'x', 'p:ana', 5),
        comment('itself', 'itself', 'p:ana', 5),
        post('post', 'p:bo'),
      ]);
      const found = await interactions(store, { by: whose([], ['p:ana']) }, 100);
      expect(found.map(({ ref, post: { ref: on } }) => [ref, on])).toEqual([
        ['first', 'post'],
        ['second', 'post'],
        ['third', 'post'],
      ]);
      // The first comment becomes a reply to the third, which replies to it: a cycle. Then the cycle is broken.
      await ingest(store, [comment('first', 'third', 'p:ana', 1, { rev: 2 })]);
      expect(await refs(store, { by: whose([], ['p:ana']) })).toEqual([]);
      await ingest(store, [comment('second', 'post', 'p:ana', 2, { rev: 2 })]);
      expect(await refs(store, { by: whose([], ['p:ana']) })).toEqual(['first', 'second', 'third']);
      const [seen] = (await store.source.posts({ ...always, limit: 1 })).items;
      expect(seen).toMatchObject({ ref: 'post', commentCount: 3, reactionCount: 0 });
      // A comment that replies to itself is on no post any more, and neither are its replies.
      await ingest(store, [comment('second', 'second', 'p:ana', 2, { rev: 3 })]);
      expect(await refs(store, { by: whose([], ['p:ana']) })).toEqual([]);
    });

    it('may be more than a thousand on one post, each read once', async () => {
      const store = await fresh();
      const refsOfMany = Array.from({ length: 1_200 }, (_, index) => `cm-${String(index).padStart(5, '0')}`);
      await ingest(store, [
        ...refsOfMany.map((ref) => comment(ref, 'post', 'p:ana', 1)),
        post('post', 'p:bo'),
        post('other', 'p:bo'),
        comment('on-the-other', 'other', 'p:ana', 2),
      ]);
      expect(await refs(store, { on: whose([], ['p:bo']) }, 999)).toEqual([...refsOfMany, 'on-the-other']);
      const [busy, quiet] = (await store.source.posts({ ...always, limit: 2 })).items.map((one) => [
        one.ref,
        one.commentCount,
      ]);
      expect([busy, quiet]).toEqual([
        ['other', 1],
        ['post', 1_200],
      ]);
    });

    it('are read for any number of companies, and only for those', async () => {
      const store = await fresh();
      const people = Array.from({ length: 1_500 }, (_, index) => String(index).padStart(4, '0'));
      await ingest(store, [
        ...people.map((name, index) => person(`p:${name}`, worksAt(`c:${index % 700}`))),
        post('post', 'p:outside'),
        ...people.map((name) => comment(`by-${name}`, 'post', `p:${name}`, 1)),
      ]);
      const companies = Array.from({ length: 600 }, (_, index) => `c:${index}`);
      const expected = people.filter((_, index) => index % 700 < 600).map((name) => `by-${name}`);
      expect(await refs(store, { by: whose(companies) }, 400)).toEqual(expected);
      expect(await refs(store, { by: whose(companies), on: whose([], ['p:outside']) }, 400)).toEqual(
        expected,
      );
      expect(await refs(store, { by: whose(companies), on: whose([], ['p:other']) }, 400)).toEqual([]);
    });

    it('are the same as in a naive read of everything, for any order of arrival', async () => {
      const store = await fresh();
      let runs = 0;
      let found = 0;
      await fc.assert(
        fc.asyncProperty(arbitraryNetwork, arbitrarySearch, async (network, { by, on, kinds, limit }) => {
          const run = `${(runs += 1)}:`;
          const observations = network.map((observation) => prefixed(observation, run));
          const half = Math.floor(observations.length / 2);
          await ingest(store, observations.slice(0, half));
          await ingest(store, observations.slice(half));
          const search = {
            kinds,
            ...(by === null && on !== null ? {} : { by: prefixedWhose(by ?? whose(['c0']), run) }),
            ...(on === null ? {} : { on: prefixedWhose(on, run) }),
          };
          const expected = naiveInteractions(observations, { ...always, ...search });
          const read = await interactions(store, search, limit);
          found += read.length;
          expect(
            read.map(({ kind, ref, post: { ref: postRef, authorRef } }) => ({
              kind,
              ref,
              postRef,
              authorRef,
            })),
          ).toEqual(expected);
        }),
        { numRuns: 80, ...SHOWN_AS_FOUND },
      );
      expect(found).toBeGreaterThan(50);
    });
  });
}

async function interactions(
  store: NetworkStore,
  search: NaiveSearch,
  limit: number,
): Promise<readonly ObservedInteraction[]> {
  const asked = { ...always, kinds: BOTH, ...search, limit } as InteractionSearch;
  return allPages(async (position) => {
    const page = await store.source.interactions({ ...asked, position });
    expect(page.items.length).toBeLessThanOrEqual(limit);
    return page;
  });
}

const whose = (companyRefs: readonly string[], personRefs: readonly string[] = []): Whose => ({
  companyRefs,
  personRefs,
});

const post = (ref: string, author: string | null, facts: Json = {}): Json => ({
  kind: 'post',
  ref,
  author_ref: author,
  text: 'a post',
  published_at: '2020-01-01T00:00:00Z',
  ...facts,
});

const day = (number: number): string => `2026-01-0${number}T00:00:00Z`;

const comment = (ref: string, on: string, by: string | null, at: number, facts: Json = {}): Json => ({
  kind: 'comment',
  ref,
  post_ref: on,
  author_ref: by,
  published_at: day(at),
  ...facts,
});

const reaction = (ref: string, on: string, by: string | null, at: number, facts: Json = {}): Json => ({
  kind: 'reaction',
  ref,
  post_ref: on,
  author_ref: by,
  reaction: 'like',
  reacted_at: day(at),
  ...facts,
});

const ref = (letter: string, count: number): fc.Arbitrary<string> =>
  fc.integer({ min: 0, max: count - 1 }).map((index) => `${letter}${index}`);
const rev = fc.integer({ min: 1, max: 3 });
const somebody = fc.oneof(ref('p', 5), ref('c', 2), fc.constant(null));

/** Revisions of one thing with one number must be equal: a different second one would be refused. */
const arbitraryNetwork: fc.Arbitrary<readonly Json[]> = fc
  .array(
    fc.oneof(
      {
        weight: 2,
        arbitrary: fc.record({ kind: fc.constant('person'), ref: ref('p', 5), rev, employer: ref('c', 3) }),
      },
      {
        weight: 4,
        arbitrary: fc.record({ kind: fc.constant('post'), ref: ref('t', 3), rev, author: somebody }),
      },
      {
        weight: 6,
        arbitrary: fc.record({
          kind: fc.constantFrom('comment', 'reaction'),
          ref: ref('k', 7),
          rev,
          on: fc.oneof({ weight: 3, arbitrary: ref('t', 4) }, { weight: 1, arbitrary: ref('k', 7) }),
          author: somebody,
          at: fc.integer({ min: 1, max: 9 }),
        }),
      },
    ),
    { minLength: 30, maxLength: 80 },
  )
  .map((drawn) => {
    const seen = new Set<string>();
    return drawn.filter(({ kind, ref: name, rev: number }) => {
      const key = `${kind} ${name} ${number}`;
      return !seen.has(key) && seen.add(key);
    });
  })
  .map((drawn) => drawn.map(observed));

function observed(drawn: {
  readonly kind: string;
  readonly ref: string;
  readonly rev: number;
  readonly employer?: string;
  readonly author?: string | null;
  readonly on?: string;
  readonly at?: number;
}): Json {
  const { kind, ref: name, rev: number, author = null, on = '', at = 1 } = drawn;
  const facts = { rev: number };
  if (kind === 'person') return person(name, { ...facts, ...worksAt(drawn.employer ?? null) });
  if (kind === 'post') return post(name, author, facts);
  return kind === 'comment' ? comment(name, on, author, at, facts) : reaction(name, on, author, at, facts);
}

const arbitraryWhose = fc
  .tuple(fc.subarray(['c0', 'c1', 'c2'], { minLength: 1 }), fc.subarray(['p0', 'p1', 'p2', 'p3', 'p4']))
  .map(([companies, people]) => whose(companies, people));
const arbitrarySearch = fc.record({
  by: fc.option(arbitraryWhose),
  on: fc.option(arbitraryWhose),
  kinds: fc.constantFrom<readonly InteractionKind[]>(['comment'], ['reaction'], BOTH),
  limit: fc.integer({ min: 1, max: 12 }),
});

/** The same network again, with people and things that are new to the store. */
function prefixed(observation: Json, run: string): Json {
  const named = (value: unknown): unknown => (typeof value === 'string' ? `${run}${value}` : value);
  const { ref: name, handle, author_ref: author, post_ref: on, experiences } = observation;
  return {
    ...observation,
    ref: named(name),
    ...(handle === undefined ? {} : { handle: named(handle) }),
    ...(author === undefined ? {} : { author_ref: named(author) }),
    ...(on === undefined ? {} : { post_ref: named(on) }),
    ...(Array.isArray(experiences)
      ? { experiences: experiences.map((one: Json) => ({ ...one, company_ref: named(one['company_ref']) })) }
      : {}),
  };
}

const prefixedWhose = ({ companyRefs, personRefs }: Whose, run: string): Whose =>
  whose(
    companyRefs.map((name) => `${run}${name}`),
    personRefs.map((name) => `${run}${name}`),
  );
