import type { NetworkStore } from '#network/network-store.js';
import { allPages, always, ingest } from './observed.js';

/** The migration of the observations of version 1 (version-1/) in every store, and its messages. */
export async function expectBroughtUpToDate(store: NetworkStore, messages: readonly string[]): Promise<void> {
  expect(messages[0]).toMatch(/: \d+ observations are migrated from \w+ 1 to \d/);
  expect(messages.slice(-1)).toEqual([
    expect.stringContaining(
      'was migrated: of the 2 people seen more than once the last change of position is known ' +
        '(1 moves); earlier ones were never kept',
    ),
  ]);
  const { source, directory } = store;
  const moves = await allPages((position) => source.moves({ ...always, position, limit: 1 }));
  expect(moves).toMatchObject([
    { personRef: 'p:ana', rev: 3, change: 'new_company', previous: { title: 'Head', endDate: '2026-01' } },
  ]);
  const on = { companyRefs: ['c:globex'], personRefs: [] };
  const kinds = ['comment', 'reaction'] as const;
  const interactions = async (): Promise<readonly string[]> =>
    (await allPages((position) => source.interactions({ ...always, kinds, on, position, limit: 2 }))).map(
      ({ ref }) => ref,
    );
  expect(await interactions()).toEqual(['comment', 'answer', 'reaction']);
  await ingest(store, [
    {
      kind: 'post',
      ref: 'later',
      author_ref: 'p:bo',
      text: 'A later one',
      published_at: '2026-01-06T00:00:00Z',
    },
  ]);
  expect(await interactions()).toEqual(['comment', 'answer', 'waiting', 'reaction']);
  const [post] = (await source.posts({ ...always, limit: 9, keywords: ['release'] })).items;
  expect(post).toMatchObject({
    ref: 'post',
    commentCount: 2,
    reactionCount: 1,
    author: { person: { handle: 'bo' } },
  });

  const day = { after: new Date('2026-02-28T00:00:00Z'), until: new Date('2026-03-01T00:00:00Z') };
  expect((await source.companyEvents({ ...day, events: ['renewal_due'], limit: 9 })).items).toMatchObject([
    { ref: 'renewal', occurredAt: '2026-01-01T00:00:00.000Z' },
  ]);
  expect((await source.companyEvents({ ...always, events: ['funding'], limit: 9 })).items).toMatchObject([
    { ref: 'funding', company: { name: 'Acme' } },
  ]);
  expect((await source.headcounts({ ...always, limit: 9 })).items).toMatchObject([{ employees: 130 }]);
  const postings = (await source.jobPostings({ ...always, limit: 9 })).items;
  expect(postings.map(({ ref }) => ref)).toEqual(['textless', 'posting']);
  expect((await directory.employees('c:acme', null, 9)).map(({ ref }) => ref)).toEqual(['p:ana']);
  expect(await directory.countryCodesOfCity('Lyon')).toEqual(['FR']);
}
