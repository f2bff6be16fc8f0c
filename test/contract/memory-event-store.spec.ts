import { eventStoreContract } from './event-store.contract.js';
import { EventLog, memoryEventStore } from '#test/simulation/memory-event-store.js';

// The simulation uses this store: its proofs are valid only if the store behaves like the others.
eventStoreContract('in memory, for the simulation', async () => {
  const log = new EventLog();
  const opened = [memoryEventStore(log)];
  return {
    store: opened[0] ?? memoryEventStore(log),
    openAnother: async () => {
      const another = memoryEventStore(log);
      opened.push(another);
      return another;
    },
    tearDown: async () => {
      await Promise.all(opened.map((store) => store.close()));
    },
  };
});
