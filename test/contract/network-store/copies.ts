import * as fc from 'fast-check';
import { parseDomain, parseHandle } from '#kernel/values/network-identifiers.js';
import { copyNetwork } from '#network/copy-network.js';
import type { NetworkCopyEnd } from '#network/network-record.js';
import type { NetworkStore } from '#network/network-store.js';
import { readObservation } from '#network/read-observation.js';
import { copyNetworkStore, openNetworkEnd } from '#runtime/copy-views.js';
import type { MongoUrl, StoreUrl } from '#runtime/settings.js';
import { whileOpen } from '#runtime/while-open.js';
import { Refusal } from '#kernel/values/refusal.js';
import { allPages, always, ingest, person, type Json } from './observed.js';
import { SHOWN_AS_FOUND } from '#test/support/shown-as-found.js';

/** An existing or possible network store. */
export type NetworkPlace = {
  readonly place: StoreUrl | MongoUrl;
  readonly open: () => Promise<NetworkStore>;
  readonly remove: () => Promise<void>;
};

const COMPANIES = ['c0', 'c1', 'c2'];
const PEOPLE = ['p0', 'p1', 'p2', 'p3'];
const silent = (): void => undefined;

/** The guarantees of a copy between two kinds of stores. */
export function copiesContract(
  name: string,
  { from, to }: { readonly from: () => NetworkPlace; readonly to: () => NetworkPlace },
): void {
  describe(`a copy of a network, ${name}`, () => {
    const places: NetworkPlace[] = [];
    const used = (place: NetworkPlace): NetworkPlace => {
      places.push(place);
      return place;
    };
    afterEach(async () => {
      for (const place of places.splice(0)) await place.remove();
    });

    const within = <Result>(
      { open }: NetworkPlace,
      work: (store: NetworkStore) => Promise<Result>,
    ): Promise<Result> => whileOpen(open, work);
    const copied = (source: NetworkPlace, destination: NetworkPlace) =>
      copyNetworkStore(source.place, destination.place, silent);
    const refused = (copying: Promise<unknown>): Promise<string> =>
      copying.then(
        () => 'done',
        (error: unknown) => (error instanceof Refusal ? error.declaration.code : Promise.reject(error)),
      );

    it('of an empty network has no records', async () => {
      const [source, destination] = [used(from()), used(to())];
      await within(source, async () => undefined);
      expect(await copied(source, destination)).toMatchObject({ records: 0, alreadyThere: 0 });
    });

    it('answers like the original for any content, and continues like it; a repetition adds nothing', async () => {
      await fc.assert(
        fc.asyncProperty(history, history, async (before, after) => {
          const [source, destination] = [used(from()), used(to())];
          const original = await within(source, async (store) => {
            await lived(store, before, 0);
            return everythingIn(store);
          });
          const first = await copied(source, destination);
          expect(first.alreadyThere).toBe(0);
          const again = await copied(source, destination);
          expect(again).toEqual({ ...first, alreadyThere: first.records });
          expect(await within(destination, everythingIn)).toEqual(original);
          const goneOn = async (store: NetworkStore) => [
            await lived(store, after, before.length),
            // The counter of observations that were not new differs between stores.
            { ...(await everythingIn(store)), learned: null },
          ];
          expect(await within(destination, goneOn)).toEqual(await within(source, goneOn));
          for (const place of places.splice(0)) await place.remove();
        }),
        { numRuns: 12, ...SHOWN_AS_FOUND },
      );
    });

    it('has the previous revisions of people, from which moves are derived', async () => {
      const [source, destination] = [used(from()), used(to())];
      const was = (first_name: string) => person('p0', { first_name });
      await within(source, (store) =>
        ingest(store, [
          { ...was('A'), rev: 1 },
          { ...was('B'), rev: 2 },
        ]),
      );
      await copied(source, destination);
      const end = await openNetworkEnd(destination.place, silent);
      const [record] = await end.observation.behind(null, 2);
      await end.close();
      const names = [record?.previousBody, record?.body].map((body) => JSON.parse(body ?? '{}').firstName);
      expect(names).toEqual(['A', 'B']);
    });

    it('interrupted at any write continues after the existing records', async () => {
      const source = used(from());
      const original = await within(source, async (store) => {
        await lived(store, rich, 0);
        return everythingIn(store);
      });
      let ended = 0;
      for (let writes = 0; ; writes += 1) {
        const destination = used(to());
        const one = await openNetworkEnd(source.place, silent);
        const other = await openNetworkEnd(destination.place, silent);
        const outcome = await copyNetwork(one, dyingAfter(other, writes)).then(
          () => 'whole',
          (error: Error) => error.message,
        );
        await one.close();
        await other.close();
        const second = await copied(source, destination);
        expect(await within(destination, everythingIn)).toEqual(original);
        if (outcome === 'whole') {
          expect(second.alreadyThere).toBe(second.records);
          break;
        }
        expect(outcome).toBe('ended');
        ended += 1;
      }
      expect(ended).toBeGreaterThan(5);
    });

    it('is refused if the destination has other records, and writes nothing', async () => {
      const source = used(from());
      await within(source, (store) => lived(store, rich, 0));
      const others: readonly (readonly [string, (store: NetworkStore) => Promise<unknown>])[] = [
        ['something unknown', (store) => ingest(store, [{ kind: 'company', ref: 'zz', handle: 'zz' }])],
        [
          'another content',
          (store) => ingest(store, [{ kind: 'company', ref: 'c0', rev: 99, handle: 'else' }]),
        ],
        ['another memory', (store) => remembered(store, 'k:b', { etag: '"other"' })],
      ];
      for (const [what, fill] of others) {
        const destination = used(to());
        const before = await within(destination, async (store) => {
          await fill(store);
          return everythingIn(store);
        });
        expect([what, await refused(copied(source, destination))]).toEqual([
          what,
          'destination-holds-other-observations',
        ]);
        expect(await within(destination, everythingIn)).toEqual(before);
      }
    });

    it('is not verified if the source is written meanwhile', async () => {
      const [source, destination] = [used(from()), used(to())];
      await within(source, (store) => lived(store, rich, 0));
      await within(source, async (store) => {
        let isWritten: Promise<unknown> | null = null;
        const end = await openNetworkEnd(source.place, silent);
        const other = await openNetworkEnd(destination.place, silent);
        const late: NetworkCopyEnd = {
          ...other,
          poll: {
            ...other.poll,
            add: async (records) => {
              isWritten ??= ingest(store, [{ kind: 'company', ref: 'c9', handle: 'c-nine' }]);
              await isWritten;
              await other.poll.add(records);
            },
          },
        };
        const outcome = await refused(copyNetwork(end, late));
        await end.close();
        await other.close();
        expect([isWritten === null, outcome]).toEqual([false, 'network-differs']);
      });
    });
  });
}

