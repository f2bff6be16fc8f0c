import type { EventStore, NewEvent } from '#kernel/ports/event-store.port.js';
import { inSpan, isSampled, type Tracing } from '#kernel/ports/tracing.port.js';
import { withAppend } from '../with-append.js';
import type { AppendAttempts } from './append-attempts.js';

/**
 * Wraps an event store with traced appends. An append belongs to the command of its first event and has links to the
 * other commands written with it.
 */
export function tracedEventStore(events: EventStore, tracing: Tracing, attempts: AppendAttempts): EventStore {
  return withAppend(events, (stream, expected, appended) => {
    const causes = tracedCauses(appended);
    const [parent, ...links] = causes;
    if (parent === undefined) return events.append(stream, expected, appended);
    attempts.sent(causes);
    const facts = {
      'db.operation.name': 'append',
      'signal_ledger.stream': stream,
      'db.operation.batch.size': appended.length,
    };
    const start = { name: 'append', kind: 'client', parent, links, facts } as const;
    return inSpan(tracing, start, () => events.append(stream, expected, appended));
  });
}

/** The sampled causes of these events, each once, in order. */
export function tracedCauses(events: readonly Pick<NewEvent, 'metadata'>[]): readonly string[] {
  const named = events.flatMap(({ metadata: { traceparent } }) =>
    traceparent !== undefined && isSampled(traceparent) ? [traceparent] : [],
  );
  return [...new Set(named)];
}
