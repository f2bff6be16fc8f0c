import type { StoredEvent } from '#kernel/ports/event-store.port.js';
import { logOf, sampleEvent as event } from '#event-store/testing/sample-log.js';
import { lastingEvents, shortLivedStreams } from './lasting-events.js';

async function placesOf(events: AsyncIterable<StoredEvent>): Promise<readonly (readonly [string, bigint])[]> {
  const places: (readonly [string, bigint])[] = [];
  for await (const { id, revision } of events) places.push([id, revision]);
  return places;
}

describe('the events of a log that is copied', () => {
  it('are compared without those of short-lived streams', async () => {
    const all = logOf(
      event('a-1', 0),
      event('request-1_x', 0),
      event('requests-1', 0),
      event('batch-7_y', 3),
    );
    expect(await placesOf(lastingEvents(all))).toEqual([
      ['a-1@0', 0n],
      ['requests-1@0', 0n],
    ]);
  });

  it('begin at revision 0 in a short-lived stream whose beginning has expired', async () => {
    const carried = shortLivedStreams().carried(
      logOf(event('request-1_x', 4), event('a-1', 7), event('request-1_x', 5), event('batch-7_y', 0)),
    );
    expect(await placesOf(carried)).toEqual([
      ['request-1_x@4', 0n],
      ['a-1@7', 7n],
      ['request-1_x@5', 1n],
      ['batch-7_y@0', 0n],
    ]);
  });

  it('continue a short-lived stream of the destination, and repeat none of its events', async () => {
    const streams = shortLivedStreams();
    // The destination has them at revisions of its own.
    streams.learn({ ...event('request-1_x', 4), revision: 0n });
    streams.learn({ ...event('request-1_x', 5), revision: 1n });
    const carried = streams.carried(
      logOf(event('request-1_x', 4), event('request-1_x', 5), event('request-1_x', 6), event('a-1', 0)),
    );
    expect(await placesOf(carried)).toEqual([
      ['request-1_x@6', 2n],
      ['a-1@0', 0n],
    ]);
  });
});
