import { fold } from '#kernel/values/text-folding.js';
import { foldedText, placesOf, type TextRange } from '#network/keyword-places.js';

/** The maximum length of an extract in characters, including the match. */
export const EXTRACT_CHARACTERS = 120;
/** With more extracts nearly the whole text would be shown. */
const MOST_EXTRACTS = 3;

/**
 * The surroundings of the first match of each keyword, in the order of the keywords and in the spelling of the text.
 * A keyword that is not in the text, or whose first match is in an earlier extract, has none.
 */
export function extractsAround(text: string, keywords: readonly string[]): readonly string[] {
  const folded = foldedText(text);
  const { characters } = folded;
  const shown: TextRange[] = [];
  for (const keyword of keywords) {
    if (shown.length === MOST_EXTRACTS) break;
    const [match] = placesOf(folded, fold(keyword));
    if (match === undefined || shown.some(({ from, to }) => from <= match.from && match.to <= to)) continue;
    shown.push(around(match, characters.length));
  }
  return shown.map(({ from, to }) => characters.slice(from, to).join(''));
}

/** The match is in the middle, or nearer to an end of the text. */
function around({ from, to }: TextRange, length: number): TextRange {
  const before = Math.max(0, Math.floor((EXTRACT_CHARACTERS - (to - from)) / 2));
  const first = Math.max(0, Math.min(from - before, length - EXTRACT_CHARACTERS));
  return { from: first, to: Math.min(length, first + EXTRACT_CHARACTERS) };
}
