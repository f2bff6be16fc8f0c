/** The items in order, at most `size` per piece; no pieces without items. */
export function inPieces<Item>(items: readonly Item[], size: number): readonly (readonly Item[])[] {
  return Array.from({ length: Math.ceil(items.length / size) }, (_, piece) =>
    items.slice(piece * size, (piece + 1) * size),
  );
}

/**
 * The items in order, at most `size` items and about `bytes` of JSON per piece; a larger item is a separate piece. For
 * appends, which are bounded.
 */
export const inPiecesOfBytes = <Item>(
  items: readonly Item[],
  size: number,
  bytes: number,
): readonly (readonly Item[])[] =>
  inPiecesOfWeight(items, size, bytes, (item) => Buffer.byteLength(JSON.stringify(item)));

/** The items in order, at most `size` items and a weight of `most` per piece; a heavier item is a separate piece. */
export function inPiecesOfWeight<Item>(
  items: readonly Item[],
  size: number,
  most: number,
  weightOf: (item: Item) => number,
): readonly (readonly Item[])[] {
  const pieces: Item[][] = [];
  let left = 0;
  for (const item of items) {
    const weight = weightOf(item);
    const piece = pieces.at(-1);
    if (piece === undefined || piece.length === size || weight > left) {
      pieces.push([item]);
      left = most - weight;
    } else {
      piece.push(item);
      left -= weight;
    }
  }
  return pieces;
}
