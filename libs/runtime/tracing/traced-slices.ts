import { inSpan, type Tracing } from '#kernel/ports/tracing.port.js';
import type { AroundSlice } from '#projection-engine/project-batch.js';
import { tracedCauses } from './traced-event-store.js';

/** So many of the commands behind a slice are linked. */
const MOST_LINKS = 100;

/**
 * Slices of the projections, each a trace of its own with links to the commands whose events it folds: it belongs to
 * none of them. A slice without any is not followed.
 */
export function tracedSlices(tracing: Tracing): AroundSlice {
  return (events, work) => {
    const causes = tracedCauses(events);
    if (causes.length === 0) return work();
    const facts = { 'signal_ledger.events': events.length };
    const start = { name: 'project', parent: null, links: causes.slice(0, MOST_LINKS), facts };
    return inSpan(tracing, start, work);
  };
}
