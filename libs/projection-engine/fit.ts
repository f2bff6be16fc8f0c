import { START, type EventStore, type Position, type StoredEvent } from '#kernel/ports/event-store.port.js';
import type { EventMark, KeptCheckpoint } from '#kernel/ports/read-store.port.js';

/** Whether a generation with this checkpoint was filled from the log as it is now. */
export type Fit = (checkpoint: KeptCheckpoint | null) => Promise<boolean>;

/**
 * Reads the event of each checkpoint from the log, once per position, to find a log mismatch: an older backup ends before
 * the position or holds another event there; another kind of store has no such position. A checkpoint of an earlier
 * version names no event; for it only the position must exist.
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

/** The id and recording time of an event, stored to recognise the event later. */
export function markOf({ id, metadata }: StoredEvent): EventMark {
  return { id, recordedAt: metadata['recordedAt'] ?? '' };
}
