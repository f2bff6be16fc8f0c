import { createHash } from 'node:crypto';

/** A ref has at most so many characters. */
const LONGEST = 500;

/** What all refs of a board or feed begin with (SRC-03). */
export function refPrefix(kind: string, boardId: string): string {
  return `${kind}:${boardId.length > LONGEST / 2 ? hashOf(boardId) : boardId}:`;
}

/** The ref of an item for ever: kind, board and item as the provider names them; a long name is told by its hash. */
export function itemRef(kind: string, boardId: string, itemId: string): string {
  const prefix = refPrefix(kind, boardId);
  const name = itemId.replaceAll('\u0000', '');
  return prefix.length + name.length > LONGEST ? prefix + hashOf(itemId) : prefix + name;
}

const hashOf = (text: string): string => createHash('sha256').update(text).digest('hex');
