import type { EventStore } from '#kernel/ports/event-store.port.js';
import {
  openEventStoreDb,
  type OpenEventStoreDb,
} from '#event-store/eventstoredb/eventstoredb-event-store.js';

export type EventStoreDbEventStores = {
  readonly open: (options?: Partial<OpenEventStoreDb>) => Promise<EventStore>;
  /** Closes every store opened here; their events stay on the server. */
  readonly closeAll: () => Promise<void>;
};

/** Clients of the server at a connection string. */
export function eventStoreDbEventStores(url: string): EventStoreDbEventStores {
  const opened: EventStore[] = [];
  return {
    open: async (options = {}) => {
      const store = await openEventStoreDb({ url, ...options });
      opened.push(store);
      return store;
    },
    closeAll: async () => {
      await Promise.all(opened.map((store) => store.close()));
    },
  };
}
