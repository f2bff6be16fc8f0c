import { inPieces } from './pieces.js';

/**
 * Processes all items, at most `width` concurrently, and returns the results in their order. When the promise
 * settles, nothing is in progress: it rejects with the error of the first failed item, after the concurrent items
 * have ended.
 */
export async function sideBySide<Item, Result>(
  items: readonly Item[],
  width: number,
  work: (item: Item) => Promise<Result>,
): Promise<readonly Result[]> {
  const results: Result[] = [];
  for (const piece of inPieces(items, width)) {
    for (const outcome of await Promise.allSettled(piece.map(work))) {
      if (outcome.status === 'rejected') throw outcome.reason;
      results.push(outcome.value);
    }
  }
  return results;
}
