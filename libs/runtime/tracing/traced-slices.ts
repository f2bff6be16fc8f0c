import { inSpan, type Tracing } from '#kernel/ports/tracing.port.js';
import type { AroundSlice } from '#projection-engine/project-batch.js';
import { tracedCauses } from './traced-event-store.js';

/** The maximum number of linked commands per slice. */
const MOST_LINKS = 100;

/**
 * Slices of the projections. Each slice has its own trace with links to the commands whose events it folds. A slice
 * without traced commands is not traced.
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
