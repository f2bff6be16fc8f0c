import { characterKind, fold, WORD_OF_SPACED_SCRIPT } from '#kernel/values/text-folding.js';

/** A part of a text: `isMatch` if it is a keyword. */
export type MarkedPart = { readonly text: string; readonly isMatch: boolean };

type Range = { readonly from: number; readonly to: number };

const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' });
/** White space within a grapheme: a joiner may follow it. */
const BLANK = /^\p{White_Space}+/u;

/**
 * The text in parts that mark the places of keywords as the keyword matcher finds them (OP-69): by folded form and
 * between word edges. The parts together are the whole text. Keywords that do not occur mark nothing.
 */
export function markKeywords(text: string, keywords: readonly string[]): readonly MarkedPart[] {
  if (text === '') return [];
  const { folded, places } = foldedWithPlaces(text);
  const patterns = [...new Set(keywords.map(fold))].filter((pattern) => pattern !== '');
  const ranges = patterns.flatMap((pattern) => [...standings(folded, pattern)]);
  const marked = joined(
    ranges.map(({ from, to }) => ({ from: places[from] ?? 0, to: places[to] ?? text.length })),
  );
  const parts: MarkedPart[] = [];
  let end = 0;
  for (const { from, to } of marked) {
    parts.push(
      { text: text.slice(end, from), isMatch: false },
      { text: text.slice(from, to), isMatch: true },
    );
    end = to;
  }
  return [...parts, { text: text.slice(end), isMatch: false }].filter((part) => part.text !== '');
}

/** The folded text, and for each of its code units (and its end) the index in the original text. */
function foldedWithPlaces(text: string): { readonly folded: string; readonly places: readonly number[] } {
  let folded = '';
  const places: number[] = [];
  for (const { segment, index } of graphemes.segment(text)) {
    const rest = segment.replace(BLANK, '');
    // Consecutive white space becomes one space.
    const blank = rest === segment || folded.endsWith(' ') ? '' : ' ';
    const part = blank + fold(rest);
    for (let unit = 0; unit < part.length; unit += 1) places.push(index);
    folded += part;
  }
  places.push(text.length);
  return { folded, places };
}

/** The occurrences of a pattern in a folded text with a word edge at both ends, in order. */
export function* standings(folded: string, pattern: string): Generator<Range> {
  for (let from = folded.indexOf(pattern); from >= 0; from = folded.indexOf(pattern, from + 1)) {
    const to = from + pattern.length;
    if (isEdge(folded, from) && isEdge(folded, to)) yield { from, to };
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

/** The ranges in order, adjacent ones merged. */
function joined(ranges: readonly Range[]): readonly Range[] {
  const all: Range[] = [];
  for (const range of ranges.toSorted((left, right) => left.from - right.from)) {
    const last = all.at(-1);
    if (last !== undefined && range.from <= last.to) {
      all[all.length - 1] = { from: last.from, to: Math.max(last.to, range.to) };
    } else all.push(range);
  }
  return all;
}
