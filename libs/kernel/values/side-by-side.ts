import { inPieces } from './pieces.js';

/**
 * Works on all items, at most `width` at the same time, and answers in their order. Nothing is under way any more
 * when it settles: a rejection is that of the first item that failed, after those beside it have ended.
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
