import { START, type EventStore, type Position, type StoredEvent } from '#kernel/ports/event-store.port.js';
import { isShortLived } from '#kernel/ports/short-lived.js';
import type { FiniteRead } from './finite-read.js';
import type { LogHead } from './log-head.js';
import { isPosition } from './position-text.js';
import { ownEvent, positionOf } from './recorded-event.js';
import type { ReadUnlessRefused } from './refused-position.js';

type IsWanted = (event: StoredEvent) => boolean;

const FIRST_PAGE = 4;
const LARGEST_PAGE = 1_024;

/** Our last event at or before a position, or of the whole log; null if the log has no such position. */
export function lastEventReader(
  read: FiniteRead,
  head: LogHead,
  unlessRefused: ReadUnlessRefused,
): EventStore['lastEvent'] {
  /** The server also writes between our events, so the search goes backwards. */
  const before = async (position: Position, isWanted: IsWanted): Promise<StoredEvent | null> => {
    let from = position;
    for (let size = FIRST_PAGE; ; size = Math.min(LARGEST_PAGE, size * 4)) {
      const records = await read.logEnd(from, size);
      for (const record of records) {
        const at = positionOf(record);
        if (at === null) continue;
        const event = ownEvent(record, at);
        if (event !== null && isWanted(event)) return event;
        from = at;
      }
      if (records.length < size) return null;
    }
  };

  const at = async (position: Position, isWanted: IsWanted): Promise<StoredEvent | null> => {
    const [record] = await read.logPage(position, 1);
    const found = record === undefined ? null : positionOf(record);
    // No record from the position on: the log ends before it.
    if (record === undefined || found === null) return null;
    const event = found === position ? ownEvent(record, found) : null;
    return event !== null && isWanted(event) ? event : before(position, isWanted);
  };

  return async (upTo, which = 'any') => {
    const last = upTo ?? (await head.own());
    if (last === START || !isPosition(last)) return null;
    return unlessRefused(() => at(last, ({ stream }) => which === 'any' || !isShortLived(stream)));
  };
}

/** Our last events before a position or the end, newest first: the server also writes between them. */
export function backReader(read: FiniteRead, unlessRefused: ReadUnlessRefused): EventStore['readBack'] {
  return async (before, maxCount) => {
    if (before === START || (before !== null && !isPosition(before))) return [];
    const events: StoredEvent[] = [];
    for (let from: Position | 'end' = before ?? 'end'; events.length < maxCount;) {
      const size = Math.min(LARGEST_PAGE, maxCount);
      const end = from;
      const records = (await unlessRefused(() => read.logEnd(end, size))) ?? [];
      for (const record of records) {
        const at = positionOf(record);
        if (at === null) continue;
        from = at;
        const event = ownEvent(record, at);
        if (event !== null) events.push(event);
      }
      if (records.length < size) break;
    }
    return events.slice(0, maxCount);
  };
}
