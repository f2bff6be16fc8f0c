import { characterKind, fold, WORD_OF_SPACED_SCRIPT } from '#kernel/values/text-folding.js';
import { occurrenceFinder } from './occurrence-finder.js';

/** `any`: one keyword is enough. `all`: every keyword must be in the same text. */
export type MatchMode = 'any' | 'all';

/** Gives the keywords found in a text as they were spelled, in their order, each once; [] when it is no match. */
export type KeywordMatcher = (text: string) => readonly string[];

/**
 * The one function that decides keyword matches (OP-69). A keyword is found where its folded form stands in
 * the folded text with a word edge at both ends; overlapping keywords are all found. A keyword that folds to
 * nothing never matches, so in mode `all` nothing does. Building costs about a microsecond a character of the
 * keywords, matching one step a character of the text, whatever the number of keywords.
 */
export function keywordMatcher(keywords: readonly string[], mode: MatchMode = 'any'): KeywordMatcher {
  const spellings = [...new Set(keywords)];
  const patterns = new Map<string, number[]>();
  spellings.forEach((spelling, index) => {
    const pattern = fold(spelling);
    if (pattern === '') return;
    const sharing = patterns.get(pattern);
    if (sharing === undefined) patterns.set(pattern, [index]);
    else sharing.push(index);
  });
  const folded = [...patterns.keys()];
  const spellingsOf = [...patterns.values()];
  const needed = mode === 'all' ? spellings.length : 1;
  if (spellingsOf.flat().length < needed) return () => [];

  const asksEdgeBefore = folded.map((pattern) => blocks(pattern.codePointAt(0) ?? 0));
  const asksEdgeAfter = folded.map((pattern) => blocks(codePointBefore(pattern, pattern.length)));
  const occurrences = occurrenceFinder(folded);

  return (text) => {
    const haystack = fold(text);
    const found = occurrences(
      haystack,
      (pattern, start, end) =>
        (asksEdgeBefore[pattern] !== true || start === 0 || !blocks(codePointBefore(haystack, start))) &&
        (asksEdgeAfter[pattern] !== true || !blocks(haystack.codePointAt(end) ?? 0)),
    );
    if (found.length === 0) return [];
    const indexes = found.flatMap((pattern) => spellingsOf[pattern] ?? []);
    if (indexes.length < needed) return [];
    return indexes.sort((left, right) => left - right).map((index) => spellings[index] ?? '');
  };
}

/** Two such characters side by side make no word edge. */
function blocks(codePoint: number): boolean {
  return characterKind(codePoint) === WORD_OF_SPACED_SCRIPT;
}

function codePointBefore(text: string, end: number): number {
  const unit = text.charCodeAt(end - 1);
  const pair = end > 1 && unit >= 0xdc00 && unit <= 0xdfff ? text.codePointAt(end - 2) : undefined;
  return pair !== undefined && pair > 0xffff ? pair : unit;
}
