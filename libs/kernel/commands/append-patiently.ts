import {
  StoreUnavailable,
  type Appended,
  type EventStore,
  type NewEvent,
} from '../ports/event-store.port.js';
import { backoffMs, pause, type RetryPolicy } from './retry.js';

/**
 * Appends behind the revision `expected` (-1: a new stream), repeating the very same ids, bytes and expected
 * revision while the outcome is unknown or the store is away: with an expected revision the repetition is
 * idempotent. Throws what the last try threw; `StoreUnavailable` says `unknown` where any try may have written.
 */
export async function appendPatiently(
  eventStore: EventStore,
  stream: string,
  expected: bigint,
  events: readonly NewEvent[],
  retry: RetryPolicy,
): Promise<Appended> {
  const { tries, patienceMs = Infinity } = retry;
  const startedAt = performance.now();
  let mayBeWritten = false;
  for (let attempt = 0; ; attempt += 1) {
    try {
      return await eventStore.append(stream, expected < 0n ? 'no-stream' : expected, events);
    } catch (error) {
      if (!(error instanceof StoreUnavailable)) throw error;
      mayBeWritten ||= error.outcome === 'unknown';
      if (attempt + 1 >= tries || performance.now() - startedAt >= patienceMs) {
        // The last attempt may know that it wrote nothing; of an earlier one nobody knows.
        throw mayBeWritten ? new StoreUnavailable(error.message, 'unknown', { cause: error }) : error;
      }
      await pause(backoffMs(retry, attempt));
    }
  }
}
