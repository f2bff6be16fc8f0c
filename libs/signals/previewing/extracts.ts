import { leastOf } from '#kernel/values/least-of.js';
import { characterKind, fold, WORD_OF_SPACED_SCRIPT } from '#kernel/values/text-folding.js';
import { keywordMatcher } from '#network/keyword-matching.js';

/** An extract has so many characters at most, the match included. */
export const EXTRACT_CHARACTERS = 120;
/** More extracts of one text would be the text. */
const MOST_EXTRACTS = 3;

type Place = { readonly start: number; readonly end: number };

/**
 * What stands around the first match of each of these keywords, in their order, as it is written in the text. A
 * keyword whose first match an earlier extract shows has none of its own. A keyword that is not in the text has none.
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

/** The match stands in the middle, or nearer to an end of the text. */
function around({ start, end }: Place, length: number): Place {
  const before = Math.max(0, Math.floor((EXTRACT_CHARACTERS - (end - start)) / 2));
  const first = Math.max(0, Math.min(start - before, length - EXTRACT_CHARACTERS));
  return { start: first, end: Math.min(length, first + EXTRACT_CHARACTERS) };
}

/**
 * Where the first match of a keyword begins and ends. The matcher says whether a keyword is in a text, and not where:
 * a part of the text that is cut at word edges has a match exactly where the text has one there, so that the shortest
 * such part is found by halving.
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

/** Places between characters where a cut makes no word edge that the text does not have, both ends included. */
function cutsOf(characters: readonly string[]): readonly number[] {
  const folded = characters.map((character) => (/\s/u.test(character) ? ' ' : fold(character)));
  const cuts = [0];
  for (let place = 1; place < characters.length; place += 1) {
    const before = Array.from(folded[place - 1] ?? '').at(-1);
    const [after] = folded[place] ?? '';
    // What folds to nothing may stand inside a word.
    if (before === undefined || after === undefined) continue;
    if (!joins(before) || !joins(after)) cuts.push(place);
  }
  cuts.push(characters.length);
  return cuts;
}

const joins = (character: string): boolean =>
  characterKind(character.codePointAt(0) ?? 0) === WORD_OF_SPACED_SCRIPT;
