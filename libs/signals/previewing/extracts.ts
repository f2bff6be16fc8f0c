import { leastOf } from '#kernel/values/least-of.js';
import { characterKind, fold, WORD_OF_SPACED_SCRIPT } from '#kernel/values/text-folding.js';
import { keywordMatcher } from '#network/keyword-matching.js';

/** The maximum length of an extract in characters, including the match. */
export const EXTRACT_CHARACTERS = 120;
/** With more extracts nearly the whole text would be shown. */
const MOST_EXTRACTS = 3;

type Place = { readonly start: number; readonly end: number };

/**
 * The surroundings of the first match of each keyword, in the order of the keywords and in the spelling of the text.
 * A keyword that is not in the text, or whose first match is in an earlier extract, has none.
 */
export function extractsAround(text: string, keywords: readonly string[]): readonly string[] {
  const characters = Array.from(text);
  const cuts = cutsOf(characters);
  const shown: Place[] = [];
  for (const keyword of keywords) {
    if (shown.length === MOST_EXTRACTS) break;
    const match = firstMatch(characters, cuts, keyword);
    if (match === null || shown.some(({ start, end }) => start <= match.start && match.end <= end)) continue;
    shown.push(around(match, characters.length));
  }
  return shown.map(({ start, end }) => characters.slice(start, end).join(''));
}

/** The match is in the middle, or nearer to an end of the text. */
function around({ start, end }: Place, length: number): Place {
  const before = Math.max(0, Math.floor((EXTRACT_CHARACTERS - (end - start)) / 2));
  const first = Math.max(0, Math.min(start - before, length - EXTRACT_CHARACTERS));
  return { start: first, end: Math.min(length, first + EXTRACT_CHARACTERS) };
}

/**
 * The first match of a keyword. The matcher says whether a keyword is in a text, but not where. A part of the text
 * cut at word edges has a match exactly where the text has one, so a binary search finds the shortest such part.
 */
function firstMatch(characters: readonly string[], cuts: readonly number[], keyword: string): Place | null {
  const matcher = keywordMatcher([keyword]);
  const has = (start: number, end: number): boolean =>
    matcher(characters.slice(start, end).join('')).length > 0;
  if (!has(0, characters.length)) return null;
  const end = cuts[leastOf(cuts.length, (index) => has(0, cuts[index] ?? 0))] ?? characters.length;
  const tooLate = leastOf(cuts.length, (index) => (cuts[index] ?? 0) >= end || !has(cuts[index] ?? 0, end));
  return { start: cuts[tooLate - 1] ?? 0, end };
}

/** Positions between characters where a cut creates no new word edge, including both ends. */
function cutsOf(characters: readonly string[]): readonly number[] {
  const folded = characters.map((character) => (/\s/u.test(character) ? ' ' : fold(character)));
  const cuts = [0];
  for (let place = 1; place < characters.length; place += 1) {
    const before = Array.from(folded[place - 1] ?? '').at(-1);
    const [after] = folded[place] ?? '';
    // A character that folds to nothing may be inside a word.
    if (before === undefined || after === undefined) continue;
    if (!joins(before) || !joins(after)) cuts.push(place);
  }
  cuts.push(characters.length);
  return cuts;
}

const joins = (character: string): boolean =>
  characterKind(character.codePointAt(0) ?? 0) === WORD_OF_SPACED_SCRIPT;
