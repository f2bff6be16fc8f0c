import { textIn } from './answer-text.js';
import { onePiece } from './pieces.js';
import type { Parse } from './source-kind.js';
import { kindOf } from './source-kinds.js';

/** Parses on the caller's event loop. Rejects with `MalformedAnswer`. */
export const parseHere: Parse = async (name, body, of) => {
  const kind = kindOf(name);
  if (kind === null) throw new Error(`this version reads no ${name}`);
  const { lines, ...parsed } = kind.parse(textIn(body), of);
  return { ...parsed, lines: onePiece(lines) };
};
