import type { DueItem } from './to-do.js';

/**
 * Sorts the items round-robin by workspace, the least recently served workspace first (`servedAt` grows with every item
 * served; 0: never). Items of one workspace keep their order.
 */
export function inTurn<Item extends DueItem>(
  items: readonly Item[],
  servedAt: (workspaceId: number) => number,
): readonly Item[] {
  const places = new Map<number, number>();
  return items
    .map((item) => {
      const place = places.get(item.workspaceId) ?? 0;
      places.set(item.workspaceId, place + 1);
      return { item, place, servedAt: servedAt(item.workspaceId) };
    })
    .sort((left, right) => left.place - right.place || left.servedAt - right.servedAt)
    .map(({ item }) => item);
}

/**
 * The index of the next item: the first item of the workspace with the fewest slots; -1 if every workspace uses its full
 * share.
 */
export function nextInTurn(
  items: readonly DueItem[],
  slotsOf: (workspaceId: number) => number,
  share: number,
): number {
  let next = -1;
  let fewest = share;
  for (const [index, { workspaceId }] of items.entries()) {
    const slots = slotsOf(workspaceId);
    if (slots >= fewest) continue;
    next = index;
    fewest = slots;
    if (slots === 0) break;
  }
  return next;
}
