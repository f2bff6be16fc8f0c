import { keywordMatcher } from '#network/keyword-matching.js';
import type { ObservedJobPosting } from '#network/network-source.port.js';
import { questionWords } from '#signals/detection/research/question-words.js';

/** Selects the job postings about a topic. */
export type TopicMatcher = {
  /** A posting without any of these is about something else; empty: no posting is about the topic. */
  readonly keywords: readonly string[];
  readonly isSupportedBy: (posting: Pick<ObservedJobPosting, 'title' | 'description'>) => boolean;
};

/**
 * A topic is a choice of alternatives, separated by commas, semicolons and line breaks: title and description
 * together contain every word of one alternative, in any order. An alternative that has only stop words matches
 * nothing (D-36).
 */
export function topicMatcher(topic: string): TopicMatcher {
  const alternatives = topic
    .split(/[,;\r\n\u2028\u2029]/u)
    .map(questionWords)
    .filter((words) => words.length > 0);
  const finders = alternatives.map((words) => keywordMatcher(words, 'all'));
  return {
    keywords: [...new Set(alternatives.flatMap(([first = '']) => first))],
    isSupportedBy: ({ title, description }) => {
      const text = [title, description].filter((part) => part !== null).join('\n');
      return finders.some((find) => find(text).length > 0);
    },
  };
}
