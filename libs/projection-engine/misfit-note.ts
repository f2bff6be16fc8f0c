import type { ReadStore } from '#kernel/ports/read-store.port.js';
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '#kernel/values/durations.js';

/**
 * Records a log mismatch of read models until they are rebuilt: `clearing` while data derived from missing events is
 * removed, then `building`.
 */
export type MisfitNote = {
  readonly state: 'clearing' | 'building';
  /** Names of the views that are rebuilt. */
  readonly views: readonly string[];
  /** Recording time of the last event that these views had read; null: unknown. */
  readonly seenUntil: string | null;
  /** Recording time of the last event of the log when the mismatch was found; null: the log is empty. */
  readonly endsAt: string | null;
};

const KIND = 'misfit';

export function misfitNote(reads: ReadStore, groupName: string): Promise<MisfitNote | null> {
  return reads.getRecord<MisfitNote>(KIND, groupName);
}

export async function putMisfitNote(reads: ReadStore, groupName: string, note: MisfitNote): Promise<void> {
  await reads.putRecord(KIND, groupName, note);
}

export async function deleteMisfitNote(reads: ReadStore, groupName: string): Promise<void> {
  await reads.deleteRecord(KIND, groupName);
}

/** The reason of the rebuild, for people. */
export function misfitReason({ seenUntil, endsAt }: Pick<MisfitNote, 'seenUntil' | 'endsAt'>): string {
  const aheadMs = Date.parse(seenUntil ?? '') - Date.parse(endsAt ?? '');
  if (aheadMs > 0) {
    return `read models were ahead of the events by ${durationOf(aheadMs)} (they had read events until ${seenUntil}, the event store ends at ${endsAt})`;
  }
  if (seenUntil !== null && endsAt === null) {
    return `read models were ahead of the events (they had read events until ${seenUntil}, the event store has none)`;
  }
  const until = seenUntil === null ? '' : ` (until ${seenUntil})`;
  return `read models had read events${until} that are not at those positions in the event store`;
}

const UNITS = [
  ['d', DAY_MS],
  ['h', HOUR_MS],
  ['min', MINUTE_MS],
  ['s', SECOND_MS],
  ['ms', 1],
] as const;
const SHOWN_UNITS = 2;

/** `2 d 3 h`, `12 min 4 s`: the two largest units. */
function durationOf(wholeMs: number): string {
  let left = wholeMs;
  const parts = UNITS.map(([unit, ms]) => {
    const count = Math.floor(left / ms);
    left -= count * ms;
    return { unit, count };
  });
  const first = parts.findIndex(({ count }) => count > 0);
  return parts
    .slice(first, first + SHOWN_UNITS)
    .filter(({ count }) => count > 0)
    .map(({ unit, count }) => `${count} ${unit}`)
    .join(' ');
}
