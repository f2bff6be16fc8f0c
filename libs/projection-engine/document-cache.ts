import { isJsonObject, type JsonValue } from '#kernel/values/json.js';
import type { GuardedDocument } from '#kernel/ports/read-store.port.js';
import { keysSeen, type KeysSeen } from './keys-seen.js';

export type CacheBounds = { readonly maxDocuments: number; readonly maxBytes: number };

type Entry = { readonly document: GuardedDocument; readonly bytes: number };

export type DocumentCache = ReturnType<typeof documentCache>;

/**
 * Documents kept between slices; the least recently used are removed first. Bounded in number and in estimated bytes.
 * `complete`: the generation is known to be empty, so the cache sees every key that it will have.
 */
export function documentCache(bounds: CacheBounds, complete: boolean) {
  // Two halves instead of an order of use: a used document moves to the upper half, and the lower half is dropped as
  // a whole.
  let young = new Map<string, Entry>();
  let old = new Map<string, Entry>();
  let youngBytes = 0;
  let oldBytes = 0;
  /** The keys of dropped documents, so that new keys are still known as new. */
  let dropped: KeysSeen | null = null;

  const dropOld = (): void => {
    if (complete && old.size > 0) {
      dropped ??= keysSeen();
      for (const key of old.keys()) dropped.add(key);
    }
    old = new Map();
    oldBytes = 0;
  };
  const keepBounds = (): void => {
    if (young.size * 2 > bounds.maxDocuments || youngBytes * 2 > bounds.maxBytes) {
      dropOld();
      [old, oldBytes] = [young, youngBytes];
      [young, youngBytes] = [new Map(), 0];
    }
    if (young.size + old.size > bounds.maxDocuments || youngBytes + oldBytes > bounds.maxBytes) dropOld();
  };
  const forget = (key: string): void => {
    const entry = young.get(key);
    if (entry !== undefined) {
      youngBytes -= entry.bytes;
      return;
    }
    const older = old.get(key);
    if (older === undefined) return;
    old.delete(key);
    oldBytes -= older.bytes;
  };
  const keep = (key: string, entry: Entry): void => {
    young.set(key, entry);
    youngBytes += entry.bytes;
    keepBounds();
  };

  return {
    get: (key: string): GuardedDocument | undefined => {
      const entry = young.get(key);
      if (entry !== undefined) return entry.document;
      const older = old.get(key);
      if (older === undefined) return undefined;
      forget(key);
      keep(key, older);
      return older.document;
    },
    put: ({ key, position, document }: GuardedDocument): void => {
      forget(key);
      const bytes = ENTRY_BYTES + 2 * key.length + estimatedBytes(document);
      // Without a reference to the replaced document: otherwise each document would keep its predecessor in memory.
      keep(key, { document: { key, position, document }, bytes });
    },
    /** False if the generation certainly has no document of this key: it need not be read. */
    mayBeStored: (key: string): boolean =>
      !complete || young.has(key) || old.has(key) || (dropped?.has(key) ?? false),
  };
}

// Map entry, wrapper objects and the position text.
const ENTRY_BYTES = 200;

/** The approximate size of a JSON value in memory: accurate enough for a bound, and cheaper than serialising it. */
export function estimatedBytes(value: JsonValue | undefined): number {
  if (typeof value === 'string') return 16 + 2 * value.length;
  let bytes = 32;
  if (isJsonObject(value)) for (const name in value) bytes += 16 + estimatedBytes(value[name]);
  else if (Array.isArray(value)) for (const member of value) bytes += 16 + estimatedBytes(member);
  else bytes = 8;
  return bytes;
}