/** The process ends before the write after this many. */
function dyingAfter(end: NetworkCopyEnd, writes: number): NetworkCopyEnd {
  let left = writes;
  const dying = <Stored>(part: {
    readonly count: () => Promise<number>;
    readonly behind: (after: Stored | null, limit: number) => Promise<readonly Stored[]>;
    readonly add: (records: readonly Stored[]) => Promise<void>;
  }) => ({
    ...part,
    // A few records per write, so that there are many writes to interrupt.
    add: async (records: readonly Stored[]): Promise<void> => {
      for (let at = 0; at < records.length; at += 5) {
        if (left <= 0) throw new Error('ended');
        left -= 1;
        await part.add(records.slice(at, at + 5));
      }
    },
  });
  return {
    observation: dying(end.observation),
    move: dying(end.move),
    place: dying(end.place),
    reading: dying(end.reading),
    learning: dying(end.learning),
    pace: dying(end.pace),
    poll: dying(end.poll),
  };
}

const remembered = async (
  store: NetworkStore,
  key: string,
  memory: Record<string, string>,
): Promise<void> => {
  await store.polls.claim(key, 'one', 1, 2);
  await store.polls.settle(key, 'one', memory);
};

/** One change of a network. `n` varies its content. */
type Step = {
  readonly does: 'pipe' | 'show' | 'close' | 'remember' | 'mark';
  readonly kind: (typeof KINDS)[number];
  readonly ref: number;
  readonly n: number;
  readonly day: number;
  readonly isFirst: boolean;
};

