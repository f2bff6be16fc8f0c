import { fold } from '#kernel/values/text-folding.js';
import { keywordAutomaton } from './keyword-automaton.js';

/** `any`: one keyword is enough. `all`: every keyword must be in the same text. */
export type MatchMode = 'any' | 'all';

/** Returns the keywords found in a text, as spelled, in their order, without duplicates; [] if it is no match. */
export type KeywordMatcher = (text: string) => readonly string[];

/**
 * The only function that decides keyword matches (OP-69). A keyword is found if its folded form occurs in the folded
 * text with a word edge at both ends; all overlapping keywords are found. A keyword that folds to nothing never
 * matches, so in mode `all` nothing does. Building takes well under a microsecond per character of the keywords;
 * matching takes one step per character of the text, for any number of keywords.
 */
export function keywordMatcher(keywords: readonly string[], mode: MatchMode = 'any'): KeywordMatcher {
  const spellings = [...new Set(keywords)];
  const folded = spellings.map(fold);
  const patterns = [...new Set(folded.filter((pattern) => pattern !== ''))].sort();
  const { firstSpelling, nextSpelling, spelled } = sharedSpellings(folded, patterns);
  const needed = mode === 'all' ? spellings.length : 1;
  if (spelled < needed) return () => [];

  const findPatterns = keywordAutomaton(patterns);
  // typed, because sorting an untyped array for every text costs as much as reading it
  const found = new Int32Array(patterns.length);
  const indexes = new Int32Array(spellings.length);

  return (text) => {
    const patternsFound = findPatterns(fold(text), found);
    let count = 0;
    for (let at = 0; at < patternsFound; at++) {
      let spelling = firstSpelling[found[at] ?? 0] ?? -1;
      for (; spelling >= 0; spelling = nextSpelling[spelling] ?? -1) indexes[count++] = spelling;
    }
    if (count < needed) return [];
    indexes.subarray(0, count).sort();
    const matched: string[] = [];
    for (let at = 0; at < count; at++) matched.push(spellings[indexes[at] ?? 0] ?? '');
    return matched;
  };
}

/** Links the spellings that fold to the same pattern. */
function sharedSpellings(folded: readonly string[], patterns: readonly string[]) {
  const numberOf = new Map(patterns.map((pattern, number) => [pattern, number]));
  const firstSpelling = new Int32Array(patterns.length).fill(-1);
  const nextSpelling = new Int32Array(folded.length).fill(-1);
  let spelled = 0;
  folded.forEach((pattern, spelling) => {
    const number = numberOf.get(pattern);
    if (number === undefined) return;
    spelled += 1;
    nextSpelling[spelling] = firstSpelling[number] ?? -1;
    firstSpelling[number] = spelling;
  });
  return { firstSpelling, nextSpelling, spelled };
}
