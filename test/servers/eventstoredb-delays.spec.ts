import { START, type EventStore } from '#kernel/ports/event-store.port.js';
import { newEvents } from '#test/support/event-stores.js';
import { eventStoreDbEventStores } from '#test/support/eventstoredb-event-stores.js';
import { startEventStoreDbServer, type EventStoreDbServer } from './eventstoredb/eventstoredb-server.js';

const STREAMS = 20;

describe('the double of EventStoreDB with delays', () => {
  let server: EventStoreDbServer;
  let store: EventStore;
  let close: () => Promise<void>;
  beforeEach(async () => {
    server = await startEventStoreDbServer();
    const stores = eventStoreDbEventStores(server.url);
    store = await stores.open();
    close = stores.closeAll;
  });
  afterEach(async () => {
    await close();
    server.stop();
  });

  it('serves concurrent calls in another order than they came in', async () => {
    server.faults.delays = { seed: 7, callMs: 40, gapMs: 0 };
    const streams = Array.from({ length: STREAMS }, (_, index) => `late-${index}`);
    await Promise.all(streams.map((stream) => store.append(stream, 'no-stream', newEvents(1))));
    const written = server.log.all.map(({ stream }) => stream).filter((stream) => streams.includes(stream));
    expect(written.toSorted()).toEqual(streams.toSorted());
    expect(written).not.toEqual(streams);
  });

  it('shows the records of one append one after the other', async () => {
    server.faults.delays = { seed: 7, callMs: 0, gapMs: 5 };
    const ending = new AbortController();
    await store.append('seen-1', 'no-stream', newEvents(STREAMS));
    const sentAt: number[] = [];
    for await (const { events } of store.subscribe({ after: START, signal: ending.signal })) {
      for (const { stream } of events) if (stream === 'seen-1') sentAt.push(server.traffic.sentEvents);
      if (sentAt.length === STREAMS) ending.abort();
    }
    // The first arrived before the last was sent.
    expect(sentAt[0]).toBeLessThan(sentAt.at(-1) ?? 0);
  });
});