const KINDS = [
  'company',
  'person',
  'post',
  'comment',
  'reaction',
  'job_posting',
  'headcount',
  'company_event',
  'missing',
  'alias',
] as const;

const step: fc.Arbitrary<Step> = fc.record({
  does: fc.oneof(
    { weight: 6, arbitrary: fc.constant('pipe' as const) },
    { weight: 6, arbitrary: fc.constant('show' as const) },
    { weight: 1, arbitrary: fc.constantFrom('close' as const, 'remember' as const, 'mark' as const) },
  ),
  kind: fc.constantFrom(...KINDS),
  ref: fc.nat(5),
  n: fc.nat(3),
  day: fc.integer({ min: 1, max: 28 }),
  isFirst: fc.boolean(),
});
const history = fc.array(step, { minLength: 10, maxLength: 60 });

/** Each kind twice, ingested and from a source, revised, closed and remembered. */
const rich: readonly Step[] = [1, 2].flatMap((n) =>
  (['pipe', 'show', 'close', 'remember', 'mark'] as const).flatMap((does) =>
    KINDS.flatMap((kind) =>
      [0, 1, 2].map((ref) => ({ does, kind, ref, n: n + ref, day: 3 * n + ref, isFirst: n === 1 })),
    ),
  ),
);

const dayOf = (day: number): string => new Date(Date.UTC(2026, 0, day)).toISOString();

/** Observations of a thing: with and without dates and texts. */
function lineOf({ kind, ref: index, n, day }: Step, prefix: string): Json {
  const at = n === 3 ? null : dayOf(day);
  const ref = `${prefix}${kind}:${index}`;
  const company = COMPANIES[n % COMPANIES.length] ?? null;
  const somebody = PEOPLE[(n + index) % PEOPLE.length] ?? null;
  const cities = [{ is_hq: true, city: ['Paris', 'LYON', 'São Paulo'][n % 3], country_code: 'FR' }];
  switch (kind) {
    case 'company':
      return {
        kind,
        ref: COMPANIES[index] ?? ref,
        handle: `h${index}-${n}`,
        domains: [`d${n}.example`],
        name: `N${n}`,
        locations: cities,
      };
    case 'person':
      return person(PEOPLE[index] ?? ref, {
        handle: n === 0 ? null : `ph${index}`,
        first_name: 'A',
        observed_at: at,
        experiences: [
          { title: `T${n}`, company_ref: company, start_date: `202${n}-01`, end_date: null },
          { title: 'Old', company_name: 'Gone', start_date: '2010', end_date: '2011' },
        ],
      });
    case 'post':
      return {
        kind,
        ref,
        author_ref: n === 1 ? company : somebody,
        text: n === 2 ? null : `crm ${n} ⚙️ release`,
        published_at: at,
      };
    case 'comment':
      return {
        kind,
        ref,
        post_ref: n === 0 ? `${prefix}comment:${(index + 1) % 6}` : `${prefix}post:${index}`,
        author_ref: somebody,
        text: 'yes',
        published_at: at,
      };
    case 'reaction':
      return {
        kind,
        ref,
        post_ref: n === 0 ? `${prefix}comment:${index}` : `${prefix}post:${index}`,
        author_ref: somebody,
        reaction: 'like',
        reacted_at: at,
      };
    case 'job_posting':
      return {
        kind,
        ref,
        company_ref: company,
        title: n === 0 ? null : `CRM lead ${n}`,
        posted_at: at,
        hiring_manager_ref: somebody,
      };
    case 'headcount':
      return { kind, ref, company_ref: company, employees: 10 + n, observed_at: at };
    case 'company_event':
      return { kind, ref, company_ref: company, event: 'funding', fields: { amount: n }, occurred_at: at };
    case 'missing':
      return { kind, ref, handle: `m${index}`, entity: n === 0 ? 'company' : 'person' };
    case 'alias':
      return { kind, ref, domain: `d${n}.example`, company_refs: COMPANIES.slice(0, 2) };
  }
}

