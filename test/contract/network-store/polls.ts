import type { NetworkStore } from '#network/network-store.js';
import { readObservation } from '#network/read-observation.js';
import { allPages, always, type FreshNetwork } from './observed.js';

/** The guarantees of every store for polls. */
export function pollsContract(fresh: FreshNetwork): void {
  describe('polls', () => {
    let store: NetworkStore;
    beforeEach(async () => {
      store = await fresh();
    });

    it('SRC-06 have one holder at a time, until a moment, and store the memory for the next one', async () => {
      const { polls } = store;
      expect(await polls.claim('board', 'one', 1_000, 2_000)).toEqual({ memory: null });
      expect(await polls.claim('board', 'two', 1_999, 3_000)).toBeNull();
      expect(await polls.claim('other', 'two', 1_999, 3_000)).toEqual({ memory: null });
      expect(await polls.memories(['board', 'other'])).toEqual(new Map());
      await polls.settle('board', 'one', { etag: '"a"', items: 3 });
      expect(await polls.memories(['board', 'never'])).toEqual(
        new Map([['board', { etag: '"a"', items: 3 }]]),
      );
      expect(await polls.claim('board', 'two', 1_500, 2_500)).toEqual({ memory: { etag: '"a"', items: 3 } });
      // An expired claim cannot be used.
      expect(await polls.claim('board', 'three', 2_500, 3_500)).toEqual({
        memory: { etag: '"a"', items: 3 },
      });
      await polls.settle('board', 'two', { etag: '"late"' });
      expect(await polls.memories(['board'])).toEqual(new Map([['board', { etag: '"a"', items: 3 }]]));
    });

    it('SRC-06 store a memory during a poll, for the next one, as long as the claim is held', async () => {
      const { claim, keep, memories, settle } = store.polls;
      await claim('board', 'one', 1_000, 2_000);
      expect(await keep('board', 'one', { etag: null })).toBe(true);
      expect(await memories(['board'])).toEqual(new Map([['board', { etag: null }]]));
      expect(await claim('board', 'two', 1_999, 3_000)).toBeNull();
      // Expired, it can be used until another holder takes it.
      expect(await keep('board', 'one', { etag: null, items: 1 })).toBe(true);
      expect(await claim('board', 'two', 2_000, 3_000)).toEqual({ memory: { etag: null, items: 1 } });
      expect(await keep('board', 'one', { etag: '"late"' })).toBe(false);
      await settle('board', 'two', { etag: '"two"' });
      expect(await keep('board', 'one', { etag: '"late"' })).toBe(false);
      expect(await memories(['board'])).toEqual(new Map([['board', { etag: '"two"' }]]));
    });

    it('SRC-06 keep their claim for as long as the holder extends it', async () => {
      const { claim, extend } = store.polls;
      await claim('board', 'one', 1_000, 2_000);
      await extend('board', 'one', 4_000);
      await extend('board', 'two', 9_000);
      expect(await claim('board', 'two', 3_999, 5_000)).toBeNull();
      expect(await claim('board', 'two', 4_000, 5_000)).toEqual({ memory: null });
    });

    it('SRC-06 have one holder among concurrent claims', async () => {
      const claims = await Promise.all(
        Array.from({ length: 8 }, (_, index) => store.polls.claim('board', `h${index}`, 1_000, 2_000)),
      );
      expect(claims.filter((claim) => claim !== null)).toHaveLength(1);
    });

    it('SRC-07 record when their subjects were last read', async () => {
      const { directory, polls } = store;
      expect(await directory.lastReads(['c:acme'])).toEqual(new Map());
      await polls.markRead([], 1_000);
      await polls.markRead(['c:acme', 'c:globex'], 2_000);
      await polls.markRead(['c:acme'], 3_000);
      // Processes end in any order.
      await polls.markRead(['c:globex'], 1_000);
      expect(await directory.lastReads(['c:acme', 'c:globex', 'c:none'])).toEqual(
        new Map([
          ['c:acme', 3_000],
          ['c:globex', 2_000],
        ]),
      );
    });

    it('get turns of a host at its pace, across all callers', async () => {
      const turns = await Promise.all(
        Array.from({ length: 6 }, () =>
          store.polls.requestTimeOf('board.example.test', 10_000, 1_000, 20_000),
        ),
      );
      expect(turns.toSorted((one, other) => one - other)).toEqual([
        10_000, 11_000, 12_000, 13_000, 14_000, 15_000,
      ]);
      expect(await store.polls.requestTimeOf('other.example.test', 10_000, 1_000, 10_000)).toBe(10_000);
      expect(await store.polls.requestTimeOf('board.example.test', 60_000, 0, 60_000)).toBe(60_000);
      expect(await store.polls.requestTimeOf('board.example.test', 60_000, 1_000, 60_000)).toBe(60_000);
    });

    it('take no turn that comes too late, and respect the pause that a host asks for', async () => {
      const { requestTimeOf, holdBack } = store.polls;
      await holdBack('board.example.test', 50_000);
      await holdBack('board.example.test', 40_000);
      expect(await requestTimeOf('board.example.test', 10_000, 1_000, 20_000)).toBe(50_000);
      expect(await requestTimeOf('board.example.test', 10_000, 1_000, 60_000)).toBe(50_000);
      expect(await requestTimeOf('board.example.test', 10_000, 1_000, 60_000)).toBe(51_000);
    });

    it('know which refs were observed before', async () => {
      await store.ingest(
        (async function* () {
          yield Buffer.from('{"kind":"post","ref":"a","rev":1,"text":"x"}\n');
        })(),
      );
      expect(await store.polls.known('post', ['a', 'b'])).toEqual(new Set(['a']));
      expect(await store.polls.known('job_posting', ['a'])).toEqual(new Set());
    });

    it('SRC-05 close postings that a reading lacks, and none that was observed after its request', async () => {
      const show = (rev: number, ...refs: readonly string[]) =>
        store.write(
          refs.map((ref) => {
            const line = { kind: 'job_posting', ref, rev: 'auto', title: ref, posted_at: '2026-01-01' };
            const { notes: _notes, ...sighting } = readObservation(line, rev);
            return { ...sighting, source: { sourceId: '1', readAtMs: rev, isFirst: true } };
          }),
        );
      await show(10, 'a:x:1', 'a:x:2', 'a:xy:3', 'a:x;4', 'b:x:5');
      await show(30, 'a:x:6');
      expect(await store.polls.openPostings('a:x:')).toEqual(['a:x:1', 'a:x:2', 'a:x:6']);
      const readAtMs = Date.parse('2026-02-01T00:00:00Z');
      const reading = { sourceId: '1', readAtMs, isFirst: false };
      const closing = { refs: ['a:x:2', 'a:x:6', 'a:x:never'], rev: 20, reading };
      expect(await store.polls.closePostings(closing)).toBe(1);
      expect(await store.polls.closePostings(closing)).toBe(0);
      expect(await store.polls.openPostings('a:x:')).toEqual(['a:x:1', 'a:x:6']);
      const refs = async (now: string) =>
        (
          await allPages((position) =>
            store.source.jobPostings({ ...always, now: new Date(now), position, limit: 9 }),
          )
        ).map(({ ref }) => ref);
      expect(await refs('2026-01-31T23:59:59.999Z')).toContain('a:x:2');
      expect(await refs('2026-02-01T00:00:00Z')).not.toContain('a:x:2');
      // A poll with a request older than the closing does not open it again; a later one does.
      await show(15, 'a:x:2');
      expect(await store.polls.openPostings('a:x:')).toEqual(['a:x:1', 'a:x:6']);
      await show(40, 'a:x:2');
      expect(await store.polls.openPostings('a:x:')).toEqual(['a:x:1', 'a:x:2', 'a:x:6']);
    });
  });
}
