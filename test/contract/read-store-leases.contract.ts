import type { Lease, ReadStore } from '#kernel/ports/read-store.port.js';
import type { MakeReadStorePlace, ReadStorePlace } from './read-store-fixture.js';

const TTL_MS = 5_000;

export function readStoreLeaseCases(makePlace: MakeReadStorePlace): void {
  describe('leases', () => {
    let place: ReadStorePlace;
    let first: ReadStore;
    let second: ReadStore;
    let now: number;
    beforeEach(async () => {
      now = 1_000_000;
      place = await makePlace();
      first = await place.connect(() => now);
      second = await place.connect(() => now);
    });
    afterEach(() => place.remove());

    const lease = (holder: string, epoch: number, remainingMs = TTL_MS): Lease => ({
      name: 'projections',
      holder,
      epoch,
      remainingMs,
    });

    it('gives a free lease to the first caller, and to no other while it lasts', async () => {
      expect(await first.lease('projections')).toBeNull();
      expect(await first.acquireLease('projections', 'a', TTL_MS)).toEqual(lease('a', 1));
      now += TTL_MS - 1;
      expect(await second.acquireLease('projections', 'b', TTL_MS)).toBeNull();
      expect(await second.lease('projections')).toEqual(lease('a', 1, 1));
    });

    it('renews for its holder and keeps the epoch, also after it expired if no other took it', async () => {
      await first.acquireLease('projections', 'a', TTL_MS);
      now += 1_000;
      expect(await first.acquireLease('projections', 'a', TTL_MS)).toEqual(lease('a', 1));
      now += TTL_MS + 1;
      expect(await first.acquireLease('projections', 'a', TTL_MS)).toEqual(lease('a', 1));
      expect(await second.acquireLease('projections', 'b', TTL_MS)).toBeNull();
    });

    it('renews several together: those still held at their epoch, even if one has expired', async () => {
      await first.acquireLease('expired', 'a', 1_000);
      await first.acquireLease('taken', 'a', 1_000);
      await first.acquireLease('given-back', 'a', TTL_MS);
      await first.acquireLease('projections', 'a', TTL_MS);
      now += 2_000;
      await second.acquireLease('taken', 'b', TTL_MS);
      await first.releaseLease('given-back', { lease: 'given-back', epoch: 1 });
      now += 500;
      const names = ['expired', 'taken', 'given-back', 'nobodys', 'projections'];
      const fences = names.map((name) => ({ lease: name, epoch: 1 }));
      expect(await first.renewLeases(fences, TTL_MS)).toEqual([true, false, false, false, true]);
      expect(await first.renewLeases([], TTL_MS)).toEqual([]);
      const found = await Promise.all(names.map((name) => second.lease(name)));
      expect(found).toEqual([
        { ...lease('a', 1), name: 'expired' },
        { ...lease('b', 2, TTL_MS - 500), name: 'taken' },
        null,
        null,
        lease('a', 1),
      ]);
      expect(await second.acquireLease('given-back', 'b', TTL_MS)).toMatchObject({ epoch: 2 });
    });

    it('gives an expired lease to another holder with the next epoch, and then not back', async () => {
      await first.acquireLease('projections', 'a', TTL_MS);
      now += TTL_MS;
      expect(await second.acquireLease('projections', 'b', TTL_MS)).toEqual(lease('b', 2));
      expect(await first.acquireLease('projections', 'a', TTL_MS)).toBeNull();
    });

    it('is free at once after a release, and never repeats an epoch', async () => {
      await first.acquireLease('projections', 'a', TTL_MS);
      await first.releaseLease('projections', { lease: 'projections', epoch: 1 });
      expect(await second.lease('projections')).toBeNull();
      expect(await second.acquireLease('projections', 'b', TTL_MS)).toEqual(lease('b', 2));
      await second.releaseLease('projections', { lease: 'projections', epoch: 2 });
      expect(await second.acquireLease('projections', 'b', TTL_MS)).toEqual(lease('b', 3));
    });

    it('stays with its new holder when an earlier one releases it', async () => {
      await first.acquireLease('projections', 'a', TTL_MS);
      now += TTL_MS;
      await second.acquireLease('projections', 'b', TTL_MS);
      await first.releaseLease('projections', { lease: 'projections', epoch: 1 });
      expect(await first.lease('projections')).toEqual(lease('b', 2));
    });

    it('returns its remaining time by the clock of the store, whatever the clock of this process is', async () => {
      await first.acquireLease('projections', 'a', TTL_MS);
      for (const [passedMs, remainingMs] of [
        [0, TTL_MS],
        [TTL_MS - 1, 1],
        [TTL_MS, 0],
        [TTL_MS + 1_000, -1_000],
      ] as const) {
        now = 1_000_000 + passedMs;
        for (const store of [first, second]) {
          expect(await store.lease('projections')).toEqual(lease('a', 1, remainingMs));
        }
      }
    });

    it('keeps names apart', async () => {
      await first.acquireLease('projections', 'a', TTL_MS);
      expect(await second.acquireLease('processes', 'b', TTL_MS)).toMatchObject({ holder: 'b', epoch: 1 });
    });

    it('gives each of many to one of two that ask for all at once, and lets each renew its own in one call', async () => {
      const names = Array.from({ length: 64 }, (_, number) => `part:${number}`);
      const asked = (store: ReadStore, holder: string) =>
        Promise.all(names.map((name) => store.acquireLease(name, holder, TTL_MS)));
      const [ofA, ofB] = await Promise.all([asked(first, 'a'), asked(second, 'b')]);
      names.forEach((_, place) => expect([ofA[place], ofB[place]]).toContain(null));
      now += TTL_MS - 1;
      const fences = names.map((name) => ({ lease: name, epoch: 1 }));
      await first.renewLeases(
        fences.filter((_, place) => ofA[place] !== null),
        TTL_MS,
      );
      now += 1;
      const found = await Promise.all(names.map((name) => second.lease(name)));
      expect(found).toEqual(
        names.map((name, place) =>
          ofA[place] === null ? { ...lease('b', 1, 0), name } : { ...lease('a', 1, TTL_MS - 1), name },
        ),
      );
      // A lease that the other has not renewed is free.
      const taken = await asked(first, 'a');
      taken.forEach((each, place) => expect(each?.epoch).toBe(ofA[place] === null ? 2 : 1));
    });

    it('has one winner among many concurrent calls', async () => {
      const holders = Array.from({ length: 8 }, (_, number) => `holder-${number}`);
      const answers = await Promise.all(
        holders.map((holder, place) =>
          (place % 2 === 0 ? first : second).acquireLease('race', holder, TTL_MS),
        ),
      );
      expect(answers.filter((answer) => answer !== null)).toHaveLength(1);
    });
  });
}
