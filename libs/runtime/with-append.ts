import type { EventStore } from '#kernel/ports/event-store.port.js';

/** The same event store, with another way to append. */
export const withAppend = (events: EventStore, append: EventStore['append']): EventStore => ({
  append,
  readStream: (stream, read) => events.readStream(stream, read),
  ends: (streams) => events.ends(streams),
  readWhole: (streams) => events.readWhole(streams),
  readAll: (read) => events.readAll(read),
  subscribe: (read) => events.subscribe(read),
  head: () => events.head(),
  requireSpace: () => events.requireSpace(),
  lastEvent: (upTo, which) => events.lastEvent(upTo, which),
  readBack: (before, maxCount) => events.readBack(before, maxCount),
  sweep: (before) => events.sweep(before),
  close: () => events.close(),
});
