import { characterKind, fold, WORD_OF_SPACED_SCRIPT } from '#kernel/values/text-folding.js';

/** A part of a text: the index of its first character, and the index after its last one. */
export type TextRange = { readonly from: number; readonly to: number };

/** A text with its folded form, for which `places` has the index of the character of each code unit. */
export type FoldedText = {
  readonly characters: readonly string[];
  readonly folded: string;
  readonly places: readonly number[];
};

/** Characters that may become one with the one before them: marks, and the later letters of Hangul syllables. */
const COMPOSED = /^[\p{M}\u1160-\u11ff\ud7b0-\ud7fb]$/u;

/** Folds a text once for all keywords (OP-69). */
export function foldedText(text: string): FoldedText {
  const characters = Array.from(text);
  const places: number[] = [];
  let folded = '';
  let isAfterSpace = false;
  for (let from = 0, to = 1; from < characters.length; from = to, to += 1) {
    while (to < characters.length && COMPOSED.test(characters[to] ?? '')) to += 1;
    // Folding trims a text, but the white space of a part is inside the text.
    const inside = fold(`|${characters.slice(from, to).join('')}|`).slice(1, -1);
    const part: string = isAfterSpace && inside.startsWith(' ') ? inside.slice(1) : inside;
    if (part === '') continue;
    for (let unit = 0; unit < part.length; unit += 1) places.push(from);
    folded += part;
    isAfterSpace = part.endsWith(' ');
  }
  places.push(characters.length);
  return { characters, folded, places };
}

/** The places of a folded keyword with a word edge at both ends, in order, as the keyword matcher finds them. */
export function* placesOf({ folded, places }: FoldedText, pattern: string): Generator<TextRange> {
  if (pattern === '') return;
  for (let at = folded.indexOf(pattern); at >= 0; at = folded.indexOf(pattern, at + 1)) {
    let end = at + pattern.length;
    if (!isEdge(folded, at) || !isEdge(folded, end)) continue;
    // A character of which only the beginning matches belongs to the match: one may fold to several words.
    while (places[end] === places[end - 1]) end += 1;
    yield { from: places[at] ?? 0, to: places[end] ?? 0 };
  }
}

/** Whether a word may begin or end between these two characters: not if both belong to a script with spaces. */
function isEdge(folded: string, at: number): boolean {
  const before = [...folded.slice(Math.max(0, at - 2), at)].at(-1);
  const after = folded.codePointAt(at);
  if (before === undefined || after === undefined) return true;
  return !(isSpaced(before.codePointAt(0) ?? 0) && isSpaced(after));
}

const isSpaced = (codePoint: number): boolean => characterKind(codePoint) === WORD_OF_SPACED_SCRIPT;
