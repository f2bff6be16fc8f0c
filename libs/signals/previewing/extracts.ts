import { leastOf } from '#kernel/values/least-of.js';
import { characterKind, fold, WORD_OF_SPACED_SCRIPT } from '#kernel/values/text-folding.js';
import { standings } from '#network/keyword-marks.js';

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
  const folded = foldedInParts(characters);
  const shown: Place[] = [];
  for (const keyword of keywords) {
    if (shown.length === MOST_EXTRACTS) break;
    const match = firstMatch(folded, keyword);
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

/** The first match of a keyword, as the shortest part between two cuts that contains it. */
function firstMatch({ text, cuts, starts }: FoldedText, keyword: string): Place | null {
  const pattern = fold(keyword);
  if (pattern === '') return null;
  const [match] = standings(text, pattern);
  if (match === undefined) return null;
  const after = leastOf(cuts.length, (index) => (starts[index] ?? 0) > match.from);
  const end = leastOf(cuts.length, (index) => (starts[index] ?? 0) >= match.to);
  return { start: cuts[after - 1] ?? 0, end: cuts[end] ?? 0 };
}

/** A text folded in the parts between its cuts, once for all keywords. */
type FoldedText = {
  readonly text: string;
  /** Positions between the characters of the original text. */
  readonly cuts: readonly number[];
  /** For each cut its position in the folded text. */
  readonly starts: readonly number[];
};

function foldedInParts(characters: readonly string[]): FoldedText {
  const cuts = cutsOf(characters);
  const starts: number[] = [];
  const parts: string[] = [];
  let length = 0;
  let afterSpace = false;
  for (const [index, cut] of cuts.entries()) {
    starts.push(length);
    const part = characters.slice(cut, cuts[index + 1] ?? cut).join('');
    // Folding trims a text, but the white space of a part is inside the text.
    const folded = fold(`|${part}|`).slice(1, -1);
    const added: string = afterSpace && folded.startsWith(' ') ? folded.slice(1) : folded;
    parts.push(added);
    length += added.length;
    if (added !== '') afterSpace = added.endsWith(' ');
  }
  return { text: parts.join(''), cuts, starts };
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
