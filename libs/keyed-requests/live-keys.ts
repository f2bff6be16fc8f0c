import { LRUCache } from 'lru-cache';
import type { ReadStore } from '#kernel/ports/read-store.port.js';

export type LiveKeysOptions = {
  readonly reads: Pick<ReadStore, 'listRecords' | 'putRecord' | 'deleteRecord'>;
  /** Names this process, see `processHolder`. */
  readonly holder: string;
  /** How long a key is live. */
  readonly keptMs: number;
  /** Live keys of one workspace. */
  readonly most: number;
};

const KIND = 'live-keys';
const SLICE_MS = 15 * 60_000;
const DIGITS = 16;
const MOST_RECORDS = 10_000;
/**
 * The interval at which records of other processes are read; near the maximum they are read for each claim. Measured
 * alternately with 96 records: 51 us of the processor per claim, 143 us if each claim reads them.
 */
const LOOK_EVERY_MS = 1_000;
const NEAR = 0.9;
/** Workspaces that are remembered; one that was forgotten is looked up again. */
const MOST_WORKSPACES = 1_000;

/** Counts by key of their record. */
type Counts = Map<string, number>;
type Known = { readonly counts: Counts; lookedAtMs: number };

export type LiveKeys = ReturnType<typeof liveKeys>;

/**
 * How many keys of a workspace are live, counted by every process that claims them, in slices of time. Each process
 * writes one record per slice, so no two processes write the same one. A key counts until its whole slice has lapsed.
 * The count is approximate: while the read store is unavailable it continues from the known counts, and missed writes
 * are included in the next write.
 */
export function liveKeys({ reads, holder, keptMs, most }: LiveKeysOptions) {
  const workspaces = new LRUCache<number, Known>({ max: MOST_WORKSPACES });
  /** Counts that the read store has not got yet, by key. */
  const owed: Counts = new Map();
  let paying: Promise<void> | null = null;

  const endOf = (key: string): number => Number(key.split('/')[1]) + SLICE_MS + keptMs;

  const knownOf = (workspaceId: number): Known => {
    const known = workspaces.get(workspaceId) ?? { counts: new Map(), lookedAtMs: -Infinity };
    workspaces.set(workspaceId, known);
    return known;
  };

  const total = ({ counts }: Known, nowMs: number): number => {
    let sum = 0;
    for (const [key, count] of counts) if (endOf(key) > nowMs) sum += count;
    return sum;
  };

  const look = async (workspaceId: number, { counts }: Known, nowMs: number): Promise<void> => {
    const records = await reads.listRecords<number>(KIND, `${workspaceId}/`, MOST_RECORDS);
    for (const { key, value } of records) counts.set(key, Math.max(value, counts.get(key) ?? 0));
    for (const key of counts.keys()) {
      if (endOf(key) > nowMs) continue;
      counts.delete(key);
      await reads.deleteRecord(KIND, key);
    }
  };

  const pay = async (): Promise<void> => {
    for (const [key, count] of owed) {
      await reads.putRecord(KIND, key, count);
      if (owed.get(key) === count) owed.delete(key);
    }
    if (owed.size > 0) await pay();
  };

  return {
    /** Seconds until some keys lapse if the workspace has the maximum number; null if it may claim another. */
    fullFor: async (workspaceId: number, nowMs: number): Promise<number | null> => {
      const known = knownOf(workspaceId);
      const isNear = total(known, nowMs) >= NEAR * most;
      if (isNear || performance.now() - known.lookedAtMs >= LOOK_EVERY_MS) {
        known.lookedAtMs = performance.now();
        await look(workspaceId, known, nowMs).catch(() => undefined);
      }
      if (total(known, nowMs) < most) return null;
      const ends = [...known.counts.keys()].map(endOf).filter((end) => end > nowMs);
      return Math.max(1, Math.ceil((Math.min(...ends) - nowMs) / 1_000));
    },
    /** This process has claimed one that was free. */
    claimed: (workspaceId: number, nowMs: number): void => {
      const { counts } = knownOf(workspaceId);
      const slice = String(nowMs - (nowMs % SLICE_MS)).padStart(DIGITS, '0');
      const key = `${workspaceId}/${slice}/${holder}`;
      const count = (counts.get(key) ?? 0) + 1;
      counts.set(key, count);
      owed.set(key, count);
      paying ??= pay()
        .catch(() => undefined)
        .finally(() => (paying = null));
    },
  };
}
