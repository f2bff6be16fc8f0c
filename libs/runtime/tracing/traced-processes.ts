import type { EventStore } from '#kernel/ports/event-store.port.js';
import { isSampled, type Span, type Tracing } from '#kernel/ports/tracing.port.js';
import type { Process } from '#processes/process.js';
import { causePosition, type DueItem } from '#processes/to-do.js';

/**
 * Processes whose work is followed: as part of what caused it, where an event made it due, and as a trace of its own
 * where the clock did. What was caused by something that nobody follows is not followed either.
 */
export function tracedProcesses(
  processes: readonly Process[],
  tracing: Tracing,
  events: Pick<EventStore, 'lastEvent'>,
): readonly Process[] {
  return processes.map((process): Process => {
    const followed = follow(process, tracing, events);
    return {
      ...process,
      act: (host, item, signal) =>
        followed(process.name, item, () => process.act(host, item, signal), signal),
      ...(process.failed === undefined
        ? {}
        : {
            failed: async (host, item, error) =>
              followed(`${process.name} failed`, item, async () => process.failed?.(host, item, error)),
          }),
    };
  });
}

/** Neither it nor what it does is told. */
const NOT_FOLLOWED: Span = {
  traceparent: null,
  note: () => undefined,
  fail: () => undefined,
  end: () => undefined,
};

function follow(process: Process, tracing: Tracing, events: Pick<EventStore, 'lastEvent'>) {
  return async <Result>(
    name: string,
    item: DueItem,
    work: () => Promise<Result>,
    signal?: AbortSignal,
  ): Promise<Result> => {
    const position = causePosition(process.toDo, item);
    const parent = position === null ? null : await causeAt(events, position);
    if (position !== null && parent === null) return tracing.within(NOT_FOLLOWED, work);
    const facts = {
      'signal_ledger.item': process.key(item),
      'signal_ledger.workspace_id': item.workspaceId,
      'signal_ledger.lane': process.lane,
    };
    const span = tracing.begin({ name, parent, facts });
    try {
      return await tracing.within(span, work);
    } catch (error) {
      // A worker that stops has not failed.
      if (signal?.aborted !== true) span.fail(error);
      throw error;
    } finally {
      span.end();
    }
  };
}

/** What the event at a position was part of; null where nobody follows that, and where it cannot be asked for now. */
async function causeAt(events: Pick<EventStore, 'lastEvent'>, position: string): Promise<string | null> {
  const event = await events.lastEvent(position).catch(() => null);
  const traceparent = event?.metadata['traceparent'];
  return traceparent !== undefined && isSampled(traceparent) ? traceparent : null;
}
