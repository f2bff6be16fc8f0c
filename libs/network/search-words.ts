import { characterKind, fold, NO_WORD, WORD_OF_SPACELESS_SCRIPT } from '#kernel/values/text-folding.js';
import type { MatchMode } from './keyword-matching.js';

/**
 * The words of a text as a word index stores them: runs of word characters of the folded text, and each character of a
 * script without spaces as one word. Wherever a keyword matches (OP-69), its words occur side by side in the
 * words of the text, because a word starts and ends at every edge that a match may have.
 */
export function searchWords(text: string): readonly string[] {
  const words: string[] = [];
  let word = '';
  for (const character of fold(text)) {
    const kind = characterKind(character.codePointAt(0) ?? 0);
    if (kind !== NO_WORD && kind !== WORD_OF_SPACELESS_SCRIPT) {
      word += character;
      continue;
    }
    if (word !== '') words.push(word);
    word = '';
    if (kind === WORD_OF_SPACELESS_SCRIPT) words.push(character);
  }
  if (word !== '') words.push(word);
  return words;
}

/**
 * Characters that are no words but distinguish texts: emoji, currencies, `#`, `+`. Punctuation occurs in nearly all
 * texts.
 */
const SYMBOL = /[\p{S}#%&*@]/gu;

/** The distinct symbols of a text, as words that contain only word characters. */
export function searchSymbols(text: string): readonly string[] {
  const found = fold(text).match(SYMBOL) ?? [];
  return [...new Set(found)].map((symbol) => `_${(symbol.codePointAt(0) ?? 0).toString(16)}`);
}

/**
 * The index query that loses no match: phrases, of which one (mode any) or all must occur. A keyword without word
 * characters is searched by one of its symbols, if the index has those. Null if an index cannot help: a keyword of
 * punctuation alone may be anywhere.
 */
export function searchPhrases(
  keywords: readonly string[],
  mode: MatchMode,
  holdsSymbols = false,
): readonly (readonly string[])[] | null {
  const phraseOf = (keyword: string): readonly string[] => {
    const words = searchWords(keyword);
    return words.length > 0 || !holdsSymbols ? words : searchSymbols(keyword).slice(0, 1);
  };
  const phrases = new Map(keywords.map(phraseOf).map((words) => [words.join(' '), words]));
  const withoutWords = phrases.delete('');
  if (phrases.size === 0 || (withoutWords && mode === 'any')) return null;
  return [...phrases.values()];
}
