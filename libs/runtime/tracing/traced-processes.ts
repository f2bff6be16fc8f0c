import type { EventStore, StoredEvent } from '#kernel/ports/event-store.port.js';
import { isSampled, type Span, type SpanStart, type Tracing } from '#kernel/ports/tracing.port.js';
import type { Process } from '#process-engine/process.js';
import { causePosition, type DueItem } from '#process-engine/to-do.js';

/** Reads the event that caused an item of work. */
export type CauseReader = Pick<EventStore, 'lastEvent' | 'readStream'>;

/**
 * Processes with traced work. Work that an event made due belongs to the trace of its cause; work that the clock made
 * due has its own trace. Work with an untraced cause is not traced.
 */
export function tracedProcesses(
  processes: readonly Process[],
  tracing: Tracing,
  events: CauseReader,
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

/** The span of untraced work: nothing is recorded. */
const NOT_FOLLOWED: Span = {
  traceparent: null,
  note: () => undefined,
  fail: () => undefined,
  end: () => undefined,
};

function follow(process: Process, tracing: Tracing, events: CauseReader) {
  return async <Result>(
    name: string,
    item: DueItem,
    work: () => Promise<Result>,
    signal?: AbortSignal,
  ): Promise<Result> => {
    const cause = await causeOf(process, item, events);
    if (cause === 'not followed') return tracing.within(NOT_FOLLOWED, work);
    const facts = {
      'signal_ledger.item': process.key(item),
      'signal_ledger.workspace_id': item.workspaceId,
      'signal_ledger.lane': process.lane,
    };
    const span = tracing.begin({ name, facts, ...cause });
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

/** The parent span of due work, and its links. */
async function causeOf(
  process: Process,
  item: DueItem,
  events: CauseReader,
): Promise<Pick<SpanStart, 'parent' | 'links'> | 'not followed'> {
  const { toDo } = process;
  const position = causePosition(toDo, item);
  const stream = process.causeStream?.(item);
  if (position === null && stream === undefined) return { parent: null };
  const event = position === null ? newestOf(events, stream ?? '') : events.lastEvent(position);
  // Work does not wait for its tracing.
  const traceparent = (await event.catch(() => null))?.metadata['traceparent'];
  const cause = traceparent !== undefined && isSampled(traceparent) ? traceparent : null;
  // Work that the clock made due may be related to an old trace: it is linked to it and not part of it.
  if (toDo.afterMs !== null) return { parent: null, links: cause === null ? [] : [cause] };
  return cause === null ? 'not followed' : { parent: cause };
}

async function newestOf(events: CauseReader, stream: string): Promise<StoredEvent | null> {
  for await (const [newest] of events.readStream(stream, { direction: 'backwards', maxCount: 1 }))
    return newest ?? null;
  return null;
}
