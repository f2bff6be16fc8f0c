import { START, type Position } from '#kernel/ports/event-store.port.js';
import type { FiniteRead } from './finite-read.js';
import { ownEvent, positionOf } from './recorded-event.js';

export type LogHead = {
  /** Position of the last record of any kind, `START` in an empty log. */
  readonly end: () => Promise<Position>;
  /** Position of our last event, `START` if there is none. */
  readonly own: () => Promise<Position>;
  /** Position of the last record of any kind before a position, `START` when there is none. */
  readonly before: (position: Position) => Promise<Position>;
};

const FIRST_PAGE = 1;
const LARGEST_PAGE = 1_024;

/**
 * The ends of the log. The server also writes into it (elections, statistics, links of projections), so the search
 * for our last event goes backwards, never past the result of an earlier search.
 */
export function logHead(read: FiniteRead): LogHead {
  let seen: { readonly end: Position; readonly own: Position } = { end: START, own: START };

  const own = async (): Promise<Position> => {
    let before: Position | 'end' = 'end';
    let end: Position | null = null;
    for (let size = FIRST_PAGE; ; size = Math.min(LARGEST_PAGE, size * 16)) {
      const records = await read.logEnd(before, size);
      for (const record of records) {
        const position = positionOf(record);
        if (position === null) continue;
        // A log that is shorter than before is another log: earlier results do not count.
        if (end === null && position < seen.end) seen = { end: START, own: START };
        end ??= position;
        if (position <= seen.end) {
          seen = { end, own: seen.own };
          return seen.own;
        }
        if (ownEvent(record) !== null) {
          seen = { end, own: position };
          return position;
        }
        before = position;
      }
      if (records.length < size) {
        seen = { end: end ?? START, own: START };
        return START;
      }
    }
  };

  const last = async (before: Position | 'end'): Promise<Position> => {
    const [record] = await read.logEnd(before, 1);
    return record === undefined ? START : (positionOf(record) ?? START);
  };

  return { own, end: () => last('end'), before: last };
}
