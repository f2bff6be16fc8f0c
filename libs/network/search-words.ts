import { characterKind, fold, NO_WORD, WORD_OF_SPACELESS_SCRIPT } from '#kernel/values/text-folding.js';
import type { MatchMode } from './keyword-matching.js';

/**
 * The words of a text as an index of posts holds them: runs of word characters of the folded text, and each
 * character of a script without spaces as a word of its own. Wherever a keyword matches (OP-69), its words
 * stand in the text's words side by side, because a word starts and ends at every edge that a match may have.
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
 * What an index must be asked so that no match is lost: phrases, of which one (mode any) or all must be there.
 * Null when an index cannot help: a keyword without word characters may be anywhere.
 */
export function searchPhrases(
  keywords: readonly string[],
  mode: MatchMode,
): readonly (readonly string[])[] | null {
  const phrases = new Map(
    keywords.map((keyword) => searchWords(keyword)).map((words) => [words.join(' '), words]),
  );
  const withoutWords = phrases.delete('');
  if (phrases.size === 0 || (withoutWords && mode === 'any')) return null;
  return [...phrases.values()];
}
