import { StoreUnavailable } from '#kernel/ports/event-store.port.js';
import { traceIdsOf, type Tracing } from '#kernel/ports/tracing.port.js';
import type { Logger } from '#http/log.js';
import type { TroubleLog } from './background-work.js';

/**
 * Tells trouble of background work in one line each, with the span that ended by it; `failed` is told of what is more
 * than late.
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
    // What a store says of itself is no fault of ours: where it was met would be told again and again.
    if (error instanceof StoreUnavailable)
      logger.warn({ ...line, reason: error.message }, 'background work waits; it will be retried');
    else logger.error({ err: error, ...line }, 'background work failed; it will be retried');
  };
}
