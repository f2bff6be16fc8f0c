import type { StoredRow } from './stored-row.js';

/**
 * The maximum that is kept: more than the lag of a subscription that keeps up, and little compared with everything
 * else.
 */
const MOST_EVENTS = 1_000;
const MOST_CHARACTERS = 1 << 20;

/**
 * The last events that this connection has committed, a gapless range of the log: a close follower gets them without
 * a read. Says nothing about later appends of others. Measured alternately: 20 events take 0.03 us, read from SQLite 38 us.
 */
export type RecentEvents = {
  /** Adds the events of a transaction, in order, once it is durable. */
  readonly keep: (rows: readonly StoredRow[]) => void;
  /** The rows from the position after the given one, up to the limit; null if the first of them is not kept. */
  readonly after: (position: number, limit: number) => readonly StoredRow[] | null;
  /** Must be called when others have appended: the range is then not the end of the log. */
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
