import { START, StoreUnavailable, StoreUnusable, type Position } from '#kernel/ports/event-store.port.js';
import { backoffMs, type RetryPolicy } from '#kernel/commands/retry.js';
import { failureOf } from './client-errors.js';
import type { LogHead } from './log-head.js';
import { pauseUnlessAborted } from './pause-unless-aborted.js';

/** How often the end of the log is asked for again when it is before what was read already. */
const LAG: RetryPolicy = { tries: 5, firstDelayMs: 20, longestDelayMs: 500 };

/**
 * The end of the log, which is never before what was read already: a node that lags behind is waited for, and
 * else it is another log. The server itself says nothing and leaves out what it writes until it gets there.
 */
export async function endAfter(head: LogHead, after: Position, signal: AbortSignal): Promise<Position> {
  for (let attempt = 0; ; attempt += 1) {
    const end = await head.end();
    if (end >= after || signal.aborted) return end;
    if (attempt >= LAG.tries) {
      throw new StoreUnusable(
        `the log of the server ends before ${after}: it is another store or an older copy`,
      );
    }
    await pauseUnlessAborted(backoffMs(LAG, attempt), signal);
  }
}

/**
 * The record before a position, to subscribe behind. Up to 23.10 the server looks for the first record from a
 * position on and begins behind that one: where the record of the position itself was scavenged meanwhile, or the
 * position is that of a mark, it would leave out the next event.
 */
export async function recordBefore(head: LogHead, position: Position): Promise<Position> {
  if (position === START) return START;
  try {
    return await head.before(position);
  } catch (error) {
    // Whether the server has such a place at all, the subscription says better than this read.
    if (error instanceof StoreUnavailable && failureOf(error.cause).type === 'unknown') return position;
    throw error;
  }
}
