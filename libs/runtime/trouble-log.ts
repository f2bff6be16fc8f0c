import { StoreUnavailable } from '#kernel/ports/event-store.port.js';
import { LeaseLost } from '#kernel/ports/read-store.port.js';
import { traceIdsOf, type Tracing } from '#kernel/ports/tracing.port.js';
import type { Logger } from '#http/log.js';
import type { TroubleLog } from './background-work.js';

/**
 * Logs each error of background work in one line with the failed span; `failed` is called for errors other than
 * lateness.
 */
export function troubleLog(
  logger: Logger,
  failed: () => void,
  tracing: Pick<Tracing, 'failedBy'> | null,
): TroubleLog {
  return (what, error) => {
    if (error === null) {
      logger.warn({ what }, 'late');
      return;
    }
    failed();
    const line = { what, ...traceIdsOf(tracing?.failedBy(error)) };
    // An unavailable store and a process that was stopped for a while are no fault of ours: a stack in each line would be of
    // no use.
    if (error instanceof StoreUnavailable || error instanceof LeaseLost)
      logger.warn({ ...line, reason: error.message }, 'background work waits; it will be retried');
    else logger.error({ err: error, ...line }, 'background work failed; it will be retried');
  };
}
