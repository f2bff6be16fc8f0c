import { createHash } from 'node:crypto';

/** A ref has at most so many characters. */
const LONGEST = 500;

/** What all refs of a board or feed begin with (SRC-03). */
export function refPrefix(kind: string, boardId: string): string {
  return `${kind}:${boardId.length > LONGEST / 2 ? hashOf(boardId) : boardId}:`;
}

/** Half of a surrogate pair: no store keeps it, and without it the name would be another one. */
const HALF = /\p{Cs}/u;

/**
 * The ref of an item for ever: kind, board and item as the provider names them. A name that is long, or that no store
 * keeps, is told by its hash.
 */
export function itemRef(kind: string, boardId: string, itemId: string): string {
  const prefix = refPrefix(kind, boardId);
  const name = itemId.replaceAll('\u0000', '');
  const isKept = prefix.length + name.length <= LONGEST && !HALF.test(name);
  return isKept ? prefix + name : prefix + hashOf(itemId);
}

const hashOf = (text: string): string => createHash('sha256').update(text).digest('hex');
