import { START, StoreUnusable, type Position } from '#kernel/ports/event-store.port.js';
import { backoffMs, type RetryPolicy } from '#kernel/commands/retry.js';
import type { LogHead } from './log-head.js';
import { pauseUnlessAborted } from './pause-unless-aborted.js';
import type { ReadUnlessRefused } from './refused-position.js';

/** How often the end of the log is read again while it is before the read position. */
const LAG: RetryPolicy = { tries: 5, firstDelayMs: 20, longestDelayMs: 500 };

/**
 * The end of the log, which is never before the read position: a lagging node is awaited, otherwise it is another
 * log. The server itself reports nothing and omits new events up to that position.
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
 * The record before a position, to subscribe after it. Up to 23.10 the server searches the first record from a
 * position on and begins after that record: if the record at the position was scavenged meanwhile, or the position is
 * that of a checkpoint, the server would omit the next event.
 */
export async function recordBefore(
  head: LogHead,
  position: Position,
  unlessRefused: ReadUnlessRefused,
): Promise<Position> {
  if (position === START) return START;
  // The subscription reports better than this read whether the server has such a position.
  return (await unlessRefused(() => head.before(position))) ?? position;
}
