import { StoreUnavailable, type EventStore } from '#kernel/ports/event-store.port.js';
import { openEventStoreDb } from '#event-store/eventstoredb/eventstoredb-event-store.js';
import { openSqliteEventStore } from '#event-store/sqlite/sqlite-event-store.js';
import type { Settings } from '#runtime/settings.js';
import { openStores, type Stores } from '#runtime/stores.js';

/** The stores that the settings name, some of them changed. */
export const changedStores =
  (change: (stores: Stores, settings: Settings) => Promise<Partial<Stores>> | Partial<Stores>) =>
  async (settings: Settings): Promise<Stores> => {
    const stores = await openStores(settings);
    const changed = await change(stores, settings);
    return {
      ...stores,
      ...changed,
      close: async () => {
        await changed.events?.close();
        await stores.close();
      },
    };
  };

/** With an event store that reports sooner that it is away, and how far it has read: tests wait for both. */
export const impatientStores = changedStores(async (stores, { eventStore }) => {
  await stores.events.close();
  return { events: await openImpatient(eventStore) };
});

/** Stores whose read store can be taken away from a running service. */
export function losableReadStore() {
  let isGone = false;
  const openStores = changedStores(({ reads }) => ({
    reads: new Proxy(reads, {
      get(target, name) {
        const member: unknown = Reflect.get(target, name);
        if (typeof member !== 'function' || name === 'close') return member;
        return async (...args: unknown[]): Promise<unknown> => {
          if (isGone) throw new StoreUnavailable('the read store is gone');
          return Reflect.apply(member, target, args);
        };
      },
    }),
  }));
  return {
    openStores,
    takeAway: (): void => void (isGone = true),
    bringBack: (): void => void (isGone = false),
  };
}

function openImpatient(eventStore: Settings['eventStore']): Promise<EventStore> {
  switch (eventStore.kind) {
    case 'sqlite':
      return openSqliteEventStore({ path: eventStore.path, lockPatienceMs: 200 });
    case 'esdb':
      return openEventStoreDb({ url: eventStore.url, patienceMs: 500, heartbeatMs: 200, quietMs: 100 });
  }
}
