import { characterKind, fold, WORD_OF_SPACED_SCRIPT } from '#kernel/values/text-folding.js';
import { keywordMatcher } from '#network/keyword-matching.js';
import { sentencesOf, textOf, type Passage } from './passage.js';
import { questionWords } from './question-words.js';
import type { Question } from './researcher.port.js';

/** Matches passages with a question. Built once per question. */
export type Statements = {
  /** The keywords of the search for passages; empty: nothing can be reported about the question (D-82). */
  readonly keywords: readonly string[];
  /** Whether a text contains a word of the question, or a choice. */
  readonly mentions: (text: string) => boolean;
  /** The first sentence that states the question, about this choice if there are choices; null: none does. */
  readonly statement: (passage: Passage, answer: string) => string | null;
  /**
   * The part of a passage that is shown as evidence of an answer: its statement, or the part around the first
   * mention.
   */
  readonly extract: (passage: Passage, answer: string) => string;
};

export function statementsOn({ text, choices }: Question): Statements {
  const words = questionWords(text);
  const keywords = words.length === 0 ? [] : [...words, ...(choices ?? [])];
  const findAny = keywordMatcher(keywords, 'any');
  const findWords = keywordMatcher(words, 'all');
  const findChoice = keywordMatcher(choices ?? [], 'any');
  const isNegated = negationFinder(text);

  const mentions = (passage: string): boolean => findAny(passage).length > 0;
  const statement = (passage: Passage, answer: string): string | null =>
    sentencesOf(passage).find(
      (sentence) =>
        findWords(sentence).length > 0 &&
        (choices === null || findChoice(sentence).includes(answer)) &&
        !isNegated(sentence),
    ) ?? null;
  return {
    keywords,
    mentions,
    statement,
    extract: (passage, answer) =>
      statement(passage, answer) ?? sentencesOf(passage).find(mentions) ?? textOf(passage),
  };
}

const NEGATIONS = keywordMatcher(['not', 'no', 'never', 'without'], 'any');
const CONTRACTED = "n't";

/** Whether a sentence negates and the question does not (D-83). */
function negationFinder(question: string): (sentence: string) => boolean {
  const asked = new Set(negationsIn(question));
  return (sentence) => negationsIn(sentence).some((negation) => !asked.has(negation));
}

function negationsIn(text: string): readonly string[] {
  const found = NEGATIONS(text);
  return endsAWord(fold(text), CONTRACTED) ? [...found, CONTRACTED] : found;
}

/** Whether a word of a folded text has this ending. */
function endsAWord(folded: string, ending: string): boolean {
  for (let at = folded.indexOf(ending); at !== -1; at = folded.indexOf(ending, at + 1)) {
    const next = folded.codePointAt(at + ending.length);
    if (next === undefined || characterKind(next) !== WORD_OF_SPACED_SCRIPT) return true;
  }
  return false;
}
