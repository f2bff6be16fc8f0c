import { START, type EventStore, type Position, type StoredEvent } from '#kernel/ports/event-store.port.js';
import type { EventMark, KeptCheckpoint } from '#kernel/ports/read-store.port.js';

/** Whether a generation with this checkpoint was filled from the log as it is now. */
export type Fit = (checkpoint: KeptCheckpoint | null) => Promise<boolean>;

/**
 * Asks the log for the events that checkpoints stand on, once for each place: an older backup ends before it or
 * holds another event there, another kind of store has no such place. A checkpoint of an earlier version names
 * no event: its place at least has to be there.
 */
export function fitWith(events: Pick<EventStore, 'lastEvent'>): Fit {
  const asked = new Map<Position, Promise<StoredEvent | null>>();
  const eventBefore = (position: Position): Promise<StoredEvent | null> => {
    const known = asked.get(position);
    if (known !== undefined) return known;
    const asking = events.lastEvent(position);
    asked.set(position, asking);
    return asking;
  };
  const stands = async (position: Position, mark: EventMark | undefined): Promise<boolean> => {
    if (position === START) return true;
    const found = await eventBefore(position);
    return found !== null && (mark === undefined || (found.position === position && found.id === mark.id));
  };
  return async (checkpoint) => {
    if (checkpoint === null) return true;
    const { position, event, ahead } = checkpoint;
    if (!(await stands(position, event))) return false;
    return ahead === undefined || (await stands(ahead.position, ahead.event));
  };
}

/** What is kept of an event, so that its place is recognised. */
export function markOf({ id, metadata }: StoredEvent): EventMark {
  return { id, recordedAt: metadata['recordedAt'] ?? '' };
}
