import { setImmediate as turn, setTimeout as delay } from 'node:timers/promises';
import { START, type EventBatch, type EventStore, type Subscribe } from '#kernel/ports/event-store.port.js';
import { countOne, gatheredEvents, sharedCount } from '#runtime/gathered-events.js';
import { EventLog, memoryEventStore } from '#test/simulation/memory-event-store.js';

const BATCH_TOOK_MS = 50;
const BATCH: EventBatch = { events: [], position: '1', caughtUp: false };

describe('events for projecting beside a thread that appends', () => {
  const commits = sharedCount();

  /** A subscription behind a batch that took some time; `isRead`: whether it has read the batch after that one. */
  async function behindABatch(signal = new AbortController().signal) {
    let batchesRead = 0;
    async function* subscribe(wanted: Subscribe): AsyncGenerator<EventBatch> {
      while (!wanted.signal.aborted) {
        batchesRead += 1;
        yield BATCH;
      }
    }
    const events: EventStore = { ...memoryEventStore(new EventLog()), subscribe };
    const batches = gatheredEvents(events, commits)
      .subscribe({ after: START, signal })
      [Symbol.asyncIterator]();
    await batches.next();
    await delay(BATCH_TOOK_MS);
    return {
      next: () => batches.next(),
      async isRead() {
        // Timers run after this turn, however slow the machine is.
        await turn();
        return batchesRead > 1;
      },
    };
  }

  it('are read at once while the thread appends nothing', async () => {
    const { next, isRead } = await behindABatch();
    const batch = next();
    expect(await isRead()).toBe(true);
    expect((await batch).value).toBe(BATCH);
  });

  it('gather for a while, as the last batch took some time, while the thread appends', async () => {
    const { next, isRead } = await behindABatch();
    countOne(commits);
    const batch = next();
    expect(await isRead()).toBe(false);
    expect((await batch).value).toBe(BATCH);
  });

  it('end with their signal while they gather', async () => {
    const ending = new AbortController();
    const { next, isRead } = await behindABatch(ending.signal);
    countOne(commits);
    const batch = next();
    expect(await isRead()).toBe(false);
    ending.abort();
    expect(await Promise.race([batch, turn('still gathering')])).toMatchObject({ done: true });
  });
});
