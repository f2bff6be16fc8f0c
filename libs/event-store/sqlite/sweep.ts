import type { DatabaseSyncInstance } from '@photostructure/sqlite';
import type { Swept } from '#kernel/ports/event-store.port.js';
import { isShortLived, SHORT_LIVED_BEGINNINGS } from '#kernel/ports/short-lived.js';
import type { FilePlace } from '#sqlite/file-place.js';
import { inWriteTransaction } from '#sqlite/transaction.js';
import { firstOfStream, inBothIndexes, lastOfStream, placeRemover } from './stream-index.js';

/** The bounds of one step: the event loop is blocked meanwhile. */
const MOST_ROWS = 2_000;
const MOST_STREAMS = 50;

type Row = readonly [position: number, streamId: number, stream: string];
type End = readonly [position: number, metadata: string];

/** One step of a sweep: `lastLasting` is the position of the last event that stays. */
export type Sweep = (before: Date, lastLasting: number) => Swept;

/**
 * Removes short-lived streams as a whole once their last event is old enough. The log is read in order and each
 * stream is checked at its end, so a step continues at the first end that was too young. The end of the log always
 * stays: a reader up to it must not find a shorter log.
 */
export function sweeper(db: DatabaseSyncInstance, place: FilePlace): Sweep {
  const arrays = { returnArrays: true };
  const inOrder = db.prepare(
    `SELECT position, stream_id, streams.name FROM recorded_events CROSS JOIN streams ON streams.id = stream_id
     WHERE position > ? AND position < ? ORDER BY position LIMIT ${MOST_ROWS}`,
    arrays,
  );
  const endOf = db.prepare(
    `SELECT position, metadata FROM recorded_events WHERE position = ${lastOfStream('position', '?1')}`,
    arrays,
  );
  const removeEvents = db.prepare(
    `DELETE FROM recorded_events WHERE position IN
       (${inBothIndexes((table) => `SELECT position FROM ${table} WHERE stream_id = ?1`)})`,
  );
  const removePlaces = placeRemover(db);
  const removeStream = db.prepare('DELETE FROM streams WHERE id = ?');
  const oldestOf = db.prepare('SELECT min(id) FROM streams WHERE name >= ? AND name < ?', arrays);
  const beginOf = db.prepare(`SELECT ${firstOfStream('?1')}`, arrays);
  let walked: number | null = null;

  /**
   * The start of the first walk of a process: right before the oldest stream that may be short-lived, so that the process
   * does not read the whole log again. Streams are numbered in the order of their first events.
   */
  const beforeOldest = (lastLasting: number): number => {
    const oldest = SHORT_LIVED_BEGINNINGS.flatMap((beginning): readonly number[] => {
      const [id]: readonly [number | null] = oldestOf.get(beginning, `${beginning}\u{10ffff}`);
      return id === null ? [] : [id];
    });
    if (oldest.length === 0) return lastLasting - 1;
    const [begin]: readonly [number | null] = beginOf.get(Math.min(...oldest));
    return (begin ?? 1) - 1;
  };

  /** Another process may have appended to it, or swept it, since it was found. */
  const removeWhole = (streamId: number, position: number): number => {
    const end: End | undefined = endOf.get(streamId);
    if (end?.[0] !== position) return 0;
    const { changes } = removeEvents.run(streamId);
    removePlaces(streamId);
    removeStream.run(streamId);
    return Number(changes);
  };

  return (before, lastLasting) => {
    const begin = walked ?? beforeOldest(lastLasting);
    const rows: readonly Row[] = inOrder.all(begin, lastLasting);
    const old: (readonly [streamId: number, position: number])[] = [];
    let [reached, isDone] = [begin, rows.length < MOST_ROWS];
    for (const [position, streamId, stream] of rows) {
      if (isShortLived(stream)) {
        const end: End | undefined = endOf.get(streamId);
        if (end?.[0] === position) {
          isDone ||= recordedAt(end) >= before.getTime();
          if (recordedAt(end) >= before.getTime()) break;
          if (old.length === MOST_STREAMS) {
            isDone = false;
            break;
          }
          old.push([streamId, position]);
        }
      }
      reached = position;
    }
    let removed = 0;
    if (old.length > 0) {
      place.require();
      inWriteTransaction(db, () => {
        for (const [streamId, position] of old) removed += removeWhole(streamId, position);
      });
    }
    walked = reached;
    return { removed, isDone };
  };
}

/** Milliseconds; an event without a time is as old as can be. */
function recordedAt([, metadata]: End): number {
  const { recordedAt: at = '' }: { readonly recordedAt?: string } = JSON.parse(metadata);
  return Date.parse(at) || 0;
}
