/**
 * The position of a reader in the order of a read: right after one item. Opaque text; another process may continue
 * from it.
 */
export type ReadPosition = string;

/** A point in the order of time, then ref, then a tie-breaker; the item at the point comes after it. */
export type OrderPoint = {
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly ref: string;
  readonly tie: string | number;
};

/** The point before all items of a moment: no ref is empty. */
export const pointBefore = (at: number): OrderPoint => ({ at, ref: '', tie: '' });

export const positionOf = ({ at, ref, tie }: OrderPoint): ReadPosition => JSON.stringify([at, ref, tie]);

/** The point that a position names. Throws a `TypeError` for any other text. */
export function pointAt(position: ReadPosition): OrderPoint {
  const value: unknown = JSON.parse(position);
  if (Array.isArray(value)) {
    const [at, ref, tie]: readonly unknown[] = value;
    if (
      typeof at === 'number' &&
      typeof ref === 'string' &&
      (typeof tie === 'string' || typeof tie === 'number')
    )
      return { at, ref, tie };
  }
  throw new TypeError('not a position of the network');
}

/**
 * The position in a stored resume value: a position, or the time and ref that earlier versions stored. Null for null.
 * Throws a `TypeError` for anything else.
 */
export function positionFrom(kept: unknown): ReadPosition | null {
  if (kept === null) return null;
  if (typeof kept === 'string') return positionOf(pointAt(kept));
  const { publishedAt, postedAt, ref }: Partial<Record<string, unknown>> = Object(kept);
  const at = Date.parse(String(publishedAt ?? postedAt));
  if (Number.isNaN(at) || typeof ref !== 'string') throw new TypeError('not a position of the network');
  return positionOf({ at, ref, tie: '' });
}

/** Time, then ref by code points, then the tie. */
export function comparePoints(left: OrderPoint, right: OrderPoint): number {
  if (left.at !== right.at) return left.at - right.at;
  if (left.ref !== right.ref) return compareCodePoints(left.ref, right.ref);
  if (left.tie === right.tie) return 0;
  if (typeof left.tie === 'number' && typeof right.tie === 'number') return left.tie - right.tie;
  return left.tie < right.tie ? -1 : 1;
}

/** The text order of the stores; `<` compares UTF-16 units, which sorts characters beyond U+FFFF before U+E000. */
export function compareCodePoints(left: string, right: string): number {
  const shorter = Math.min(left.length, right.length);
  for (let index = 0; index < shorter; index += 1) {
    const [one, other] = [left.charCodeAt(index), right.charCodeAt(index)];
    if (one === other) continue;
    return isSurrogate(one) === isSurrogate(other) ? one - other : isSurrogate(one) ? 1 : -1;
  }
  return left.length - right.length;
}

const isSurrogate = (unit: number): boolean => unit >= 0xd800 && unit <= 0xdfff;
