import { gatherKeys, named, type Gathered } from './gather-keys.js';
import type { Key, KeyStore, KeyOrder, LaneRange } from './key-reads.js';
import type { Page, Paging, Window } from './network-source.port.js';
import { pointAt, pointBefore, positionOf, type OrderPoint } from './position.js';
import { readAhead } from './read-ahead.js';
import { boundsOf, type Bounds } from './text-window.js';

/** Pages of a lane for some members, or for everybody (null). */
export function lanePages(store: KeyStore) {
  const ahead = readAhead();

  return async <Item>(
    lane: KeyOrder,
    members: readonly string[] | null,
    search: Window & Paging & { readonly bounds?: Bounds; readonly wants?: (key: Key) => boolean },
    itemsOf: (page: readonly Key[]) => Promise<readonly Item[]>,
  ): Promise<Page<Item>> => {
    const { position = null, limit } = search;
    const { firstMs, lastMs } = search.bounds ?? boundsOf(search);
    if (firstMs > lastMs || members?.length === 0) return { items: [], next: null };
    const from = position === null ? pointBefore(firstMs) : pointAt(position);
    // One key more than the page size, to know whether another page follows.
    const { keys, isAll } =
      members === null
        ? await keysOfEverybody(store, lane, { from, lastMs, limit: limit + 1 }, search.wants)
        : await ahead({ lane, members, firstMs, lastMs }, from, position === null, (count) =>
            gatherKeys(store, [lane], named(members), { from, lastMs, count }, null),
          );
    const page = keys.slice(0, limit);
    const last = page.at(-1);
    const isLast = last === undefined || (isAll && keys.length <= limit);
    return { items: await itemsOf(page), next: isLast ? null : positionOf(last) };
  };
}

/** Keys of one read if unwanted ones are filtered: an index alone returns them within a few milliseconds. */
const KEYS_AT_ONCE = 1_024;

/** The first keys of everybody; with `wants` only moves whose title is wanted or unknown. */
async function keysOfEverybody(
  store: KeyStore,
  lane: KeyOrder,
  range: LaneRange,
  wants: ((key: Key) => boolean) | undefined,
): Promise<Gathered> {
  const { limit } = range;
  if (wants === undefined) {
    const keys = await store.keys(lane, null, range);
    return { keys, isAll: keys.length < limit };
  }
  const wanted: Key[] = [];
  for (let from: OrderPoint | undefined = range.from; from !== undefined;) {
    const keys: readonly Key[] = await store.keys(lane, null, {
      ...range,
      from,
      limit: KEYS_AT_ONCE,
      withTitle: true,
    });
    wanted.push(...keys.filter(wants));
    if (wanted.length >= limit) return { keys: wanted, isAll: false };
    from = keys.length < KEYS_AT_ONCE ? undefined : keys.at(-1);
  }
  return { keys: wanted, isAll: true };
}
