import type { JsonValue } from '#kernel/values/json.js';
import type { GuardedDocument } from '#kernel/ports/read-store.port.js';

/** Documents kept between slices, least recently used out first, bounded in number and in estimated bytes. */
export type DocumentCache = {
  readonly get: (key: string) => GuardedDocument | undefined;
  readonly put: (document: GuardedDocument) => void;
  /**
   * True while the cache holds every document of its generation, so that a key it does not know does not
   * exist and need not be looked up. Ends with the first document dropped.
   */
  readonly isComplete: () => boolean;
};

export type CacheBounds = { readonly maxDocuments: number; readonly maxBytes: number };

/** `complete`: the generation is known to be empty. */
export function documentCache(bounds: CacheBounds, complete: boolean): DocumentCache {
  const entries = new Map<string, { readonly document: GuardedDocument; readonly bytes: number }>();
  let bytesHeld = 0;
  let holdsAll = complete;

  const drop = (key: string): void => {
    const entry = entries.get(key);
    if (entry === undefined) return;
    entries.delete(key);
    bytesHeld -= entry.bytes;
  };

  return {
    get: (key) => {
      const entry = entries.get(key);
      if (entry === undefined) return undefined;
      entries.delete(key);
      entries.set(key, entry);
      return entry.document;
    },
    put: (document) => {
      drop(document.key);
      const bytes = ENTRY_BYTES + 2 * document.key.length + estimatedBytes(document.document);
      entries.set(document.key, { document, bytes });
      bytesHeld += bytes;
      for (const oldest of entries.keys()) {
        if (entries.size <= bounds.maxDocuments && bytesHeld <= bounds.maxBytes) break;
        drop(oldest);
        holdsAll = false;
      }
    },
    isComplete: () => holdsAll,
  };
}

// Map entry, wrapper objects and the position text.
const ENTRY_BYTES = 200;

/** About what a JSON value takes in memory: good enough for a bound, far cheaper than serialising it. */
export function estimatedBytes(value: JsonValue | undefined): number {
  if (typeof value === 'string') return 16 + 2 * value.length;
  if (typeof value !== 'object' || value === null) return 8;
  let bytes = 32;
  for (const member of Object.values(value)) bytes += 16 + estimatedBytes(member);
  return bytes;
}
