import type { ApiKeyUses } from '#kernel/values/api-key.js';
import type { Clock } from '#kernel/ports/clock.js';
import { StoreUnavailable } from '#kernel/ports/event-store.port.js';
import type { ReadStore } from '#kernel/ports/read-store.port.js';

/** A record of the read store and no event: no event depends on it, and every request would append one. */
type Use = { readonly lastUsedAt: string };

const KIND = 'api-key-use';
const EVERY_MS = 60_000;
const MOST_KNOWN = 10_000;
/** The maximum wait for the record of a first use: authentication continues while the read store is unavailable. */
const PATIENCE_MS = 500;

/** Reads what `noteApiKeyUses` has written, in this process or another. */
export function apiKeyUses(reads: Pick<ReadStore, 'getRecord'>): ApiKeyUses {
  return {
    async lastUses(keyIds) {
      const found = await Promise.all(
        keyIds.map(async (keyId) => {
          const use = await reads.getRecord<Use>(KIND, String(keyId));
          return use === null ? [] : [[keyId, use.lastUsedAt] as const];
        }),
      );
      return new Map(found.flat());
    },
  };
}

type KnownUse = {
  /** Product time; null if it could not be written. */
  writtenMs: number | null;
  /** Resolves when the use is recorded or cannot be; null: nothing is being written. */
  writing: Promise<void> | null;
  readonly isFirst: boolean;
};

/**
 * Records when each key was used: the first use in this process before the request continues, later uses at most once
 * a minute per key without a wait. The function returns a promise only if the request has to wait. The promise
 * never rejects: a use that cannot be written is written with the next one.
 */
export function noteApiKeyUses(
  reads: Pick<ReadStore, 'putRecord'>,
  clock: Clock,
  onTrouble: (error: unknown) => void,
): (keyId: number) => Promise<void> | null {
  const known = new Map<number, KnownUse>();

  function write(keyId: number, now: Date, isFirst: boolean): KnownUse {
    const use: KnownUse = { writtenMs: now.getTime(), writing: null, isFirst };
    const written = reads.putRecord(KIND, String(keyId), { lastUsedAt: now.toISOString() });
    use.writing = written
      .catch((error: unknown) => {
        use.writtenMs = null;
        if (!(error instanceof StoreUnavailable)) onTrouble(error);
      })
      .finally(() => {
        use.writing = null;
      });
    const [oldest] = known.size >= MOST_KNOWN ? known.keys() : [];
    if (oldest !== undefined) known.delete(oldest);
    known.set(keyId, use);
    return use;
  }

  return (keyId) => {
    const before = known.get(keyId);
    const { writing = null, writtenMs = null } = before ?? {};
    const now = clock.now();
    if (writing === null && writtenMs !== null && Math.abs(now.getTime() - writtenMs) < EVERY_MS) return null;
    const use = before !== undefined && writing !== null ? before : write(keyId, now, before === undefined);
    return use.isFirst && use.writing !== null ? within(use.writing, PATIENCE_MS) : null;
  };
}

/** Resolves with the work, or when it has taken too long. */
function within(work: Promise<void>, patienceMs: number): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, patienceMs);
    void work.then(() => {
      clearTimeout(timer);
      resolve();
    });
  });
}
