import { StoreUnavailable } from '#kernel/ports/event-store.port.js';
import { pause } from '#kernel/commands/retry.js';
import { failureOf } from './client-errors.js';
import type { FiniteRead } from './finite-read.js';

const AGAIN_AFTER_MS = 250;

/** Reads from a position; null if the log has no such position. Rejects like the read for any other failure. */
export type ReadUnlessRefused = <Result>(work: () => Promise<Result>) => Promise<Result | null>;

/**
 * The server answers a position inside a record, which belongs to another log, with the same error as a failed read of its
 * disk. So a position counts as refused only if reads from it fail for so long, while the end of the log can be read: a
 * passing failure must not take read models out of service.
 */
export function readUnlessRefused(read: FiniteRead, refusedMs: number): ReadUnlessRefused {
  return async (work) => {
    let failedAt: number | null = null;
    for (;;) {
      try {
        return await work();
      } catch (error) {
        if (!isUnknown(error)) throw error;
      }
      // Rejects if the server cannot read its log at all.
      await read.logEnd('end', 1);
      failedAt ??= performance.now();
      if (performance.now() - failedAt > refusedMs) return null;
      await pause(AGAIN_AFTER_MS);
    }
  };
}

function isUnknown(error: unknown): boolean {
  return error instanceof StoreUnavailable && failureOf(error.cause).type === 'unknown';
}
