import { randomUUID } from 'node:crypto';
import { StoreUnavailable, type EventStore } from '#kernel/ports/event-store.port.js';
import { eventsOf, everythingAfter, newEvents, soon } from '#test/support/event-stores.js';
import { appendingCases } from './event-store/appending.js';
import { readingCases } from './event-store/reading.js';
import { sharingCases } from './event-store/sharing.js';
import { subscribingCases } from './event-store/subscribing.js';

/** A store that may hold events of others, with as many clients as a case needs. */
export type EventStoreUnderTest = {
  readonly store: EventStore;
  /** Another client of the same store, like that of another process. */
  readonly openAnother: () => Promise<EventStore>;
  /** Closes every client and removes what the case has left, if that is possible. */
  readonly tearDown: () => Promise<void>;
};

/** The store of a case, and names that no other case uses. */
export type Scene = {
  readonly store: () => EventStore;
  readonly openAnother: () => Promise<EventStore>;
  readonly stream: (name?: string) => string;
  /** An event type that no other case writes. */
  readonly type: (name: string) => string;
};

/** The behaviour of every adapter of the event store port. */
export function eventStoreContract(adapter: string, setUp: () => Promise<EventStoreUnderTest>): void {
  describe(`event store contract: ${adapter}`, () => {
    let underTest: EventStoreUnderTest;
    let mark = '';
    beforeEach(async () => {
      underTest = await setUp();
      mark = randomUUID().replaceAll('-', '');
    });
    afterEach(() => underTest.tearDown());

    const scene: Scene = {
      store: () => underTest.store,
      openAnother: () => underTest.openAnother(),
      stream: (name = 'a') => `contract-${mark}_${name}`,
      type: (name) => `${name}${mark}`,
    };
    describe('appending', () => appendingCases(scene));
    describe('reading', () => readingCases(scene));
    describe('subscribing', () => subscribingCases(scene));
    describe('sharing', () => sharingCases(scene));

    it('refuses every call after it is closed, and ends pending waits', async () => {
      const closed = await underTest.openAnother();
      const after = await closed.head();
      const waiting = (async () => {
        const read = { after, types: ['Never'], signal: new AbortController().signal };
        for await (const batch of closed.subscribe(read)) {
          if (batch.caughtUp) setImmediate(() => void closed.close());
        }
      })();
      await expect(soon('the end of the subscription', waiting)).rejects.toBeInstanceOf(StoreUnavailable);
      await expect(closed.append(scene.stream(), 'no-stream', newEvents(1))).rejects.toBeInstanceOf(
        StoreUnavailable,
      );
      await expect(eventsOf(closed, scene.stream())).rejects.toBeInstanceOf(StoreUnavailable);
      await expect(everythingAfter(closed, after)).rejects.toBeInstanceOf(StoreUnavailable);
      await expect(closed.head()).rejects.toBeInstanceOf(StoreUnavailable);
    });

    it('answers calls that were sent before it is closed', async () => {
      const closing = await underTest.openAnother();
      const sent = closing.append(scene.stream(), 'no-stream', newEvents(2));
      await closing.close();
      expect(await sent).toMatchObject({ revision: 1n });
      expect(await eventsOf(underTest.store, scene.stream())).toHaveLength(2);
    });

    it('allows a second close without an error', async () => {
      const another = await underTest.openAnother();
      await another.close();
      expect(await another.close()).toBeUndefined();
    });
  });
}