/** Applies these steps to a network, starting with this number; returns its answers. */
async function lived(store: NetworkStore, steps: readonly Step[], from: number): Promise<readonly unknown[]> {
  const answers: unknown[] = [];
  for (const [index, one] of steps.entries()) {
    const number = from + index + 1;
    const { does, kind, ref, n, day, isFirst } = one;
    const reading = { sourceId: String(n), readAtMs: Date.parse(dayOf(day)), isFirst };
    switch (does) {
      case 'pipe':
        answers.push(await ingest(store, [{ ...lineOf(one, 'i:'), rev: number }]));
        break;
      case 'show': {
        const line = { ...lineOf(one, 's:'), rev: 'auto' };
        const named = kind === 'company' || kind === 'person' ? { ...line, ref: `s:${kind}:${ref}` } : line;
        const { notes: _notes, ...sighting } = readObservation(named, number * 1_000);
        answers.push(await store.write([{ ...sighting, source: reading }]));
        break;
      }
      case 'close': {
        const refs = [`s:job_posting:${ref}`];
        answers.push(await store.polls.closePostings({ refs, rev: number * 1_000, reading }));
        break;
      }
      case 'remember':
        await remembered(store, `k:${ref}`, { etag: `"${n}"` });
        answers.push(await store.polls.requestTimeOf(`h${ref}`, number * 1_000, 1_000, Infinity));
        break;
      case 'mark':
        await store.polls.markRead(COMPANIES, reading.readAtMs);
    }
  }
  return answers;
}

/** Everything that a network can be asked. The beginning of a page differs between stores. */
async function everythingIn({ source, directory, polls }: NetworkStore) {
  const without = (items: readonly object[]): readonly object[] =>
    items.map((item) => ({ ...item, position: undefined }));
  const read = async (pages: Parameters<typeof allPages>[0]) => without((await allPages(pages)) as object[]);
  const everybody = { companyRefs: COMPANIES, personRefs: PEOPLE };
  const page = { ...always, limit: 7 };
  const found = [
    await read((position) => source.posts({ ...page, position })),
    await read((position) => source.posts({ ...page, position, keywords: ['crm 1', '⚙️'] })),
    await read((position) => source.posts({ ...page, position, whose: everybody })),
    await read((position) => source.jobPostings({ ...page, position })),
    await read((position) => source.jobPostings({ ...page, position, now: new Date(dayOf(9)) })),
    await read((position) =>
      source.jobPostings({ ...page, position, keywords: ['lead'], companyRefs: ['c0'] }),
    ),
    await read((position) =>
      source.interactions({ ...page, position, kinds: ['comment', 'reaction'], on: everybody }),
    ),
    await read((position) =>
      source.interactions({ ...page, position, kinds: ['comment', 'reaction'], by: everybody }),
    ),
    await read((position) => source.moves({ ...page, position })),
    await read((position) => source.headcounts({ ...page, position })),
    await read((position) => source.companyEvents({ ...page, position, events: ['funding'] })),
  ];
  const refs = [...COMPANIES, 's:company:0', 's:company:1', 's:company:2', 's:company:3'];
  const people = [...PEOPLE, 's:person:0', 's:person:1', 's:person:2', 's:person:3'];
  const names = [0, 1, 2, 3].flatMap((n) => [
    ...[0, 1, 2, 3, 4, 5].map((index) => parseHandle(`h${index}-${n}`)),
    parseDomain(`d${n}.example`),
    parseHandle(`m${n}`),
    parseHandle(`ph${n}`),
  ]);
  const identifiers = names.flatMap((identifier) => identifier ?? []);
  return {
    found,
    companies: await directory.companies(refs),
    people: await directory.people(people),
    byRef: await directory.companiesByRef(null, 50),
    employees: await Promise.all(COMPANIES.map((ref) => directory.employees(ref, null, 50))),
    // The reading is guaranteed only by ref.
    resolved: [
      await directory.resolveCompanies(identifiers),
      (await directory.resolvePeople(identifiers)).map((resolution) =>
        'facts' in resolution ? { ...resolution, facts: { ...resolution.facts, reading: null } } : resolution,
      ),
    ],
    reads: await directory.lastReads(COMPANIES),
    learned: await directory.learned(),
    cities: await Promise.all(['paris', 'lyon', 'são paulo'].map(directory.countryCodesOfCity)),
    memories: await polls.memories(['k:0', 'k:1', 'k:2', 'k:3', 'k:4', 'k:5', 'k:b']),
    open: await polls.openPostings('s:job_posting:'),
  };
}
