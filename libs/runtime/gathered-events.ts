import { setTimeout as delay } from 'node:timers/promises';
import { LONGEST_GATHERING_MS } from '#kernel/commands/background-turn.js';
import type { EventBatch, EventStore, Subscribe } from '#kernel/ports/event-store.port.js';
import { withAppend } from './with-append.js';

/** The number of transactions of another thread of this process, which all threads see. */
export type SharedCount = SharedArrayBuffer;

export const sharedCount = (): SharedCount => new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT);

export function countOne(shared: SharedCount): void {
  Atomics.add(new Int32Array(shared), 0, 1);
}

/**
 * The same events for projecting. While another thread appends, further events gather for as long as the last batch took:
 * each batch has a fixed cost per read model. Nothing waits while the other thread appends nothing.
 */
export function gatheredEvents(events: EventStore, commitsBeside: SharedCount): EventStore {
  const commits = new Int32Array(commitsBeside);

  async function* gathered(wanted: Subscribe): AsyncGenerator<EventBatch> {
    let seen = Atomics.load(commits, 0);
    for await (const batch of events.subscribe(wanted)) {
      const startedAt = performance.now();
      yield batch;
      const ms = Math.min(LONGEST_GATHERING_MS, performance.now() - startedAt);
      const count = Atomics.load(commits, 0);
      if (count !== seen) await delay(ms, undefined, { signal: wanted.signal }).catch(() => undefined);
      seen = count;
    }
  }

  return { ...withAppend(events, (...append) => events.append(...append)), subscribe: gathered };
}
