import { createHash } from 'node:crypto';
import { leastOf } from '#kernel/values/least-of.js';
import type { Gathered } from './gather-keys.js';
import type { Key } from './key-reads.js';
import { comparePlaces, type OrderPoint } from './position.js';

/** So many searches are remembered; runs beyond that look again for each page. */
const SEARCHES = 16;
/** Keys that one look at the members gives: about two megabytes. */
const KEYS_AHEAD = 16_384;

/**
 * Looks at many members once for many pages: the keys behind the last page are kept until the reader comes for
 * them. A reader that begins always looks anew.
 */
export function readAhead() {
  const kept = new Map<string, Gathered & { readonly from: OrderPoint }>();

  /** Keys behind a place, and whether there are no more behind them. */
  return async (
    search: unknown,
    from: OrderPoint,
    isBeginning: boolean,
    gather: (count: number) => Promise<Gathered>,
  ): Promise<Gathered> => {
    const name = createHash('sha256').update(JSON.stringify(search)).digest('base64');
    const ahead = isBeginning ? undefined : kept.get(name);
    if (ahead !== undefined && comparePlaces(ahead.from, from) <= 0) {
      const first = firstBehind(ahead.keys, from);
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

/** Index of the first key behind a place. */
function firstBehind(keys: readonly Key[], place: OrderPoint): number {
  return leastOf(keys.length, (index) => {
    const key = keys[index];
    return key === undefined || comparePlaces(key, place) > 0;
  });
}
