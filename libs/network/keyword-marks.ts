import { fold } from '#kernel/values/text-folding.js';
import { foldedText, placesOf, type TextRange } from './keyword-places.js';

/** A part of a text: `isMatch` if it is a keyword. */
export type MarkedPart = { readonly text: string; readonly isMatch: boolean };

/**
 * The text in parts that mark the places of keywords as the keyword matcher finds them (OP-69): by folded form and
 * between word edges. The parts together are the whole text. Keywords that do not occur mark nothing.
 */
export function markKeywords(text: string, keywords: readonly string[]): readonly MarkedPart[] {
  const folded = foldedText(text);
  const patterns = [...new Set(keywords.map(fold))];
  const marked = joined(patterns.flatMap((pattern) => [...placesOf(folded, pattern)]));
  const textOf = (from: number, to?: number): string => folded.characters.slice(from, to).join('');
  const parts: MarkedPart[] = [];
  let end = 0;
  for (const { from, to } of marked) {
    parts.push({ text: textOf(end, from), isMatch: false }, { text: textOf(from, to), isMatch: true });
    end = to;
  }
  return [...parts, { text: textOf(end), isMatch: false }].filter((part) => part.text !== '');
}

/** The ranges in order, adjacent ones merged. */
function joined(ranges: readonly TextRange[]): readonly TextRange[] {
  const all: TextRange[] = [];
  for (const range of ranges.toSorted((left, right) => left.from - right.from)) {
    const last = all.at(-1);
    if (last !== undefined && range.from <= last.to) {
      all[all.length - 1] = { from: last.from, to: Math.max(last.to, range.to) };
    } else all.push(range);
  }
  return all;
}
