import { createHash } from 'node:crypto';

/** The maximum length of a ref in characters. */
const LONGEST = 500;

/** The prefix of all refs of a board or feed (SRC-03). */
export function refPrefix(kind: string, boardId: string): string {
  return `${kind}:${boardId.length > LONGEST / 2 ? hashOf(boardId) : boardId}:`;
}

/** Half of a surrogate pair: no store keeps it, and the name without it would be another name. */
const HALF = /\p{Cs}/u;

/**
 * The permanent ref of an item: kind, board and item as the provider names them. A hash replaces a name that is long
 * or that no store can keep.
 */
export function itemRef(kind: string, boardId: string, itemId: string): string {
  const prefix = refPrefix(kind, boardId);
  const name = itemId.replaceAll('\u0000', '');
  const isKept = prefix.length + name.length <= LONGEST && !HALF.test(name);
  return isKept ? prefix + name : prefix + hashOf(itemId);
}

const hashOf = (text: string): string => createHash('sha256').update(text).digest('hex');
