import {
  StoreUnavailable,
  type Appended,
  type EventStore,
  type NewEvent,
} from '../ports/event-store.port.js';
import { backoffMs, pause, type RetryPolicy } from './retry.js';

/**
 * Appends after the revision `expected` (-1: a new stream). Repeats the append with the same ids, bytes and expected
 * revision while the outcome is unknown or the store is unavailable: with an expected revision the repetition is
 * idempotent. Throws the error of the last attempt; `StoreUnavailable` says `unknown` if any attempt may have
 * written.
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
        // Even if the last attempt wrote nothing, the outcome of an earlier attempt is unknown.
        throw mayBeWritten ? new StoreUnavailable(error.message, 'unknown', { cause: error }) : error;
      }
      await pause(backoffMs(retry, attempt));
    }
  }
}
