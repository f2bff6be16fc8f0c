import type { DueItem } from './to-do.js';

/**
 * The same items, one of each workspace in turn, first those that were served longest ago (`servedAt` grows with every
 * turn; 0: never). Those of one workspace stay in their order.
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
 * Which of these items is next: the first of the workspace that has the fewest slots, -1 where every workspace has
 * its share already.
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
