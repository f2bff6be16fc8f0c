import { setTimeout } from 'node:timers/promises';
import { ingest, type FreshNetwork, type Json } from './observed.js';

const LONG_AGO_MS = 100;
const A_MINUTE_MS = 60_000;

/** The guarantees of every network store for arrivals. */
export function arrivalsContract(fresh: FreshNetwork): void {
  describe('arrivals', () => {
    const post = (ref: string, text: string, more: Json = {}): Json => ({
      kind: 'post',
      ref,
      rev: 1,
      text,
      author_ref: 'p:ana',
      published_at: '2025-01-01T00:00:00Z',
      ...more,
    });
    const namesOf = async (
      reader: { next: (limit: number) => Promise<readonly { ref: string }[]> },
      limit = 10,
    ) => (await reader.next(limit)).map(({ ref }) => ref);

    it('LIV-02 are the accepted observations, in order, each once', async () => {
      const store = await fresh([post('a:1', 'one'), post('a:2', 'two'), post('a:3', 'three')]);
      const reader = store.arrivals.ofLast(Infinity);
      expect(await namesOf(reader, 2)).toEqual(['a:1', 'a:2']);
      expect(await namesOf(reader)).toEqual(['a:3']);
      expect(await namesOf(reader)).toEqual([]);
      await ingest(store, [post('a:2', 'two'), post('a:4', 'four'), post('a:1', 'edited', { rev: 2 })]);
      expect((await namesOf(reader)).sort()).toEqual(['a:1', 'a:4']);
      expect(await namesOf(reader)).toEqual([]);
    });

    it('LIV-02 have their subject, their time and their text', async () => {
      const store = await fresh([
        post('a:1', 'About CRM'),
        {
          kind: 'comment',
          ref: 'c:1',
          rev: 1,
          author_ref: 'p:bo',
          post_ref: 'a:1',
          text: 'yes',
          published_at: '2025-01-02T00:00:00Z',
        },
        { kind: 'company', ref: 'c:acme', rev: 1, name: 'Acme', domains: ['acme.com'] },
      ]);
      const arrivals = await store.arrivals.ofLast(Infinity).next(10);
      expect(new Map(arrivals.map((arrival) => [arrival.ref, arrival]))).toEqual(
        new Map([
          [
            'a:1',
            {
              kind: 'post',
              ref: 'a:1',
              atMs: Date.parse('2025-01-01T00:00:00Z'),
              subject: 'p:ana',
              host: null,
              text: 'About CRM',
            },
          ],
          [
            'c:1',
            {
              kind: 'comment',
              ref: 'c:1',
              atMs: Date.parse('2025-01-02T00:00:00Z'),
              subject: 'p:bo',
              host: 'p:ana',
              text: null,
            },
          ],
          ['c:acme', { kind: 'company', ref: 'c:acme', atMs: null, subject: null, host: null, text: null }],
        ]),
      );
    });

    it('LIV-02 begin with those of the last time before the first read', async () => {
      const store = await fresh([post('a:1', 'one')]);
      await setTimeout(LONG_AGO_MS);
      expect(await namesOf(store.arrivals.ofLast(LONG_AGO_MS / 2))).toEqual([]);
      expect(await namesOf(store.arrivals.ofLast(A_MINUTE_MS))).toEqual(['a:1']);
    });
  });
}
