import type { StoredRow } from './event-reader.js';

/** What is kept at most: more than a subscription lags behind that keeps up, and little beside everything else. */
const MOST_EVENTS = 1_000;
const MOST_CHARACTERS = 1 << 20;

/**
 * The last events that this connection has committed, an unbroken piece of the log: who follows closely is given them
 * without reading them back. It says nothing of what others append behind its end.
 */
export type RecentEvents = {
  /** What a transaction has written, in order, once it is durable. */
  readonly keep: (rows: readonly StoredRow[]) => void;
  /** The rows right behind a position, at most so many; null where the first of them is not among those kept. */
  readonly after: (position: number, limit: number) => readonly StoredRow[] | null;
  /** Must be called when others have appended: nobody may believe that what is kept is all there is. */
  readonly forget: () => void;
};

export function recentEvents(): RecentEvents {
  let kept: StoredRow[] = [];
  let characters = 0;

  const keepBounds = (): void => {
    while (kept.length > MOST_EVENTS || (characters > MOST_CHARACTERS && kept.length > 0)) {
      const dropped = kept.splice(0, Math.ceil(kept.length / 2));
      for (const row of dropped) characters -= charactersOf(row);
    }
  };
  const forget = (): void => {
    kept = [];
    characters = 0;
  };
  return {
    keep: (rows) => {
      for (const row of rows) {
        const last = kept.at(-1);
        if (last !== undefined && row[0] !== last[0] + 1) forget();
        kept.push(row);
        characters += charactersOf(row);
      }
      keepBounds();
    },
    after: (position, limit) => {
      const [first] = kept;
      if (first === undefined) return null;
      const from = position + 1 - first[0];
      if (from < 0 || from >= kept.length) return null;
      return kept.slice(from, from + limit);
    },
    forget,
  };
}

const charactersOf = ([, , , , , data, metadata]: StoredRow): number => data.length + metadata.length;
