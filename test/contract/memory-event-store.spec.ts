import { eventStoreContract } from './event-store.contract.js';
import { EventLog, memoryEventStore } from '#test/simulation/memory-event-store.js';

// The instrument of the simulation: what it proves is worth as much as this store is like the others.
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
