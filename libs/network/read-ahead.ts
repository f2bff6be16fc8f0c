import { createHash } from 'node:crypto';
import { leastOf } from '#kernel/values/least-of.js';
import type { Gathered } from './gather-keys.js';
import type { Key } from './key-reads.js';
import { comparePoints, type OrderPoint } from './position.js';

/** The number of remembered searches; further runs search again for each page. */
const SEARCHES = 16;
/** Keys of one read of the members: about two megabytes. */
const KEYS_AHEAD = 16_384;

/**
 * Reads many members once for many pages: keys after the last page are kept until the reader requests them. A reader
 * that starts always reads again. Measured alternately: 1,000 interactions with the people of 200 companies, in pages of
 * 50, take 60 ms of the processor, and 428 ms if each page reads the members again.
 */
export function readAhead() {
  const kept = new Map<string, Gathered & { readonly from: OrderPoint }>();

  /** Keys after a position, and whether no key follows them. */
  return async (
    search: unknown,
    from: OrderPoint,
    isBeginning: boolean,
    gather: (count: number) => Promise<Gathered>,
  ): Promise<Gathered> => {
    const name = createHash('sha256').update(JSON.stringify(search)).digest('base64');
    const ahead = isBeginning ? undefined : kept.get(name);
    if (ahead !== undefined && comparePoints(ahead.from, from) <= 0) {
      const first = firstAfter(ahead.keys, from);
      if (first < ahead.keys.length || ahead.isAll) return { ...ahead, keys: ahead.keys.slice(first) };
    }
    const gathered = await gather(KEYS_AHEAD);
    kept.delete(name);
    kept.set(name, { ...gathered, from });
    const [oldest] = kept.keys();
    if (kept.size > SEARCHES && oldest !== undefined) kept.delete(oldest);
    return gathered;
  };
}

/** Index of the first key after a position. */
function firstAfter(keys: readonly Key[], point: OrderPoint): number {
  return leastOf(keys.length, (index) => {
    const key = keys[index];
    return key === undefined || comparePoints(key, point) > 0;
  });
}
