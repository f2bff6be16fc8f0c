import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { openSqliteEventStore } from '#event-store/sqlite/sqlite-event-store.js';
import type { EventStore } from '#kernel/ports/event-store.port.js';
import { countOne, gatheredEvents, sharedCount } from '#runtime/gathered-events.js';
import { temporaryFolder } from '#test/support/temporary-folder.js';

const BATCH_TOOK_MS = 50;

const folder = temporaryFolder('gathered-events');

describe('events for projecting beside a thread that appends', () => {
  const commits = sharedCount();
  const ending = new AbortController();
  let events: EventStore;
  let streams = 0;
  beforeAll(async () => {
    events = await openSqliteEventStore({ path: join(folder, 'events.db') });
  });
  afterAll(() => events.close());

  const append = async (type: string): Promise<void> => {
    streams += 1;
    const event = { id: randomUUID(), type, data: {}, metadata: {} };
    await events.append(`stream-${streams}`, 'no-stream', [event]);
  };
  /** The types of the next batch, of events that are appended one after the other behind a batch that took some time. */
  const typesAfter = async (meanwhile: () => void, signal = ending.signal): Promise<readonly string[]> => {
    const after = await events.head();
    const batches = gatheredEvents(events, commits).subscribe({ after, signal })[Symbol.asyncIterator]();
    // The subscription first says that nothing is behind its beginning.
    await batches.next();
    await append('First');
    expect((await batches.next()).value?.events).toHaveLength(1);
    await delay(BATCH_TOOK_MS);
    meanwhile();
    await append('Second');
    const next = batches.next();
    await delay(BATCH_TOOK_MS / 5);
    await append('Third');
    const types = (await next).value?.events.map(({ type }: { type: string }) => type) ?? [];
    await batches.return?.(undefined);
    return types;
  };

  it('come at once while the thread appends nothing', async () => {
    expect(await typesAfter(() => undefined)).toEqual(['Second']);
  });

  it('gather for as long as the last batch took while the thread appends', async () => {
    expect(await typesAfter(() => countOne(commits))).toEqual(['Second', 'Third']);
  });

  it('end with their signal while they gather', async () => {
    const ended = new AbortController();
    setTimeout(() => ended.abort(), BATCH_TOOK_MS + 1);
    expect(await typesAfter(() => countOne(commits), ended.signal)).toEqual([]);
  });
});
