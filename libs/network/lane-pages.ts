import { gatherKeys, named } from './gather-keys.js';
import type { Key, KeyStore, Lane } from './key-reads.js';
import type { Page, Paging, Window } from './network-source.port.js';
import { placeAt, placeBefore, positionOf } from './position.js';
import { readAhead } from './read-ahead.js';
import { boundsOf, type Bounds } from './text-window.js';

/** Pages of what a lane holds of some members, or of everybody (null). */
export function lanePages(store: KeyStore) {
  const ahead = readAhead();

  return async <Item>(
    lane: Lane,
    members: readonly string[] | null,
    search: Window & Paging & { readonly bounds?: Bounds },
    itemsOf: (page: readonly Key[]) => Promise<readonly Item[]>,
  ): Promise<Page<Item>> => {
    const { position = null, limit } = search;
    const { firstMs, lastMs } = search.bounds ?? boundsOf(search);
    if (firstMs > lastMs || members?.length === 0) return { items: [], next: null };
    const from = position === null ? placeBefore(firstMs) : placeAt(position);
    // One key more than the page holds tells that the next page is not empty.
    const { keys, isAll } =
      members === null
        ? await store
            .keys(lane, null, { from, lastMs, limit: limit + 1 })
            .then((read) => ({ keys: read, isAll: read.length <= limit }))
        : await ahead({ lane, members, firstMs, lastMs }, from, position === null, (count) =>
            gatherKeys(store, [lane], named(members), { from, lastMs, count }, null),
          );
    const page = keys.slice(0, limit);
    const last = page.at(-1);
    const isLast = last === undefined || (isAll && keys.length <= limit);
    return { items: await itemsOf(page), next: isLast ? null : positionOf(last) };
  };
}
